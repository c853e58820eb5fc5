package io.escapement.engine.internal.loop;

import io.aeron.Publication;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.queue.ChunkPool;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.output.Outputs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The egress of a loop over a publication in memory, in steps of a test clock: each result of an offer. */
class SteppedEgressTest
{
    private static final int LINK = 1;
    private static final int QUEUE_LENGTH = 1_024;
    private static final int CHUNKS = 6;
    /** Of an event of 8 bytes in a queue. */
    private static final int MESSAGE_LENGTH = RoomMessage.MIN_HEADER_LENGTH + 8;
    private static final int BIG_LENGTH = 1_000;
    private static final long PATIENCE_NS = 1_000;
    private static final long SLOW_NS = 10_000;

    private final List<Integer> slow = new ArrayList<>();
    private final List<Integer> statesLost = new ArrayList<>();
    private final EngineCounters engineCounters = new EngineCounters();
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[QUEUE_LENGTH]);
    private final MemoryPublication publication = new MemoryPublication();
    private final LinkQueues queues = new LinkQueues();
    private final LoopEgress.LinkListener listener = new LoopEgress.LinkListener()
    {
        @Override
        public void onSlow(final int link)
        {
            slow.add(link);
        }

        @Override
        public void onStatesLost(final int link)
        {
            statesLost.add(link);
        }
    };
    private final LoopEgress egress = new LoopEgress(
        new LoopContext().trunks(trunks().limit(LINK + 3).queueLength(QUEUE_LENGTH).statePatienceNs(PATIENCE_NS))
            .counters(new LoopCounters(0, engineCounters, Map.of())), listener);
    private long nowNs = 1;

    {
        egress.attach(new LinkAttachment(LINK, publication, queues));
    }

    @Test
    void shouldSendEventsBeforeStatesAndEachInOrder()
    {
        queue(Outputs.STATE, 1);
        queue(Outputs.EVENT, 2);
        queue(Outputs.STATE, 3);
        queue(Outputs.EVENT, 4);
        egress.send(false);
        assertEquals(List.of("event 2", "event 4", "state 1", "state 3"), received());
        assertFalse(egress.isWaiting());
    }

    @Test
    void shouldUseTheQueuesOfADetachedLinkAgain()
    {
        publication.result = Publication.BACK_PRESSURED;
        queue(Outputs.EVENT, 1);
        queue(Outputs.EVENT, 1, QUEUE_LENGTH / 2);
        egress.send(false);
        assertTrue(queues.isCongested());
        assertTrue(egress.detach(LINK));
        assertFalse(egress.isWaiting());
        assertFalse(queues.isCongested());
        publication.result = 1;
        final MemoryPublication next = new MemoryPublication();
        egress.attach(new LinkAttachment(LINK, next, queues));
        queue(Outputs.EVENT, 2);
        queue(Outputs.STATE, 3);
        egress.send(false);
        assertEquals(List.of(), received());
        assertEquals(2, next.messages.size());
        assertFalse(egress.isWaiting());
    }

    @Test
    void shouldFillPacketsWithWholeMessages()
    {
        for (int i = 0; i < 24; i++)
        {
            queue(Outputs.EVENT, i);
        }
        egress.send(false);
        assertEquals(24, publication.messages.size());
        assertTrue(publication.packetLengths.size() > 1, "one packet is too few");
        final int length = publication.packetLengths.get(0);
        final int messageLength = publication.messages.get(0).length;
        assertTrue(MemoryPublication.PACKET_LENGTH - length < messageLength, "the first is full");
        publication.packetLengths.forEach((packet) -> assertTrue(packet <= MemoryPublication.PACKET_LENGTH));
    }

    /** A driver sends packets of equal length in one system call. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
        payload | packets     | of the gap
        78      | 170 170 85  | Aeron aligns it away
        77      | 200 200 84  | filled
        68      | 200 200 75  | a quarter of the packet, filled
        67      | 148 148 74  | too long
        """)
    void shouldPadPacketsThatOthersFollow(final int payloadLength, final String packets, final String gap)
    {
        for (int i = 0; i < 5; i++)
        {
            payload.putLong(payloadLength - Long.BYTES, i);
            egress.message(LINK, 7, Outputs.EVENT, Outputs.ALL, 0, payload, 0, payloadLength);
        }
        egress.send(false);
        assertEquals(Arrays.stream(packets.split(" ")).map(Integer::valueOf).toList(), publication.packetLengths, gap);
        assertEquals(List.of("event 0", "event 1", "event 2", "event 3", "event 4"), received());
    }

    @Test
    void shouldRetryAnAdminActionAtOnce()
    {
        publication.results.addAll(List.of(Publication.ADMIN_ACTION, Publication.ADMIN_ACTION));
        queue(Outputs.EVENT, 1);
        egress.send(false);
        assertEquals(List.of("event 1"), received());
        assertEquals(3, publication.offers);
        assertEquals(0, counter("sends blocked"));
    }

    @Test
    void shouldTreatTheThirdAdminActionAsBackPressure()
    {
        publication.result = Publication.ADMIN_ACTION;
        queue(Outputs.EVENT, 1);
        egress.send(false);
        assertEquals(3, publication.offers);
        assertEquals(1, counter("sends blocked"));
        assertTrue(egress.isWaiting());
        publication.result = 1;
        egress.send(false);
        assertEquals(List.of("event 1"), received());
    }

    @ParameterizedTest
    @ValueSource(longs = {Publication.BACK_PRESSURED, Publication.NOT_CONNECTED})
    void shouldKeepMessagesThatAreRefused(final long refusal)
    {
        publication.results.add(refusal);
        queue(Outputs.EVENT, 1);
        egress.send(false);
        assertEquals(1, publication.offers, "no retry in the same turn");
        assertTrue(egress.isWaiting());
        egress.send(false);
        assertEquals(List.of("event 1"), received());
        assertFalse(egress.isWaiting());
        assertEquals(List.of(), slow);
    }

    @Test
    void shouldOfferNothingWithoutAWindow()
    {
        block();
        publication.window = 0;
        egress.send(false);
        publication.window = 1;
        publication.isConnected = false;
        egress.send(false);
        assertEquals(1, publication.offers);
        publication.isConnected = true;
        egress.send(false);
        assertEquals(2, publication.offers);
    }

    @ParameterizedTest
    @ValueSource(longs = {Publication.CLOSED, Publication.MAX_POSITION_EXCEEDED})
    void shouldDiscardTheQueuesOfAClosedPublication(final long error)
    {
        publication.results.add(error);
        queue(Outputs.EVENT, 1);
        queue(Outputs.STATE, 2);
        egress.send(false);
        assertFalse(egress.isWaiting());
        assertEquals(1, publication.offers);
        egress.send(false);
        assertEquals(1, publication.offers, "nothing is left");
        assertEquals(List.of(), slow, "the edge sees the end of a link by itself");
    }

    @Test
    void shouldNoticeThatABlockedPublicationWasClosed()
    {
        block();
        publication.window = 0;
        publication.isClosed = true;
        egress.send(false);
        assertFalse(egress.isWaiting());
    }

    @Test
    void shouldReportASlowLinkOnce()
    {
        block();
        after(SLOW_NS);
        assertEquals(List.of(), slow, "not before the limit has passed");
        for (int i = 0; i < 3; i++)
        {
            after(1);
        }
        assertEquals(List.of(LINK), slow);
    }

    @Test
    void shouldNotReportALinkThatAcceptsAPart()
    {
        for (int i = 0; i < 24; i++)
        {
            queue(Outputs.EVENT, i);
        }
        publication.results.addAll(List.of(Publication.BACK_PRESSURED, 1L, Publication.BACK_PRESSURED));
        egress.send(false);
        after(SLOW_NS);
        assertEquals(1, publication.packetLengths.size());
        publication.result = Publication.BACK_PRESSURED;
        after(SLOW_NS);
        assertEquals(List.of(), slow, "the time starts again when the link accepts a packet");
        after(1);
        assertEquals(List.of(LINK), slow);
    }

    @Test
    void shouldReportALinkOnceWhoseEventQueueIsFull()
    {
        publication.result = Publication.BACK_PRESSURED;
        int queued = 0;
        while (slow.isEmpty())
        {
            queue(Outputs.EVENT, queued++);
        }
        queue(Outputs.EVENT, queued);
        assertEquals(List.of(LINK), slow);
        assertEquals(1, counter("events lost with their trunk"));
    }

    /** An event after a lost one would hide the loss. */
    @Test
    void shouldSendNothingAfterALostEvent()
    {
        publication.result = Publication.BACK_PRESSURED;
        for (int i = 0; slow.isEmpty(); i++)
        {
            queue(Outputs.EVENT, i);
        }
        publication.result = 1;
        queue(Outputs.EVENT, 1);
        queue(Outputs.STATE, 2);
        egress.send(false);
        assertEquals(List.of(), received());
        assertFalse(egress.isWaiting());
    }

    @Test
    void shouldHaveATrunkReadOnlyWhileItTakesItsEvents()
    {
        publication.result = Publication.BACK_PRESSURED;
        egress.turnTime(nowNs);
        for (int queued = 0; queued < QUEUE_LENGTH / 2 - MESSAGE_LENGTH; queued += MESSAGE_LENGTH)
        {
            queue(Outputs.EVENT, queued);
        }
        egress.send(false);
        assertFalse(queues.isCongested(), "half of its share is not full");
        queue(Outputs.EVENT, 1);
        queue(Outputs.EVENT, 2);
        egress.send(false);
        assertTrue(queues.isCongested());
        publication.result = 1;
        egress.send(false);
        assertFalse(queues.isCongested());
        assertEquals(List.of(), slow);
    }

    @Test
    void shouldDropStatesAfterTheirPatienceAndNoEvents()
    {
        publication.result = Publication.BACK_PRESSURED;
        queue(Outputs.EVENT, 1);
        queue(Outputs.STATE, 2);
        egress.send(false);
        after(PATIENCE_NS);
        assertEquals(0, counter("states dropped"), "not before the patience has passed");
        queue(Outputs.STATE, 3);
        after(1);
        assertEquals(1, counter("states dropped"));
        assertEquals(List.of(), statesLost, "reported when the link accepts messages again");
        publication.result = 1;
        egress.send(false);
        assertEquals(List.of("event 1", "state 3"), received());
        assertEquals(List.of(LINK), statesLost);
        queue(Outputs.STATE, 4);
        egress.send(false);
        assertEquals(List.of(LINK), statesLost, "once");
    }

    @Test
    void shouldReplaceAllStatesWhenTheirQueueIsFull()
    {
        publication.result = Publication.BACK_PRESSURED;
        int queued = 0;
        while (0 == counter("states dropped"))
        {
            queue(Outputs.STATE, queued++);
        }
        assertEquals(queued, counter("states dropped"), "the one without space and those before it");
        publication.result = 1;
        queue(Outputs.STATE, queued);
        egress.send(false);
        assertEquals(List.of("state " + queued), received());
        assertEquals(List.of(LINK), statesLost);
    }

    @Test
    void shouldHoldLessThanAPacketOnlyWhileLoaded()
    {
        egress.turnTime(nowNs);
        queue(Outputs.EVENT, 1);
        egress.send(true);
        assertEquals(0, publication.offers);
        nowNs += LoopContext.HOLD_NS;
        egress.turnTime(nowNs);
        egress.send(true);
        assertEquals(1, publication.offers);
    }

    @Test
    void shouldSendNothingToADetachedLink()
    {
        block();
        assertTrue(egress.detach(LINK));
        assertFalse(egress.detach(LINK));
        queue(Outputs.EVENT, 2);
        egress.send(false);
        assertFalse(egress.isWaiting());
        assertEquals(1, publication.offers);
    }

    /** A trunk may keep half of what the other trunks leave, so together they never take all. */
    @Test
    void shouldShareTheMemoryOfTheQueues()
    {
        final LoopEgress shared = shared();
        final LinkQueues[] queuesByLink = {new LinkQueues(), new LinkQueues(), new LinkQueues()};
        final MemoryPublication[] publications = new MemoryPublication[3];
        for (int link = 0; link < 3; link++)
        {
            publications[link] = new MemoryPublication();
            publications[link].result = Publication.BACK_PRESSURED;
            shared.attach(
                new LinkAttachment(link, publications[link], queuesByLink[link]));
        }
        for (int i = 0; !queuesByLink[0].isCongested(); i++)
        {
            event(shared, 0, i);
            shared.send(false);
        }
        final int alone = queuesByLink[0].events().size();
        for (int i = 0; !queuesByLink[1].isCongested() || !queuesByLink[2].isCongested(); i++)
        {
            event(shared, 1 + i % 2, i);
            shared.send(false);
        }
        assertTrue(queuesByLink[1].events().size() < alone);
        assertEquals(List.of(), slow, "none is closed while each is stopped at its share");
    }

    @Test
    void shouldDropStatesThenCloseTheLongestQueueWhenTheMemoryIsTaken()
    {
        final LoopEgress shared = shared();
        final MemoryPublication greedy = new MemoryPublication();
        final MemoryPublication modest = new MemoryPublication();
        shared.attach(new LinkAttachment(0, greedy, new LinkQueues()));
        shared.attach(new LinkAttachment(1, modest, queues));
        greedy.result = Publication.BACK_PRESSURED;
        modest.result = Publication.BACK_PRESSURED;
        shared.turnTime(nowNs);
        state(shared, 0);
        event(shared, 1, 1);
        shared.send(false);
        while (0 == engineCounters.value("escapement loop 1: states dropped"))
        {
            state(shared, 0);
            event(shared, 0, 0);
        }
        assertEquals(List.of(), slow);
        for (int i = 2; slow.isEmpty(); i++)
        {
            event(shared, i % 64 == 0 ? 1 : 0, i);
        }
        assertEquals(List.of(0), slow, "the trunk with the longest queue, whichever needs memory");
        modest.result = 1;
        event(shared, 1, 7);
        shared.send(false);
        final byte[] last = modest.messages.get(modest.messages.size() - 1);
        assertEquals(7, new UnsafeBuffer(last).getLong(last.length - BIG_LENGTH));
        assertEquals(0, greedy.messages.size());
    }

    private static TrunkServerContext trunks()
    {
        return new TrunkServerContext().queueMemory(CHUNKS * ChunkPool.CHUNK_LENGTH).slowNs(SLOW_NS);
    }

    private LoopEgress shared()
    {
        return new LoopEgress(
            new LoopContext().trunks(trunks().limit(3).queueLength(2 * CHUNKS * ChunkPool.CHUNK_LENGTH)
                    .statePatienceNs(Long.MAX_VALUE))
                .counters(new LoopCounters(1, engineCounters, Map.of())), listener);
    }

    private void event(final LoopEgress to, final int link, final long content)
    {
        payload.putLong(0, content);
        to.message(link, 7, Outputs.EVENT, Outputs.ALL, 0, payload, 0, BIG_LENGTH);
    }

    private void state(final LoopEgress to, final int link)
    {
        to.message(link, 7, Outputs.STATE, Outputs.ALL, 0, payload, 0, BIG_LENGTH);
    }

    /** Queue an event and have it refused. */
    private void block()
    {
        publication.results.add(Publication.BACK_PRESSURED);
        egress.turnTime(nowNs);
        queue(Outputs.EVENT, 1);
        egress.send(false);
        publication.result = Publication.BACK_PRESSURED;
    }

    private void after(final long ns)
    {
        nowNs += ns;
        egress.turnTime(nowNs);
        egress.send(false);
    }

    private void queue(final int outputClass, final long content)
    {
        queue(outputClass, content, Long.BYTES);
    }

    private void queue(final int outputClass, final long content, final int length)
    {
        egress.turnTime(nowNs);
        payload.putLong(0, content);
        egress.message(LINK, 7, outputClass, Outputs.ALL, 0, payload, 0, length);
    }

    private List<String> received()
    {
        final RoomMessage message = new RoomMessage();
        return publication.messages.stream().map((bytes) ->
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
            assertEquals(bytes.length, message.wrap(buffer, 0, bytes.length));
            return (message.isState() ? "state " : "event ") + buffer.getLong(bytes.length - Long.BYTES);
        }).toList();
    }

    private long counter(final String name)
    {
        return engineCounters.value("escapement loop 0: " + name);
    }
}
