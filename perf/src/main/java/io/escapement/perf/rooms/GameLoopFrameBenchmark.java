package io.escapement.perf.rooms;

import io.escapement.perf.JvmFlags;
import io.escapement.perf.peers.GameLoopThread;
import java.util.concurrent.TimeUnit;
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
 * What an empty frame of a room costs on a game loop thread: each room's action counts its frame and registers itself
 * for the next. An invocation is one frame of all rooms, so the score is nanoseconds a frame: divide it by {@code
 * rooms} for the cost of a room's frame.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = JvmFlags.ADD_OPENS)
public class GameLoopFrameBenchmark
{
    /** Rooms on the thread. */
    @Param({"256", "10000", "100000"})
    private int rooms;

    private GameLoopThread loop;

    /**
     * Register every room once, and run two frames so that both arrays have grown.
     */
    @Setup(Level.Trial)
    public void setUp()
    {
        loop = new GameLoopThread(0);
        for (int i = 0; i < rooms; i++)
        {
            loop.nextFrame(new CountingRoom(loop));
        }
        loop.runFrame();
        loop.runFrame();
    }

    /**
     * One frame of all rooms.
     *
     * @return the number of actions that ran, which is the number of rooms.
     */
    @Benchmark
    public int frame()
    {
        final int ran = loop.runFrame();
        if (ran != rooms)
        {
            throw new IllegalStateException("ran " + ran + " of " + rooms + " rooms");
        }
        return ran;
    }

    private static final class CountingRoom implements Runnable
    {
        private final GameLoopThread loop;
        private long frames;

        CountingRoom(final GameLoopThread loop)
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
