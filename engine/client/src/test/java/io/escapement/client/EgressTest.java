package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.trunk.TrunkCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class EgressTest
{
    /** Seats 0 to 3 of generation 1 are in room 1, and seat 2 is away. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
        audience   | selector    | seats
        ALL        | 0           | 0 1 3
        ALL_EXCEPT | 1           | 0 3
        ALL_EXCEPT | 2           | 0 1 3
        ALL_EXCEPT | 9           | 0 1 3
        MASK       | 0           | ''
        MASK       | 1           | 0
        MASK       | 10          | 1 3
        MASK       | -1          | 0 1 3
        ONE        | 0x100000003 | 3
        ONE        | 0x100000002 | 2
        ONE        | 0x200000003 | ''
        ONE        | 0x100000009 | ''
        ONE        | 0x1FFFFFFFF | ''
        """)
    void shouldDeliverToTheSeatsOfTheAudience(final Audience audience, final String selector, final String seats)
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(4);
        trunk.loop(0).deliver(Messages.seatAway(1, 2, 1, 2));
        trunk.step();
        assertEquals(List.of("seatAway 1/2.1 2"), trunk.takeCallbacks());
        final List<String> events = new ArrayList<>();
        final List<String> states = new ArrayList<>();
        Arrays.stream(seats.split(" ")).filter((seat) -> !seat.isEmpty()).forEach((seat) ->
        {
            events.add("event 1/" + seat + ".1 hi");
            states.add("state 1/" + seat + ".1 hi");
        });
        final long number = Long.decode(selector);
        trunk.loop(0).deliver(Messages.event(1, audience, number, "hi"));
        trunk.step();
        assertEquals(events, trunk.takeCallbacks());
        trunk.loop(0).deliver(Messages.state(1, audience, number, "hi"));
        trunk.step();
        assertEquals(states, trunk.takeCallbacks());
        trunk.loop(0).deliver(Messages.event(2, audience, number, "hi"));
        trunk.step();
        assertEquals(List.of(), trunk.takeCallbacks(), "another room");
        assertEquals(0, trunk.client.malformedMessages());
    }

    @Test
    void shouldLeaveDeliveryToAListenerThatForwardsRoomMessages()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(4);
        trunk.isDelivered = false;
        trunk.loop(0).deliver(Messages.event(1, Audience.MASK, 5, "hi"), Messages.state(1, Audience.ALL, 0, "all"),
            Messages.event(1, Audience.MASK, 0, "none"), Messages.event(2, Audience.ALL, 0, "another room"));
        trunk.step();
        assertEquals(List.of("room 1 seats 0 2 hi", "room 1 seats 0 1 2 3 all"), trunk.callbacks);
    }

    @Test
    void shouldKeepASeatFromJoinedToLeft()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        final ClientSeat seat = trunk.seats.get(0);
        seat.attachment("mine");
        assertTrue(seat.isPresent());
        trunk.loop(0).deliver(Messages.seatAway(1, 0, 1, 2), Messages.seatAway(1, 0, 2, 2));
        trunk.step();
        assertFalse(seat.isPresent());
        trunk.loop(0).deliver(Messages.joined(8, 1, 0, 1));
        trunk.step();
        assertSame(seat, trunk.seats.get(1), "the same object until it is left");
        assertEquals("mine", seat.attachment());
        assertTrue(seat.isPresent());
        trunk.loop(0).deliver(Messages.left(1, 0, 1, 3), Messages.left(1, 0, 1, 3), Messages.joined(9, 1, 0, 2),
            Messages.left(1, 0, 1, 3));
        trunk.step();
        assertFalse(seat.isPresent());
        assertEquals(List.of("seatAway 1/0.1 2", "joined 8 1/0.1", "left 1/0.1 3", "joined 9 1/0.2"), trunk.callbacks);
        assertNotSame(seat, trunk.seats.get(2));
        assertEquals(List.of(trunk.seats.get(2)), trunk.client.seats());
    }

    @Test
    void shouldHandOverTheAnswerOfARoom()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        trunk.loop(0).deliver(Messages.joinedWith("red team", 8, 1, 3), Messages.joined(9, 1, 4, 1));
        trunk.step();
        assertEquals(List.of("joined 8 1/3.1 red team", "joined 9 1/4.1"), trunk.takeCallbacks());
        assertEquals(0, trunk.client.malformedMessages());
    }

    /** Messages under way may be accepted after the answer to a Join was sent: their numbers are not free. */
    @Test
    void shouldHoldASeatThatIsAwayUntilItReturnsOrIsForgotten()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        final ClientSeat seat = trunk.seats.get(0);
        assertThrows(IllegalStateException.class, () -> trunk.client.forget(seat));
        assertEquals(SendStatus.SENT, trunk.client.away(seat));
        assertFalse(seat.isPresent());
        trunk.loop(0).deliver(Messages.joined(9, 1, 0, 1));
        trunk.step();
        assertSame(seat, trunk.seats.get(1), "the same object while it is held");
        assertTrue(seat.isPresent());

        assertEquals(SendStatus.SENT, trunk.client.away(seat));
        trunk.client.forget(seat);
        assertFalse(trunk.client.seats().iterator().hasNext());
    }

    @Test
    void shouldNotUseTheNumberOfAMessageTwice()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        final ClientSeat seat = trunk.seats.get(0);
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[4]);
        for (int i = 0; i < 3; i++)
        {
            assertEquals(SendStatus.SENT, trunk.client.send(seat, payload, 0, payload.capacity()));
        }
        final long sent = seat.sequence();
        final long accepted = sent - 3;
        trunk.loop(0).deliver(Messages.joined(8, 1, 0, 1));
        trunk.step();
        assertEquals(List.of(sent, accepted), List.of(seat.sequence(), seat.acceptedSequence()), "joined again");
        trunk.loop(0).deliver(Messages.seatAway(1, 0, 1, 2), Messages.joined(9, 1, 0, 1));
        trunk.step();
        assertEquals(List.of(sent, accepted), List.of(seat.sequence(), seat.acceptedSequence()), "away and back");
    }

    /** Bytes that are dropped and counted, behind a message that is handled and before one that is lost with them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
        at | value | what is wrong
        0  | 60    | the length is beyond the end
        0  | 3     | the length is shorter than a header
        2  | 99    | another block length
        4  | 13    | an unknown template
        6  | 99    | another schema
        8  | 9     | another version
        """)
    void shouldCountAMalformedMessageOnEitherStream(final int at, final int value, final String fault)
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        trunk.loop(0).deliverRaw(damaged(Messages.refused(), at, value));
        trunk.step();
        assertEquals(List.of("refused 4 3 6 4 44"), trunk.takeCallbacks(), fault);
        assertEquals(1, trunk.client.malformedMessages(), fault);

        trunk.control().deliverRaw(damaged(Messages.entryRefused(), at, value));
        trunk.step();
        assertEquals(List.of("refused 2 3 -1 4 140"), trunk.takeCallbacks(), fault);
        assertEquals(2, trunk.client.malformedMessages(), fault);
        assertEquals(State.UP, trunk.client.state());
    }

    @Test
    void shouldCountEveryTruncationAndTail()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        final byte[] loop = Messages.batch(Messages.refused());
        final byte[] control = Messages.batch(Messages.entryRefused());
        int dropped = 0;
        for (int length = 1; length <= control.length + 1; length++)
        {
            trunk.loop(0).deliverRaw(Arrays.copyOf(loop, length));
            trunk.control().deliverRaw(Arrays.copyOf(control, length));
            trunk.step();
            dropped += length == control.length ? 0 : 2;
            assertEquals(dropped, trunk.client.malformedMessages(), "length " + length);
        }
        assertEquals(loop.length, control.length);
        // The whole message, and the whole message before one byte more.
        assertEquals(4, trunk.callbacks.size());
    }

    @Test
    void shouldCountEveryTruncationOfARoomMessage()
    {
        for (final Audience audience : Audience.values())
        {
            final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
            final byte[] batch = Messages.batch(Messages.state(1, audience, 1L << 32, "x"));
            for (int length = 1; length < batch.length; length++)
            {
                trunk.loop(0).deliverRaw(Arrays.copyOf(batch, length));
                trunk.step();
                assertEquals(length, trunk.client.malformedMessages(), audience + ", length " + length);
            }
            assertEquals(List.of(), trunk.callbacks);
        }
    }

    @Test
    void shouldEndABatchAtItsPadding()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        final byte[] batch = Messages.batch(Messages.refused());
        trunk.loop(0).deliverRaw(Arrays.copyOf(batch, batch.length + 32));
        trunk.loop(0).deliverRaw(batch);
        trunk.step();
        assertEquals(2, trunk.takeCallbacks().size());
        assertEquals(0, trunk.client.malformedMessages());
        trunk.control().deliverRaw(Arrays.copyOf(Messages.batch(Messages.entryRefused()), batch.length + 32));
        trunk.step();
        assertEquals(1, trunk.client.malformedMessages(), "control batches have no padding");
    }

    /** A valid message that does not belong on a loop stream, or that names no possible seat. */
    @Test
    void shouldDropUnexpectedMessagesOfALoopStreamAndGoOn()
    {
        final byte[][] unexpected = {
            Messages.keepaliveReply(0, 0), Messages.goodbye(TrunkCode.REPLACED),
            Messages.joined(1, 1, -1, 1), Messages.joined(1, 1, 0x10000, 1), Messages.seatResumed(1, -1, 1, 0)};
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        for (int i = 0; i < unexpected.length; i++)
        {
            trunk.loop(0).deliver(unexpected[i], Messages.refused());
            trunk.step();
            assertEquals(List.of("refused 4 3 6 4 44"), trunk.takeCallbacks(), "message " + i);
            assertEquals(i + 1, trunk.client.malformedMessages(), "message " + i);
        }
        trunk.loop(0).deliver(Messages.seatAway(1, -1, 1, 0), Messages.left(1, -1, 1, 0), Messages.left(9, 0, 1, 0));
        trunk.step();
        assertEquals(List.of(), trunk.callbacks, "a seat that is not known");
        assertEquals(State.UP, trunk.client.state());
    }

    private static byte[] damaged(final byte[] message, final int at, final int value)
    {
        final byte[] batch = Messages.batch(message, message, message);
        batch[2 + message.length + at] = (byte)value;
        return batch;
    }
}
