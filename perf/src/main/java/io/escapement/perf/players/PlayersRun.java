package io.escapement.perf.players;

import io.escapement.perf.process.Child;
import io.escapement.perf.process.Findings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One run: an engine and bots, made for it and gone after it. */
public final class PlayersRun
{
    /** Heap of both processes, in megabytes. */
    public static final int HEAP_MB = 512;
    /** In place of what cannot be told. */
    public static final long UNKNOWN = -1;

    /** Moves that left, the numbers of phases in a part behind a dot. */
    public static final String SENT = "sent";
    /** Moves that were planned. */
    public static final String PLANNED = "planned";
    /** How long the moves of a phase were planned to take. */
    public static final String PLANNED_NS = "plannedNs";
    /** Moves that could not leave and were given up: they were not offered. */
    public static final String NOT_OFFERED = "notOffered";
    /** Moves that were answered. */
    public static final String ANSWERED = "answered";
    /** Moves that were answered in time, 40 ms. */
    public static final String IN_TIME = "inTime";
    /** From the first planned move of a phase until the last one left. */
    public static final String TOOK_NS = "tookNs";
    /** From the beginning of a phase until a second in which players were served well began, or {@link #UNKNOWN}. */
    public static final String RECOVERED_MS = "recoveredMs";
    /** Checksum over what was sent less that over what came back. */
    public static final String CHECKSUM_DIFFERENCE = "checksumDifference";
    /** Answers that came twice or in another order, and moves that were not planned. */
    public static final String ORDER_FAULTS = "orderFaults";
    /** States that were not whole. */
    public static final String BROKEN_STATES = "brokenStates";
    /** States that players saw, of those that count. */
    public static final String STATES_SEEN = "statesSeen";
    /** Moves that were in no state. */
    public static final String MOVES_UNSEEN = "movesUnseen";
    /** Refusals that the bots heard of. Those of a code have its number behind a dot. */
    public static final String HEARD = "refusalsHeard";
    /** Processor time of the bots. */
    public static final String BOTS_CPU_NS = "botsCpuNs";
    /** For how many milliseconds the bots' compilers worked. */
    public static final String BOTS_COMPILED_MS = "botsCompiledMs";
    /** What the bots' thread had to do something in. */
    public static final String BOTS_BUSY_NS = "botsBusyNs";
    /** Time of the bots' part. */
    public static final String BOTS_NS = "botsNs";
    /** What the bots' thread has allocated. */
    public static final String BOTS_BYTES = "botsBytes";

    /** Time of the server's part. */
    public static final String SERVER_NS = "serverNs";
    /** Processor time of the server. */
    public static final String SERVER_CPU_NS = "serverCpuNs";
    /** For how many milliseconds the server's compilers worked. */
    public static final String SERVER_COMPILED_MS = "serverCompiledMs";
    /** Safepoints of the server. */
    public static final String SAFEPOINTS = "safepoints";
    /** How long the server was in them. */
    public static final String SAFEPOINT_NS = "safepointNs";
    /** What the threads of the loops and the edge have allocated, an invoked driver left out. */
    public static final String ENGINE_BYTES = "engineBytes";
    /** What the engine's other threads have allocated: those that look at the loops now and then. */
    public static final String KEEPER_BYTES = "keeperBytes";
    /** What the invoked driver has allocated. */
    public static final String DRIVER_BYTES = "driverBytes";
    /** How long the driver was invoked for. */
    public static final String DRIVER_NS = "driverNs";
    /** How long the loops were at work. */
    public static final String LOOPS_BUSY_NS = "loopsBusyNs";
    /** Memory of the server. */
    public static final String RSS_KB = "rssKb";
    /** Faults that the engine told of. */
    public static final String ERRORS = "errors";
    /** Turns of more than 100 ms. */
    public static final String STALLS = "stalls";
    /** Entries that the edge let in. */
    public static final String ACCEPTED = "accepted";
    /** Entries that the edge refused. */
    public static final String REFUSED = "refused";
    /** Frames that the edge left with Aeron because a ring was full. */
    public static final String SENT_BACK = "sentBack";
    /** Refusals that the edge could not tell of. */
    public static final String REFUSALS_UNTOLD = "refusalsUntold";
    /** Entries that the edge refused, by the name of the reason that follows. */
    public static final String SHED = "shed.";
    /** Commands that the loops refused. */
    public static final String ROOMS_REFUSED = "roomsRefused";
    /** Commands that the loops refused, by the name of the reason that follows. */
    public static final String ROOM_REFUSED = "roomRefused.";
    /** Room-frames that were due, those that never ran too. */
    public static final String ROOM_FRAMES = "roomFrames";
    /** Room-frames that never ran. */
    public static final String MISSED = "missed";
    /** Turns in which room-frames were found to be missed. */
    public static final String MISSED_TURNS = "missedTurns";
    /** How many of those are told one by one: a number and a field behind dots. */
    public static final String MISSED_TURNS_TOLD = "missedTurnsTold";
    /** States that the rooms sent, once for each player that they were for. */
    public static final String STATES_SENT = "statesSent";
    /** States that the engine dropped, once for each trunk that they were for. */
    public static final String STATES_DROPPED = "statesDropped";
    /** Events that were lost with their trunk. */
    public static final String EVENTS_LOST = "eventsLost";
    /** Changes of the ladder's step: how many, each with a number and a field behind dots. */
    public static final String LADDER = "ladder";

