package io.escapement.rooms.bench;

import io.escapement.config.ConfigException;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.List;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@link RoomBench#restoreAndCompare()} on rooms with a snapshot that has everything, and on some that forget. */
class RestoreAndCompareTest
{
    private static final int MESSAGES = 40;

    /** Answers each message with the date at which it was made, and the number of the message. */
    private static class Counting implements RoomLogic
    {
        long madeMs;
        long count;
        private final UnsafeBuffer answer = new UnsafeBuffer(new byte[2 * Long.BYTES]);
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            begin(opened);
        }

        private void begin(final Room begun)
        {
            room = begun;
            madeMs = room.epochMs() - room.nowNs() / 1_000_000;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            count++;
            answer.putLong(0, madeMs);
            answer.putLong(Long.BYTES, count);
            room.sendEvent(room.everyone(), answer, 0, answer.capacity());
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putLong(madeMs);
            writer.putLong(count);
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            begin(restored);
            madeMs = reader.getLong();
            count = reader.getLong();
        }
    }

    @Test
    void shouldAcceptARoomThatForgetsNothing()
    {
        played(Counting::new).restoreAndCompare();
    }

    @Test
    void shouldFindACounterThatIsNotInTheSnapshot()
    {
        assertDiffers("the output of restored rooms differs", () -> new Counting()
        {
            @Override
            public void onSnapshot(final StateWriter writer)
            {
                writer.putLong(madeMs);
                writer.putLong(0);
            }
        });
    }

    @Test
    void shouldFindACounterThatIsNotReadFromTheSnapshot()
    {
        assertDiffers("the state differs right after a restore", () -> new Counting()
        {
            @Override
            public void onRestore(final Room restored, final int version, final StateReader reader)
            {
                super.onRestore(restored, version, reader);
                count = 0;
            }
        });
    }

    /** A replay in one host, or a restore within one incarnation, makes it of the same date. */
    @Test
    void shouldFindADateThatIsNotInTheSnapshot()
    {
        assertDiffers("the output of restored rooms differs", () -> new Counting()
        {
            @Override
            public void onSnapshot(final StateWriter writer)
            {
                writer.putLong(0);
                writer.putLong(count);
            }

            @Override
            public void onRestore(final Room restored, final int version, final StateReader reader)
            {
                super.onRestore(restored, version, reader);
                super.begin(restored);
            }
        });
    }

    @Test
    void shouldFindARoomThatCannotBeRestored()
    {
        final RoomBench bench = played(() -> new RoomLogic()
        {
            @Override
            public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
            {
            }

            @Override
            public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
            {
            }
        });
        assertTrue(assertThrows(RuntimeException.class, bench::restoreAndCompare).toString().contains("onRestore"));
    }

    @Test
    void shouldRefuseEphemeralTypes()
    {
        final RoomBench bench = RoomBench.of(RoomType.of(1, "closures", 1, Counting::new).ephemeral());
        for (final Executable compare : List.<Executable>of(bench::restoreAndCompare, bench::replayAndCompare))
        {
            assertTrue(assertThrows(ConfigException.class, compare).getMessage()
                .startsWith("roomType: closures: is ephemeral"));
        }
    }

    private static void assertDiffers(final String difference, final Supplier<RoomLogic> logic)
    {
        final RoomBench bench = played(logic);
        bench.replayAndCompare();
        final String message = assertThrows(AssertionError.class, bench::restoreAndCompare).getMessage();
        assertTrue(message.endsWith(": " + difference), message);
    }

    private static RoomBench played(final Supplier<RoomLogic> logic)
    {
        final RoomBench bench = RoomBench.of(RoomType.of(1, "counting", 1, logic));
        final BenchSeat ann = bench.join(1);
        for (int i = 0; i < MESSAGES; i++)
        {
            ann.send("count");
        }
        return bench;
    }
}
