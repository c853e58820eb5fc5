package io.escapement.perf.loopback;

import io.aeron.Aeron;
import io.aeron.driver.ThreadingMode;
import io.escapement.driver.DriverDirectory;
import io.escapement.perf.rig.ArchiveServer;
import io.escapement.perf.rig.BareTransport;
import io.escapement.perf.rig.ClientHost;
import io.escapement.perf.rig.ClusterServer;
import io.escapement.perf.rig.ClusterTransport;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.EngineTransport;
import io.escapement.perf.rig.IntervalRecorder;
import io.escapement.perf.rig.LoadParts;
import io.escapement.perf.rig.LoadRig;
import io.escapement.perf.rig.LoopbackServer;
import io.escapement.perf.rig.PerfDriver;
import io.escapement.perf.rig.Transport;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The processes of {@code echo}: a server that sends every message back, and a client that sends at a rate and records
 * the time from the planned send to the return. The client spins.
 */
public final class Echo
{
    /** Subject: client, trunk, ring, room and back. */
    public static final String ENGINE = "engine";
    /** Subject: bare Aeron, one publication each way. */
    public static final String RAW = "raw";
    /** Subject: bare Aeron again, which shows by how much two runs of the same thing differ. */
    public static final String NULL = "null";
    /** Subject: the engine without durability, beside one that has it. */
    public static final String MEMORY = "memory";
    /** Subject: the engine without durability again. */
    public static final String MEMORY_NULL = "memory-null";
    /** Subject: bare Aeron that answers what an Archive has recorded, beside an engine with a journal. */
    public static final String ARCHIVE = "archive";
    /** Subject: a bare Aeron Cluster of as many nodes, beside an engine of several. */
    public static final String CLUSTER = "aeron-cluster";
    /** Measured messages sent. */
    public static final String SENT = "sent";
    /** Measured messages that came back. */
    public static final String RECEIVED = "received";
    /** Messages that came back out of order or with another length. */
    public static final String ORDER_FAULTS = "orderFaults";
    /** Checksum of the messages sent minus that of the messages received. */
    public static final String CHECKSUM_DIFFERENCE = "checksumDifference";
    /** Achieved share of the planned rate. */
    public static final String RATE_PERMILLE = "ratePermille";
    /** Series: time from the planned send to the return. */
    public static final String LATENCY = "latency";

    private static final int TYPE_ID = 1;
    private static final int SEATS = 1_024;
    private static final int FRAGMENT_LIMIT = 16;
    private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int WARM_UP_RATE = 50_000;
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final int PLANNED = 0;
    private static final int SEQUENCE = 8;

    private final EchoPlan plan;
    private final Control control;
    private final IntervalRecorder recorder;
    private final UnsafeBuffer message;
    private long sent;
    private long received;
    private long orderFaults;
    private long sentSum;
    private long receivedSum;
    private long recorded;
    private long recordFromNs = Long.MAX_VALUE;
    private long cycleNs;
    private long busyNs;

    private Echo(final EchoPlan plan, final Control control)
    {
        this.plan = plan;
        this.control = control;
        recorder = new IntervalRecorder(TimeUnit.MILLISECONDS.toNanos(plan.measureMs));
        message = new UnsafeBuffer(new byte[plan.size]);
    }

    /** Run the server process. */
    public static void serve(final EchoPlan plan, final Control control)
    {
        switch (plan.subject)
        {
            case ENGINE, MEMORY, MEMORY_NULL -> LoopbackServer.runEngine(control, plan.ofSubject(),
                RoomType.of(TYPE_ID, "echo", 1, EchoRoom::new).seats(SEATS).outputLimit(1024 * 1024),
                plan.mode, plan.idle);
            case ARCHIVE -> ArchiveServer.run(control, plan, EchoPlan.SYNCED.equals(plan.durability), plan.idle,
                plan.requestChannel(), plan.replyChannel(), EchoPlan.MAX_SIZE);
            case CLUSTER -> ClusterServer.run(control, plan);
            default -> LoopbackServer.runAeron(control, plan, plan.mode, plan.idle,
                plan.requestChannel(), plan.replyChannel(), FRAGMENT_LIMIT, null);
        }
    }

