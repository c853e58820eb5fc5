package io.escapement.engine.internal.loop;

import io.aeron.Publication;
import io.escapement.codecs.trunk.EventDecoder;
import io.escapement.codecs.trunk.EventEncoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.StateDecoder;
import io.escapement.engine.internal.monitor.EngineCounters;
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
    private static final long PATIENCE_NS = 1_000;

    private final List<Integer> slow = new ArrayList<>();
    private final List<Integer> statesLost = new ArrayList<>();
    private final EngineCounters engineCounters = new EngineCounters();
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[QUEUE_LENGTH]);
    private final MemoryPublication publication = new MemoryPublication();
    private final LinkQueues queues = new LinkQueues(QUEUE_LENGTH);
    private final LoopEgress egress = new LoopEgress(
        new LoopContext().linkLimit(LINK + 1).statePatienceNs(PATIENCE_NS)
            .counters(new LoopCounters(0, engineCounters, Map.of())),
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
                statesLost.add(link);
            }
        });
    private long nowNs = 1;

    {
        egress.attach(new LinkAttachment(LINK, EventEncoder.SCHEMA_VERSION, publication, queues));
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
        egress.send(false);
        assertTrue(egress.detach(LINK));
        assertFalse(egress.isWaiting());
        publication.result = 1;
        final MemoryPublication next = new MemoryPublication();
        egress.attach(new LinkAttachment(LINK, EventEncoder.SCHEMA_VERSION, next, queues));
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
        for (int i = 0; i < 12; i++)
        {
            queue(Outputs.EVENT, i);
        }
        egress.send(false);
        assertEquals(12, publication.messages.size());
        assertTrue(publication.packetLengths.size() > 1, "one packet is too few");
        final int length = publication.packetLengths.get(0);
        final int messageLength = 2 + publication.messages.get(0).length;
        assertTrue(MemoryPublication.PACKET_LENGTH - length < messageLength, "the first is full");
        publication.packetLengths.forEach((packet) -> assertTrue(packet <= MemoryPublication.PACKET_LENGTH));
    }

    /** A driver sends packets of equal length in one system call. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
        version | payload | packets     | of the gap
        1       | 56      | 170 170 85  | Aeron aligns it away
        1       | 55      | 200 200 84  | filled
        1       | 46      | 200 200 75  | a quarter of the packet, filled
        1       | 45      | 148 148 74  | too long
        0       | 55      | 168 168 84  | the client does not know padding
        """)
    void shouldPadPacketsThatOthersFollow(
        final int version, final int payloadLength, final String packets, final String gap)
    {
        assertTrue(egress.detach(LINK));
        egress.attach(new LinkAttachment(LINK, version, publication, queues));
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
        after(LoopContext.SLOW_LINK_NS);
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
        for (int i = 0; i < 12; i++)
        {
            queue(Outputs.EVENT, i);
        }
        publication.results.addAll(List.of(Publication.BACK_PRESSURED, 1L, Publication.BACK_PRESSURED));
        egress.send(false);
        after(LoopContext.SLOW_LINK_NS);
        assertEquals(1, publication.packetLengths.size());
        publication.result = Publication.BACK_PRESSURED;
        after(LoopContext.SLOW_LINK_NS);
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
        assertEquals(2, counter("events lost with their trunk"));
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
        egress.turnTime(nowNs);
        payload.putLong(0, content);
        egress.message(LINK, 7, outputClass, Outputs.ALL, 0, payload, 0, Long.BYTES);
    }

    private List<String> received()
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        return publication.messages.stream().map((bytes) ->
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
            header.wrap(buffer, 0);
            final long content = buffer.getLong(bytes.length - Long.BYTES);
            assertTrue(EventDecoder.TEMPLATE_ID == header.templateId() ||
                StateDecoder.TEMPLATE_ID == header.templateId());
            return (EventDecoder.TEMPLATE_ID == header.templateId() ? "event " : "state ") + content;
        }).toList();
    }

    private long counter(final String name)
    {
        return engineCounters.value("escapement loop 0: " + name);
    }
}
