package io.escapement.perf.loopback;

import io.aeron.logbuffer.Header;
import io.escapement.perf.rig.ArchiveServer;
import io.escapement.perf.rig.BareServer;
import io.escapement.perf.rig.BareTransport;
import io.escapement.perf.rig.ClientHost;
import io.escapement.perf.rig.ClusterServer;
import io.escapement.perf.rig.ClusterTransport;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.EngineTransport;
import io.escapement.perf.rig.IntervalRecorder;
import io.escapement.perf.rig.LoopbackGame;
import io.escapement.perf.rig.Transport;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.server.Game;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/**
 * The processes of {@code echo}: a server that sends every message back, and a client. The client sends at a rate and
 * records the time from the planned send to the return.
 */
public final class Echo extends LoadClient<EchoPlan>
{
    /** Subject: client, trunk, ring, room and back. */
    public static final String ENGINE = "engine";
    /** Subject: bare Aeron, one publication each way. */
    public static final String RAW = "raw";
    /** Subject: bare Aeron again, which shows by how much two runs of the same thing differ. */
    public static final String NULL = "null";
    /** Subject: the engine without durability, compared with a durable engine. */
    public static final String MEMORY = "memory";
    /** Subject: the engine without durability again. */
    public static final String MEMORY_NULL = "memory-null";
    /** Subject: bare Aeron that answers messages recorded by an Archive, compared with an engine with a journal. */
    public static final String ARCHIVE = "archive";
    /** Subject: a bare Aeron Cluster of as many nodes, compared with an engine of several nodes. */
    public static final String CLUSTER = "aeron-cluster";
    /** Measured messages sent. */
    public static final String SENT = "sent";
    /** Measured messages that returned. */
    public static final String RECEIVED = "received";
    /** Messages that returned out of order or with another length. */
    public static final String ORDER_FAULTS = "orderFaults";
    /** Checksum of the messages sent minus that of the messages received. */
    public static final String CHECKSUM_DIFFERENCE = "checksumDifference";
    /** Achieved share of the planned rate. */
    public static final String RATE_PERMILLE = "ratePermille";
    /** Series: time from the planned send to the return. */
    public static final String LATENCY = "latency";

    private static final int TYPE_ID = 1;
    private static final int SEATS = 1_024;
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int WARM_UP_RATE = 50_000;
    private static final int PLANNED = 0;
    private static final int SEQUENCE = 8;

    private final IntervalRecorder recorder;
    private long received;
    private long receivedSum;
    private long orderFaults;
    private long recorded;
    private long recordFromNs = Long.MAX_VALUE;

    private Echo(final EchoPlan plan, final Control control)
    {
        super(plan, control, Integer.MAX_VALUE, 1, plan.size);
        recorder = new IntervalRecorder(TimeUnit.MILLISECONDS.toNanos(plan.measureMs));
    }

    /** The game of an engine's server process. */
    public static Game game(final EchoPlan plan)
    {
        return new LoopbackGame(plan, (control) ->
            RoomType.of(TYPE_ID, "echo", 1, EchoRoom::new).seats(SEATS).outputLimit(1024 * 1024), plan.idle);
    }

    /** Run the server process of a peer. */
    public static void serve(final EchoPlan plan, final Control control)
    {
        switch (plan.subject)
        {
            case ARCHIVE -> ArchiveServer.run(control, plan, plan.idle);
            case CLUSTER -> ClusterServer.run(control, plan);
            default -> BareServer.run(control, plan, plan.mode, plan.idle, null);
        }
    }

    /** Run the client process. */
    public static void measure(final EchoPlan plan, final Control control)
    {
        new Echo(plan, control).run(plan.isEngine());
    }

    @Override
    Transport open(final ClientHost host)
    {
        if (plan.isEngine())
        {
            return new EngineTransport(host.aeron(), plan, false, this::onEcho);
        }
        return CLUSTER.equals(plan.subject) ? new ClusterTransport(host, plan, this::onEcho) :
            new BareTransport(host.aeron(), plan, this::onEcho);
    }

    /** At the measured rate, and faster before if the client parks, for code to be compiled soon. */
    @Override
    void part(final int durationMs)
    {
        if (!control.warmUp().isOver())
        {
            load(Math.max(WARM_UP_RATE, plan.rate), durationMs);
        }
        recorded = 0;
        orderFaults = 0;
        recorder.start(System.nanoTime());
        final long sentBefore = sent;
        startPart(durationMs);
        recordFromNs = System.nanoTime();
        final long tookNs = load(plan.rate, durationMs);
        control.send(control.meter().stop(busyNs)
            .put(SENT, sent - sentBefore)
            .put(RECEIVED, recorded)
            .put(ORDER_FAULTS, orderFaults)
            .put(CHECKSUM_DIFFERENCE, sentSum - receivedSum)
            .put(RATE_PERMILLE, 1_000 * TimeUnit.MILLISECONDS.toNanos(durationMs) / tookNs)
            .add(LATENCY, recorder.stop(System.nanoTime())), plan.results);
    }

    /** Send at a rate, then wait for the answers. Returns nanoseconds until the last message was accepted. */
    private long load(final int rate, final int durationMs)
    {
        final long tookNs = rig.run(
            System.nanoTime(), 1e9 / rate, (long)rate * durationMs / 1_000, Long.MAX_VALUE, (number, plannedNs) ->
            {
                message.putLong(PLANNED, plannedNs);
                message.putLong(SEQUENCE, sent);
                return send(plannedNs ^ sent);
            });
        rig.await(() -> received >= sent, DRAIN_NS);
        return tookNs;
    }

    private void onEcho(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        final long plannedNs = buffer.getLong(offset + PLANNED);
        final long sequence = buffer.getLong(offset + SEQUENCE);
        if (sequence != received || length != message.capacity())
        {
            orderFaults++;
        }
        received++;
        receivedSum += plannedNs ^ sequence;
        if (plannedNs >= recordFromNs)
        {
            final long nowNs = System.nanoTime();
            recorded++;
            recorder.record(nowNs, nowNs - plannedNs);
        }
    }

    /** Sends every message back to its seat, in the turn in which it arrived. */
    private static final class EchoRoom implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.sendEvent(from, buffer, offset, length);
        }
    }
}
