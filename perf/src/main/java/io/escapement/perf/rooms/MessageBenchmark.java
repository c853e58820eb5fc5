package io.escapement.perf.rooms;

import io.escapement.perf.JvmFlags;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.host.RoomHost;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A message from its bytes to the room's logic: validate it, look up room and seat, check them, call the logic. A turn
 * takes 64 messages for different rooms and seats. The encoded commands are in one block, as in a ring.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = JvmFlags.ADD_OPENS)
public class MessageBenchmark
{
    private static final int BATCH = 64;
    private static final int STRIDE = 1_597;
    private static final int SLOT = 128;
    private static final int SEQUENCE_OFFSET = 16;
    private static final int SEATS = 16;

    /** Rooms in the host, of 16 seats each. */
    @Param({"256", "4096"})
    private int rooms;

    /** Whether the next commands are prefetched, as a loop with many rooms does. */
    @Param({"false", "true"})
    private boolean isPrefetched;

    private BenchedHost benched;
    private UnsafeBuffer slots;
    private int[] lengths;
    private long nowNs;
    private long sequence;

    /** Open the rooms, seat the players, encode one message per seat. */
    @Setup(Level.Trial)
    public void setUp()
    {
        benched = new BenchedHost(
            RoomType.of(1, "sum", 1, SummingRoom::new).seats(SEATS).timers(0).outputLimit(1_024), rooms, SEATS);
        slots = new UnsafeBuffer(new byte[rooms * SEATS * SLOT]);
        lengths = new int[rooms * SEATS];
        for (int i = 0; i < lengths.length; i++)
        {
            // Neighbouring slots belong to rooms that are not neighbours in memory.
            final int room = 1 + i * STRIDE % rooms;
            lengths[i] = benched.encoder.message(
                slots, i * SLOT, room, 0, i / rooms, 1, BenchedHost.LINK, benched.payload, 0, 32);
        }
    }

    /** A turn of messages. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int message()
    {
        nowNs += 1_000;
        int codes = 0;
        benched.host.beginTurn(nowNs);
        for (int i = 0; i < BATCH; i++)
        {
            if (isPrefetched && 0 == i % RoomHost.PREFETCH_LIMIT)
            {
                prefetch();
            }
            final int slot = (int)(++sequence % lengths.length);
            slots.putLong(slot * SLOT + SEQUENCE_OFFSET, sequence);
            codes += benched.host.onCommand(slots, slot * SLOT, lengths[slot]);
        }
        benched.host.endTurn();
        if (0 != codes)
        {
            throw new IllegalStateException("a message was refused");
        }
        return codes;
    }

    private void prefetch()
    {
        for (int i = 1; i <= RoomHost.PREFETCH_LIMIT; i++)
        {
            final int slot = (int)((sequence + i) % lengths.length);
            benched.host.prefetch(slots, slot * SLOT, lengths[slot]);
        }
        benched.host.runPrefetch();
    }

    private static final class SummingRoom implements RoomLogic
    {
        private long sum;

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            sum = room.roomId();
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            sum += from.index() + buffer.getLong(offset);
        }
    }
}
