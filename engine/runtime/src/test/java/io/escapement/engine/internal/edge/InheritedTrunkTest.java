package io.escapement.engine.internal.edge;

import io.escapement.codecs.room.LinkResumedDecoder;
import io.escapement.codecs.room.LinkUpDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.engine.internal.loop.LoopLeadership;
import io.escapement.engine.internal.queue.ControlSignal;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Trunks and players of an incarnation before, and their tokens. Budget: 1 s. */
class InheritedTrunkTest
{
    private static final byte[] KEY = "a key of the first engine, 32 bytes".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NEW_KEY = "a key of the second engine, 32 byte".getBytes(StandardCharsets.US_ASCII);
    private static final long REALM = 5;
    private static final int LINK = 1;
    private static final long PLAYER = 77;
    private static final long ROOM = SteppedEdge.roomId(0);
    private static final long EPOCH_NS = TimeUnit.DAYS.toNanos(20_000);

    private final SteppedEdge first = leading(TokenKeys.of(List.of(KEY), REALM), 1, 0, EPOCH_NS);
    private final SteppedClient before = SteppedClient.welcomed(first);

    @Test
    void shouldResumeATrunkOfTheIncarnationBefore()
    {
        final SteppedEdge edge = next(TokenKeys.of(List.of(KEY), REALM));
        final SteppedClient client = returning(edge);
        final long trunkId = client.trunkId;
        client.resume("right");
        assertEquals(List.of("Welcome resumed"), client.takeReplies());
        assertEquals(trunkId, client.trunkId);
        assertEquals(1, edge.counter("trunks up"));
        for (int loop = 0; loop < SteppedEdge.LOOPS; loop++)
        {
            client.connect(loop).send(ClientMessages.attach(client.trunkId, client.attachToken));
        }
        edge.step(3);
        assertEquals(List.of("resumed " + LINK + " " + LINK + " " + trunkId), links(edge, 0));
        assertEquals(List.of("up " + LINK + " " + trunkId), links(edge, 1), "this loop does not know the link");
    }

