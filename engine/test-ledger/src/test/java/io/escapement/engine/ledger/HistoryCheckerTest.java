package io.escapement.engine.ledger;

import io.escapement.rooms.Seat;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HistoryCheckerTest
{
    private static final long CLIENT = 3;
    private static final int MESSAGES = 9;
    private static final long LOST_FRAME = 7;
    private static final long RUN_NS = TimeUnit.SECONDS.toNanos(1);

    @Test
    void shouldFindNothingInARoomThatIsInOrder()
    {
        assertEquals(List.of(), findings(HistoryRoom::new));
    }

    @Test
    void shouldFindAFrameThatIsMissing()
    {
        assertFinding("frame ", findings(() -> new HistoryRoom()
        {
            @Override
            public void onFrame(final long frame, final long elapsedNs)
            {
                if (LOST_FRAME != frame)
                {
                    super.onFrame(frame, elapsedNs);
                }
            }
        }));
    }

    @Test
    void shouldFindATimerThatIsMissing()
    {
        assertFinding("out of order", findings(() -> new HistoryRoom()
        {
            @Override
            public void onTimer(final long handle, final int kind, final long tag)
            {
                super.onTimer(handle, kind, tag + (tag > LOST_FRAME ? 1 : 0));
            }
        }));
    }

    @Test
    void shouldFindAMessageThatRunsTwice()
    {
        assertFinding("ran at", findings(() -> new HistoryRoom()
        {
            @Override
            public void onMessage(
                final Seat from,
                final DirectBuffer buffer,
                final int offset,
                final int length)
            {
                super.onMessage(from, buffer, offset, length);
                if (2 == buffer.getLong(offset + 8))
                {
                    super.onMessage(from, buffer, offset, length);
                }
            }
        }));
    }

    private static void assertFinding(final String expected, final List<String> findings)
    {
        assertTrue(findings.stream().anyMatch((finding) -> finding.contains(expected)), findings::toString);
    }

    private static List<String> findings(final Supplier<HistoryRoom> rooms)
    {
        final List<HistoryRoom> made = new ArrayList<>();
        final RoomBench bench = RoomBench.of(HistoryRoom.type(() ->
        {
            made.add(rooms.get());
            return made.get(made.size() - 1);
        }));
        final Set<String> effects = new HashSet<>();
        bench.service(HistoryRoom.SERVICE, (orderKey, request) ->
        {
            final UnsafeBuffer bytes = new UnsafeBuffer(request);
            effects.add(bytes.getLong(0) + "/" + bytes.getLong(8));
            return new byte[0];
        });
        final History history = new History();
        final BenchSeat seat = bench.join(CLIENT);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[HistoryRoom.MESSAGE_LENGTH]);
        for (long number = 1; number <= MESSAGES; number++)
        {
            message.putLong(0, CLIENT);
            message.putLong(8, number);
            history.invoke(CLIENT, bench.roomId(), number, 2 * number);
            assertEquals(0, seat.send(message, 0, HistoryRoom.MESSAGE_LENGTH));
            history.answer(CLIENT, bench.roomId(), number, number - 1, 2 * number + 1);
        }
        bench.runFor(RUN_NS);
        assertEquals(List.of(), bench.failures());
        return HistoryChecker.check(history, Map.of(bench.roomId(), made.get(0)), effects);
    }
}
