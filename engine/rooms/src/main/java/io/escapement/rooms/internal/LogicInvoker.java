package io.escapement.rooms.internal;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomTask;
import org.agrona.DirectBuffer;

/**
 * Every call into the logic of one room. Each call is counted and guarded, and closes the room if it throws. So the
 * room may have failed after any of them: a caller that continues checks that the room is still open.
 *
 * <p>The code around the call is repeated in every method. A lambda would allocate, and one shared method with a switch
 * would make the call megamorphic.
 */
final class LogicInvoker
{
    /** Learns that a callback threw. */
    interface FailureListener
    {
        void onFailed(Throwable cause);
    }

    private final RoomIdentity room;
    private final RoomLogic logic;
    private final Room view;
    private final ThreadGuard guard;
    private final ControlOutput control;
    private final OpenClaim claim;
    private final RoomServices services;
    private final RoomOutput output;
    private final FailureListener failureListener;
    private long count;
    private long failAt;

    LogicInvoker(
        final RoomIdentity room,
        final Room view,
        final RoomOutput output,
        final RoomServices services,
        final FailureListener failureListener)
    {
        this.room = room;
        this.view = view;
        this.output = output;
        this.services = services;
        this.failureListener = failureListener;
        logic = FailedLogic.make(room.type());
        guard = services.guard;
        control = services.control;
        claim = services.claim;
    }

    RoomLogic logic()
    {
        return logic;
    }

    long count()
    {
        return count;
    }

    void count(final long value)
    {
        count = value;
    }

    /** Fail this callback, because the log says that it failed for a reason that a replay may not meet. */
    void failAt(final long callback)
    {
        failAt = callback;
    }

    int joinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        int answer = RefusalCode.ROOM_FAILED.value();
        if (enter())
        {
            try
            {
                answer = logic.onJoinRequest(playerId, args, offset, length);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
        return answer;
    }

    /** Replaces {@link #open} in a room from a snapshot; the restorer handles what it throws. */
    void restore(final int version, final BufferStateReader reader)
    {
        guard.enter(room);
        try
        {
            logic.onRestore(view, version, reader);
        }
        finally
        {
            guard.exit();
        }
    }

    void open(final DirectBuffer args, final int offset, final int length)
    {
        if (enter())
        {
            try
            {
                logic.onOpen(view, args, offset, length);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
    }

    void close(final CloseReason reason)
    {
        if (enter())
        {
            try
            {
                logic.onClose(reason);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
    }

    void join(final SeatState seat)
    {
        if (enter())
        {
            try
            {
                logic.onJoin(seat);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
    }

    void away(final SeatState seat)
    {
        if (enter())
        {
            try
            {
                logic.onAway(seat);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
    }

    void back(final SeatState seat)
    {
        if (enter())
        {
            try
            {
                logic.onBack(seat);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
    }

    void leave(final SeatState seat, final LeaveReason reason)
    {
        if (enter())
        {
            try
            {
                logic.onLeave(seat, reason);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
    }

    void message(final SeatState seat, final DirectBuffer buffer, final int offset, final int length)
    {
        if (enter())
        {
            try
            {
                logic.onMessage(seat, buffer, offset, length);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
    }

    void signal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (enter())
        {
            try
            {
                logic.onSignal(fromRoomId, buffer, offset, length);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
    }

    void reply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        if (enter())
        {
            try
            {
                logic.onReply(correlationId, status, buffer, offset, length);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
    }

    void timer(final long handle, final int kind, final long tag)
    {
        if (enter())
        {
            try
            {
                logic.onTimer(handle, kind, tag);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
    }

    void frame(final long frame, final long elapsedNs)
    {
        if (enter())
        {
            try
            {
                logic.onFrame(frame, elapsedNs);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
    }

    void stateLost(final SeatState seat)
    {
        if (enter())
        {
            try
            {
                logic.onStateLost(seat);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
    }

    void drain(final long deadlineNs)
    {
        if (enter())
        {
            try
            {
                logic.onDrain(deadlineNs);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
    }

    void directory(final DirectoryEntry entry)
    {
        if (enter())
        {
            try
            {
                logic.onDirectory(entry);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
    }

    void task(final RoomTask task)
    {
        if (enter())
        {
            try
            {
                task.run(view);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t);
            }
        }
    }

    private boolean enter()
    {
        if (++count == failAt)
        {
            services.trace.recordFailure(room, count);
            failureListener.onFailed(null);
            return false;
        }

        guard.enter(room);
        return true;
    }

    private void exit()
    {
        guard.exit();
        claim.drop();
        if (!control.isEmpty())
        {
            control.handOver(services.outputOf(room.type()).outputs());
        }
    }

    private void onThrown(final Throwable thrown)
    {
        guard.exit();
        if (thrown instanceof StackOverflowError)
        {
            // The depth of the stack depends on the machine, so a replay fails here because the log says so. It does
            // not run this callback, and the output of the callback must be discarded here too.
            output.rollback(count);
            control.discard();
            services.trace.recordFailure(room, count);
        }
        else if (thrown instanceof VirtualMachineError)
        {
            services.onBroken(thrown);
            throw (VirtualMachineError)thrown;
        }
        else
        {
            exit();
        }
        failureListener.onFailed(thrown);
    }
}
