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
 * An empty frame of every room on a game loop thread: a room's action counts the frame and registers itself for the
 * next. Divide the score by {@code rooms} for the cost of a room-frame.
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
     * Register every room, and run two frames so that both arrays have grown.
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

    /** One frame of all rooms. */
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
