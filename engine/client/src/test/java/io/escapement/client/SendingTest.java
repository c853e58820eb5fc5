package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.CancelJoinDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SendingTest
{
    private static final long SEED = 18;
    /** Entry header, message header, block and group header of a Send. */
    private static final int SEND_LENGTH = 2 + 8 + 8 + 2;
    /** Fixed part of a message and the length of its payload. */
    private static final int MESSAGE_LENGTH = 10 + 2;

    @ParameterizedTest
    @EnumSource(value = State.class, names = {"WAITING", "STANDBY"}, mode = EnumSource.Mode.EXCLUDE)
    void shouldSendNothingUnlessItIsUp(final State state)
    {
        final SteppedTrunk trunk = SteppedTrunk.in(state);
        final ClientSeat seat = new ClientSeat(1, 0, 0, 1, 2);
        final SendStatus logIn = State.UP == state ? SendStatus.SENT : SendStatus.NOT_READY;
        assertEquals(logIn, trunk.client.logIn(1, new byte[1]));
        // A join waits for the stream of its loop.
        assertEquals(logIn, trunk.join(0));
        assertEquals(SendStatus.NOT_READY, trunk.client.cancelJoin(7, 1, 2));
        assertEquals(SendStatus.NOT_READY, trunk.send(seat, 1));
        assertEquals(SendStatus.NOT_READY, trunk.client.leave(seat));
        assertEquals(SendStatus.NOT_READY, trunk.client.away(seat));
        assertEquals(SendStatus.NOT_READY, trunk.client.stateLost(seat));
        assertEquals(0, seat.sequence());
        assertTrue(trunk.client.flush());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
        payload | args | token | send     | join
        512     | 512  | 64    | SENT     | SENT
        513     | 513  | 64    | TOO_LONG | TOO_LONG
        0       | 0    | 65    | SENT     | TOO_LONG
        """)
    void shouldRefuseLongerThanTheProtocolAllows(
        final int payload, final int args, final int token, final SendStatus send, final SendStatus join)
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        assertEquals(send, trunk.send(trunk.seats.get(0), payload));
        assertEquals(join, trunk.client.join(1, 1, 2, new byte[token], SteppedTrunk.PAYLOAD, 0, args));
    }

    @Test
    void shouldWithdrawAJoin()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        assertEquals(SendStatus.SENT, trunk.client.cancelJoin(5, 1, 2));
        assertTrue(trunk.client.flush());
        final UnsafeBuffer message = Messages.messages(trunk.loop(0).sent.get(0)).get(0);
        final CancelJoinDecoder cancel =
            new CancelJoinDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder());
        assertEquals(List.of(5L, 1L, 2L), List.of(cancel.requestId(), cancel.roomId(), cancel.playerId()));
        assertEquals(SendStatus.NO_ROOM, trunk.client.cancelJoin(5, 1L << 60, 2));
    }

    /** A batch is full at maxBatchEntries (8) or at the length of a fragment, whichever is first. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
        fragment | payload | messages | batches
        1376     | 0       | 8        | 8
        1376     | 0       | 9        | 8 1
        1376     | 0       | 16       | 8 8
        1376     | 1       | 17       | 8 8 1
        116      | 0       | 9        | 8 1
        115      | 0       | 9        | 7 2
        532      | 500     | 3        | 1 1 1
        1044     | 500     | 3        | 2 1
        1043     | 500     | 3        | 1 1 1
        """)
    void shouldFillBatchesExactly(
        final int fragment, final int payload, final int messages, final String batches)
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        trunk.loop(0).maxPayloadLength = fragment;
        for (int i = 0; i < messages; i++)
        {
            assertEquals(SendStatus.SENT, trunk.send(trunk.seats.get(0), payload));
        }
        assertTrue(trunk.client.flush());
        final List<String> sizes = new ArrayList<>();
        for (final byte[] batch : trunk.loop(0).sent)
        {
            assertTrue(batch.length <= fragment);
            assertEquals(1, Messages.messages(batch).size(), "one Send for one room");
            sizes.add(String.valueOf(Messages.entries(batch).size()));
        }
        assertEquals(batches, String.join(" ", sizes));
    }

    /** A program that sends a burst without a poll takes no answers, for which the engine takes no messages. */
    @Test
    void shouldPollWhenItIsRefusedAgainWithoutAPoll()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        final ClientSeat seat = trunk.seats.get(0);
        trunk.loop(0).isBackPressured = true;
        while (SendStatus.SENT == trunk.send(seat, 1))
        {
            assertTrue(seat.sequence() < 100);
        }
        trunk.loop(0).deliver(Messages.seatAway(1, 0, 1, 0), Messages.seatResumed(1, 0, 1, 0));
        assertEquals(List.of(), trunk.takeCallbacks(), "one refusal may be of a program that polls");
        assertEquals(SendStatus.BACK_PRESSURED, trunk.send(seat, 1));
        assertEquals(2, trunk.takeCallbacks().size());
        trunk.step();
        trunk.loop(0).deliver(Messages.seatAway(1, 0, 1, 0));
        assertEquals(SendStatus.BACK_PRESSURED, trunk.send(seat, 1));
        assertFalse(trunk.client.flush());
        assertEquals(List.of(), trunk.takeCallbacks(), "it was polled between");
    }

    @Test
    void shouldBeginAnotherSendWhenItsGroupIsFull()
    {
        final FakeStream stream = new FakeStream(null);
        stream.maxPayloadLength = 8_192;
        final StreamBatch batch = new StreamBatch(stream, 1_000);
        for (int i = 1; i <= TrunkMessages.MAX_SEND_MESSAGES + 2; i++)
        {
            batch.claimMessage(1, 0).sequence(i).seatIndex(0).generation(1).putPayload(new byte[0], 0, 0);
        }
        assertTrue(batch.flush());
        assertEquals(List.of(SendDecoder.TEMPLATE_ID, SendDecoder.TEMPLATE_ID), Messages.templates(stream.sent));
        assertEquals(TrunkMessages.MAX_SEND_MESSAGES + 2, Messages.entries(stream.sent.get(0)).size());
    }

    @Test
    void shouldKeepEverythingInOrderUnderBackPressure()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        final ClientSeat seat = trunk.seats.get(0);
        trunk.loop(0).isBackPressured = true;
        for (int i = 0; i < Messages.ENTRY_LIMIT; i++)
        {
            assertEquals(SendStatus.SENT, trunk.send(seat, 1));
            assertFalse(trunk.client.flush());
        }
        assertEquals(SendStatus.BACK_PRESSURED, trunk.send(seat, 1));
        assertEquals(SendStatus.BACK_PRESSURED, trunk.join(0));
        assertEquals(SendStatus.BACK_PRESSURED, trunk.client.leave(seat));
        assertEquals(SendStatus.BACK_PRESSURED, trunk.client.away(seat));
        assertEquals(SendStatus.BACK_PRESSURED, trunk.client.stateLost(seat));
        assertTrue(seat.isPresent(), "not away before it is queued");
        assertEquals(Messages.ENTRY_LIMIT, seat.sequence(), "a refused message takes no number");
        trunk.loop(0).isBackPressured = false;
        assertEquals(SendStatus.SENT, trunk.send(seat, 2));
        trunk.step();
        assertEquals(List.of("1/0#1:1", "1/0#2:1", "1/0#3:1", "1/0#4:1", "1/0#5:1", "1/0#6:1", "1/0#7:1", "1/0#8:1",
            "1/0#9:2"), entries(trunk.loop(0).sent));
    }

    /** Random entries against a naive count: all arrive once, in order, in batches that are legal and not smaller. */
    @Test
    void shouldBatchRandomEntriesLikeANaiveSender()
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 300; round++)
        {
            final boolean isBackPressured = 0 == (round & 1);
            final SteppedTrunk trunk = SteppedTrunk.withSeats(2);
            final ClientSeat[] seats = {trunk.seats.get(0), trunk.seats.get(1), new ClientSeat(2, 0, 7, 1, 3)};
            trunk.loop(0).maxPayloadLength = 600 + random.nextInt(1_000);
            final List<String> expected = new ArrayList<>();
            for (int i = 0; i < 60; i++)
            {
                trunk.loop(0).isBackPressured = isBackPressured && random.nextInt(8) == 0;
                final int kind = random.nextInt(8);
                final ClientSeat seat = seats[random.nextInt(seats.length)];
                final int length = random.nextInt(random.nextBoolean() ? 4 : 512);
                final SendStatus status = 0 == kind ? trunk.client.leave(seat) : 1 == kind ? trunk.join(0) :
                    trunk.send(seat, length);
                if (SendStatus.SENT == status)
                {
                    expected.add(0 == kind ? "template 3" : 1 == kind ? "template 2" :
                        seat.roomId() + "/" + seat.index() + "#" + seat.sequence() + ":" + length);
                }
                if (random.nextInt(16) == 0)
                {
                    trunk.client.flush();
                }
            }
            trunk.loop(0).isBackPressured = false;
            trunk.client.flush();
            assertEquals(expected, entries(trunk.loop(0).sent), "seed " + SEED + ", round " + round);
            for (final byte[] batch : trunk.loop(0).sent)
            {
                assertTrue(batch.length <= trunk.loop(0).maxPayloadLength, "seed " + SEED);
                assertTrue(Messages.entries(batch).size() <= Messages.ENTRY_LIMIT, "seed " + SEED);
                // An offer ends the last Send even when it is not accepted, so there may be more of them then.
                final int naiveLength = naiveLength(Messages.entries(batch));
                assertTrue(naiveLength == batch.length || isBackPressured && naiveLength < batch.length,
                    "seed " + SEED + ", round " + round);
            }
        }
    }

    /** The length of a batch in which each run of messages to one room is one Send. */
    private static int naiveLength(final List<String> entries)
    {
        int length = 0;
        String room = "";
        for (final String entry : entries)
        {
            if (entry.startsWith("template"))
            {
                // Leave has a block of 18 bytes, Join one of 25 and two empty fields of data.
                length += 2 + 8 + ("template 3".equals(entry) ? 18 : 25 + 4);
                room = "";
                continue;
            }
            final String itsRoom = entry.substring(0, entry.indexOf('/'));
            length += itsRoom.equals(room) ? 0 : SEND_LENGTH;
            length += MESSAGE_LENGTH + Integer.parseInt(entry.substring(entry.indexOf(':') + 1));
            room = itsRoom;
        }
        return length;
    }

    private static List<String> entries(final List<byte[]> batches)
    {
        final List<String> entries = new ArrayList<>();
        batches.forEach((batch) -> entries.addAll(Messages.entries(batch)));
        return entries;
    }
}
