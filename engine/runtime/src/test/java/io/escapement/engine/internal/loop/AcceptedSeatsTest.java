package io.escapement.engine.internal.loop;

import io.aeron.Publication;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.AcceptedDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.queue.ByteFifo;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.output.Outputs;
import io.escapement.testsupport.Allocations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Accepted: its table against a naive one, and its way through the egress of a loop. Budget: 1 s. */
class AcceptedSeatsTest
{
    private static final int LINK = 1;
    private static final int QUEUE_LENGTH = 64 * 1_024;
    private static final long ROOM = 7;
    private static final int MAX_SEATS = 64 * 1_024;

    private final List<Integer> slow = new ArrayList<>();
    private final MemoryPublication publication = new MemoryPublication();
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[8]);
    private final LoopEgress egress = new LoopEgress(
        new LoopContext().trunks(new TrunkServerContext().limit(LINK + 1))
            .counters(new LoopCounters(0, new EngineCounters(), Map.of())),
        new LoopEgress.LinkListener()
        {
            @Override
            public void onSlow(final int link)
            {
                slow.add(link);
            }

            @Override
            public void onStatesLost(final int link)
            {
                throw new AssertionError("no states are sent");
            }
        });

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldHoldWhatANaiveTableHolds(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final AcceptedSeats seats = new AcceptedSeats();
        final LinkedHashMap<String, String> naive = new LinkedHashMap<>();
        final ByteFifo queue = new ByteFifo(QUEUE_LENGTH);
        final int rooms = 1 + random.nextInt(40);
        for (int i = 0; i < 20_000; i++)
        {
            final int roll = random.nextInt(1_000);
            if (roll < 2)
            {
                seats.clear();
                naive.clear();
            }
            else if (roll < 20)
            {
                final List<String> expected = new ArrayList<>();
                final int limit = random.nextInt(40) * AcceptedSeats.MESSAGE_LENGTH;
                seats.moveTo(queue, limit);
                while (expected.size() * AcceptedSeats.MESSAGE_LENGTH < limit && !naive.isEmpty())
                {
                    final String key = naive.keySet().iterator().next();
                    expected.add(key + naive.remove(key));
                }
                assertEquals(expected, take(queue), "seed " + seed);
            }
            else
            {
                final long roomId = random.nextInt(rooms) * 1_000_003L;
                final int index = random.nextInt(16);
                final int generation = 1 + random.nextInt(3);
                assertTrue(seats.put(roomId, index, generation, i));
                naive.put(roomId + "/" + index, "." + generation + " " + i);
            }
            assertEquals(naive.size(), seats.size(), "seed " + seed);
            assertEquals(naive.isEmpty(), seats.isEmpty());
        }
    }

    @Test
    void shouldHaveALimit()
    {
        final AcceptedSeats seats = new AcceptedSeats();
        for (int i = 0; i < MAX_SEATS; i++)
        {
            assertTrue(seats.put(ROOM, i, 1, 1));
        }
        assertFalse(seats.put(ROOM, MAX_SEATS, 1, 1));
        assertTrue(seats.put(ROOM, 0, 1, 2), "a seat that has an entry");
        seats.moveTo(new ByteFifo(QUEUE_LENGTH), QUEUE_LENGTH);
        assertTrue(seats.put(ROOM, MAX_SEATS, 1, 1));
    }

    @Test
    void shouldSendOneOfASeatBehindTheEventsOfItsTurn()
    {
        attach(true);
        event(1);
        egress.accepted(LINK, ROOM, 3, 1, 10);
        egress.accepted(LINK, ROOM, 4, 1, 70);
        egress.accepted(LINK, ROOM, 3, 1, 11);
        event(2);
        egress.send(false);
        assertEquals(List.of("event 1", "event 2", "7/3.1 11", "7/4.1 70"), received());
        assertEquals(1, publication.packetLengths.size(), "one packet");
        assertFalse(egress.isWaiting());
    }

    @Test
    void shouldSendNothingToAClientThatDidNotAsk()
    {
        attach(false);
        egress.accepted(LINK, ROOM, 3, 1, 10);
        egress.accepted(LINK - 1, ROOM, 3, 1, 10);
        egress.accepted(Outputs.NO_LINK, ROOM, 3, 1, 10);
        assertFalse(egress.isWaiting());
        egress.send(false);
        assertEquals(List.of(), received());
    }

    /** The queue of events must not grow by numbers that later ones replace. */
    @Test
    void shouldKeepTheNewestOfEachSeatWhileTheTrunkIsBlocked()
    {
        attach(true);
        publication.result = Publication.BACK_PRESSURED;
        for (int turn = 1; turn <= 10_000; turn++)
        {
            for (int seat = 0; seat < 5; seat++)
            {
                egress.accepted(LINK, ROOM, seat, 1, turn);
            }
            egress.send(false);
        }
        assertEquals(List.of(), received());
        publication.result = 1;
        egress.send(false);
        final HashMap<String, String> newest = new HashMap<>();
        received().forEach((text) -> newest.put(text.split(" ")[0], text.split(" ")[1]));
        assertEquals(5, newest.size());
        newest.values().forEach((sequence) -> assertEquals("10000", sequence));
        assertTrue(publication.messages.size() <= 10, "of the first turn, and of the last");
        assertEquals(List.of(), slow);
        assertFalse(egress.isWaiting());
    }

    @Test
    void shouldForgetAllOfADetachedLink()
    {
        attach(true);
        egress.accepted(LINK, ROOM, 3, 1, 10);
        assertTrue(egress.detach(LINK));
        assertFalse(egress.isWaiting());
    }

    @Test
    void shouldNotAllocate()
    {
        final AcceptedSeats seats = new AcceptedSeats();
        final ByteFifo queue = new ByteFifo(QUEUE_LENGTH);
        assertEquals(0, Allocations.least(50, () ->
        {
            for (int i = 0; i < 3_000; i++)
            {
                seats.put(i % 10, i % 1_000 / 10, 1, i);
            }
            seats.moveTo(queue, QUEUE_LENGTH);
            queue.clear();
        }));
        assertTrue(seats.isEmpty());
    }

    private void attach(final boolean isAcceptedWanted)
    {
        egress.attach(new LinkAttachment(
            LINK, publication, new LinkQueues(), isAcceptedWanted));
    }

    private void event(final long number)
    {
        payload.putLong(0, number);
        egress.message(LINK, ROOM, Outputs.EVENT, Outputs.ALL, 0, payload, 0, 8);
    }

    private List<String> received()
    {
        final List<String> received = new ArrayList<>();
        for (final byte[] message : publication.messages)
        {
            received.add(text(new UnsafeBuffer(message)));
        }
        return received;
    }

    private static List<String> take(final ByteFifo queue)
    {
        final List<String> taken = new ArrayList<>();
        while (!queue.isEmpty())
        {
            final int length = RoomMessage.entrySize(queue.headBuffer(), queue.head());
            taken.add(text(new UnsafeBuffer(queue.headBuffer(), queue.head(), length)));
            queue.drop(length);
        }
        return taken;
    }

    private static String text(final UnsafeBuffer entry)
    {
        if (RoomMessage.isAt(entry, 0, entry.capacity()))
        {
            final RoomMessage event = new RoomMessage();
            assertEquals(entry.capacity(), event.wrap(entry, 0, entry.capacity()));
            return "event " + entry.getLong(event.payloadOffset());
        }
        assertTrue(TrunkMessages.entryLength(entry, 0, entry.capacity()) > 0);
        final AcceptedDecoder accepted = new AcceptedDecoder()
            .wrapAndApplyHeader(entry, TrunkMessages.ENTRY_HEADER_LENGTH, new MessageHeaderDecoder());
        return accepted.roomId() + "/" + accepted.seatIndex() + "." + accepted.generation() + " " +
            accepted.sequence();
    }
}
