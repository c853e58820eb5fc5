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
    private static final long ENTER_NS = TimeUnit.MINUTES.toNanos(3);
    private static final long LEAVE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_PLAYERS = 65_536;

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

    private BotHost host;
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
        try (BotHost opened = new BotHost(options))
        {
            host = opened;
            if (!enter())
            {
                throw new IllegalStateException("--server: " + server.ingress() + ": after " +
                    TimeUnit.NANOSECONDS.toSeconds(ENTER_NS) + " s only " + host.playing() + " of " + host.players() +
                    " players are in");
            }
            play(warmUp, WARM);
            host.stats().reset();
            final long violationsBefore = host.violations();
            play(seconds, STATS);
            final Line total = host.stats().total(TOTAL, host.playing())
                .put("violations", host.violations() - violationsBefore)
                .put("corrections", host.corrections());
            host.leave(LEAVE_NS);
            host.violationTexts().stream().limit(20).forEach((text) -> ServeCommand.tell(out, "violation " + text));
            ServeCommand.tell(out, total.put("left", host.players() - host.seated())
                .put("kills", host.stats().kills).put("deaths", host.stats().deaths).toString());
            return 0 == host.violations() ? 0 : 1;
        }
    }

    private boolean enter()
    {
        final long startNs = System.nanoTime();
        long toldNs = startNs;
        while (host.playing() < host.players() && System.nanoTime() - startNs < ENTER_NS)
        {
            for (int i = 0; i < 100; i++)
            {
                host.turn();
            }
            if (System.nanoTime() - toldNs > SECOND_NS)
            {
                toldNs = System.nanoTime();
                tell("enter");
            }
        }
        return host.playing() == host.players();
    }

    private void play(final int forSeconds, final String word)
    {
        for (int i = 0; i < forSeconds; i++)
        {
            final long untilNs = System.nanoTime() + SECOND_NS;
            while (System.nanoTime() < untilNs)
            {
                host.turn();
            }
            tell(word);
        }
    }

    private void tell(final String word)
    {
        ServeCommand.tell(out, host.stats().interval(word, host.playing())
            .put("violations", host.violations()).put("corrections", host.corrections()).toString());
    }

    private void check(final boolean isRight, final String option, final int value)
    {
        if (!isRight)
        {
            throw new ParameterException(spec.commandLine(), option + ": " + value);
        }
    }
}
