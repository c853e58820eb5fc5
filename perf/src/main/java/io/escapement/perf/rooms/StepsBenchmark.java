package io.escapement.perf.rooms;

import io.escapement.perf.JvmFlags;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.steps.RunningSteps;
import io.escapement.rooms.steps.Steps;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
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
 * A frame that resumes every program of a room, for each kind of wait. For the cost of a resume, divide the score by
 * {@code programs}. There are at most {@value #REPLIES} replies, because each is offered to all programs. The state
 * machine by hand does the same work as nextFrame in a switch over a state of each program.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = JvmFlags.ADD_OPENS)
public class StepsBenchmark
{
    private static final int RATE_HZ = 60;
    private static final int REPLIES = 100;
    private static final int TEMPLATE = 10;
    private static final int LENGTH = 16;
    /** A frame is due after each. */
    private static final long PERIOD_NS = 1_000_000_000L / RATE_HZ + 1;

    private static final Steps<StepsRoom> NEXT_FRAME = Steps.<StepsRoom>named("nextFrame", 1)
        .repeatWhile((room) -> true, (s) -> s.nextFrame().run(StepsRoom::count)).build();
    private static final Steps<StepsRoom> EVERY_FRAME = Steps.<StepsRoom>named("everyFrame", 1)
        .everyFrameWhile(StepsRoom::countAndGoOn).build();
    private static final Steps<StepsRoom> AFTER = Steps.<StepsRoom>named("after", 1)
        .repeatWhile((room) -> true, (s) -> s.after(PERIOD_NS / 2).run(StepsRoom::count)).build();

    private static final Steps<StepsRoom> MESSAGE = Steps.<StepsRoom>named("message", 1)
        .repeatWhile((room) -> true, (s) -> s.untilMessage(TEMPLATE).run(StepsRoom::count)).build();
    private static final Steps<StepsRoom> SIGNAL = Steps.<StepsRoom>named("signal", 1)
        .repeatWhile((room) -> true, (s) -> s
            .untilSignal((room, tag, from, buffer, offset, length) -> length > 0).run(StepsRoom::count)).build();
    private static final Steps<StepsRoom> REPLY = Steps.<StepsRoom>named("reply", 1)
        .repeat(Integer.MAX_VALUE, (s) -> s.untilReply(
            (room, tag) -> room.ask(), (room, tag, status, buffer, offset, length) -> room.count())).build();
    private static final Steps<StepsRoom> UNTIL = Steps.<StepsRoom>named("until", 1)
        .repeat(Integer.MAX_VALUE, (s) -> s.until(StepsRoom::isNewChange).run(StepsRoom::sawChange)).build();
    private static final Steps<StepsRoom> ANY = Steps.<StepsRoom>named("any", 1)
        .repeatWhile((room) -> true, (s) -> s
            .any((a) -> a.untilMessage(TEMPLATE), (a) -> a.nextFrame(), (a) -> a.after(1_000 * PERIOD_NS))
            .run(StepsRoom::count)).build();
    private static final Map<String, Steps<StepsRoom>> PROGRAMS = Map.of(
        "nextFrame", NEXT_FRAME, "everyFrame", EVERY_FRAME, "after", AFTER, "message", MESSAGE, "signal", SIGNAL,
        "reply", REPLY, "until", UNTIL, "any", ANY);

    /** Programs in a room. */
    @State(Scope.Thread)
    public static class Programs
    {
        @Param({"100", "10000"})
        private int programs;

        @Param({"nextFrame", "everyFrame", "after", "message", "signal", "reply", "until", "any", "byHand"})
        private String wait;

        private BenchedHost benched;
        private StepsRoom room;
        private long nowNs;
        private long sequence;
        private long replies;

        /** Open the room, and start its programs. */
        @Setup(Level.Trial)
        public void setUp()
        {
            programs = "reply".equals(wait) ? Math.min(REPLIES, programs) : programs;
            room = new StepsRoom(programs, wait);
            benched = new BenchedHost(RoomType.of(1, "steps", 1, () -> room)
                .seats(1).timers(programs).outputLimit(1_024).requests(REPLIES).groups(0), 1, 1);
            benched.payload.putShort(2, (short)TEMPLATE);
        }

        private void send()
        {
            switch (wait)
            {
                case "message", "until" -> benched.command(benched.encoder.message(
                    benched.buffer, 0, 1, ++sequence, 0, 1, BenchedHost.LINK, benched.payload, 0, LENGTH));
                case "signal" -> benched.command(benched.encoder.signal(
                    benched.buffer, 0, 1, 0, 0, benched.payload, 0, LENGTH));
                case "reply" ->
                {
                    for (int i = 0; i < programs; i++)
                    {
                        benched.command(benched.encoder.reply(
                            benched.buffer, 0, 1, ++replies, 0, benched.payload, 0, LENGTH));
                    }
                }
                default ->
                {
                    // Time and frames.
                }
            }
        }
    }

    /** One frame of all programs. */
    @Benchmark
    public long frame(final Programs state)
    {
        final long before = state.room.counted;
        state.nowNs += PERIOD_NS;
        state.benched.host.beginTurn(state.nowNs);
        state.send();
        state.benched.host.endTurn();
        state.benched.outputs.reset();
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
        private final long[] seen;
        private final UnsafeBuffer request = new UnsafeBuffer(new byte[LENGTH]);
        private Room room;
        private long changes;
        private RunningSteps<StepsRoom> steps;
        private long counted;

        StepsRoom(final int programs, final String wait)
        {
            this.programs = programs;
            this.wait = wait;
            states = new int[programs];
            due = new long[programs];
            seen = new long[programs];
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            room.frameRate(RATE_HZ);
            steps = new RunningSteps<>(room, this, programs, 1, List.copyOf(PROGRAMS.values()));
            for (int i = 0; i < programs && !"byHand".equals(wait); i++)
            {
                steps.start(PROGRAMS.get(wait), i);
            }
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            changes++;
            steps.onMessage(from, buffer, offset, length);
            steps.onChange();
        }

        @Override
        public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            steps.onSignal(from, buffer, offset, length);
        }

        @Override
        public void onReply(
            final long id, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            steps.onReply(id, status, buffer, offset, length);
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

        private long ask()
        {
            return room.async(1, 1, request, 0, 1);
        }

        private boolean isNewChange(final long tag)
        {
            return changes != seen[(int)tag];
        }

        private void sawChange(final long tag)
        {
            seen[(int)tag] = changes;
            counted++;
        }

        private boolean countAndGoOn()
        {
            counted++;
            return true;
        }
    }
}
