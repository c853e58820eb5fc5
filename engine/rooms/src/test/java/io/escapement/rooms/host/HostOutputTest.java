package io.escapement.rooms.host;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.internal.loop.LoopLedger;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.output.Outputs;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

class HostOutputTest
{
    private static final int LENGTH = 16;
    private static final RoomIdentity ROOM =
        new RoomIdentity(RoomType.of(1, "any", 4, () -> null), 1, 7, 1, 0, new RoomLimits(4, 0, 1, 1, 1));

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private final LinkTable linkTable = new LinkTable(8);

    @Test
    void shouldHashTheLinksOfAMessageAndItsBytes()
    {
        final long twoLinks = hash(new CapturedOutputs(), seats(1, 2));
        assertEquals(twoLinks, hash(new CapturedOutputs(), seats(1, 2)));
        assertEquals(twoLinks, hash(new CapturedOutputs(), seats(2, 1)), "links are in order");
        assertNotEquals(twoLinks, hash(new CapturedOutputs(), seats(1, 3)));
        assertNotEquals(twoLinks, hash(new CapturedOutputs(), seats(1)));
        assertNotEquals(twoLinks, hash(new CapturedOutputs(), seats(1, 2, 3)));
        message.putByte(LENGTH - 1, (byte)1);
        assertNotEquals(twoLinks, hash(new CapturedOutputs(), seats(1, 2)));
    }

    @Test
    void shouldHashTheSameWhenNothingLeaves()
    {
        assertEquals(hash(new CapturedOutputs(), seats(1, 2)), hash(NoOutputs.NONE, seats(1, 2)));
    }

    @Test
    void shouldForgetALinkWithItsLastSeat()
    {
        final SeatTable seats = seats(1, 2);
        seats.at(2).linkBefore(3, null);
        seats.addPresent(seats.at(2), 3);
        seats.removePresent(seats.at(2));
        assertEquals(seats(1, 2).linkHash(), seats.linkHash());
    }

    /** Each seat on the next link. */
    private SeatTable seats(final int... links)
    {
        final SeatTable seats = new SeatTable(ROOM, linkTable);
        for (int i = 0; i < links.length; i++)
        {
            seats.addPresent(seats.at(i), links[i]);
        }
        return seats;
    }

    private long hash(final Outputs outputs, final SeatTable seats)
    {
        final HostOutput output = new HostOutput(
            outputs, new LoopLedger(LoopLimits.NOTHING), new RefusalCounts(HostListener.NONE), true);
        output.toLinks(seats, 1, Outputs.STATE, Outputs.ALL, 0, message, 0, LENGTH);
        return output.hash();
    }
}
