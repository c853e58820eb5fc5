package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.edge.MemoryTransport.MemoryFeed;
import io.escapement.engine.internal.edge.MemoryTransport.MemoryImage;
import io.escapement.engine.internal.loop.LoopLeadership;
import io.escapement.engine.internal.queue.ControlSignal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The offers of feeds, their destinations, and the signals to the loops. */
class FeedsTest
{
    private static final int LOOP = 1;
    private static final int OTHER_LOOP = 0;
    private static final int LINK = 0;
    private static final int PORT = 40_000;
    private static final int OTHER_PORT = 40_001;
    private static final String HOST = "gateway";
    private static final String OFFERED = "FeedOffered 1 on " + (TrunkMessages.FEED_STREAM_ID + LOOP);

    private static final String GROUP = "224.0.1.7:40500";

    private SteppedEdge edge = new SteppedEdge();

    @ParameterizedTest
    @CsvSource({"right, false", "trusted, false", "feed, true"})
    void shouldOfferTheFeedToTrunksWithThatVerdictAfterAttached(final String credentials, final boolean isFed)
    {
        final SteppedClient client = SteppedClient.welcomed(edge, credentials);
        assertEquals(0, edge.transport.feeds.size(), "not before a loop has attached it");
        client.attach(LOOP, LINK, false);
        edge.step(3);
        assertEquals(isFed ? List.of("Attached 1", OFFERED) : List.of("Attached 1"), client.takeReplies());
        assertEquals(isFed ? 1 : 0, edge.transport.feeds.size());
        if (isFed)
        {
            final MemoryFeed feed = edge.transport.feeds.get(0);
            assertEquals(feed.sessionId, client.feedSessionId);
            assertEquals(TrunkMessages.FEED_STREAM_ID + LOOP, feed.streamId);
        }
    }

    @Test
    void shouldTrustATrunkThatMayHaveTheFeed()
    {
        final SteppedClient client = SteppedClient.welcomed(edge, "feed");
        final MemoryImage image = client.attach(LOOP, LINK, false);
        image.send(ClientMessages.join(SteppedEdge.roomId(LOOP), 5, new byte[0]));
        edge.step();
        assertEquals(List.of(), edge.refusals());
    }

    @Test
    void shouldOfferTheFeedOnceItIsMade()
    {
        final SteppedClient client = attaching(LINK);
        edge.step(5);
        assertEquals(List.of("Attached 1"), client.takeReplies());
        edge.transport.make(edge.transport.feeds.get(0));
        edge.step(2);
        assertEquals(List.of(OFFERED), client.takeReplies());
        edge.step(3);
        assertEquals(List.of(), client.takeReplies(), "once");
    }

    @Test
    void shouldRequestAFeedAgainThatTheDriverRefused()
    {
        final SteppedClient other = SteppedClient.welcomed(edge, "feed");
        final SteppedClient client = attaching(1);
        edge.transport.refuse(edge.transport.feeds.get(0));
        edge.transport.isHoldingResponses = false;
        edge.step();
        assertEquals(List.of("Attached 1"), client.takeReplies());
        other.attach(LOOP, LINK, false);
        assertEquals(List.of("Attached 1"), other.takeReplies());
        assertEquals(List.of("the media driver refused the feed of loop 1, so its states are sent on trunks for 1 s: " +
            "no space"), edge.warnings, "once for both");
        assertEquals(1, edge.transport.feeds.size());
        edge.step((int)(Feeds.MIN_RETRY_NS / SteppedEdge.STEP_NS));
        assertEquals(2, edge.transport.feeds.size());
        assertNotEquals(edge.transport.feeds.get(0).sessionId, edge.transport.feeds.get(1).sessionId);
        assertEquals(List.of(OFFERED), client.takeReplies());
        assertEquals(List.of(OFFERED), other.takeReplies());
        assertEquals(edge.transport.feeds.get(1).sessionId, client.feedSessionId);
        assertEquals(1, edge.warnings.size());
    }

