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
    description = "Serve players in browsers, in front of a server on this machine or another.",
    footer = {"", "In front of several servers that keep one log: name all, separated by commas, in " +
        "--server and --respond. It follows the one that leads.",
        "", "Stops at SIGTERM: it sends its players away, and the server holds their seats."})
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
        description = "Time over which players are sent away at the end (default: ${DEFAULT-VALUE}).")
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
