package io.escapement.perf.rooms;

import io.escapement.perf.JvmFlags;
import io.escapement.perf.peers.GameLoopThread;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
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
 * An empty frame of all rooms, in a host and on a game loop thread: each room counts its frame. For the cost of a
 * room-frame, divide the score by {@code rooms}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = JvmFlags.ADD_OPENS)
public class FrameBenchmark
{
    private static final int RATE_HZ = 100;
    private static final long PERIOD_NS = 1_000_000_000L / RATE_HZ;

    /** Rooms in a host. */
    @State(Scope.Thread)
    public static class Host
    {
        @Param({"256", "10000", "100000"})
        private int rooms;

        private BenchedHost benched;
        private long nowNs;

        /** Open every room. */
        @Setup(Level.Trial)
        public void setUp()
        {
            benched = new BenchedHost(RoomType.of(1, "empty", 1, CountingRoom::new)
                .seats(1).timers(0).outputLimit(1_024).requests(0).groups(0), rooms, 0);
        }
    }

    /** Rooms as actions on a game loop thread. */
    @State(Scope.Thread)
    public static class GameLoop
    {
        @Param({"256", "10000", "100000"})
        private int rooms;

        private GameLoopThread loop;

        /** Register every room, and run two frames so that both arrays have grown. */
        @Setup(Level.Trial)
        public void setUp()
        {
            loop = new GameLoopThread(0);
            for (int i = 0; i < rooms; i++)
            {
                loop.nextFrame(new CountingAction(loop));
            }
            loop.runFrame();
            loop.runFrame();
        }
    }

    /** One frame of all rooms in a host. */
    @Benchmark
    public long host(final Host state)
    {
        state.nowNs += PERIOD_NS;
        state.benched.host.beginTurn(state.nowNs);
        return state.benched.host.endTurn();
    }

    /** One frame of a game loop thread, in which every room's action registers itself for the next. */
    @Benchmark
    public int gameLoop(final GameLoop state)
    {
        final int ran = state.loop.runFrame();
        if (ran != state.rooms)
        {
            throw new IllegalStateException("ran " + ran + " of " + state.rooms + " rooms");
        }
        return ran;
    }

    private static final class CountingRoom implements RoomLogic
    {
        private long frames;

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            room.frameRate(RATE_HZ);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException("the room has no players, after frame " + frames);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            frames++;
        }
    }

    private static final class CountingAction implements Runnable
    {
        private final GameLoopThread loop;
        private long frames;

        CountingAction(final GameLoopThread loop)
        {
            this.loop = loop;
        }

        @Override
        public void run()
        {
            frames++;
            loop.nextFrame(this);
        }
    }
}
