package io.escapement.perf.rooms;

import io.escapement.perf.JvmFlags;
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
 * An empty frame of every room in a host: a room counts its frame. Divide the score by {@code rooms} for the cost of a
 * room-frame, as in {@link GameLoopFrameBenchmark}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = JvmFlags.ADD_OPENS)
public class RoomFrameBenchmark
{
    private static final int RATE_HZ = 100;
    private static final long PERIOD_NS = 1_000_000_000L / RATE_HZ;

    /** Rooms in the host. */
    @Param({"256", "10000", "100000"})
    private int rooms;

    private BenchedHost benched;
    private long nowNs;

    /** Open every room. */
    @Setup(Level.Trial)
    public void setUp()
    {
        benched = new BenchedHost(
            RoomType.of(1, "empty", 1, CountingRoom::new).seats(1).timers(0).outputLimit(1_024).requests(0).groups(0),
            rooms, 0);
    }

    /** One frame of all rooms. */
    @Benchmark
    public long frame()
    {
        nowNs += PERIOD_NS;
        benched.host.beginTurn(nowNs);
        return benched.host.endTurn();
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
}
