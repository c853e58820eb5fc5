package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.output.NoOutputs;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** States that a link lost are lost for the seats that it carries now, and for no other seat. */
class LinkStateLostTest
{
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final List<String> lost = new ArrayList<>();
    private final RoomHost host = new RoomHost(new HostContext()
        .roomType(RoomType.of(1, "noting", 1, Noting::new)).outputs(new NoOutputs()));

    @Test
    void shouldNotifyEverySeatOfTheLinkInOrderAndNoOther()
    {
        host.beginTurn(1);
        for (long room = 1; room <= 2; room++)
        {
            assertEquals(0, command(encoder.openRoom(buffer, 0, room, 1, 0, 0, 1, buffer, 0, 0)));
        }
        assertEquals(0, command(encoder.linkUp(buffer, 0, 30, 3)));
        assertEquals(0, command(encoder.linkUp(buffer, 0, 40, 4)));
        join(2, 7, 3);
        join(1, 5, 3);
        join(1, 6, 4);
        join(2, 8, 3);
        // The player moves to the other link.
        join(2, 8, 4);

        assertEquals(0, command(encoder.linkStateLost(buffer, 0, 3)));
        host.endTurn();
        assertEquals(List.of("room 1: player 5", "room 2: player 7"), lost);
    }

    @Test
    void shouldRefuseALinkThatIsNotUp()
    {
        host.beginTurn(1);
        assertEquals(RefusalCode.UNKNOWN_LINK.value(), command(encoder.linkStateLost(buffer, 0, 3)));
        assertEquals(0, command(encoder.linkUp(buffer, 0, 30, 3)));
        assertEquals(0, command(encoder.linkDown(buffer, 0, 3)));
        assertEquals(RefusalCode.UNKNOWN_LINK.value(), command(encoder.linkStateLost(buffer, 0, 3)));
        host.endTurn();
    }

    private void join(final long room, final long player, final int link)
    {
        assertEquals(0, command(encoder.join(buffer, 0, room, player, 0, link, buffer, 0, 0)));
    }

    private int command(final int length)
    {
        return host.onCommand(buffer, 0, length);
    }

    private final class Noting implements RoomLogic
    {
        private long roomId;

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            roomId = room.roomId();
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            lost.add("room " + roomId + ": player " + seat.playerId());
        }
    }
}
