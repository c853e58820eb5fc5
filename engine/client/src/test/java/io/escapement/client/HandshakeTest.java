package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.TrunkProof;
import io.escapement.codecs.trunk.HelloDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.ProofDecoder;
import io.escapement.codecs.trunk.ResumeDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HandshakeTest
{
    private static final Map<String, byte[]> REPLIES = Map.ofEntries(
        Map.entry("Challenge", Messages.challenge()),
        Map.entry("Welcome", Messages.welcome(SteppedTrunk.LOOPS, false)),
        Map.entry("Reject", Messages.reject(130)),
        Map.entry("Goodbye", Messages.goodbye(TrunkCode.ENGINE_STOPPING)),
        Map.entry("Attached", Messages.attached(0)),
        Map.entry("LogInReply", Messages.logInReply()),
        Map.entry("LogInSession", Messages.logInSession()),
        Map.entry("KeepaliveReply", Messages.keepaliveReply(0, 0)),
        Map.entry("EntryRefused", Messages.entryRefused()),
        Map.entry("Event", Messages.event(1, Audience.ALL, 0, "x")),
        Map.entry("Joined", Messages.joined(1, 1, 0, 1)));

    /** A cell is the state after the reply and the callback, "drop" that the reply is dropped and counted. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
        reply          | CONNECTING      | GREETED         | PROVEN          | UP
        Challenge      | drop            | PROVEN          | drop            | drop
        Welcome        | drop            | drop            | UP, up new      | drop
        Reject         | DOWN, down 130  | DOWN, down 130  | DOWN, down 130  | DOWN, down 130
        Goodbye        | DOWN, down 149  | DOWN, down 149  | DOWN, down 149  | DOWN, down 149
        Attached       | drop            | drop            | drop            | drop
        LogInReply     | drop            | drop            | drop            | UP, logIn 1 0 2 [9]
        LogInSession   | drop            | drop            | drop            | UP, session 1 [8]
        KeepaliveReply | drop            | drop            | drop            | UP
        EntryRefused   | drop            | drop            | drop            | UP, refused 2 3 -1 4 140
        Event          | drop            | drop            | drop            | drop
        Joined         | drop            | drop            | drop            | drop
        """)
    void shouldHandleEveryReplyInEveryState(
        final String reply, final String connecting, final String greeted, final String proven, final String up)
    {
        final String[] cells = {connecting, greeted, proven, up};
        for (int i = 0; i < cells.length; i++)
        {
            final State before = State.values()[i];
            final SteppedTrunk trunk = SteppedTrunk.in(before);
            trunk.control().hasImage = true;
            trunk.control().deliver(REPLIES.get(reply));
            trunk.step();
            final boolean isDropped = "drop".equals(cells[i]);
            final String[] cell = cells[i].split(", ");
            assertEquals(isDropped ? before : State.valueOf(cell[0]), trunk.client.state(), reply + " in " + before);
            assertEquals(2 == cell.length ? List.of(cell[1]) : List.of(), trunk.callbacks, reply + " in " + before);
            assertEquals(isDropped ? 1 : 0, trunk.client.malformedMessages(), reply + " in " + before);
            assertEquals(State.DOWN == trunk.client.state(), trunk.control().isClosed);
        }
        final SteppedTrunk down = SteppedTrunk.in(State.DOWN);
        down.control().deliver(REPLIES.get(reply));
        down.step();
        assertEquals(List.of(), down.callbacks);
        assertEquals(State.DOWN, down.client.state());
    }

    @Test
    void shouldHandleAllRepliesOfABatchUntilItIsDown()
    {
        final SteppedTrunk trunk = SteppedTrunk.in(State.GREETED);
        trunk.control().deliver(Messages.challenge(), Messages.welcome(1, false), Messages.reject(130),
            Messages.goodbye(TrunkCode.REPLACED));
        trunk.step();
        assertEquals(List.of("up new", "down 130"), trunk.callbacks);
        assertEquals(0, trunk.client.malformedMessages());
    }

    @Test
    void shouldOfferHelloUntilItIsAcceptedAndSendItOnce()
    {
        final SteppedTrunk trunk = new SteppedTrunk();
        trunk.step();
        assertEquals(0, trunk.control().offers, "not connected");
        trunk.control().isConnected = true;
        trunk.control().isBackPressured = true;
        for (int i = 1; i <= 3; i++)
        {
            trunk.step();
            assertEquals(i, trunk.control().offers);
            assertEquals(State.CONNECTING, trunk.client.state());
        }
        trunk.control().isBackPressured = false;
        trunk.step();
        assertEquals(State.GREETED, trunk.client.state());
        trunk.step();
        assertEquals(List.of(HelloDecoder.TEMPLATE_ID), Messages.templates(trunk.control().sent));
        final HelloDecoder hello = hello(trunk);
        assertEquals(1, hello.protocolVersion());
        assertEquals(5, hello.applicationVersion());
        final byte[] identity = new byte[hello.identityLength()];
        hello.getIdentity(identity, 0, identity.length);
        assertArrayEquals(SteppedTrunk.IDENTITY, identity);
    }

    @Test
    void shouldOfferTheProofUntilItIsAcceptedAndSendItOnce()
    {
        final SteppedTrunk trunk = SteppedTrunk.in(State.GREETED);
        trunk.control().isBackPressured = true;
        trunk.control().deliver(Messages.challenge());
        trunk.step();
        trunk.step();
        assertEquals(State.PROVEN, trunk.client.state());
        assertEquals(List.of(), trunk.control().sent);
        trunk.control().isBackPressured = false;
        trunk.step();
        trunk.step();
        assertEquals(List.of(ProofDecoder.TEMPLATE_ID), Messages.templates(trunk.control().sent));
    }

    @Test
    void shouldProveTheSecretWithBothNonces()
    {
        final SteppedTrunk trunk = new SteppedTrunk();
        trunk.control().isConnected = true;
        trunk.step();
        final HelloDecoder hello = hello(trunk);
        trunk.control().hasImage = true;
        trunk.control().deliver(Messages.challenge());
        trunk.step();
        final ProofDecoder proof = new ProofDecoder()
            .wrapAndApplyHeader(Messages.messages(trunk.control().sent.get(1)).get(0), 0, new MessageHeaderDecoder());
        final byte[] credentials = new byte[proof.credentialsLength()];
        proof.getCredentials(credentials, 0, credentials.length);
        assertArrayEquals(new TrunkProof(SteppedTrunk.SECRET).of(
            hello.nonce().high(), hello.nonce().low(), 3, 4, SteppedTrunk.IDENTITY), credentials);
    }

    @Test
    void shouldUseNewNoncesForEachConnection()
    {
        final SteppedTrunk first = new SteppedTrunk();
        final SteppedTrunk second = new SteppedTrunk();
        first.control().isConnected = true;
        second.control().isConnected = true;
        first.step();
        second.step();
        assertNotEquals(hello(first).nonce().high(), hello(second).nonce().high());
        assertNotEquals(hello(first).nonce().low(), hello(second).nonce().low());
    }

    @ParameterizedTest
    @CsvSource({"CONNECTING,down 133", "GREETED,down 133", "PROVEN,down 133", "UP,"})
    void shouldTimeOutUnlessItIsUp(final State state, final String callback)
    {
        final SteppedTrunk trunk = SteppedTrunk.in(state);
        // The constructor and each step before took their share of the time.
        final long leftNs = TrunkContext.CONNECT_TIMEOUT_DEFAULT_NS - state.ordinal() * SteppedTrunk.STEP_NS;
        if (State.UP == state)
        {
            for (int i = 0; i < 10; i++)
            {
                trunk.control().deliver(Messages.keepaliveReply(0, 0));
                trunk.step(Messages.KEEPALIVE_NS);
            }
            assertEquals(State.UP, trunk.client.state());
            return;
        }
        trunk.step(leftNs);
        assertEquals(state, trunk.client.state());
        trunk.step();
        assertEquals(State.DOWN, trunk.client.state());
        assertEquals(List.of(callback), trunk.callbacks);
    }

    /** The engine makes the response channel after Hello, so that a client cannot miss it before Challenge. */
    @ParameterizedTest
    @CsvSource({"CONNECTING,CONNECTING", "GREETED,GREETED", "PROVEN,DOWN", "UP,DOWN"})
    void shouldNoticeTheLossOfTheResponseChannel(final State state, final State after)
    {
        final SteppedTrunk trunk = SteppedTrunk.in(state);
        trunk.control().hasImage = false;
        trunk.step();
        assertEquals(after, trunk.client.state());
        assertEquals(State.DOWN == after ? List.of("down 0") : List.of(), trunk.callbacks);
    }

    @Test
    void shouldKnowTheTrunkFromWelcomeOn()
    {
        final SteppedTrunk trunk = SteppedTrunk.in(State.PROVEN);
        assertNull(trunk.client.ticket());
        assertEquals(0, trunk.client.trunkId());
        trunk.control().deliver(Messages.welcome(SteppedTrunk.LOOPS, false));
        trunk.step();
        assertEquals(new ResumeTicket(Messages.TRUNK_ID, 5, 6), trunk.client.ticket());
        assertEquals(Messages.TRUNK_ID, trunk.client.trunkId());
        assertTrue(trunk.client.isTrusted());
        assertEquals(1_000, trunk.client.serverTimeNs());
        assertEquals(1, trunk.streamByNumberMap.size(), "loop streams are opened when they are needed");
    }

    @Test
    void shouldResumeWithTheTicketAndOpenEveryLoop()
    {
        final SteppedTrunk trunk = new SteppedTrunk(new ResumeTicket(77, 5, 6));
        trunk.control().isConnected = true;
        trunk.step();
        trunk.control().hasImage = true;
        trunk.control().deliver(Messages.challenge());
        trunk.step();
        final ResumeDecoder resume = new ResumeDecoder()
            .wrapAndApplyHeader(Messages.messages(trunk.control().sent.get(1)).get(0), 0, new MessageHeaderDecoder());
        assertEquals(77, resume.trunkId());
        assertEquals(5, resume.resumeToken().high());
        assertEquals(6, resume.resumeToken().low());
        assertEquals(TrunkProof.LENGTH, resume.credentialsLength());
        trunk.control().deliver(Messages.welcome(SteppedTrunk.LOOPS, true));
        trunk.step();
        assertEquals(List.of("up resumed"), trunk.takeCallbacks());
        assertEquals(List.of(7_000, 7_001, 7_002, 7_003), List.copyOf(trunk.streamByNumberMap.keySet()));

        trunk.loop(2).isConnected = true;
        trunk.loop(2).hasImage = true;
        trunk.step();
        trunk.control().deliver(Messages.attached(2));
        final long roomId = (2L << 54) + 1;
        trunk.loop(2).deliver(Messages.seatResumed(roomId, 4, 9, 41));
        trunk.step();
        assertEquals(List.of("seatResumed " + roomId + "/4.9 after 41"), trunk.callbacks);
        assertEquals(SendStatus.SENT, trunk.send(trunk.seats.get(0), 1));
        assertEquals(42, trunk.seats.get(0).sequence());
    }

    @ParameterizedTest
    @CsvSource({"135", "132", "130"})
    void shouldGoDownWhenAResumeIsRefused(final int code)
    {
        final SteppedTrunk trunk = new SteppedTrunk(new ResumeTicket(77, 5, 6));
        trunk.advanceTo(State.PROVEN);
        trunk.control().deliver(Messages.reject(code));
        trunk.step();
        assertEquals(State.DOWN, trunk.client.state());
        assertEquals(List.of("down " + code), trunk.callbacks);
        assertNull(trunk.client.ticket(), "no trunk was given");
    }

    private static HelloDecoder hello(final SteppedTrunk trunk)
    {
        final UnsafeBuffer message = Messages.messages(trunk.control().sent.get(0)).get(0);
        return new HelloDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder());
    }
}
