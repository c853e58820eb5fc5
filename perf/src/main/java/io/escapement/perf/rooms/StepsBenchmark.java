package io.escapement.perf.rooms;

import io.escapement.perf.JvmFlags;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.steps.RunningSteps;
import io.escapement.rooms.steps.Steps;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A frame that resumes every program of a room: one that waits for each frame in a loop, one that is called each frame,
 * and one that waits for a time of one frame. Divide the score by {@code programs} for the cost of a resume. The state
 * machine by hand does the same work in a switch over a state of each program.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = JvmFlags.ADD_OPENS)
public class StepsBenchmark
{
    private static final int RATE_HZ = 100;
    private static final long PERIOD_NS = 1_000_000_000L / RATE_HZ;

    private static final Steps<StepsRoom> NEXT_FRAME = Steps.<StepsRoom>named("nextFrame", 1)
        .repeatWhile((room) -> true, (s) -> s.nextFrame().run(StepsRoom::count)).build();
    private static final Steps<StepsRoom> EVERY_FRAME = Steps.<StepsRoom>named("everyFrame", 1)
        .everyFrameWhile(StepsRoom::countAndGoOn).build();
    private static final Steps<StepsRoom> AFTER = Steps.<StepsRoom>named("after", 1)
        .repeatWhile((room) -> true, (s) -> s.after(PERIOD_NS / 2).run(StepsRoom::count)).build();

    /** Programs in a room. */
    @State(Scope.Thread)
    public static class Programs
    {
        @Param({"100", "10000"})
        private int programs;

        @Param({"nextFrame", "everyFrame", "after", "byHand"})
        private String wait;

        private BenchedHost benched;
        private StepsRoom room;
        private long nowNs;

        /** Open the room, and start its programs. */
        @Setup(Level.Trial)
        public void setUp()
        {
            room = new StepsRoom(programs, wait);
            benched = new BenchedHost(RoomType.of(1, "steps", 1, () -> room)
                .seats(1).timers(programs).outputLimit(1_024).requests(0).groups(0), 1, 0);
        }
    }

    /** One frame of all programs. */
    @Benchmark
    public long frame(final Programs state)
    {
        final long before = state.room.counted;
        state.nowNs += PERIOD_NS;
        state.benched.host.beginTurn(state.nowNs);
        state.benched.host.endTurn();
        final long counted = state.room.counted - before;
        if (counted != state.programs && 0 != before)
        {
            throw new IllegalStateException("resumed " + counted + " of " + state.programs + " programs");
        }
        return counted;
    }

    private static final class StepsRoom implements RoomLogic
    {
        private final int programs;
        private final String wait;
        private final int[] states;
        private final long[] due;
        private RunningSteps<StepsRoom> steps;
        private long counted;

        StepsRoom(final int programs, final String wait)
        {
            this.programs = programs;
            this.wait = wait;
            states = new int[programs];
            due = new long[programs];
        }

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            room.frameRate(RATE_HZ);
            steps = new RunningSteps<>(room, this, programs, 1, List.of(NEXT_FRAME, EVERY_FRAME, AFTER));
            for (int i = 0; i < programs && !"byHand".equals(wait); i++)
            {
                steps.start("after".equals(wait) ? AFTER : "everyFrame".equals(wait) ? EVERY_FRAME : NEXT_FRAME, i);
            }
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException("the room has no players");
        }

        @Override
        public void onTimer(final long handle, final int kind, final long tag)
        {
            steps.onTimer(handle, kind, tag);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            if (0 == steps.running())
            {
                runByHand(frame);
            }
            steps.onFrame();
        }

        private void runByHand(final long frame)
        {
            for (int i = 0; i < programs; i++)
            {
                switch (states[i])
                {
                    case 0 ->
                    {
                        if (frame >= due[i])
                        {
                            count();
                            due[i] = frame + 1;
                        }
                    }
                    case 1 -> counted--;
                    default -> throw new IllegalStateException("state " + states[i]);
                }
            }
        }

        private void count()
        {
            counted++;
        }

        private boolean countAndGoOn()
        {
            counted++;
            return true;
        }
    }
}
