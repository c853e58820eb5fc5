package io.escapement.perf.loop;

import io.escapement.engine.monitor.LoopRecorder;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.IntervalRecorder;
import io.escapement.perf.rig.Measurements;
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
    private final FramePace pace = new FramePace();
    private final List<FrameRoom> rooms = new ArrayList<>();
    /** Whether rooms ask for the measured rate, and not for the warm-up's. */
    private volatile boolean isAtPace;
    private long recordedFrames;

    /** Create for one run. */
    public LoopFrames(final FramesPlan plan)
    {
        this.plan = plan;
        isAtPace = 0 == plan.fastNs();
    }

    /** Run warm-up and measured part. */
    public Measurements measure()
    {
        final RoomType type = RoomType.of(TYPE_ID, "frames", 1, this::newRoom)
            .seats(1).timers(0).requests(0).groups(0).outputLimit(1_024);
        final Measurements measurements = new Measurements();
        final LoopRecorder recorder;
        try (LoopUnderTest loop = new LoopUnderTest(type, plan.rooms, plan.phases, plan.idle))
        {
            recorder = loop.measurements;
            loop.openRooms(TYPE_ID, plan.rooms);
            warmUp(recorder);
            final long missedBefore = loop.counter(MISSED);
            final long compiledMs = Control.compiledMs();
            pace.start();
            long due = 0;
            for (int i = 0; i < IntervalRecorder.DEFAULT_INTERVALS; i++)
            {
                park(plan.measureNs() / IntervalRecorder.DEFAULT_INTERVALS);
                final Histogram lateness = recorder.frameLateness().getIntervalHistogram();
                due += lateness.getTotalCount();
                add(measurements, FramesPlan.LATENESS, lateness);
                add(measurements, FramesPlan.COST, takeCost(recorder));
            }
            pace.stop();
            measurements.put(FramesPlan.DUE, due).put(FramesPlan.MISSED, loop.counter(MISSED) - missedBefore)
                .put(FramesPlan.COMPILED_MS, Control.compiledMs() - compiledMs);
            loop.check();
        }
        takeCost(recorder);
        final long countedFrames = rooms.stream().mapToLong((room) -> room.frames).sum();
        return measurements
            .put(FramesPlan.CHECKSUM_DIFFERENCE, countedFrames - recordedFrames)
            .put(FramesPlan.DRIFT_PPB, pace.driftPpb(plan.hz));
    }

    private void warmUp(final LoopRecorder recorder)
    {
        for (int round = 0; round < FramesPlan.WARM_UP_ROUNDS; round++)
        {
            isAtPace = 0 == plan.fastNs();
            park(plan.fastNs());
            isAtPace = true;
            pace.start();
            park(plan.paceNs());
            pace.stop();
            discard(recorder);
        }
        // Collect here, so that no collection of warm-up garbage falls into the measured part.
        System.gc();
        park(FRAMES_AFTER_COLLECTION * TimeUnit.SECONDS.toNanos(1) / plan.hz);
        discard(recorder);
    }

    private void discard(final LoopRecorder recorder)
    {
        takeCost(recorder);
        recorder.frameLateness().getIntervalHistogram();
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