    @Test
    void shouldVoidTheTokenOnceTheTrunkIsResumed()
    {
        final SteppedEdge edge = next(TokenKeys.of(List.of(KEY), REALM));
        final SteppedClient client = returning(edge);
        client.resume("right");
        client.takeReplies();
        final SteppedClient late = returning(edge);
        late.resume("right");
        assertEquals(List.of("Reject UNKNOWN_TRUNK"), late.takeReplies());
        late.takeOver(client);
        late.connect();
        late.hello();
        late.takeReplies();
        late.takeOver(client);
        late.resume("right");
        assertEquals(List.of("Welcome resumed"), late.takeReplies());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
        keys    | realm | answer
        old     | 5     | Welcome resumed
        both    | 5     | Welcome resumed
        swapped | 5     | Welcome resumed
        new     | 5     | Reject UNKNOWN_TRUNK
        old     | 6     | Reject UNKNOWN_TRUNK
        none    | 5     | Reject UNKNOWN_TRUNK
        """)
    void shouldAcceptTheTokensOfItsKeysAlone(final String keys, final long realm, final String answer)
    {
        final SteppedEdge edge = next(switch (keys)
        {
            case "old" -> TokenKeys.of(List.of(KEY), realm);
            case "both" -> TokenKeys.of(List.of(NEW_KEY, KEY), realm);
            case "swapped" -> TokenKeys.of(List.of(KEY, NEW_KEY), realm);
            case "new" -> TokenKeys.of(List.of(NEW_KEY), realm);
            default -> TokenKeys.random(new SecureRandom());
        });
        final SteppedClient client = returning(edge);
        client.resume("right");
        assertEquals(List.of(answer), client.takeReplies());
    }

    @Test
    void shouldRefuseATokenThatDiffersInAnyBit()
    {
        final TokenKeys keys = TokenKeys.of(List.of(NEW_KEY, KEY), REALM);
        final byte[] identity = SteppedClient.IDENTITY.getBytes(StandardCharsets.US_ASCII);
        final long high = before.resumeHigh;
        final long low = before.resumeLow;
        assertEquals(true, keys.isResumeToken(before.trunkId, high, low, identity));
        for (int bit = 0; bit < Long.SIZE; bit++)
        {
            assertEquals(false, keys.isResumeToken(before.trunkId, high ^ 1L << bit, low, identity), "high " + bit);
            assertEquals(false, keys.isResumeToken(before.trunkId, high, low ^ 1L << bit, identity), "low " + bit);
            assertEquals(false, keys.isResumeToken(before.trunkId ^ 1L << bit, high, low, identity), "trunk " + bit);
        }
        assertEquals(false, keys.isResumeToken(before.trunkId, high, low, new byte[0]));
        assertEquals(false, keys.isResumeToken(before.trunkId, before.attachToken, before.attachToken, identity));
    }

    @Test
    void shouldHoldATrunkForTheGrace()
    {
        final SteppedEdge edge = next(TokenKeys.of(List.of(KEY), REALM));
        edge.pass(SteppedEdge.GRACE_NS - 20 * SteppedEdge.STEP_NS);
        final int held = edge.agent.held();
        edge.pass(40 * SteppedEdge.STEP_NS);
        assertEquals(held - 1, edge.agent.held());
        final SteppedClient client = returning(edge);
        client.resume("right");
        assertEquals(List.of("Reject UNKNOWN_TRUNK"), client.takeReplies());
    }

    @Test
    void shouldGiveTheNumberOfAnUnclaimedTrunkToANewOne()
    {
        final SteppedEdge edge = next(TokenKeys.of(List.of(KEY), REALM));
        SteppedClient.welcomed(edge);
        SteppedClient.welcomed(edge);
        assertEquals(SteppedEdge.TRUNK_LIMIT, edge.counter("trunks up"));
    }

    @Test
    void shouldAdmitAPlayerByATokenOfTheIncarnationBefore()
    {
        final byte[] token = logIn(first, before);
        final SteppedEdge edge = next(TokenKeys.of(List.of(NEW_KEY, KEY), REALM));
        final SteppedClient client = returning(edge);
        client.resume("right");
        client.takeReplies();
        final MemoryTransport.MemoryImage image = client.attached(0, LINK);
        image.send(ClientMessages.join(ROOM, PLAYER, token));
        edge.step();
        assertEquals(1, edge.counter("entries accepted"));
        assertEquals(List.of(), edge.refusals());
    }

    @Test
    void shouldVoidTheTokenOfAPlayerWhoLogsInOnAnotherTrunk()
    {
        final byte[] token = logIn(first, before);
        final MemoryTransport.MemoryImage image = before.attached(0, 0);
        image.send(ClientMessages.join(ROOM, PLAYER, token));
        first.step();
        assertEquals(1, first.counter("entries accepted"));
        final SteppedClient other = SteppedClient.welcomed(first);
        logIn(first, other);
        image.send(ClientMessages.join(ROOM, PLAYER, token));
        first.step();
        assertEquals(List.of("BAD_PLAYER_TOKEN"), first.refusals());
        final byte[] again = logIn(first, before);
        image.send(ClientMessages.join(ROOM, PLAYER, again));
        first.step();
        assertEquals(2, first.counter("entries accepted"));
    }

    private static byte[] logIn(final SteppedEdge edge, final SteppedClient client)
    {
        client.send(ClientMessages.logIn(1));
        edge.logIns.get(edge.logIns.size() - 1).onReply(0, PLAYER);
        edge.step(2);
        assertTrue(client.takeReplies().contains("LogInReply 1 NONE"));
        return client.playerToken;
    }

    /** The engine was killed: another one starts on its journal, in which loop 0 has seats of the trunk. */
    private SteppedEdge next(final TokenKeys keys)
    {
        return leading(keys, 2, before.trunkId, EPOCH_NS + 1);
    }

    private static SteppedEdge leading(
        final TokenKeys keys, final int incarnation, final long trunkId, final long epochNs)
    {
        final SteppedEdge edge = new SteppedEdge(keys, epochNs);
        for (int loop = 0; loop < SteppedEdge.LOOPS; loop++)
        {
            final BitSet heldLinks = new BitSet();
            heldLinks.set(LINK, 0 == loop && 0 != trunkId);
            final long[] trunkIds = new long[SteppedEdge.TRUNK_LIMIT];
            trunkIds[LINK] = 0 == loop ? trunkId : 0;
            assertTrue(edge.edgeInbox.offer(ControlSignal.LEADING,
                new LoopLeadership(loop, incarnation, heldLinks, trunkIds, 0, new long[0], new int[0]),
                new UnsafeBuffer(new byte[8]), 0, 8));
        }
        edge.agent.follow(new Leadership(0));
        return edge;
    }

    private SteppedClient returning(final SteppedEdge edge)
    {
        final SteppedClient client = new SteppedClient(edge);
        client.hello();
        client.takeReplies();
        client.takeOver(before);
        return client;
    }

    /** The links that were attached to a loop, as its commands say. */
    private static List<String> links(final SteppedEdge edge, final int loop)
    {
        final List<String> links = new ArrayList<>();
        edge.inboxes[loop].poll((slot, sequence, isEndOfBatch) ->
        {
            final MessageHeaderDecoder header = new MessageHeaderDecoder();
            header.wrap(edge.inboxes[loop].block(), slot.offset);
            if (ControlSignal.ATTACH == slot.signal() && LinkUpDecoder.TEMPLATE_ID == header.templateId())
            {
                final LinkUpDecoder up =
                    new LinkUpDecoder().wrapAndApplyHeader(edge.inboxes[loop].block(), slot.offset, header);
                links.add("up " + up.link() + " " + up.trunkId());
            }
            else if (ControlSignal.ATTACH == slot.signal())
            {
                final LinkResumedDecoder resumed =
                    new LinkResumedDecoder().wrapAndApplyHeader(edge.inboxes[loop].block(), slot.offset, header);
                links.add("resumed " + resumed.link() + " " + resumed.previousLink() + " " + resumed.trunkId());
            }
            return true;
        });
        return links;
    }
}
