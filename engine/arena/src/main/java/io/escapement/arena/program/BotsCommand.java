package io.escapement.arena.program;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lets bots play on a server. */
@Command(
    name = "bots",
    sortOptions = false,
    description = "Let bots play: they sign up, make characters, enter rooms, fight, chat, leave, " +
            "and check what they see.")
final class BotsCommand implements Callable<Integer>
{
    static final String STATS = "bots";
    static final String WARM = "warm";
    static final String TOTAL = "total";

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long ENTER_STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long ENTER_NS = TimeUnit.MINUTES.toNanos(3);
    private static final long LEAVE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_PLAYERS = 65_536;
    private static final int MANY_PLAYERS = 1_024;
    private static final double THOUSANDTHS = 1_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Option(names = "--rooms", defaultValue = "16", description = "Arenas; ${DEFAULT-VALUE} unless given.")
    private int rooms;

    @Option(names = "--seats", defaultValue = "16",
        description = "Players in each, 2 to 16; ${DEFAULT-VALUE} unless given.")
    private int seats;

    @Option(names = "--trunks", defaultValue = "16",
        description = "Connections that carry them; ${DEFAULT-VALUE} unless given.")
    private int trunks;

    @Option(names = "--sampling", defaultValue = "10", description = "How often a player tells of itself at most, a " +
        "second; ${DEFAULT-VALUE} unless given.")
    private int sampling;

    @Option(names = "--seconds", defaultValue = "60",
        description = "How long they play when all are in and the warm-up " +
        "is over; ${DEFAULT-VALUE} unless given.")
    private int seconds;

    @Option(names = "--warm-up", defaultValue = "20",
        description = "Seconds before anything counts; ${DEFAULT-VALUE} " +
        "unless given.")
    private int warmUp;

    @Option(names = "--run", defaultValue = "1", description = "Number in the names of their accounts.")
    private int runNumber;

    @Option(names = "--seed", defaultValue = "1", description = "Of what they do.")
    private long seed;

    @Option(names = "--threads", description = "Threads that they run in; two for 1,024 players or more unless given.")
    private Integer threads;

    private final BotStats total = new BotStats();
    private BotCrowd crowd;
    private PrintWriter out;

    @Override
    public Integer call()
    {
        check(seats >= 2 && seats <= 16, "--seats", seats);
        check(rooms >= 1 && rooms * seats <= MAX_PLAYERS, "--rooms", rooms);
        check(trunks >= 1 && trunks <= 64, "--trunks", trunks);
        check(sampling >= 1 && sampling <= 60, "--sampling", sampling);
        check(seconds >= 1, "--seconds", seconds);
        out = spec.commandLine().getOut();
        final BotOptions options = new BotOptions(server.ingress(), server.response(), server.secret(),
            rooms, seats, 0, trunks, 120 / sampling, 1, runNumber, seed);
        final int hosts = null == threads ? (rooms * seats < MANY_PLAYERS ? 1 : Math.min(2, trunks)) : threads;
        check(hosts >= 1 && hosts <= trunks, "--threads", hosts);
        try (BotCrowd opened = new BotCrowd(options, hosts))
        {
            crowd = opened;
            if (!enter())
            {
                throw new IllegalStateException("--server: " + server.ingress() + ": after " +
                    TimeUnit.NANOSECONDS.toSeconds(ENTER_NS) + " s only " + crowd.playing() + " of " +
                    options.players() + " players are in");
            }
            play(warmUp, WARM);
            total.forgetPings();
            final long violationsBefore = crowd.violations();
            play(seconds, STATS);
            final int playing = crowd.playing();
            final long violations = crowd.violations() - violationsBefore;
            crowd.leave(LEAVE_NS);
            total.add(crowd.takeStats());
            crowd.violationTexts().stream().limit(20).forEach((text) -> ServeCommand.tell(out, "violation " + text));
            ServeCommand.tell(out, total.line(TOTAL, playing)
                .put("violations", violations).put("corrections", crowd.corrections())
                .put("shownOff50", crowd.othersError().getValueAtPercentile(50) / THOUSANDTHS)
                .put("shownOff99", crowd.othersError().getValueAtPercentile(99) / THOUSANDTHS)
                .put("left", options.players() - crowd.seated())
                .put("kills", total.kills).put("deaths", total.deaths).toString());
            return 0 == crowd.violations() ? 0 : 1;
        }
    }

    private boolean enter()
    {
        final long startNs = System.nanoTime();
        long toldNs = startNs;
        while (crowd.playing() < rooms * seats && System.nanoTime() - startNs < ENTER_NS)
        {
            crowd.run(ENTER_STEP_NS);
            if (System.nanoTime() - toldNs > SECOND_NS)
            {
                toldNs = System.nanoTime();
                tell("enter");
            }
        }
        return crowd.playing() == rooms * seats;
    }

    private void play(final int forSeconds, final String word)
    {
        for (int i = 0; i < forSeconds; i++)
        {
            crowd.run(SECOND_NS);
            tell(word);
        }
    }

    private void tell(final String word)
    {
        final BotStats interval = crowd.takeStats();
        total.add(interval);
        ServeCommand.tell(out, interval.line(word, crowd.playing())
            .put("violations", crowd.violations()).put("corrections", crowd.corrections()).toString());
    }

    private void check(final boolean isRight, final String option, final int value)
    {
        if (!isRight)
        {
            throw new ParameterException(spec.commandLine(), option + ": " + value);
        }
    }
}
