package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.AttachDecoder;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.ProofDecoder;
import io.escapement.codecs.trunk.ResumeDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A stream lost alone, a driver that dies, seats of a resumed trunk, and a trunk that connects again by itself. */
class ReconnectTest
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MIN_NS = 100 * MS;
    private static final long MAX_NS = 450 * MS;
    private static final long SEED = 17;
    private static final long ROOM = 1;
    private static final byte[] TOKEN = {1, 2, 3};
    private static final UnsafeBuffer ARGS = new UnsafeBuffer(new byte[]{9, 8, 7});

    // One stream is lost while the trunk is up.

    @Test
    void shouldOpenALostLoopStreamAgainAndReturnItsSeats()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        final ClientSeat seat = trunk.seats.get(0);
        seat.attachment("kept");
        final FakeStream lost = trunk.loop(0);
        trunk.step(600 * MS);
        lost.hasImage = false;
        trunk.step();
        assertTrue(lost.isClosed);
        assertEquals(List.of("seatAway 1/0.1 0"), trunk.takeCallbacks());
        assertFalse(seat.isPresent());
        assertEquals(SendStatus.NOT_READY, trunk.send(seat, 1));

        connect(trunk);
        trunk.loop(0).deliver(Messages.seatResumed(ROOM, 0, 1, 5));
        trunk.step();
        assertEquals(State.UP, trunk.client.state());
        assertEquals(List.of("seatResumed 1/0.1 after 5"), trunk.takeCallbacks());
        assertSame(seat, trunk.seats.get(1));
        assertEquals("kept", seat.attachment());
        assertEquals(SendStatus.SENT, trunk.send(seat, 1));
    }

    @Test
    void shouldNotOpenStreamsInAStorm()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(0);
        trunk.step(600 * MS);
        int opened = 0;
        for (int i = 0; i < 1_000; i++)
        {
            final FakeStream stream = trunk.loop(0);
            stream.isConnected = true;
            stream.hasImage = true;
            trunk.step(MS);
            stream.hasImage = false;
            trunk.step(MS);
            trunk.control().deliver(Messages.keepaliveReply(0, 0));
            opened += trunk.loop(0) == stream ? 0 : 1;
        }
        assertTrue(opened >= 3 && opened <= 5, () -> "in two seconds");
    }

    @Test
    void shouldOpenAStreamAgainThatIsNotAttachedInTime()
    {
        final SteppedTrunk trunk = SteppedTrunk.in(State.UP);
        trunk.join(0);
        final FakeStream stuck = trunk.loop(0);
        stuck.isConnected = true;
        trunk.step(MS);
        for (long ns = 0; ns <= TrunkContext.CONNECT_TIMEOUT_DEFAULT_NS; ns += 500 * MS)
        {
            assertSame(stuck, trunk.loop(0));
            trunk.control().deliver(Messages.keepaliveReply(0, 0));
            trunk.step(500 * MS);
        }
        assertTrue(stuck.isClosed);
        connect(trunk);
        assertEquals(SendStatus.SENT, trunk.join(0));
    }

    @Test
    void shouldNotTakeTheAnswerToALostStreamForItsOwn()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(0);
        final FakeStream lost = trunk.loop(0);
        lost.hasImage = false;
        trunk.step(600 * MS);
        assertTrue(lost.isClosed);
        trunk.control().deliver(Messages.attached(0));
        trunk.step();
        assertEquals(SendStatus.SENT, trunk.join(0));
        trunk.step();
        assertEquals(List.of(), trunk.loop(0).sent, "it has not been opened yet");
        connect(trunk);
        trunk.step();
        assertEquals(List.of(JoinDecoder.TEMPLATE_ID), Messages.templates(trunk.loop(0).sent));
    }

    @Test
    void shouldNotOpenASecondStreamWhileTheFirstHasNeverConnected()
    {
        final SteppedTrunk trunk = SteppedTrunk.in(State.UP);
        trunk.join(0);
        final FakeStream late = trunk.loop(0);
        for (long ns = 0; ns <= 3 * TrunkContext.CONNECT_TIMEOUT_DEFAULT_NS; ns += 500 * MS)
        {
            trunk.control().deliver(Messages.keepaliveReply(0, 0));
            trunk.step(500 * MS);
            assertSame(late, trunk.loop(0));
        }
        connect(trunk);
        assertSame(late, trunk.loop(0));
        assertEquals(SendStatus.SENT, trunk.join(0));
    }

    // The driver dies.

    @ParameterizedTest
    @EnumSource(value = State.class, names = {"CONNECTING", "GREETED", "PROVEN", "UP"})
    void shouldGoDownAndNotThrowWhenTheDriverDies(final State state)
    {
        final SteppedTrunk trunk = SteppedTrunk.in(state);
        trunk.streamByNumberMap.values().forEach((stream) -> stream.isTransportClosed = true);
        trunk.isDriverDown = true;
        assertEquals(SendStatus.NOT_READY, trunk.send(new ClientSeat(1, 0, 0, 1, 2), 1));
        trunk.step();
        assertEquals(State.DOWN, trunk.client.state());
        assertEquals(List.of("down 0"), trunk.callbacks);
        trunk.step();
        trunk.client.close();
        assertEquals(List.of("down 0"), trunk.callbacks);
    }

    // A resumed trunk keeps its seats.

    @Test
    void shouldKeepPlayerAndAttachmentOfResumedSeats()
    {
        final SteppedTrunk lost = SteppedTrunk.withSeats(1);
        final ClientSeat seat = lost.seats.get(0);
        seat.attachment("kept");
        assertThrows(IllegalStateException.class, () -> new TrunkContext().resume(lost.client), "it is up");
        lost.client.abandon();
        final SteppedTrunk trunk = new SteppedTrunk((context) -> context.resume(lost.client));
        handshake(trunk, true);
        assertEquals(List.of(ResumeDecoder.TEMPLATE_ID), lastTemplates(trunk));
        connect(trunk);
        trunk.loop(0).deliver(Messages.seatResumed(ROOM, 0, 1, 5));
        trunk.step();
        assertSame(seat, trunk.seats.get(0));
        assertEquals("kept", seat.attachment());
        assertTrue(seat.playerId() != 0 && seat.isPresent());
    }

    @Test
    void shouldLearnThePlayerOfASeatThatAnotherProcessJoined()
    {
        final SteppedTrunk trunk = new SteppedTrunk((context) -> context.ticket(new ResumeTicket(5, 6, 7)));
        handshake(trunk, true);
        connect(trunk);
        trunk.loop(0).deliver(Messages.seatResumed(ROOM, 3, 1, 5, 4_711));
        trunk.step();
        assertEquals(4_711, trunk.seats.get(0).playerId());
    }

    @Test
    void shouldNotPrintTheTokenOfATicket()
    {
        assertEquals("ResumeTicket[trunkId=5]", new ResumeTicket(5, 6, 7).toString());
    }

    // The trunk connects again.

    @Test
    void shouldResumeAfterTheDelayAndReturnTheSeats()
    {
        final SteppedTrunk trunk = reconnecting();
        final ClientSeat seat = joined(trunk, 4);
        trunk.control().hasImage = false;
        trunk.step();
        assertEquals(State.WAITING, trunk.client.state());
        assertEquals(List.of("disconnected 0"), trunk.takeCallbacks());
        assertFalse(seat.isPresent());
        assertEquals(SendStatus.NOT_READY, trunk.send(seat, 1));
        assertEquals(SendStatus.NOT_READY, trunk.client.leave(seat));
        assertEquals(SendStatus.NOT_READY, join(trunk, 6, 6));
        assertEquals(SendStatus.NOT_READY, trunk.client.logIn(1, TOKEN));
        assertNotNull(trunk.client.ticket());
        trunk.streamByNumberMap.values().forEach((stream) -> assertTrue(stream.isClosed));
        trunk.streamByNumberMap.clear();
        trunk.step(MIN_NS - 1);
        assertNull(trunk.control(), "not before the shortest delay");
        trunk.step(1);

        handshake(trunk, true);
        assertEquals(List.of("up resumed"), trunk.takeCallbacks());
        assertEquals(List.of(ResumeDecoder.TEMPLATE_ID), lastTemplates(trunk));
        connect(trunk);
        trunk.step();
        trunk.step();
        assertEquals(List.of(), trunk.loop(0).sent, "the engine has time to return the seat");
        trunk.loop(0).deliver(Messages.seatResumed(ROOM, 0, 1, 5));
        trunk.step();
        assertTrue(seat.isPresent());
        trunk.step(Rejoin.RESUME_NS);
        assertEquals(List.of(), trunk.loop(0).sent, "no join for a seat that is back");
    }

    @Test
    void shouldJoinAgainWhenTheEngineDoesNotKnowTheTrunk()
    {
        final SteppedTrunk trunk = reconnecting();
        final ClientSeat seat = joined(trunk, 4);
        seat.attachment("kept");
        assertEquals(SendStatus.SENT, join(trunk, 5, 3), "without an answer");
        trunk.control().hasImage = false;
        trunk.step();
        trunk.step(MIN_NS);
        challenge(trunk);
        trunk.control().deliver(Messages.reject(TrunkCode.UNKNOWN_TRUNK.value()));
        trunk.step();
        assertEquals(State.WAITING, trunk.client.state());
        trunk.step(MAX_NS);

        handshake(trunk, false);
        assertEquals(List.of(ProofDecoder.TEMPLATE_ID), lastTemplates(trunk));
        trunk.takeCallbacks();
        trunk.step();
        connect(trunk);
        trunk.step();
        trunk.step();
        assertEquals(List.of("4 1 2 3 [1, 2, 3]", "5 1 3 3 [1, 2, 3]"), joins(trunk));
        trunk.loop(0).deliver(Messages.joined(4, ROOM, 7, 9, 2));
        trunk.step();
        final ClientSeat again = trunk.seats.get(trunk.seats.size() - 1);
        assertEquals("kept", again.attachment());
        assertEquals(7, again.index());
        final List<ClientSeat> all = new ArrayList<>();
        trunk.client.seats().forEach(all::add);
        assertEquals(List.of(again), all, "the old seat is gone");
    }

    @ParameterizedTest
    @CsvSource({"UNKNOWN_TRUNK, true", "ENGINE_STOPPING, true", "TOO_MANY_TRUNKS, false"})
    void shouldNotWarnOfWhatItMendsItself(final TrunkCode code, final boolean isNormal)
    {
        final int before = Tests.warnings("io.escapement.client").size();
        final SteppedTrunk trunk = reconnecting();
        joined(trunk, 4);
        trunk.control().hasImage = false;
        trunk.step();
        trunk.step(MIN_NS);
        challenge(trunk);
        trunk.control().deliver(Messages.reject(code.value()));
        trunk.step();
        assertTrue(trunk.client.failure().contains(code.name()), trunk.client::failure);
        trunk.step(MAX_NS);
        handshake(trunk, false);
        assertEquals(State.UP, trunk.client.state());
        assertEquals(isNormal ? 0 : 1, Tests.warnings("io.escapement.client").size() - before);
    }

    @Test
    void shouldNotRepeatAJoinThatIsWithdrawnWhileTheConnectionIsLost()
    {
        final SteppedTrunk trunk = reconnecting();
        joined(trunk, 4);
        assertEquals(SendStatus.SENT, join(trunk, 5, 3), "without an answer");
        trunk.control().hasImage = false;
        trunk.step();
        assertEquals(SendStatus.NOT_READY, trunk.client.cancelJoin(5, ROOM, 3));
        trunk.step(MIN_NS);
        handshake(trunk, false);
        trunk.step();
        connect(trunk);
        trunk.step();
        trunk.step();
        assertEquals(List.of("4 1 2 3 [1, 2, 3]"), joins(trunk));
    }

    @Test
    void shouldRefuseAJoinWhoseLoopIsGoneWithTheEngineThatHadIt()
    {
        final SteppedTrunk trunk = reconnecting();
        joined(trunk, 4);
        trunk.control().hasImage = false;
        trunk.step();
        trunk.step(MIN_NS);
        challenge(trunk);
        trunk.takeCallbacks();
        trunk.control().deliver(Messages.welcome(0, false));
        trunk.step();
        assertEquals(List.of("up new", "refused 2 " + ROOM + " -1 4 " + RefusalCode.UNKNOWN_ROOM.value()),
            trunk.takeCallbacks());
    }

    @Test
    void shouldSlowDownWhenTheEngineRefusesJoinsByRate()
    {
        final SteppedTrunk trunk = reconnecting();
        joined(trunk, 4);
        trunk.control().hasImage = false;
        trunk.step();
        trunk.step(MIN_NS);
        handshake(trunk, false);
        trunk.step();
        connect(trunk);
        trunk.step();
        assertEquals(1, joins(trunk).size());
        trunk.takeCallbacks();
        trunk.control().deliver(Messages.entryRefused());
        trunk.step();
        trunk.step(Rejoin.RATE_NS - 2 * SteppedTrunk.STEP_NS);
        assertEquals(List.of(), joins(trunk));
        trunk.step(2 * SteppedTrunk.STEP_NS);
        trunk.step();
        assertEquals(List.of(), trunk.takeCallbacks(), "the refusal is not final");
        assertEquals(1, joins(trunk).size());
        assertEquals(SendStatus.SENT, join(trunk, 4, 2), "an application's own join is not repeated");
        trunk.control().deliver(Messages.entryRefused());
        trunk.step();
        assertEquals(List.of("refused 2 3 -1 4 140"), trunk.takeCallbacks());
    }

    @ParameterizedTest
    @EnumSource(value = TrunkCode.class,
        names = {"PROTOCOL_VERSION", "APPLICATION_VERSION", "BAD_CREDENTIALS", "REPLACED"})
    void shouldEndWhenAnotherAttemptCannotSucceed(final TrunkCode code)
    {
        final SteppedTrunk trunk = reconnecting();
        challenge(trunk);
        trunk.control().deliver(Messages.reject(code.value()));
        trunk.step();
        assertEquals(State.DOWN, trunk.client.state());
        assertEquals(List.of("down " + code.value()), trunk.callbacks);
    }

    @Test
    void shouldBackOffUpToTheLongestDelayWithJitter()
    {
        final SteppedTrunk trunk = reconnecting();
        trunk.isDriverDown = true;
        trunk.control().isTransportClosed = true;
        final List<Long> delaysMs = new ArrayList<>();
        long waitedNs = 0;
        while (delaysMs.size() < 40)
        {
            trunk.step(MS);
            waitedNs += MS;
            if (!trunk.takeCallbacks().isEmpty())
            {
                delaysMs.add(waitedNs / MS);
                waitedNs = 0;
            }
        }
        assertEquals(100, delaysMs.get(1), "the first delay after the first failure");
        assertTrue(delaysMs.get(2) <= 200 && delaysMs.get(3) <= 400, delaysMs::toString);
        final List<Long> late = delaysMs.subList(4, 40);
        assertTrue(late.stream().allMatch((ms) -> ms >= 100 && ms <= 450), delaysMs::toString);
        assertTrue(late.stream().anyMatch((ms) -> ms > 400), delaysMs::toString);
        assertTrue(late.stream().distinct().count() > 20, delaysMs::toString);

        trunk.isDriverDown = false;
        trunk.step(MAX_NS);
        handshake(trunk, false);
        trunk.control().hasImage = false;
        trunk.step();
        trunk.step(MIN_NS);
        assertEquals(State.CONNECTING, trunk.client.state(), "a success starts again at the shortest delay");
    }

    @Test
    void shouldNotConnectAgainAfterClose()
    {
        final SteppedTrunk trunk = reconnecting();
        trunk.control().isTransportClosed = true;
        trunk.step();
        assertEquals(State.WAITING, trunk.client.state());
        trunk.client.close();
        trunk.streamByNumberMap.clear();
        trunk.step(10 * MAX_NS);
        assertEquals(State.DOWN, trunk.client.state());
        assertNull(trunk.control());
    }

    private static SteppedTrunk reconnecting()
    {
        return new SteppedTrunk((context) -> context.reconnect(MIN_NS, MAX_NS).random(new Random(SEED)));
    }

    private static ClientSeat joined(final SteppedTrunk trunk, final long requestId)
    {
        handshake(trunk, false);
        assertEquals(SendStatus.SENT, join(trunk, requestId, 2));
        connect(trunk);
        trunk.step();
        trunk.loop(0).deliver(Messages.joined(requestId, ROOM, 0, 1, 2));
        trunk.step();
        trunk.takeCallbacks();
        return trunk.seats.get(0);
    }

    private static SendStatus join(final SteppedTrunk trunk, final long requestId, final long playerId)
    {
        return trunk.client.join(requestId, ROOM, playerId, TOKEN, ARGS, 0, ARGS.capacity());
    }

    private static void challenge(final SteppedTrunk trunk)
    {
        trunk.control().isConnected = true;
        trunk.step();
        trunk.control().hasImage = true;
        trunk.control().deliver(Messages.challenge());
        trunk.step();
    }

    private static void handshake(final SteppedTrunk trunk, final boolean isResumed)
    {
        challenge(trunk);
        trunk.control().deliver(Messages.welcome(SteppedTrunk.LOOPS, isResumed));
        trunk.step();
        assertEquals(State.UP, trunk.client.state());
    }

    /** Attach the stream of loop 0, which the client has opened. */
    private static void connect(final SteppedTrunk trunk)
    {
        trunk.loop(0).isConnected = true;
        trunk.loop(0).hasImage = true;
        trunk.step();
        assertEquals(List.of(AttachDecoder.TEMPLATE_ID), Messages.templates(trunk.loop(0).takeSent()));
        trunk.control().deliver(Messages.attached(0));
        trunk.step();
    }

    /** The message that answered the challenge; keepalives follow it. */
    private static List<Integer> lastTemplates(final SteppedTrunk trunk)
    {
        return Messages.templates(trunk.control().sent).subList(1, 2);
    }

    private static List<String> joins(final SteppedTrunk trunk)
    {
        final List<String> joins = new ArrayList<>();
        for (final byte[] batch : trunk.loop(0).takeSent())
        {
            for (final UnsafeBuffer message : Messages.messages(batch))
            {
                final JoinDecoder join = new JoinDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder());
                final byte[] token = new byte[join.tokenLength()];
                join.getToken(token, 0, token.length);
                joins.add(join.requestId() + " " + join.roomId() + " " + join.playerId() + " " + join.argsLength() +
                    " " + Arrays.toString(token));
            }
        }
        joins.sort(null);
        return joins;
    }
}
