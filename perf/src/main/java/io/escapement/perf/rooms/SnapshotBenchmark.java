package io.escapement.perf.rooms;

import io.escapement.perf.JvmFlags;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.host.HostImage;
import io.escapement.rooms.output.RecordSink;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * Snapshots of a host with rooms of 7 KB: 16 players, 8 timers and 500 numbers each. {@code image} is the work of the
 * loop, {@code imageAndFile} also the work of the journal's thread, {@code whole} a snapshot that stops the host.
 * Snapshots and bytes per second.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = JvmFlags.ADD_OPENS)
public class SnapshotBenchmark
{
    private static final int PLAYERS = 16;
    private static final int TIMERS = 8;
    private static final int NUMBERS = 500;

    @Param("512")
    private int rooms;

    private BenchedHost benched;
    private final HostImage image = new HostImage();
    private long bytes;
    private final RecordSink sink = (buffer, offset, length) -> bytes += length;

    /** Open the rooms. */
    @Setup(Level.Trial)
    public void setUp()
    {
        benched = new BenchedHost(RoomType.of(1, "numbers", 1, NumbersRoom::new)
            .seats(PLAYERS).timers(TIMERS), rooms, PLAYERS);
    }

    /** Bytes of the snapshots. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Rate
    {
        /** Bytes that were copied or written. */
        public long bytes;
    }

    /** Copy all rooms. */
    @Benchmark
    public void image(final Rate rate)
    {
        benched.host.beginImage(image);
        benched.host.fillImage(Long.MAX_VALUE);
        rate.bytes += image.length();
    }

    /** Copy all rooms, and write the image with its checksums. */
    @Benchmark
    public void imageAndFile(final Rate rate)
    {
        image(rate);
        while (!image.writeTo(sink, Long.MAX_VALUE))
        {
            // One call is enough.
        }
    }

    /** Copy and write, in the thread of the host. */
    @Benchmark
    public void whole(final Rate rate)
    {
        final long before = bytes;
        benched.host.snapshot(sink);
        rate.bytes += bytes - before;
    }

    private static final class NumbersRoom implements RoomLogic
    {
        private final long[] numbers = new long[NUMBERS];

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            for (int i = 0; i < TIMERS; i++)
            {
                room.after(TimeUnit.HOURS.toNanos(1 + i), 1, i);
            }
            for (int i = 0; i < NUMBERS; i++)
            {
                numbers[i] = room.roomId() + i;
            }
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            numbers[0]++;
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            for (final long number : numbers)
            {
                writer.putLong(number);
            }
        }
    }
}
