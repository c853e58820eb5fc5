package io.escapement.perf.crowd;

import io.escapement.perf.rig.ProcessMeter;
import io.escapement.perf.rig.RunPlan;

/**
 * Names of the measurements of a part, and the lines that control the processes. Figures of one phase have the number
 * of the phase after a dot.
 */
public final class CrowdFigures
{
    /** Value of a figure that is not available. */
    public static final long UNKNOWN = -1;

    // Moves, in total and per phase.
    public static final String SENT = "sent";
    public static final String PLANNED = "planned";
    public static final String PLANNED_NS = "plannedNs";
    /** Moves given up under back pressure. They do not count as sent. */
    public static final String NOT_OFFERED = "notOffered";
    public static final String ANSWERED = "answered";
    /** Moves answered within 40 ms. */
    public static final String IN_TIME = "inTime";
    /** From the first planned move of a phase until the last move was sent. */
    public static final String TOOK_NS = "tookNs";
    /** From the start of a phase until the first second of good service, or {@link #UNKNOWN}. */
    public static final String RECOVERED_MS = "recoveredMs";

    // Checks by the bots.
    public static final String CHECKSUM_DIFFERENCE = "checksumDifference";
    public static final String ORDER_FAULTS = "orderFaults";
    public static final String BROKEN_STATES = "brokenStates";
    public static final String STATES_SEEN = "statesSeen";
    /** Moves that no state contained. */
    public static final String MOVES_UNSEEN = "movesUnseen";
    /** Refusals that the bots received. Refusals of one code have its number after a dot. */
    public static final String REFUSALS_RECEIVED = "refusalsReceived";

    // The bots' process.
    public static final String BOTS_NS = "botsNs";
    public static final String BOTS_CPU_NS = "botsCpuNs";
    /** Time of duty cycles of the bots that found work. */
    public static final String BOTS_BUSY_NS = "botsBusyNs";
    public static final String BOTS_BYTES = "botsBytes";

    // The server's process.
    public static final String SERVER_NS = "serverNs";
    public static final String SERVER_CPU_NS = "serverCpuNs";
    /** Allocated by the threads of the loops and the edge, without an invoked driver. */
    public static final String ENGINE_BYTES = "engineBytes";
    /** Allocated by the engine's other threads. */
    public static final String MONITOR_BYTES = "monitorBytes";
    /** Allocated by the invoked driver. */
    public static final String DRIVER_BYTES = "driverBytes";
    public static final String DRIVER_NS = "driverNs";
    public static final String LOOPS_BUSY_NS = "loopsBusyNs";
    public static final String RSS_KB = "rssKb";
    public static final String ERRORS = "errors";
    /** Turns longer than 100 ms. */
    public static final String STALLS = "stalls";

    // The gateway's process.
    public static final String GATEWAY_NS = ProcessMeter.PREFIX + RunPlan.GATEWAY + ProcessMeter.NS;
    public static final String GATEWAY_CPU_NS = ProcessMeter.PREFIX + RunPlan.GATEWAY + ProcessMeter.CPU_NS;
    /** Processor time of its worker. */
    public static final String GATEWAY_WORKER_NS = "gatewayWorkerNs";
    /** Allocated by its worker. */
    public static final String GATEWAY_BYTES = "gatewayBytes";

    // The process of pages at the console: prefixes, with the number of a page.
    public static final String PAGE_EVENTS = "pageEvents.";
    public static final String PAGE_BYTES = "pageBytes.";
    /** Answers to its questions for lists. */
    public static final String PAGE_LISTS = "pageLists.";
    /** Pictures of a room's past. */
    public static final String PAGE_PICTURES = "pagePictures.";

    // Counters of the edge and the loops.
    public static final String ACCEPTED = "accepted";
    public static final String REFUSED = "refused";
    /** Batches that the edge left with Aeron because a ring was full. */
    public static final String SENT_BACK = "sentBack";
    /** Refusals that the edge could not send. */
    public static final String REFUSALS_UNSENT = "refusalsUnsent";
    /** Prefix: entries that the edge refused, by reason. */
    public static final String SHED = "shed.";
    public static final String ROOMS_REFUSED = "roomsRefused";
    /** Prefix: commands that the loops refused, by reason. */
    public static final String ROOM_REFUSED = "roomRefused.";
    /** Room-frames due, including frames that never ran. */
    public static final String ROOM_FRAMES = "roomFrames";
    /** Rooms of a phase group. Their frames run together. */
    public static final String ROOMS_PER_FRAME = "roomsPerFrame";
    public static final String MISSED = "missed";
    /** States sent by rooms, once per receiving player. */
    public static final String STATES_SENT = "statesSent";
    /** States dropped by the engine, once per trunk. */
    public static final String STATES_DROPPED = "statesDropped";
    /** Changes of the frame ladder, with a number and a field after dots. */
    public static final String LADDER = "ladder";

    // Series.
    /** From the planned send to the answer, by phase. */
    public static final String PING = "ping";
    /** From the planned send to the first state that contains the move. */
    public static final String MOVE_TO_STATE = "moveToState";
    /**
     * From the frame until a player saw its state. Only without durability, because a durable room must not read a
     * clock.
     */
    public static final String STATE_AGE = "stateAge";
    /** Between two states that a player saw. */
    public static final String GAP = "gap";
    /** Lateness of room-frames. */
    public static final String LATENESS = "lateness";

    // Control lines.
    /** Tool to server and back: stop counting. */
    public static final String END = "END";
    /** Bots to tool: the moves are sent, and answered as far as they will be. */
    public static final String LOADED = "LOADED";

    private CrowdFigures()
    {
    }
}
