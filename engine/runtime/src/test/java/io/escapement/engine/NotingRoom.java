package io.escapement.engine;

import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.Seat;
import java.util.List;
import org.agrona.DirectBuffer;

/** Notes in a list of the test what happens to its players: message, away, back, left and the reason. */
class NotingRoom implements RoomLogic
{
    private final List<String> happened;

    NotingRoom(final List<String> happened)
    {
        this.happened = happened;
    }

    @Override
    public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
    {
        // Its state is in the test.
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        happened.add("message");
    }

    @Override
    public void onAway(final Seat seat)
    {
        happened.add("away");
    }

    @Override
    public void onBack(final Seat seat)
    {
        happened.add("back");
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason)
    {
        happened.add("left " + reason);
    }
}
