package io.escapement.server;

import io.escapement.gateway.Gateway;
import io.escapement.gateway.GatewayContext;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Serves players in browsers in front of a server, on this machine or another. */
@Command(
    name = "gateway",
    sortOptions = false,
    description = "Serve players in browsers, in front of a server on this machine or on another machine.",
    footer = {"", "If several servers keep one log, name all of them in --server and --respond, separated by commas. " +
        "The gateway follows the leader.",
        "", "At SIGTERM the gateway disconnects its players and stops. The server holds their seats.",
        "", "Examples:",
        "  escapement gateway --types game.jar --web-port 8080",
        "  escapement gateway --server 10.0.0.5:40100 --respond 10.0.0.5:40101"})
final class GatewayCommand implements Callable<Integer>
{
    private static final int PORT = 8080;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Mixin
    private WebOptions web;

    @Mixin
    private TypesOptions types;

    @Mixin
    private LogInOptions logIn;

    @Mixin
    private OtlpOptions otlp;

    @Option(names = "--drain", paramLabel = "SECONDS", defaultValue = "10",
        description = "Time over which players are disconnected at a stop (default: ${DEFAULT-VALUE}).")
    private int drainSeconds;

    @Override
    public Integer call()
    {
        Quiet.client();
        final Game game = types.load().game();
        logIn.conclude(game);
        final PrintWriter out = spec.commandLine().getOut();
        otlp.check();
        final GatewayContext context = web.context(game, logIn.credentials(), PORT, server.ingress(),
            server.response(), server.secret(), "gateway", server.feed()).termLength(server.termLength());
        if (null != server.driverDirectory())
        {
            context.ipc(server.driverDirectory());
        }
        otlp.set(context);
        game.configure(context);
        Gateway.runUntilSignal(context, (gateway) ->
            {
                ServeCommand.print(out, "serving players at");
                ServeCommand.print(out, web.url(gateway));
            }, TimeUnit.SECONDS.toNanos(drainSeconds));
        return CommandLine.ExitCode.OK;
    }
}