    /** Series: from the planned send to the answer, the number of the phase behind a dot. */
    public static final String PING = "ping";
    /** Series: from the planned send to the first state with the move in it. */
    public static final String MOVE_TO_STATE = "moveToState";
    /** Series: between two states that a player saw. */
    public static final String GAP = "gap";
    /** Series: how late room-frames were. */
    public static final String LATENESS = "lateness";

    static final String BEGIN = "BEGIN";
    static final String END = "END";
    static final String TELL = "TELL";
    static final String GO = "GO";
    static final String LOADED = "LOADED";
    static final String FAULT = "FAULT ";
    static final String PROGRESS = "PROGRESS ";

    private static final long SPARE_SECONDS = 150;
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(1);

    /** Does something to the processes of a run. */
    @FunctionalInterface
    interface AtGo
    {
        /** The bots begin with a part that counts; the ids are those of the processes. */
        void go(long server, long bots);
    }

    private PlayersRun()
    {
    }

    /**
     * Run it.
     *
     * @param options  of the run.
     * @param progress hears how far it has come.
     * @return what both processes found, for each part of the run.
     */
    public static List<Findings> run(final PlayersOptions options, final Consumer<String> progress)
    {
        return run(options, progress, (server, bots) -> { });
    }

    /**
     * Run it, and do something to its processes meanwhile.
     *
     * @param atGo told when the bots begin with a part that counts.
     */
    static List<Findings> run(
        final PlayersOptions options, final Consumer<String> progress, final AtGo atGo)
    {
        final List<String> arguments = options.toArguments();
        final long limitSeconds = TimeUnit.MILLISECONDS.toSeconds(options.durationMs()) + SPARE_SECONDS;
        try (Child server = new Child("players server", PlayersServer.class, arguments, limitSeconds, HEAP_MB))
        {
            server.await("READY");
            try (Child bots = new Child("players bots", PlayersBots.class, arguments, limitSeconds, HEAP_MB))
            {
                final Consumer<String> heard = (line) -> hear(line, progress);
                bots.await("READY", heard);
                progress.accept("warm-up, " + options.warmUp().durationMs() + " ms");
                for (int i = 0; i < options.warmUpParts().size(); i++)
                {
                    part(server, bots, heard, (serverPid, botsPid) -> { });
                }
                final List<Findings> parts = new ArrayList<>();
                for (final List<Phase> part : options.parts())
                {
                    progress.accept(part.stream()
                        .map((phase) -> phase.movesPerSecond() + " moves a second, " + phase.durationMs() + " ms")
                        .collect(Collectors.joining(", then ")));
                    parts.add(part(server, bots, heard, atGo));
                }
                return parts;
            }
        }
    }

    /** While the bots tell what they found they hear nothing, and what has queued up is none of the next part's. */
    private static void settle()
    {
        final long untilNs = System.nanoTime() + SETTLE_NS;
        while (System.nanoTime() < untilNs)
        {
            LockSupport.parkNanos(untilNs - System.nanoTime());
        }
    }

    private static Findings part(
        final Child server, final Child bots, final Consumer<String> heard, final AtGo atGo)
    {
        settle();
        server.tell(BEGIN);
        server.await(BEGIN);
        bots.tell(GO);
        atGo.go(server.pid(), bots.pid());
        bots.await(LOADED, heard);
        // States that are sent from here on do not count; those on their way are waited for.
        server.tell(END);
        server.await(END);
        bots.tell(TELL);
        final Findings findings = Findings.await(bots, heard);
        server.tell(TELL);
        return findings.addAll(Findings.await(server, heard));
    }

    private static void hear(final String line, final Consumer<String> progress)
    {
        if (line.startsWith(FAULT))
        {
            throw new IllegalStateException(line.substring(FAULT.length()));
        }
        if (line.startsWith(PROGRESS))
        {
            progress.accept(line.substring(PROGRESS.length()));
        }
    }
}
