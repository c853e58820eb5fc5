package io.escapement.perf.loop;

import io.escapement.engine.monitor.LoopRecorder;
import io.escapement.perf.process.CompilerTime;
import io.escapement.perf.process.Findings;
import io.escapement.perf.process.IntervalRecorder;
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

/** Frames of rooms on a live loop, measured with the loop's own recorder. */
final class LoopFrames
{
    private static final int TYPE_ID = 1;
    private static final int FRAMES_AFTER_COLLECTION = 4;
    private static final String MISSED = "room-frames that never ran";

    private final FramesOptions options;
    private final FramePace pace = new FramePace();
    private final List<FrameRoom> rooms = new ArrayList<>();
    /** Whether frames are to come at the rate that is measured. */
    private volatile boolean isAtPace;
    private long ran;

    private LoopFrames(final FramesOptions options)
    {
        this.options = options;
        isAtPace = 0 == options.fastNs();
    }

    static Findings measure(final FramesOptions options)
    {
        return new LoopFrames(options).measure();
    }

    private Findings measure()
    {
        final RoomType type = RoomType.of(TYPE_ID, "frames", 1, this::newRoom)
            .seats(1).timers(0).requests(0).groups(0).outputLimit(1_024);
        final Findings findings = new Findings();
        final LoopRecorder recorder;
        try (LoopUnderTest loop = new LoopUnderTest(type, options.rooms(), options.phases(), options.idle()))
        {
            recorder = loop.recorder();
            loop.openRooms(TYPE_ID, options.rooms());
            for (int round = 0; round < FramesOptions.WARM_UP_ROUNDS; round++)
            {
                isAtPace = 0 == options.fastNs();
                park(options.fastNs());
                isAtPace = true;
                pace.begin();
                park(options.paceNs());
                pace.end();
                forget(recorder);
            }
            // What the start and the warm-up left would else be collected while it counts.
            System.gc();
            park(FRAMES_AFTER_COLLECTION * TimeUnit.SECONDS.toNanos(1) / options.hz());
            forget(recorder);
            final long missedBefore = loop.count(MISSED);
            final long compiledMs = CompilerTime.ms();
            pace.begin();
            long due = 0;
            final long intervalNs =
                TimeUnit.MILLISECONDS.toNanos(options.measureMs()) / IntervalRecorder.DEFAULT_INTERVALS;
            for (int i = 0; i < IntervalRecorder.DEFAULT_INTERVALS; i++)
            {
                park(intervalNs);
                final Histogram lateness = recorder.frameLateness().getIntervalHistogram();
                due += lateness.getTotalCount();
                add(findings, FramesRun.LATENESS, lateness);
                add(findings, FramesRun.COST, takeRan(recorder));
            }
            pace.end();
            findings.put(FramesRun.DUE, due).put(FramesRun.MISSED, loop.count(MISSED) - missedBefore)
                .put(FramesRun.COMPILED_MS, CompilerTime.ms() - compiledMs);
            loop.check();
        }
        takeRan(recorder);
        long counted = 0;
        for (final FrameRoom room : rooms)
        {
            counted += room.frames;
        }
        return findings
            .put(FramesRun.RAN, ran)
            .put(FramesRun.CHECKSUM_DIFFERENCE, counted - ran)
            .put(FramesRun.DRIFT_PPB, pace.driftPpb(options.hz()));
    }

    private void forget(final LoopRecorder recorder)
    {
        takeRan(recorder);
        recorder.frameLateness().getIntervalHistogram();
    }

    private Histogram takeRan(final LoopRecorder recorder)
    {
        final Histogram cost = recorder.frameWork().getIntervalHistogram();
        ran += cost.getTotalCount();
        return cost;
    }

    /** In the loop's thread. */
    private RoomLogic newRoom()
    {
        final FrameRoom room = new FrameRoom(rooms.isEmpty());
        rooms.add(room);
        return room;
    }

    private static void add(final Findings findings, final String name, final Histogram interval)
    {
        if (0 != interval.getTotalCount())
        {
            findings.add(name, interval);
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
            keepPace();
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException("nobody is here to send messages");
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            frames++;
            if (isFirst)
            {
                pace.frame(frame);
            }
            FramePace.work(options.workNs());
            keepPace();
        }

        private void keepPace()
        {
            final int wanted = isAtPace ? options.hz() : FramesOptions.FAST_HZ;
            if (wanted != hz)
            {
                hz = wanted;
                room.frameRate(wanted);
            }
        }
    }
}
