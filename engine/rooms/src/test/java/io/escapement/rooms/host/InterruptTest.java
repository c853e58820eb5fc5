package io.escapement.rooms.host;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.List;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A room that leaves its thread interrupted fails, and the thread goes on. */
class InterruptTest
{
    private Thread interrupter;

    @AfterEach
    void shouldNotInterruptTheNextTest()
    {
        assertFalse(Thread.interrupted());
    }

    @Test
    void shouldFailARoomThatInterruptsItsThread()
    {
        final RoomBench bench = RoomBench.of(RoomType.of(1, "interrupting", 1, Interrupting::new));
        final BenchSeat ann = bench.join(1);
        ann.send("hello");
        ann.send("interrupt");
        assertFalse(Thread.currentThread().isInterrupted());
        assertEquals(List.of("hello"), ann.texts());
        assertEquals(1, bench.failures().size());
        assertTrue(bench.failures().get(0).toString().contains("interrupted"), bench.failures()::toString);
        bench.replayAndCompare();
    }

    @Test
    void shouldFailARoomThatInterruptsItsThreadAndThrows()
    {
        final RoomBench bench = RoomBench.of(RoomType.of(1, "interrupting", 1, Interrupting::new));
        bench.join(1).send("interrupt and throw");
        assertFalse(Thread.currentThread().isInterrupted());
        assertEquals(1, bench.failures().size());
        bench.replayAndCompare();
    }

    @Test
    void shouldReplayAnInterruptFromAnotherThread()
    {
        interrupter = Thread.currentThread();
        final RoomBench bench = RoomBench.of(RoomType.of(1, "interrupted", 1, Interrupting::new));
        bench.join(1).send("from outside");
        assertEquals(1, bench.failures().size());
        interrupter = null;
        bench.replayAndCompare();
    }

    private final class Interrupting implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.sendEvent(from, buffer, offset, length);
            switch (buffer.getStringWithoutLengthUtf8(offset, length))
            {
                case "interrupt" -> Thread.currentThread().interrupt();
                case "interrupt and throw" ->
                {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted");
                }
                case "from outside" ->
                {
                    if (null != interrupter)
                    {
                        interrupter.interrupt();
                    }
                }
                default ->
                {
                    // Echoed.
                }
            }
        }
    }
}
