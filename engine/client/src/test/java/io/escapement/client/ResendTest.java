package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.AttachDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.config.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A trunk that sends again what the engine has not accepted. Budget: 1 s. */
class ResendTest
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long ROOM = 1;
    private static final int LENGTH = 4 * 1_024;
    private static final int MOVED = 1;

    private final SteppedTrunk trunk = new SteppedTrunk((context) -> context.resendLength(LENGTH));
    private final ClientSeat seat;

    ResendTest()
    {
        trunk.advanceTo(State.UP);
        trunk.join(0);
        final FakeStream loop = trunk.loop(0);
        loop.isConnected = true;
        loop.hasImage = true;
        trunk.step();
        final UnsafeBuffer message = Messages.messages(loop.takeSent().get(0)).get(0);
        assertEquals(1, new AttachDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder())
            .isAcceptedWanted());
        trunk.control().deliver(Messages.attached(0));
        loop.deliver(Messages.joined(0, ROOM, 0, 1));
        trunk.step();
        seat = trunk.seats.get(0);
        trunk.takeCallbacks();
    }

    @Test
    void shouldPassOnWhatTheEngineAccepted()
    {
        send(3);
        trunk.loop(0).deliver(Messages.accepted(ROOM, 0, 1, 2), Messages.accepted(ROOM, 0, 1, 2),
            Messages.accepted(ROOM, 0, 2, 3), Messages.accepted(ROOM, 9, 1, 3));
        trunk.step();
        assertEquals(List.of("accepted 1/0.1 2"), trunk.takeCallbacks());
        assertEquals(2, seat.acceptedSequence());
        assertEquals(3, seat.sequence());
    }

    @Test
    void shouldSendAgainAboveTheSequenceThatTheEngineNames()
    {
        send(5);
        trunk.loop(0).deliver(Messages.accepted(ROOM, 0, 1, 2));
        trunk.step();
        loseStream();
        trunk.loop(0).deliver(Messages.seatResumed(ROOM, 0, 1, 3));
        trunk.step();
        assertEquals(List.of("1/0#4:4", "1/0#5:5"), sent());
        assertEquals(SendStatus.SENT, trunk.send(seat, 6));
        trunk.client.flush();
        assertEquals(List.of("1/0#6:6"), sent());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSendOlderMessagesBeforeNewerOnesUnderBackPressure(final boolean isProgramFirst)
    {
        final int count = 3 * Messages.ENTRY_LIMIT;
        send(count);
        loseStream();
        trunk.loop(0).isBackPressured = true;
        trunk.loop(0).deliver(Messages.seatResumed(ROOM, 0, 1, 0));
        trunk.step();
        assertEquals(SendStatus.BACK_PRESSURED, trunk.send(seat, 1));
        trunk.loop(0).isBackPressured = false;
        if (!isProgramFirst)
        {
            trunk.step();
        }
        assertEquals(SendStatus.SENT, trunk.send(seat, 1));
        trunk.step();
        final List<String> expected = new ArrayList<>();
        for (int i = 1; i <= count; i++)
        {
            expected.add("1/0#" + i + ":" + i);
        }
        expected.add("1/0#" + (count + 1) + ":1");
        assertEquals(expected, sent());
    }

    /** The answers to a whole backlog are more than an engine keeps for a trunk. */
    @Test
    void shouldSendAgainNoMoreThanAWindowThatTheEngineOpens()
    {
        final SteppedTrunk many = withTwoSeats();
        final int window = Resends.WINDOW / Resender.BLOCK_LENGTH;
        for (int i = 0; i < window; i++)
        {
            assertEquals(SendStatus.SENT, many.send(many.seats.get(0), 1));
            assertEquals(SendStatus.SENT, many.send(many.seats.get(1), 1));
        }
        many.client.flush();
        loseStream(many);
        many.loop(0).deliver(Messages.seatResumed(ROOM, 0, 1, 0), Messages.seatResumed(ROOM, 1, 1, 0));
        many.step(3);
        assertEquals(window, entries(many).size(), "both seats share it");
        many.step(3);
        assertEquals(List.of(), entries(many), "nothing was accepted");
        assertEquals(SendStatus.BACK_PRESSURED, many.send(many.seats.get(1), 1), "older messages go first");
        many.loop(0).deliver(Messages.accepted(ROOM, 0, 1, 10));
        many.step();
        assertEquals(10, entries(many).size());
        many.loop(0).deliver(Messages.accepted(ROOM, 0, 1, window));
        many.step();
        assertEquals(window - 10, entries(many).size());
        many.loop(0).deliver(Messages.accepted(ROOM, 1, 1, window));
        many.step();
        assertEquals(List.of(), entries(many));
        assertEquals(SendStatus.SENT, many.send(many.seats.get(1), 1));
    }

    @Test
    void shouldOpenTheWindowOfASeatThatIsAway()
    {
        final SteppedTrunk many = withTwoSeats();
        final int window = Resends.WINDOW / Resender.BLOCK_LENGTH;
        for (int i = 0; i < window; i++)
        {
            many.send(many.seats.get(0), 1);
        }
        many.send(many.seats.get(1), 1);
        many.client.flush();
        loseStream(many);
        many.loop(0).deliver(Messages.seatResumed(ROOM, 0, 1, 0));
        many.step();
        assertEquals(window, entries(many).size());
        many.loop(0).deliver(Messages.seatAway(ROOM, 0, 1, 0), Messages.seatResumed(ROOM, 1, 1, 0));
        many.step();
        assertEquals(List.of("1/1#1:1"), entries(many));
    }

    /** The second return may come without a loss that the client noticed. */
    @Test
    void shouldCountAMessageOnceThatIsSentTwiceAgain()
    {
        send(3);
        loseStream();
        trunk.loop(0).deliver(Messages.seatResumed(ROOM, 0, 1, 0), Messages.seatResumed(ROOM, 0, 1, 0));
        trunk.step();
        assertEquals(3 * Resender.BLOCK_LENGTH, trunk.client.resender().inFlight());
        trunk.loop(0).deliver(Messages.accepted(ROOM, 0, 1, 3));
        trunk.step();
        assertEquals(0, trunk.client.resender().inFlight());
    }

    @Test
    void shouldSendAgainOnANewTrunkAfterAJoin()
    {
        send(3);
        final SteppedTrunk next = new SteppedTrunk((context) ->
        {
            trunk.client.abandon();
            return context.resume(trunk.client);
        });
        next.advanceTo(State.UP);
        next.attach(0);
        next.loop(0).deliver(Messages.joinedAt(0, ROOM, 0, 1, 1));
        next.step();
        assertEquals(List.of("1/0#2:2", "1/0#3:3"), entries(next));
    }

    @Test
    void shouldNotSendAgainWhatWasRefused()
    {
        send(3);
        trunk.control().deliver(Messages.entryRefused(ROOM, 0, 2, 140));
        trunk.step();
        assertEquals(List.of("refused 4 1 0 2 140"), trunk.takeCallbacks());
        loseStream();
        trunk.loop(0).deliver(Messages.seatResumed(ROOM, 0, 1, 0));
        trunk.step();
        assertEquals(List.of("1/0#1:1", "1/0#3:3"), sent());
    }

    /** Its first copy was under way when the seat was resumed. */
    @Test
    void shouldNotReportTheRefusalOfAMessageThatHasRun()
    {
        send(2);
        loseStream();
        trunk.loop(0).deliver(Messages.seatResumed(ROOM, 0, 1, 0));
        trunk.step();
        trunk.takeCallbacks();
        trunk.loop(0).deliver(Messages.refused(ROOM, 0, 2, RefusalCode.OLD_SEQUENCE.value()));
        trunk.step();
        assertEquals(List.of(), trunk.takeCallbacks());
        trunk.loop(0).deliver(Messages.refused(ROOM, 0, 3, RefusalCode.OLD_SEQUENCE.value()));
        trunk.step();
        assertEquals(List.of("refused 4 1 0 3 44"), trunk.takeCallbacks());
    }

    @Test
    void shouldRefuseWhatItCannotKeep()
    {
        final int count = LENGTH / Resender.BLOCK_LENGTH;
        for (int i = 0; i < count; i++)
        {
            assertEquals(SendStatus.SENT, trunk.send(seat, 1));
        }
        assertEquals(SendStatus.RESEND_FULL, trunk.send(seat, 1));
        assertEquals(count, seat.sequence());
        assertEquals(SendStatus.TOO_LONG, trunk.send(seat, 513));
        trunk.loop(0).deliver(Messages.accepted(ROOM, 0, 1, 1));
        trunk.step();
        assertEquals(SendStatus.SENT, trunk.send(seat, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"left", "moved", "other generation", "other player", "older engine"})
    void shouldForgetTheMessagesOfASeatThatIsNoMore(final String how)
    {
        send(3);
        trunk.loop(0).deliver(Messages.accepted(ROOM, 0, 1, 1));
        trunk.step();
        assertEquals(LENGTH - 2 * Resender.BLOCK_LENGTH, trunk.client.resender().free());
        trunk.loop(0).deliver(switch (how)
        {
            case "left" -> Messages.left(ROOM, 0, 1, 1);
            case "moved" -> Messages.seatAway(ROOM, 0, 1, MOVED);
            case "other generation" -> Messages.joined(0, ROOM, 0, 2);
            case "other player" -> Messages.joined(0, ROOM, 0, 2, 1_234);
            default -> Messages.joined(0, ROOM, 0, 1);
        });
        trunk.step();
        assertEquals(LENGTH, trunk.client.resender().free());
        assertEquals(List.of(), sent());
    }

    @Test
    void shouldRefuseALengthThatHoldsNothing()
    {
        assertTrue(assertThrows(ConfigException.class,
            () -> new SteppedTrunk((context) -> context.resendLength(100))).getMessage().contains("resendLength"));
    }

    private static SteppedTrunk withTwoSeats()
    {
        final SteppedTrunk trunk = new SteppedTrunk((context) -> context.resendLength(4 * Resends.WINDOW));
        trunk.advanceTo(State.UP);
        trunk.attach(0);
        trunk.loop(0).deliver(Messages.joined(0, ROOM, 0, 1), Messages.joined(1, ROOM, 1, 1));
        trunk.step();
        return trunk;
    }

    /** Send messages whose length is their number. */
    private void send(final int count)
    {
        for (int i = 1; i <= count; i++)
        {
            assertEquals(SendStatus.SENT, trunk.send(seat, i));
        }
        trunk.client.flush();
        trunk.loop(0).takeSent();
    }

    private void loseStream()
    {
        loseStream(trunk);
    }

    private static void loseStream(final SteppedTrunk trunk)
    {
        final ClientSeat seat = trunk.seats.get(0);
        trunk.step(600 * MS);
        trunk.loop(0).hasImage = false;
        trunk.step();
        assertEquals(SendStatus.NOT_READY, trunk.send(seat, 1));
        trunk.loop(0).isConnected = true;
        trunk.loop(0).hasImage = true;
        trunk.step();
        trunk.control().deliver(Messages.attached(0));
        trunk.step();
        trunk.loop(0).takeSent();
        assertEquals(SendStatus.NOT_READY, trunk.send(seat, 1), "the seat is away");
        trunk.takeCallbacks();
    }

    private List<String> sent()
    {
        return entries(trunk);
    }

    private static List<String> entries(final SteppedTrunk of)
    {
        of.client.flush();
        final List<String> entries = new ArrayList<>();
        for (final byte[] batch : of.loop(0).takeSent())
        {
            if (Messages.templates(List.of(batch)).contains(SendDecoder.TEMPLATE_ID))
            {
                entries.addAll(Messages.entries(batch));
            }
        }
        return entries;
    }
}
