package io.escapement.perf.crowd;

import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.concurrent.atomic.LongAdder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Answers each move in its turn, and broadcasts the last move of every seat in each frame. Because everything it does
 * is in the log of turns, it may be replayed, restored, and run on several nodes.
 */
final class CrowdRoom implements RoomLogic
{
    static final int TYPE_ID = 1;

    private static final int MOVES_PER_TURN = 256;
    private static final int OUTPUT_HEADER = 16;

    private final CrowdPlan plan;
    private final LongAdder statesSent;
    private final UnsafeBuffer state;
    private Room room;
    private long number;
    private boolean isMeasuring;

    private CrowdRoom(final CrowdPlan plan, final LongAdder statesSent)
    {
        this.plan = plan;
        this.statesSent = statesSent;
        state = new UnsafeBuffer(new byte[plan.state]);
    }

    /** @param statesSent counts measured states, once per receiving player. */
    static RoomType type(final CrowdPlan plan, final LongAdder statesSent)
    {
        // The output of a turn: answers to a full batch of moves to one room, and a state.
        final int output = MOVES_PER_TURN * (CrowdMessages.MOVE_LENGTH + OUTPUT_HEADER) + plan.state + OUTPUT_HEADER;
        return RoomType.of(TYPE_ID, "crowd", 1, () -> new CrowdRoom(plan, statesSent))
            .seats(plan.seats).timers(0).requests(0).groups(0).outputLimit(output);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        room.frameRate(plan.hz);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        CrowdMessages.lastMove(state, from.index(), CrowdMessages.number(buffer, offset));
        room.sendEvent(from, buffer, offset, length);
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason)
    {
        CrowdMessages.lastMove(state, seat.index(), 0);
    }

    @Override
    public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        isMeasuring = CrowdMessages.isMeasuring(buffer, offset);
    }

    @Override
    public void onFrame(final long frame, final long elapsedNs)
    {
        CrowdMessages.state(state, plan.state, ++number, isMeasuring, plan.seats,
            plan.isDurable() ? room.nowNs() : System.nanoTime());
        room.sendState(room.everyone(), state, 0, plan.state);
        if (isMeasuring)
        {
            statesSent.add(room.seatsTaken());
        }
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putLong(number);
        writer.putBoolean(isMeasuring);
        writer.putBytes(state, 0, plan.state);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        room = restored;
        number = reader.getLong();
        isMeasuring = reader.getBoolean();
        reader.getBytes(state, 0);
    }
}
