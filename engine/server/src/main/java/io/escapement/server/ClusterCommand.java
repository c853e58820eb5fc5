package io.escapement.server;

import io.escapement.client.TrunkContext;
import io.escapement.config.ConfigException;
import io.escapement.driver.internal.UntilSignal;
import io.escapement.gateway.Gateway;
import io.escapement.gateway.GatewayContext;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the servers of a cluster on this machine. */
@Command(
    name = "cluster",
    sortOptions = false,
    description = "Try a cluster: run its servers on this machine, until Ctrl-C or SIGTERM. If you kill a server, " +
        "the others continue with its rooms, and it is restarted.",
    footer = {"", "On three machines use escapement serve --cluster. See engine/guide/cluster.md.",
        "", "Examples:",
        "  escapement cluster",
        "  escapement cluster --nodes 5 --data ./five-servers --web-port 8080"})
final class ClusterCommand implements Callable<Integer>
{
    private static final int MAX_NODES = 9;
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Longer than a fail-over, so that it can be watched. */
    private static final long RESTART_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long WEB_DRAIN_NS = TimeUnit.SECONDS.toNanos(1);

    @Spec
    private CommandSpec spec;

    @Option(names = "--nodes", defaultValue = "3",
        description = "Number of servers, 1 to 9. Three survive the loss of one server (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(names = "--port", defaultValue = "40200", description = "First UDP port. Each server uses ten ports " +
        "(default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(names = "--data", paramLabel = "DIR", defaultValue = "./escapement-data/cluster",
        description = "Directory of the servers' logs and database (default: ${DEFAULT-VALUE}).")
    private Path directory;

    @Mixin
    private WebOptions web;

    @Mixin
    private TypesOptions types;

    @Mixin
    private LogInOptions logIn;

    private PrintWriter out;

    @Override
    public Integer call() throws Exception
    {
        ConfigException.check(nodes >= 1 && nodes <= MAX_NODES, "--nodes", nodes, "1 to " + MAX_NODES);
        ConfigException.check(port >= 1 && port <= ClusterProcesses.lastFirstPort(nodes), "--port", port,
            "1 to " + ClusterProcesses.lastFirstPort(nodes) + ", for " + ClusterProcesses.ports(nodes) + " ports");
        out = spec.commandLine().getOut();
        Quiet.client();
        final Game game = types.loadSome().game();
        logIn.concludeWithoutTokens(game);
        return UntilSignal.run((until) -> run(game, until));
    }

    private int run(final Game game, final UntilSignal until) throws IOException
    {
        final AtomicBoolean isEnding = new AtomicBoolean();
        final ClusterProcesses processes = new ClusterProcesses(nodes, port,
            directory.toAbsolutePath().normalize(), logIn, types, (line) -> ServeCommand.print(out, line));
        processes.check("--port", "--data");
        final GatewayContext context = gateway(processes, game);
        try (ClusterProcesses servers = processes; Gateway gateway = start(servers, context))
        {
            servers.describe().forEach((line) -> ServeCommand.print(out, line));
            ServeCommand.print(out, "bots: escapement bots --server " + servers.ingress() + " --respond " +
                servers.response());
            if (null != gateway)
            {
                ServeCommand.print(out, ServeCommand.WEB + " " + web.url(gateway));
            }
            final Thread watch = new Thread(() -> watch(servers, isEnding), "cluster-watch");
            watch.start();
            until.await();
            isEnding.set(true);
            LockSupport.unpark(watch);
            join(watch);
            if (null != gateway)
            {
                gateway.drain(WEB_DRAIN_NS);
            }
            final int status = servers.end() ? 0 : 1;
            ServeCommand.print(out, ServeCommand.STOPPED + " rooms are kept in " + directory);
            return status;
        }
    }

    /** In this process, so that players stay connected while servers are killed and restarted. */
    private GatewayContext gateway(final ClusterProcesses servers, final Game game)
    {
        return web.isSet() || WebOptions.hasPage(game) ? web.context(game, logIn.credentials(),
            0, servers.ingress(), servers.response(), ServerOptions.secret(null, true), ServeCommand.WEB,
            TrunkContext.FEED_DEFAULT).conclude() : null;
    }

    private static Gateway start(final ClusterProcesses servers, final GatewayContext context) throws IOException
    {
        servers.start();
        return null == context ? null : Gateway.launch(context);
    }

    /** Print who leads, and restart servers that have exited. */
    private void watch(final ClusterProcesses servers, final AtomicBoolean isEnding)
    {
        final long[] endedNs = new long[servers.size()];
        final boolean[] isUp = new boolean[servers.size()];
        int leader = ClusterProcesses.NOBODY;
        while (!isEnding.get())
        {
            final long nowNs = System.nanoTime();
            for (int i = 0; i < endedNs.length; i++)
            {
                if (servers.isUp(i) && !isUp[i])
                {
                    ServeCommand.print(out, "server " + i + " is up");
                }
                isUp[i] = servers.isUp(i);
                if (servers.isAlive(i))
                {
                    endedNs[i] = 0;
                }
                else if (0 == endedNs[i])
                {
                    endedNs[i] = nowNs;
                    ServeCommand.print(out, "server " + i + " has ended, and " + (servers.staysDown(i) ?
                        "stays down: it has stopped twice at the same turn" : "is started again in " +
                        TimeUnit.NANOSECONDS.toSeconds(RESTART_NS) + " s"));
                }
                else if (nowNs - endedNs[i] > RESTART_NS && !servers.staysDown(i))
                {
                    servers.start(i);
                }
            }
            final int leads = servers.leader();
            if (leads != leader)
            {
                leader = leads;
                ServeCommand.print(out, ClusterProcesses.NOBODY == leads ? "no server leads" :
                    "server " + leads + " leads; to kill it: kill -9 " + servers.pid(leads));
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    private static void join(final Thread thread)
    {
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
