package io.escapement.perf.players;

import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Gives each move back in its turn, and tells all players each frame which move of theirs was the last. */
final class PlayersRoom implements RoomLogic
{
    static final int TYPE_ID = 1;
    private static final int MOVES_A_TURN = 256;
    private static final int OUTPUT_HEADER = 16;

    private final Crowd crowd;
    private final Tallies tallies;
    private final TurnTally tally;
    private final UnsafeBuffer state;
    private Room room;
    private long lastFrame;
    private long number;

    private PlayersRoom(final Crowd crowd, final Tallies tallies)
    {
        this.crowd = crowd;
        this.tallies = tallies;
        tally = tallies.ofThisLoop();
        state = new UnsafeBuffer(new byte[crowd.state()]);
    }

    static RoomType type(final Crowd crowd, final Tallies tallies)
    {
        // As much as a turn can bring: a full batch of moves for one room, and a state.
        final int output = MOVES_A_TURN * (Wire.MOVE_LENGTH + OUTPUT_HEADER) + crowd.state() + OUTPUT_HEADER;
        return RoomType.of(TYPE_ID, "players", 1, () -> new PlayersRoom(crowd, tallies))
            .seats(crowd.seats()).timers(0).requests(0).groups(0).outputLimit(output);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        room.frameRate(crowd.hz());
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        tally.move(room.nowNs());
        Wire.lastMove(state, from.index(), Wire.number(buffer, offset));
        room.sendEvent(from, buffer, offset, length);
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason)
    {
        Wire.lastMove(state, seat.index(), 0);
    }

    @Override
    public void onFrame(final long frame, final long elapsedNs)
    {
        final boolean isCounted = tallies.isCounted();
        tally.frame(room.nowNs(), frame - lastFrame - 1, isCounted);
        lastFrame = frame;
        Wire.state(state, crowd.state(), ++number, isCounted, crowd.seats());
        room.sendState(room.everyone(), state, 0, crowd.state());
        if (isCounted)
        {
            tally.states(room.seatsTaken());
        }
    }
}
