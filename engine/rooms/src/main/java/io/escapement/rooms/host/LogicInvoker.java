package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomTask;
import org.agrona.DirectBuffer;

/**
 * Every call into the logic of one room. Each is counted, guarded, and closes the room when it throws; behind each the
 * room may have failed, so whoever goes on asks {@link RoomInstance#isOpen()} first.
 *
 * <p>The frame around the call is written out in every method: a lambda in its place would allocate, and one shared
 * method with a switch would hide from the compiler which call is made where.
 */
final class LogicInvoker
{
    private final RoomInstance room;
    private final RoomLogic logic;
    private final ThreadGuard guard;
    private final ControlOutput control;
    private final RoomHost host;
    private long count;
    private long failAt;

    LogicInvoker(final RoomInstance room, final RoomLogic logic, final RoomHost host)
    {
        this.room = room;
        this.logic = logic;
        this.host = host;
        guard = host.guard;
        control = host.control;
    }

    /** Asking for its class reads the logic, and calls nothing of it. */
    long lookAhead()
    {
        return count + (null == host ? 1 : 0) + (logic instanceof FailedLogic ? 1 : 0);
    }

    long count()
    {
        return count;
    }

    void count(final long value)
    {
        count = value;
    }

    /** A log says that this callback failed for a reason that may not come again. */
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
                threw(t);
            }
        }
        return answer;
    }

    /** Takes the place of {@link #open} in a room that comes from a snapshot; a throw is the restorer's to report. */
    void restore(final int version, final BufferStateReader reader)
    {
        guard.enter(room);
        try
        {
            logic.onRestore(room.view, version, reader);
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
                logic.onOpen(room.view, args, offset, length);
                exit();
            }
            catch (final Throwable t)
            {
                threw(t);
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
                threw(t);
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
                threw(t);
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
                threw(t);
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
                threw(t);
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
                threw(t);
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
                threw(t);
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
                threw(t);
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
                threw(t);
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
                threw(t);
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
                threw(t);
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
                threw(t);
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
                threw(t);
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
                threw(t);
            }
        }
    }

    void task(final RoomTask task)
    {
        if (enter())
        {
            try
            {
                task.run(room.view);
                exit();
            }
            catch (final Throwable t)
            {
                threw(t);
            }
        }
    }

    private boolean enter()
    {
        if (++count == failAt)
        {
            host.logFailure(room, count);
            room.fail(null);
            return false;
        }

        guard.enter(room);
        return true;
    }

    private void exit()
    {
        guard.exit();
        if (null != host.claimed)
        {
            host.claimed.dropClaim();
        }
        if (!control.isEmpty())
        {
            control.handOver(room.outputs.outputs());
        }
    }

    private void threw(final Throwable thrown)
    {
        guard.exit();
        if (thrown instanceof StackOverflowError)
        {
            // How deep the stack goes is the machine's, so a replay fails here because the log says so, and what this
            // callback sent before it, which the replay does not run, must go nowhere.
            room.output.rollback(count);
            control.discard();
            host.logFailure(room, count);
        }
        else if (thrown instanceof VirtualMachineError)
        {
            host.broken(thrown);
            throw (VirtualMachineError)thrown;
        }
        else
        {
            exit();
        }
        room.fail(thrown);
    }
}