    @Test
    void shouldRequestAFeedLessOftenWhileTheDriverRefusesIt()
    {
        final SteppedClient client = attaching(LINK);
        final List<Long> delays = new ArrayList<>();
        long refusedNs = 0;
        for (int i = 0; i < 1_000 && delays.size() < 7; i++)
        {
            final MemoryFeed last = edge.transport.feeds.get(edge.transport.feeds.size() - 1);
            if (StreamPublication.State.PENDING == last.state)
            {
                edge.transport.refuse(last);
                edge.step();
                refusedNs = edge.clock.nanoTime();
            }
            client.control.send(ClientMessages.keepalive());
            edge.step();
            if (edge.transport.feeds.size() > delays.size() + 1)
            {
                delays.add(TimeUnit.NANOSECONDS.toSeconds(edge.clock.nanoTime() - refusedNs));
            }
        }
        assertEquals(List.of(1L, 2L, 4L, 8L, 16L, 30L, 30L), delays);
        assertEquals(delays.size(), edge.warnings.size(), "one for each refusal");
        edge.transport.disconnect(edge.transport.streams(TrunkMessages.loopStreamId(LOOP)).get(0));
        edge.transport.refuse(edge.transport.feeds.get(7));
        edge.pass(Feeds.MAX_RETRY_NS / 2);
        assertEquals(8, edge.transport.feeds.size(), "no trunk waits for it");
    }

    /** A client whose feed the driver has not made. */
    private SteppedClient attaching(final int link)
    {
        final SteppedClient client = SteppedClient.welcomed(edge, "feed");
        final MemoryImage image = client.connect(LOOP);
        image.send(ClientMessages.attach(client.trunkId, client.attachToken));
        edge.step(3);
        edge.transport.isHoldingResponses = true;
        edge.signal(ControlSignal.ATTACHED, LOOP, link);
        edge.step();
        return client;
    }

    @Test
    void shouldNotOfferAFeedToAStreamThatHasGone()
    {
        final SteppedClient client = SteppedClient.welcomed(edge, "feed");
        final MemoryImage image = client.connect(LOOP);
        image.send(ClientMessages.attach(client.trunkId, client.attachToken));
        edge.step(3);
        edge.transport.isHoldingResponses = true;
        edge.signal(ControlSignal.ATTACHED, LOOP, LINK);
        edge.step();
        edge.transport.disconnect(image);
        edge.step();
        edge.transport.make(edge.transport.feeds.get(0));
        edge.step(3);
        assertEquals(List.of("Attached 1"), client.takeReplies());
    }

    @Test
    void shouldMakeOnePublicationForEachLoopAndKind()
    {
        final SteppedClient client = SteppedClient.welcomed(edge, "feed");
        final SteppedClient other = SteppedClient.welcomed(edge, "feed");
        client.attach(LOOP, 0, false);
        other.attach(LOOP, 1, false);
        edge.step();
        assertEquals(1, edge.transport.feeds.size());
        assertEquals(List.of("Attached 1", OFFERED), client.takeReplies());
        assertEquals(List.of("Attached 1", OFFERED), other.takeReplies());
        assertEquals(client.feedId, other.feedId);
        client.attach(OTHER_LOOP, 0, false);
        other.attach(OTHER_LOOP, 1, true);
        edge.step();
        assertEquals(
            List.of("Attached 0", "FeedOffered 0 on " + TrunkMessages.FEED_STREAM_ID), client.takeReplies());
        other.takeReplies();
        assertNotEquals(client.feedId, other.feedId);
        assertEquals(List.of(false, false, true),
            edge.transport.feeds.stream().map((feed) -> feed.isShared).toList());
        final Set<Integer> sessions = new HashSet<>();
        edge.transport.feeds.forEach((feed) -> assertTrue(sessions.add(feed.sessionId)));
    }

