package io.escapement.perf.loop;

import io.escapement.engine.monitor.LoopRecorder;
import io.escapement.perf.rig.IntervalRecorder;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.ProcessMeter;
import io.escapement.perf.rig.WarmUpParts;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;

/** Measures the frames of rooms on a live loop, with the loop's own recorder. */
public final class LoopFrames
{
    private static final int TYPE_ID = 1;
    private static final int FRAMES_AFTER_COLLECTION = 4;
    private static final String MISSED = "room-frames that never ran";

    private final FramesPlan plan;
    private final ProcessMeter meter;
    private final FramePace pace = new FramePace();
    private final List<FrameRoom> rooms = new ArrayList<>();
    /** Whether rooms ask for the measured rate, and not for the warm-up's. */
    private volatile boolean isAtPace;
    private long recordedFrames;

    /** Create for one run, in whose measured part a meter runs. */
    public LoopFrames(final FramesPlan plan, final ProcessMeter meter)
    {
        this.plan = plan;
        this.meter = meter;
        isAtPace = 0 == plan.fastMs();
    }

    /** Run warm-up and measured part. */
    public Measurements measure()
    {
        final RoomType type = RoomType.of(TYPE_ID, "frames", 1, this::newRoom)
            .seats(1).timers(0).requests(0).groups(0).outputLimit(1_024);
        final Measurements measurements;
        final LoopRecorder recorder;
        try (LoopUnderTest loop = new LoopUnderTest(type, plan.rooms, plan.phases, plan.idle))
        {
            recorder = loop.measurements;
            loop.openRooms(TYPE_ID, plan.rooms);
            WarmUpParts.run(plan, () -> warmUp(loop));
            // Collect here, so that no collection of warm-up garbage falls into the measured part.
            System.gc();
            park(FRAMES_AFTER_COLLECTION * TimeUnit.SECONDS.toNanos(1) / plan.hz);
            measurements = record(loop, plan.measureMs);
            loop.check();
        }
        takeCost(recorder);
        final long countedFrames = rooms.stream().mapToLong((room) -> room.frames).sum();
        return measurements
            .put(FramesPlan.ROOMS_PER_FRAME, roomsPerFrame())
            .put(FramesPlan.CHECKSUM_DIFFERENCE, countedFrames - recordedFrames)
            .put(FramesPlan.DRIFT_PPB, pace.driftPpb(plan.hz));
    }

    /** A round, which ends as the measured part does, so that the code of that is compiled too. */
    private void warmUp(final LoopUnderTest loop)
    {
        isAtPace = 0 == plan.fastMs();
        park(TimeUnit.MILLISECONDS.toNanos(plan.fastMs()));
        isAtPace = true;
        record(loop, plan.paceMs());
    }

    private Measurements record(final LoopUnderTest loop, final int durationMs)
    {
        final LoopRecorder recorder = loop.measurements;
        takeCost(recorder);
        recorder.frameLateness().getIntervalHistogram();
        final Measurements measurements = new Measurements();
        final long missedBefore = loop.counter(MISSED);
        meter.start(durationMs);
        pace.start();
        long due = 0;
        for (int i = 0; i < IntervalRecorder.DEFAULT_INTERVALS; i++)
        {
            park(TimeUnit.MILLISECONDS.toNanos(durationMs) / IntervalRecorder.DEFAULT_INTERVALS);
            final Histogram lateness = recorder.frameLateness().getIntervalHistogram();
            due += lateness.getTotalCount();
            add(measurements, FramesPlan.LATENESS, lateness);
            add(measurements, FramesPlan.COST, takeCost(recorder));
        }
        pace.stop();
        return measurements.addAll(meter.stop())
            .put(FramesPlan.DUE, due).put(FramesPlan.MISSED, loop.counter(MISSED) - missedBefore);
    }

    /** Of a phase group, rounded. */
    private long roomsPerFrame()
    {
        return Math.max(1, Math.round((double)plan.rooms / plan.phases));
    }

    private Histogram takeCost(final LoopRecorder recorder)
    {
        final Histogram cost = recorder.frameWork().getIntervalHistogram();
        recordedFrames += cost.getTotalCount();
        return cost;
    }

    /** In the loop's thread. */
    private RoomLogic newRoom()
    {
        final FrameRoom room = new FrameRoom(rooms.isEmpty());
        rooms.add(room);
        return room;
    }

    private static void add(final Measurements measurements, final String name, final Histogram interval)
    {
        if (0 != interval.getTotalCount())
        {
            measurements.add(name, interval);
        }
    }

    private static void park(final long ns)
    {
        final long endNs = System.nanoTime() + ns;
        for (long leftNs = ns; leftNs > 0; leftNs = endNs - System.nanoTime())
        {
            LockSupport.parkNanos(leftNs);
        }
    }

    private final class FrameRoom implements RoomLogic
    {
        private final boolean isFirst;
        private Room room;
        private int hz;
        private long frames;

        FrameRoom(final boolean isFirst)
        {
            this.isFirst = isFirst;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            followPace();
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException("the room has no seat that is taken");
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            frames++;
            if (isFirst)
            {
                pace.onFrame(frame);
            }
            plan.work();
            followPace();
        }

        private void followPace()
        {
            final int requestedHz = isAtPace ? plan.hz : FramesPlan.FAST_HZ;
            if (requestedHz != hz)
            {
                hz = requestedHz;
                room.frameRate(requestedHz);
            }
        }
    }
}
