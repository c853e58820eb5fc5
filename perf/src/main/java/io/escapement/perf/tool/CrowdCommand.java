package io.escapement.perf.tool;

import io.escapement.perf.players.Crowd;
import io.escapement.perf.players.Phase;
import io.escapement.perf.players.PlayersHost;
import io.escapement.perf.players.PlayersOptions;
import io.escapement.perf.players.PlayersRun;
import io.escapement.perf.process.Child;
import io.escapement.perf.process.Findings;
import io.escapement.perf.process.Ports;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** What the commands have in common that have players in rooms. */
abstract class CrowdCommand extends MeasureCommand
{
    /** Runs it in processes of its own, and hears how far it has come. */
    interface Runner extends BiFunction<PlayersOptions, Consumer<String>, List<Findings>>
    {
    }

    static final double SECOND_NS = 1e9;
    static final double MS_NS = 1e6;

    private static final int MAX_ROOMS = 16_384;
    private static final int MAX_SEATS = 1_024;
    private static final int MAX_HZ = 1_000;
    private static final int MAX_TRUNKS = 128;
    private static final int MAX_SENDS = 1_000;
    private static final int LEAST_MTU = 512;
    private static final int MOST_MTU = 8_192;
    private static final int MTU_UNIT = 32;
    private static final int MAX_GATHER_US = 100_000;

    @Option(names = "--rooms", defaultValue = "256", description = "rooms (default: ${DEFAULT-VALUE})")
    private int rooms;

    @Option(names = "--seats", defaultValue = "16", description = "seats of a room (default: ${DEFAULT-VALUE})")
    private int seats;

    @Option(names = "--hz", defaultValue = "60",
        description = "frames of a room, and states of it, a second (default: ${DEFAULT-VALUE})")
    private int hz;

    @Option(names = "--trunks", defaultValue = "16",
        description = "trunks that the players come over (default: ${DEFAULT-VALUE})")
    private int trunks;

    @Option(names = "--sends", defaultValue = "10",
        description = "moves of a player a second (default: ${DEFAULT-VALUE})")
    private int sends;

    @Option(names = "--state", paramLabel = "BYTES", defaultValue = "200",
        description = "bytes of a state (default: ${DEFAULT-VALUE})")
    private int state;

    @Option(names = "--placement", defaultValue = Crowd.SPREAD,
        description = "spread or aligned: a room's seats on different trunks, or on one (default: ${DEFAULT-VALUE})")
    private String placement;

    @Option(names = "--mtu", paramLabel = "BYTES", defaultValue = "1408",
        description = "bytes of a datagram (default: ${DEFAULT-VALUE})")
    private int mtu;

    @Option(names = "--idle", defaultValue = "park",
        description = "busy, yield, backoff or park, of the engine (default: park)")
    private String idle;

    @Option(names = "--gather", paramLabel = "US", defaultValue = "1000", description = {
        "how long the bots gather moves, as a gateway would, in microseconds (default: ${DEFAULT-VALUE});",
        "the time counts as latency"})
    private int gatherUs;

    private final Runner runner;

    CrowdCommand(final Runner runner)
    {
        this.runner = runner;
    }

    @Override
    final void checkOptions()
    {
        check(Crowd.PLACEMENTS.contains(placement), "--placement", placement);
        check(List.of("busy", "yield", "backoff", "park").contains(idle), "--idle", idle);
        check(rooms >= 1 && rooms <= MAX_ROOMS, "--rooms", rooms);
        check(seats >= 1 && seats <= MAX_SEATS, "--seats", seats);
        check(hz >= 1 && hz <= MAX_HZ, "--hz", hz);
        check(trunks >= 1 && trunks <= MAX_TRUNKS, "--trunks", trunks);
        check(sends >= 1 && sends <= MAX_SENDS, "--sends", sends);
        check(state >= Crowd.leastState(seats) && state <= Crowd.mostState(), "--state", state);
        check(mtu >= LEAST_MTU && mtu <= MOST_MTU && 0 == mtu % MTU_UNIT, "--mtu", mtu);
        check(gatherUs >= 0 && gatherUs <= MAX_GATHER_US, "--gather", gatherUs);
        checkOwnOptions();
    }

    @Override
    final String refusal()
    {
        return "busy".equals(idle) && cores() < 2 ?
            "--idle busy would spin the engine's thread and the bots' on one core: take yield, backoff or park" : null;
    }

    @Override
    final List<String> childFlags()
    {
        return Child.flags(PlayersRun.HEAP_MB);
    }

    /**
     * The compilers are at it for so long, and where the players' thread and the engine's have a core each, they take
     * theirs from one of them for tens of milliseconds at a time.
     */
    @Override
    final int usualWarmUpMs()
    {
        return 5 * WARM_UP_MS;
    }

    /** Throw by {@link #check} when an option is wrong. */
    abstract void checkOwnOptions();

    final Crowd crowd()
    {
        return new Crowd(rooms, seats, hz, trunks, state, placement);
    }

    final int sends()
    {
        return sends;
    }

    final int seats()
    {
        return seats;
    }

    final int hz()
    {
        return hz;
    }

    final String placement()
    {
        return placement;
    }

    final int mtu()
    {
        return mtu;
    }

    /** What is the same in every run, in words. */
    final String conditions()
    {
        return String.format(Locale.ROOT,
            "%d seats a room, %d Hz, %d trunks, %s, %d moves a second each, states of %d B, MTU %d, %s",
            seats, hz, trunks, placement, sends, state, mtu, idle);
    }

    final List<Findings> run(final Crowd crowd, final int trunkRate, final List<List<Phase>> parts)
    {
        return runner.apply(new PlayersOptions(crowd, PlayersHost.of(cores(), idle, mtu, gatherUs, Ports.free()),
            trunkRate, new Phase(movesPerSecond(crowd), warmUpMs()), parts), this::progress);
    }

    final long movesPerSecond(final Crowd crowd)
    {
        return (long)crowd.players() * sends;
    }

    /** What makes a run worthless, whatever its load was. */
    final void checkContent(final String what, final Findings found)
    {
        if (0 != found.value(PlayersRun.ORDER_FAULTS))
        {
            fault(what + found.value(PlayersRun.ORDER_FAULTS) + " answers came back changed or out of order");
        }
        if (0 != found.value(PlayersRun.BROKEN_STATES))
        {
            fault(what + found.value(PlayersRun.BROKEN_STATES) + " states were broken or out of order");
        }
        if (0 != found.value(PlayersRun.ERRORS))
        {
            fault(what + "the engine told of " + found.value(PlayersRun.ERRORS) + " errors");
        }
    }

    /** A part of the time of a process, one being a core. */
    static double share(final Findings found, final String ns, final String ofNs)
    {
        return (double)found.value(ns) / found.value(ofNs);
    }

    static double ratio(final long part, final long whole)
    {
        return 0 == whole ? Double.NaN : (double)part / whole;
    }

    static double ms(final double ns)
    {
        return ns / MS_NS;
    }

    static String text(final double value, final int digits)
    {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
