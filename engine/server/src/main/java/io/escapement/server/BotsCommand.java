package io.escapement.server;

import io.escapement.config.ConfigException;
import io.escapement.engine.WarmUp;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs bots that play on a server and check it. */
@Command(
    name = "bots",
    sortOptions = false,
    description = "Run the game's bots on a server. They log in, enter rooms, play and leave, and check every " +
        "message that they receive.",
    footer = {"", "Examples:",
        "  escapement bots --types game.jar --rooms 64 --seconds 30",
        "  escapement bots --driver-dir /dev/shm/game --rooms 4 --seats 8"})
final class BotsCommand implements Callable<Integer>
{
    static final String ENTER = "enter";
    static final String STATS = "bots";
    static final String WARM = "warm";
    static final String TOTAL = "total";
    static final String SUMMARY = "seen";

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long ENTER_STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long ENTER_NS = TimeUnit.MINUTES.toNanos(3);
    private static final long LEAVE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_PLAYERS = 65_536;
    private static final int MANY_PLAYERS = 1_024;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Mixin
    private TypesOptions types;

    @Option(names = "--rooms", defaultValue = "16", description = "Number of rooms (default: ${DEFAULT-VALUE}).")
    private int rooms;

    @Option(names = "--seats", defaultValue = "16",
        description = "Players per room (default: ${DEFAULT-VALUE}).")
    private int seats;

    @Option(names = "--spare", defaultValue = "0",
        description = "Seats per room that stay free for players (default: ${DEFAULT-VALUE}).")
    private int spare;

    @Option(names = "--quick-match", description = "Enter through quick matches of --seats players, instead of rooms " +
        "that the bots open.")
    private boolean isMatched;

    @Option(names = "--trunks", defaultValue = "16",
        description = "Trunks (connections) that carry the players (default: ${DEFAULT-VALUE}).")
    private int trunks;

    @Option(names = "--sampling", defaultValue = "10",
        description = "Maximum inputs per player per second, 1 to 60 (default: ${DEFAULT-VALUE}).")
    private int sampling;

    @Option(names = "--seconds", defaultValue = "60",
        description = "Seconds to measure, after the warm-up (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--warm-up", defaultValue = "20",
        description = "Seconds of play before the measurement (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--until-told", hidden = true,
        description = "Stop the warm-up at a line on standard input, and after --warm-up at the latest.")
    private boolean isTold;

    @Option(names = "--run", defaultValue = "1",
        description = "Number in the account names. Another number gives other players (default: ${DEFAULT-VALUE}).")
    private int runNumber;

    @Option(names = "--seed", defaultValue = "1",
        description = "Seed of the bots' decisions (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--threads", description = "Threads that run the bots (default: 1, or 2 from 1,024 players).")
    private Integer threads;

    private final BotStats total = new BotStats();
    private BotCrowd crowd;
    private long compiledMs;
    private PrintWriter out;

    @Override
    public Integer call()
    {
        ConfigException.check(seats >= 1, "--seats", seats, "1 or more");
        ConfigException.check(spare >= 0, "--spare", spare, "0 or more");
        ConfigException.check(rooms >= 1 && (long)rooms * seats <= MAX_PLAYERS, "--rooms", rooms,
            "1 or more, at most 65,536 players in all");
        ConfigException.check(trunks >= 1 && trunks <= 64, "--trunks", trunks, "1 to 64");
        ConfigException.check(sampling >= 1 && sampling <= 60, "--sampling", sampling, "1 to 60");
        ConfigException.check(seconds >= 1, "--seconds", seconds, "1 or more");
        out = spec.commandLine().getOut();
        Quiet.client();
        server.check();
        final BotOptions options = new BotOptions(server.driverDirectory(), server.ingress(), server.response(),
            server.secret(), server.feed(), server.termLength(), isMatched, rooms, seats, spare, trunks,
            sampling, 1, runNumber, seed);
        final BotProvider bots = TypesOptions.bots(spec, types.loadSome().game(), options);
        final int hosts = null == threads ? (rooms * seats < MANY_PLAYERS ? 1 : Math.min(2, trunks)) : threads;
        ConfigException.check(hosts >= 1 && hosts <= trunks, "--threads", hosts, "1 to the number of --trunks");
        try (BotCrowd opened = new BotCrowd(options, bots, hosts))
        {
            crowd = opened;
            if (!enter())
            {
                throw new IllegalStateException("--server: " + server.ingress() + ": only " + crowd.entered() + " of " +
                    options.players() + " players entered in " + TimeUnit.NANOSECONDS.toSeconds(ENTER_NS) + " s");
            }
            warmUp();
            total.resetPings();
            final long violationsBefore = crowd.violations();
            play(seconds, STATS);
            final int playing = crowd.playing();
            final long violations = crowd.violations() - violationsBefore;
            crowd.leave(LEAVE_NS);
            total.add(crowd.takeStats());
            crowd.violationTexts().stream().limit(20).forEach((text) -> ServeCommand.print(out, "violation " + text));
            ServeCommand.print(out, SUMMARY + " " + bots.summary());
            ServeCommand.print(out, total.line(TOTAL, playing)
                .put("violations", violations).put("left", options.players() - crowd.seated()).toString());
            if (crowd.seated() > 0)
            {
                ServeCommand.print(out, crowd.seated() + " bots could not leave in " +
                    TimeUnit.NANOSECONDS.toSeconds(LEAVE_NS) + " s");
            }
            return 0 == crowd.violations() && 0 == total.lost + total.doubled && 0 == crowd.seated() ? 0 : 1;
        }
    }

    private boolean enter()
    {
        final long startNs = System.nanoTime();
        long reportedNs = startNs;
        while (crowd.entered() < rooms * seats && System.nanoTime() - startNs < ENTER_NS)
        {
            crowd.run(ENTER_STEP_NS);
            crowd.checkConnections();
            if (System.nanoTime() - reportedNs > SECOND_NS)
            {
                reportedNs = System.nanoTime();
                report(ENTER);
            }
        }
        return crowd.entered() == rooms * seats;
    }

    private void warmUp()
    {
        for (int i = 0; i < warmUp && !hasBeenTold(); i++)
        {
            play(1, WARM);
        }
    }

    private boolean hasBeenTold()
    {
        try
        {
            return isTold && System.in.available() > 0;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void play(final int forSeconds, final String word)
    {
        for (int i = 0; i < forSeconds; i++)
        {
            crowd.run(SECOND_NS);
            report(word);
        }
    }

    private void report(final String word)
    {
        final BotStats interval = crowd.takeStats();
        total.add(interval);
        ServeCommand.print(out, interval.line(word, crowd.playing())
            .put("violations", crowd.violations()).put("compiled", WarmUp.compiledMs() - compiledMs).toString());
        compiledMs = WarmUp.compiledMs();
    }
}