    /** Run the client process. */
    public static void measure(final EchoPlan plan, final Control control)
    {
        final Echo echo = new Echo(plan, control);
        try (ClientHost host = new ClientHost(plan, () -> PerfDriver.context(
            DriverDirectory.temporary(), ThreadingMode.INVOKER, "busy"), plan.isEngine()))
        {
            echo.measure(host.aeron(), host.driver());
        }
    }

    private void measure(final Aeron aeron, final AgentInvoker driver)
    {
        try (Transport transport = transport(aeron))
        {
            final LoadRig rig = new LoadRig(
                () -> dutyCycle(driver, transport), () -> PerfDriver.invoke(driver, 1), Integer.MAX_VALUE, 0);
            if (!rig.await(transport::connect, CONNECT_NS))
            {
                throw new IllegalStateException("no connection within " + CONNECT_NS + " ns");
            }
            new LoadParts(control).follow(plan, rig, (durationMs) -> part(rig, transport, durationMs));
        }
    }

    /** At the measured rate, and faster before if the client parks, for code to be compiled soon. */
    private void part(final LoadRig rig, final Transport transport, final int durationMs)
    {
        if (!control.warmUp().isOver())
        {
            load(rig, transport, Math.max(WARM_UP_RATE, plan.rate), durationMs);
        }
        recorded = 0;
        orderFaults = 0;
        recorder.start(System.nanoTime());
        control.meter().start(durationMs);
        control.send(Control.RECORDING);
        final long sentBefore = sent;
        recordFromNs = System.nanoTime();
        busyNs = 0;
        final long tookNs = load(rig, transport, plan.rate, durationMs);
        control.send(control.meter().stop(busyNs)
            .put(SENT, sent - sentBefore)
            .put(RECEIVED, recorded)
            .put(ORDER_FAULTS, orderFaults)
            .put(CHECKSUM_DIFFERENCE, sentSum - receivedSum)
            .put(RATE_PERMILLE, 1_000 * TimeUnit.MILLISECONDS.toNanos(durationMs) / tookNs)
            .add(LATENCY, recorder.stop(System.nanoTime())), plan.results);
    }

    /** The client parks in the warm-up, so that the compilers have its core. */
    private long dutyCycle(final AgentInvoker driver, final Transport transport)
    {
        final int work = PerfDriver.invoke(driver) + transport.poll();
        final long nowNs = System.nanoTime();
        if (0 != work)
        {
            busyNs += nowNs - cycleNs;
        }
        else if (!control.warmUp().isOver())
        {
            LockSupport.parkNanos(PARK_NS);
        }
        cycleNs = nowNs;
        return nowNs;
    }

    private Transport transport(final Aeron aeron)
    {
        if (plan.isEngine())
        {
            return new EngineTransport(aeron, plan, false, this::onEcho);
        }
        return CLUSTER.equals(plan.subject) ? new ClusterTransport(aeron, plan, this::onEcho) :
            new BareTransport(aeron, plan.requestChannel(), plan.replyChannel(), this::onEcho);
    }

    /** Send at a rate, then wait for the answers. Returns nanoseconds until the last message was accepted. */
    private long load(final LoadRig rig, final Transport transport, final int rate, final int durationMs)
    {
        final long tookNs = rig.run(
            System.nanoTime(), 1e9 / rate, (long)rate * durationMs / 1_000, Long.MAX_VALUE, (number, plannedNs) ->
            {
                message.putLong(PLANNED, plannedNs);
                message.putLong(SEQUENCE, sent);
                if (!transport.send(message, message.capacity()))
                {
                    return false;
                }
                sentSum += plannedNs ^ sent;
                sent++;
                return true;
            });
        rig.await(() -> received >= sent, DRAIN_NS);
        return tookNs;
    }

    private void onEcho(final DirectBuffer buffer, final int offset, final int length)
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