    /** Each Feed in each state of a trunk with the feed: the refusal, the destination, the signal to the loop. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        # state    | message    | refusal | destination   | signal
        STRANGER   | PORT       | NO_FEED | -             | -
        STRANGER   | ON         | NO_FEED | -             | -
        STRANGER   | OFF        | NO_FEED | -             | -
        UNATTACHED | PORT       | NO_FEED | -             | -
        UNATTACHED | ON         | NO_FEED | -             | -
        UNATTACHED | OFF        | NO_FEED | -             | -
        PENDING    | PORT       | NO_FEED | -             | -
        PENDING    | ON         | NO_FEED | -             | -
        PENDING    | OFF        | NO_FEED | -             | -
        OFFERED    | PORT       | -       | gateway:40001 | -
        OFFERED    | ON         | -       | -             | FEED 0 on
        OFFERED    | OFF        | -       | -             | -
        OFFERED    | WRONG_ID   | NO_FEED | -             | -
        OFFERED    | OTHER_LOOP | NO_FEED | -             | -
        OFFERED    | NO_LOOP    | NO_FEED | -             | -
        OFFERED    | LAST_LOOP  | NO_FEED | -             | -
        NAMED      | PORT       | -       | gateway:40001 | -
        NAMED      | ON         | -       | gateway:40000 | FEED 0 on
        NAMED      | OFF        | -       | -             | -
        NAMED      | WRONG_ID   | NO_FEED | gateway:40000 | -
        NAMED      | OTHER_LOOP | NO_FEED | gateway:40000 | -
        ON         | PORT       | -       | gateway:40001 | FEED 0 off
        ON         | ON         | -       | gateway:40000 | -
        ON         | OFF        | -       | -             | FEED 0 off
        ON         | WRONG_ID   | NO_FEED | gateway:40000 | -
        ON         | WRONG_OFF  | NO_FEED | gateway:40000 | -
        OFF        | PORT       | -       | gateway:40001 | -
        OFF        | ON         | -       | -             | FEED 0 on
        OFF        | OFF        | -       | -             | -
        DETACHED   | PORT       | NO_FEED | -             | -
        DETACHED   | ON         | NO_FEED | -             | -
        DETACHED   | OFF        | NO_FEED | -             | -
        """)
    void shouldFollowTheTable(
        final String state, final String message, final String refusal, final String destination, final String signal)
    {
        final SteppedClient client = clientIn(state);
        send(client, message);
        assertEquals(null == refusal ? List.of() : List.of(refusal), edge.refusals(), "refusals");
        assertEquals(null == refusal ? List.of() : List.of("EntryRefused " + feedId(client, message) + " NO_FEED"),
            client.takeReplies(), "replies");
        assertEquals(null == destination ? List.of() : List.of(destination), destinations(), "destinations");
        assertEquals(null == signal ? List.of() : List.of(signal), edge.takeSignals(LOOP), "signals");
        final int before = "OFF".equals(state) ? 1 : 0;
        assertEquals("FEED 0 off".equals(signal) ? before + 1 : before, edge.counter("feeds that trunks left"));
        assertEquals(null == refusal ? 0 : 1, edge.agent.trunks().get(0).refused());
        assertEquals(null == refusal ? null : 1L,
            edge.agent.trunks().get(0).refusedByCode().get((int)TrunkCode.NO_FEED.value()));
        assertEquals(1, edge.counter("trunks up"));
    }

    @Test
    void shouldGiveTheLoopThePublicationOfItsKind()
    {
        final SteppedClient client = clientIn("ON");
        assertEquals(1, edge.feedChanges.size());
        assertEquals(client.feedId, edge.feedChanges.get(0).feed().id());
        assertEquals(false, edge.feedChanges.get(0).feed().isShared());
        final SteppedClient second = SteppedClient.welcomed(edge, "feed");
        second.attach(LOOP, 1, false);
        second.takeReplies();
        edge.takeSignals(LOOP);
        second.send(ClientMessages.feed(second.feedId, LOOP, 0, true));
        assertEquals(List.of("FEED 1 on"), edge.takeSignals(LOOP));
        assertSame(edge.feedChanges.get(0).feed(), edge.feedChanges.get(1).feed(), "one feed of all receivers");
        client.send(ClientMessages.feed(client.feedId, LOOP, 0, false));
        edge.takeSignals(LOOP);
        assertNull(edge.feedChanges.get(2).feed());
    }

    @Test
    void shouldAddNoDestinationOverSharedMemory()
    {
        final SteppedClient client = SteppedClient.welcomed(edge, "feed");
        client.attach(LOOP, LINK, true);
        edge.step();
        client.takeReplies();
        edge.takeSignals(LOOP);
        client.send(ClientMessages.feed(client.feedId, LOOP, PORT, false));
        assertEquals(List.of(), destinations());
        client.send(ClientMessages.feed(client.feedId, LOOP, 0, true));
        assertEquals(List.of("FEED 0 on"), edge.takeSignals(LOOP));
        assertTrue(edge.feedChanges.get(0).feed().isShared());
    }

    @Test
    void shouldOfferAGroupAndAddNoDestination()
    {
        edge = SteppedEdge.withFeedGroup(GROUP);
        final SteppedClient client = SteppedClient.welcomed(edge, "feed");
        final SteppedClient other = SteppedClient.welcomed(edge, "feed");
        client.attach(LOOP, LINK, false);
        other.attach(LOOP, 1, false);
        edge.step();
        for (final SteppedClient member : List.of(client, other))
        {
            assertEquals(List.of("Attached 1", OFFERED + " to " + GROUP), member.takeReplies());
            edge.takeSignals(LOOP);
            member.send(ClientMessages.feed(member.feedId, LOOP, PORT, false));
            member.send(ClientMessages.feed(member.feedId, LOOP, 0, true));
            assertEquals(1, edge.takeSignals(LOOP).size());
        }
        assertEquals(List.of(), destinations());
        assertEquals(1, edge.transport.feeds.size());
        client.send(ClientMessages.feed(client.feedId, LOOP, 0, false));
        assertEquals(List.of("FEED 0 off"), edge.takeSignals(LOOP));
        client.attach(OTHER_LOOP, LINK, true);
        edge.step();
        assertEquals(List.of("Attached 0", "FeedOffered 0 on " + TrunkMessages.FEED_STREAM_ID),
            client.takeReplies(), "no group over shared memory");
        assertEquals(List.of(), edge.refusals());
    }

    @ParameterizedTest
    @CsvSource({"IMAGE_GONE", "CONTROL_GONE", "GOODBYE", "SILENCE", "SLOW", "STOP", "REPLACED"})
    void shouldRemoveTheDestinationWhenAStreamEnds(final String event)
    {
        final SteppedClient client = clientIn("ON");
        end(client, event);
        assertEquals(List.of(), destinations());
        assertEquals(List.of("DETACH"), edge.takeSignals(LOOP), "which takes the link from the feed");
        edge.release(LOOP);
        edge.step();
        assertEquals(StreamPublication.State.READY, edge.transport.feeds.get(0).state, "others may receive it");
    }

    @ParameterizedTest
    @CsvSource({"IMAGE_GONE", "CONTROL_GONE", "GOODBYE", "SLOW", "STOP"})
    void shouldForgetSignalsThatWaitForAStreamThatEnds(final String event)
    {
        final SteppedClient client = clientIn("NAMED");
        edge.fillInbox(LOOP);
        client.send(ClientMessages.feed(client.feedId, LOOP, 0, true));
        end(client, event);
        edge.takeSignals(LOOP);
        edge.step(3);
        assertEquals(List.of("DETACH"), edge.takeSignals(LOOP));
        assertEquals(List.of(), edge.feedChanges);
    }

    @Test
    void shouldKeepSignalsToAFullInboxInOrder()
    {
        final SteppedClient client = clientIn("NAMED");
        final SteppedClient other = SteppedClient.welcomed(edge, "feed");
        other.attach(LOOP, 1, false);
        other.takeReplies();
        edge.takeSignals(LOOP);
        edge.fillInbox(LOOP);
        client.send(ClientMessages.feed(client.feedId, LOOP, 0, true));
        other.send(ClientMessages.feed(other.feedId, LOOP, 0, true));
        client.send(ClientMessages.feed(client.feedId, LOOP, 0, false));
        client.send(ClientMessages.feed(client.feedId, LOOP, 0, true));
        edge.takeSignals(LOOP);
        assertEquals(List.of(), edge.feedChanges);
        edge.step();
        assertEquals(
            List.of("FEED 0 on", "FEED 1 on", "FEED 0 off", "FEED 0 on"), edge.takeSignals(LOOP));
        edge.step(3);
        assertEquals(List.of(), edge.takeSignals(LOOP));
    }

    @Test
    void shouldNotWaitWithOneLoopForAnother()
    {
        final SteppedClient client = clientIn("NAMED");
        final int feedId = client.feedId;
        client.attach(OTHER_LOOP, LINK, false);
        edge.step();
        client.takeReplies();
        edge.takeSignals(OTHER_LOOP);
        edge.fillInbox(LOOP);
        client.send(ClientMessages.feed(feedId, LOOP, 0, true));
        client.send(ClientMessages.feed(client.feedId, OTHER_LOOP, 0, true));
        assertEquals(List.of("FEED 0 on"), edge.takeSignals(OTHER_LOOP), "the other loop may hang");
    }

    @Test
    void shouldOfferTheFeedAgainToATrunkThatIsResumed()
    {
        final SteppedClient client = clientIn("ON");
        final int feedId = client.feedId;
        client.disconnect();
        edge.takeSignals(LOOP);
        edge.release(LOOP);
        edge.step();
        client.connect();
        client.hello();
        client.takeReplies();
        client.resume("feed");
        assertEquals(List.of("Welcome resumed"), client.takeReplies());
        client.attach(LOOP, LINK, false);
        assertEquals(List.of("Attached 1", OFFERED), client.takeReplies());
        assertEquals(feedId, client.feedId);
        edge.takeSignals(LOOP);
        client.send(ClientMessages.feed(client.feedId, LOOP, 0, true));
        assertEquals(List.of("FEED 0 on"), edge.takeSignals(LOOP));
        assertEquals(1, edge.transport.feeds.size());
    }

    @Test
    void shouldMakeOtherFeedsInTheNextIncarnation()
    {
        edge.agent.follow(new Leadership(1));
        lead(5);
        final SteppedClient client = SteppedClient.welcomed(edge, "feed");
        final MemoryImage image = client.attach(LOOP, LINK, false);
        image.source = HOST;
        edge.step();
        client.takeReplies();
        client.send(ClientMessages.feed(client.feedId, LOOP, PORT, false));
        assertEquals(List.of(HOST + ":" + PORT), destinations());
        final MemoryFeed feed = edge.transport.feeds.get(0);
        edge.signal(ControlSignal.FOLLOWING, LOOP, 2);
        edge.step(2);
        assertEquals(List.of(), destinations());
        edge.takeSignals(LOOP);
        edge.release(LOOP);
        edge.step();
        lead(6);
        assertEquals(StreamPublication.State.CLOSED, feed.state);
        final SteppedClient next = SteppedClient.welcomed(edge, "feed");
        next.attach(LOOP, 1, false);
        edge.step();
        assertEquals(List.of("Attached 1", OFFERED), next.takeReplies());
        assertNotEquals(client.feedId, next.feedId);
        assertNotEquals(client.feedSessionId, next.feedSessionId);
        assertEquals(2, edge.transport.feeds.size());
        next.send(ClientMessages.feed(client.feedId, LOOP, 0, true));
        assertEquals(List.of("EntryRefused " + client.feedId + " NO_FEED"), next.takeReplies());
    }

    @Test
    void shouldCloseTheFeedsWhenTheEngineStops()
    {
        final SteppedClient client = clientIn("ON");
        edge.signal(ControlSignal.STOP);
        edge.step(2);
        assertEquals(List.of("Goodbye ENGINE_STOPPING"), client.takeReplies());
        edge.takeSignals(LOOP);
        edge.release(LOOP);
        edge.step(3);
        assertTrue(edge.agent.isStopped());
        assertEquals(0, edge.agent.held());
        edge.agent.onClose();
        assertEquals(StreamPublication.State.CLOSED, edge.transport.feeds.get(0).state);
        assertTrue(edge.transport.isClosed);
    }

    @Test
    void shouldCloseTheFeedsOfAnEngineThatIsClosedWithTrunks()
    {
        clientIn("ON");
        edge.agent.onClose();
        assertEquals(List.of(), destinations());
        assertEquals(StreamPublication.State.CLOSED, edge.transport.feeds.get(0).state);
    }

    private SteppedClient clientIn(final String state)
    {
        final SteppedClient client = SteppedClient.welcomed(edge, "STRANGER".equals(state) ? "trusted" : "feed");
        if ("UNATTACHED".equals(state))
        {
            return client;
        }
        final MemoryImage image = client.connect(LOOP);
        image.source = HOST;
        image.send(ClientMessages.attach(client.trunkId, client.attachToken));
        edge.step(3);
        edge.transport.isHoldingResponses = "PENDING".equals(state);
        edge.signal(ControlSignal.ATTACHED, LOOP, LINK);
        edge.step(2);
        client.takeReplies();
        switch (state)
        {
            case "NAMED" -> client.send(ClientMessages.feed(client.feedId, LOOP, PORT, false));
            case "ON", "OFF" ->
            {
                client.send(ClientMessages.feed(client.feedId, LOOP, PORT, false));
                client.send(ClientMessages.feed(client.feedId, LOOP, 0, true));
            }
            case "DETACHED" ->
            {
                edge.transport.disconnect(image);
                edge.step();
            }
            default ->
            {
                // The client has sent nothing.
            }
        }
        if ("OFF".equals(state))
        {
            client.send(ClientMessages.feed(client.feedId, LOOP, 0, false));
        }
        assertEquals(List.of(), client.takeReplies());
        edge.takeSignals(LOOP);
        return client;
    }

    private static int feedId(final SteppedClient client, final String message)
    {
        return message.startsWith("WRONG") ? client.feedId + 1 : client.feedId;
    }

    private static void send(final SteppedClient client, final String message)
    {
        final int feedId = feedId(client, message);
        client.send(switch (message)
        {
            case "PORT" -> ClientMessages.feed(feedId, LOOP, OTHER_PORT, false);
            case "ON", "WRONG_ID" -> ClientMessages.feed(feedId, LOOP, 0, true);
            case "OFF", "WRONG_OFF" -> ClientMessages.feed(feedId, LOOP, 0, false);
            case "OTHER_LOOP" -> ClientMessages.feed(feedId, OTHER_LOOP, 0, true);
            case "NO_LOOP" -> ClientMessages.feed(feedId, SteppedEdge.LOOPS, 0, true);
            case "LAST_LOOP" -> ClientMessages.feed(feedId, 0xFFFE, 0, true);
            default -> throw new AssertionError(message);
        });
    }

    private void end(final SteppedClient client, final String event)
    {
        switch (event)
        {
            case "IMAGE_GONE" -> edge.transport.streams(TrunkMessages.loopStreamId(LOOP))
                .forEach(edge.transport::disconnect);
            case "CONTROL_GONE" -> client.disconnect();
            case "GOODBYE" -> client.send(ClientMessages.goodbye());
            case "SILENCE" -> edge.pass(3 * SteppedEdge.KEEPALIVE_NS);
            case "SLOW" -> edge.signal(ControlSignal.SLOW, LOOP, LINK);
            case "STOP" -> edge.signal(ControlSignal.STOP);
            case "REPLACED" ->
            {
                client.connect();
                client.hello();
                client.resume("feed");
            }
            default -> throw new AssertionError(event);
        }
        edge.step(2);
    }

    /** The destinations of all feeds that are not closed. */
    private List<String> destinations()
    {
        return edge.transport.feeds.stream().flatMap((feed) -> feed.destinationByIdMap.values().stream()).toList();
    }

    private void lead(final int incarnation)
    {
        LongStream.range(0, SteppedEdge.LOOPS).forEach((loop) ->
        {
            assertTrue(edge.edgeInbox.offer(ControlSignal.LEADING, new LoopLeadership((int)loop, incarnation,
                new BitSet(), new long[SteppedEdge.TRUNK_LIMIT], 0, new long[0], new int[0]),
                new UnsafeBuffer(new byte[8]), 0, 8));
            edge.step();
        });
    }
}
