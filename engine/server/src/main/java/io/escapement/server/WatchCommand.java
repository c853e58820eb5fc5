package io.escapement.server;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Draws a room of bots as text, live, as one bot sees it. */
@Command(
    name = "watch",
    sortOptions = false,
    description = "Draw a room of bots as text, live, as one of the bots sees it.",
    footer = {"", "Examples:",
        "  escapement watch --types game.jar",
        "  escapement watch --seats 4 --seconds 10 --plain"})
final class WatchCommand implements Callable<Integer>
{
    private static final long FRAME_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int INPUTS_PER_SECOND = 10;
    private static final String HOME = "\u001b[H\u001b[2J";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Mixin
    private TypesOptions types;

    @Option(names = "--seats", defaultValue = "8", description = "Number of players (default: ${DEFAULT-VALUE}).")
    private int seats;

    @Option(names = "--seconds", defaultValue = "30", description = "Seconds to draw (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--plain", description = "Do not clear the screen between drawings.")
    private boolean isPlain;

    @Override
    public Integer call()
    {
        final PrintWriter out = spec.commandLine().getOut();
        Quiet.client();
        server.check();
        final BotOptions options = new BotOptions(server.driverDirectory(), server.ingress(), server.response(),
            server.secret(), server.feed(), server.termLength(), false, 1, seats, 0, 1, INPUTS_PER_SECOND, seats - 1,
            (int)(System.currentTimeMillis() % 1_000_000), 1);
        try (BotCrowd crowd = new BotCrowd(options, TypesOptions.bots(spec, types.loadSome().game(), options), 1))
        {
            final long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            while (System.nanoTime() < untilNs)
            {
                crowd.run(FRAME_NS);
                crowd.checkConnections();
                final String picture = crowd.first().picture();
                if (null != picture)
                {
                    out.print((isPlain ? "" : HOME) + picture);
                    out.flush();
                }
            }
            crowd.leave(TimeUnit.SECONDS.toNanos(5));
            return 0 == crowd.violations() ? 0 : 1;
        }
    }
}
