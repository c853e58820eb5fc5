package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.JoinRequest;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateWriter;
import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * Every call into the logic of one room. Each call is counted and guarded, and closes the room if it throws. The room
 * may have failed after any of them: before it continues, a caller checks that the room is still open.
 *
 * <p>The code around the call is repeated in every method, because the callbacks have no parameters in common. A lambda
 * would allocate.
 */
final class LogicInvoker
{
    private static final int NONE = 0;
    private static final long HASH_OF_FAILURE = 0xDEADL;

    private final RoomIdentity room;
    private final Room view;
    private final RoomServices services;
    private final RoomOutput output;
    private final RoomInstance owner;
    /** The last reference, so that a collector copies the logic right after this object. */
    private RoomLogic logic;
    private long count;
    private long failAt;

    LogicInvoker(
        final RoomIdentity room,
        final Room view,
        final RoomOutput output,
        final RoomServices services,
        final RoomInstance owner)
    {
        this.room = room;
        this.view = view;
        this.output = output;
        this.services = services;
        this.owner = owner;
        logic = makeLogic(room.type());
    }

    /** The supplier counts as code of the room that runs: it may not call the host, and a watchdog sees the room. */
    private RoomLogic makeLogic(final RoomType type)
    {
        services.guard.enter(room);
        try
        {
            final RoomLogic made = FailedLogic.make(type);
            if (services.guard.clearInterrupt())
            {
                return new FailedLogic(new InterruptedCallbackException());
            }
            return services.logics.add(made) ? made : new FailedLogic(new IllegalStateException(
                type + ": the supplier returned the logic of another open room, return a new one each time"));
        }
        finally
        {
            services.guard.exit();
        }
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

    /** Count callbacks that ran without this object. */
    void addCallbacks(final long callbacks)
    {
        count += callbacks;
    }

    /** Whether a log names a callback that must fail. */
    boolean hasToFail()
    {
        return 0 != failAt;
    }

    /** Fail this callback, because it failed in the log for a reason that a replay may not meet. */
    void failAt(final long callback)
    {
        failAt = callback;
    }

    int joinRequest(
        final JoinRequest request, final DirectBuffer args, final int offset, final int length)
    {
        int answer = RefusalCode.ROOM_FAILED.value();
        if (enter())
        {
            try
            {
                final int given = logic.onJoinRequest(request, services.payload(args, offset, length), 0, length);
                answer = RoomLogic.LATER == given ?
                    checkedLater() : checkedAnswer(given, "onJoinRequest must return ACCEPT, LATER");
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t, null);
            }
            services.releasePayload();
        }
        return answer;
    }

    int watchRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        int answer = RefusalCode.ROOM_FAILED.value();
        if (enter())
        {
            try
            {
                final int given = logic.onWatchRequest(playerId, services.payload(args, offset, length), 0, length);
                answer = checkedAnswer(given, "onWatchRequest must return ACCEPT");
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t, null);
            }
            services.releasePayload();
        }
        return answer;
    }

    /** Replaces {@link #open} in a room from a snapshot. */
    void restore(final int version, final BufferStateReader reader)
    {
        services.guard.enterToRead(room);
        try
        {
            logic.onRestore(view, version, reader);
        }
        catch (final Throwable t)
        {
            throw new RoomRestoreException(room, "onRestore threw " + nameOf(t), breakIfFatal(t));
        }
        finally
        {
            services.guard.exit();
        }
    }

    void snapshot(final StateWriter writer)
    {
        services.guard.enterToRead(room);
        try
        {
            logic.onSnapshot(writer);
        }
        catch (final Throwable t)
        {
            throw new IllegalStateException("room " + room.roomId() + " of " + room.type() +
                " cannot be written to a snapshot: onSnapshot threw " + nameOf(t), breakIfFatal(t));
        }
        finally
        {
            services.guard.exit();
        }
    }

    /**
     * Begin to hand the room to another version of its logic, which counts as one callback and only reads the room.
     *
     * @return false if the log says that the room failed in it.
     */
    boolean beginReload()
    {
        if (!enter())
        {
            return false;
        }
        services.guard.exit();
        services.guard.enterToRead(room);
        return true;
    }

    /** Make the logic of another version. */
    RoomLogic makeNext(final RoomType type)
    {
        final RoomLogic next = makeLogic(type);
        services.guard.enterToRead(room);
        return next;
    }

    /** The other version has taken over. */
    void endReload(final RoomLogic next)
    {
        services.guard.exit();
        services.logics.remove(logic);
        logic = next;
    }

    /**
     * One of the two versions threw.
     *
     * @param next   logic of the other version. Null if it was not made.
     * @param thrown by a callback.
     * @return whether the room continues with the logic that it had: not if the machine was the reason.
     */
    boolean abandonReload(final RoomLogic next, final Throwable thrown)
    {
        services.logics.remove(next);
        final boolean isOfMachine = leaveThrown(thrown);
        if (isOfMachine)
        {
            owner.fail(count, thrown);
        }
        return !isOfMachine;
    }

    /** Hash of the logic's state. A logic that throws has the same hash wherever it does, and its room continues. */
    long stateHash()
    {
        services.guard.enterToRead(room);
        try
        {
            return logic.stateHash();
        }
        catch (final Throwable t)
        {
            services.listener().onHashFailed(room.roomId(), room.type().id(), breakIfFatal(t));
            return HASH_OF_FAILURE;
        }
        finally
        {
            services.guard.exit();
        }
    }

    private Throwable breakIfFatal(final Throwable thrown)
    {
        final VirtualMachineError failure = JvmFailures.in(thrown);
        if (JvmFailures.isFatal(failure))
        {
            services.onBroken(thrown);
            throw failure;
        }
        return thrown;
    }

    private static String nameOf(final Throwable thrown)
    {
        return thrown.getClass().getName();
    }

    void open(final DirectBuffer args, final int offset, final int length)
    {
        if (enter())
        {
            try
            {
                logic.onOpen(view, services.payload(args, offset, length), 0, length);
                exit();
            }
            catch (final Throwable t)
            {
                onFatal(t);
            }
            services.releasePayload();
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
                onFatal(t);
            }
        }
    }

    void joinEnded(final long id, final long playerId, final int code)
    {
        if (enter())
        {
            try
            {
                logic.onJoinEnded(id, playerId, code);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t, null);
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
                onThrown(t, seat);
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
                onThrown(t, seat);
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
                onThrown(t, seat);
            }
        }
    }

    void leave(final SeatState seat, final LeaveReason reason, final int code)
    {
        if (enter())
        {
            try
            {
                logic.onLeave(seat, reason, code);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t, seat);
            }
        }
    }

    void message(final SeatState seat, final DirectBuffer buffer, final int offset, final int length)
    {
        if (enter())
        {
            try
            {
                logic.onMessage(seat, services.payload(buffer, offset, length), 0, length);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t, seat);
            }
            services.releasePayload();
        }
    }

    void signal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (enter())
        {
            try
            {
                logic.onSignal(fromRoomId, services.payload(buffer, offset, length), 0, length);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t, null);
            }
            services.releasePayload();
        }
    }

    /** Returns whether the callback returned. */
    boolean ask(
        final long askId, final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        boolean isDone = false;
        if (enter())
        {
            try
            {
                logic.onAsk(askId, fromRoomId, services.payload(buffer, offset, length), 0, length);
                exit();
                isDone = true;
            }
            catch (final Throwable t)
            {
                onThrown(t, null);
            }
            services.releasePayload();
        }
        return isDone;
    }

    void reply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        if (enter())
        {
            try
            {
                logic.onReply(
                    correlationId, status, services.payload(buffer, offset, length), 0, length);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t, null);
            }
            services.releasePayload();
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
                onThrown(t, null);
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
                onThrown(t, null);
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
                onThrown(t, seat);
            }
        }
    }

    void drain(final long deadlineNs)
    {
        if (enter())
        {
            try
            {
                logic.onDrain(view, deadlineNs);
                exit();
            }
            catch (final Throwable t)
            {
                onThrown(t, null);
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
                onThrown(t, null);
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
                onThrown(t, null);
            }
        }
    }

    private int checkedLater()
    {
        if (0 == room.type().joinRequests())
        {
            throw new IllegalStateException("onJoinRequest returned LATER, but no join of " + room.type() +
                " may wait: set RoomType.joinRequests");
        }
        return RoomLogic.LATER;
    }

    /** An answer that no client could receive is a mistake of the room like any other. */
    private static int checkedAnswer(final int answer, final String rule)
    {
        if (answer < RoomLogic.ACCEPT || answer > RefusalCounts.MAX_CODE)
        {
            throw new IllegalStateException(
                rule + " or a refusal of 1 to " + RefusalCounts.MAX_CODE + ": " + answer);
        }
        return answer;
    }

    private boolean enter()
    {
        if (++count == failAt)
        {
            owner.fail(count, null);
            return false;
        }

        services.guard.enter(room);
        return true;
    }

    private void exit()
    {
        services.exitCallback();
    }

    /** A callback threw: ask the logic whether the room continues. */
    void onThrown(final Throwable thrown, final SeatState seat)
    {
        final boolean isOfMachine = leaveThrown(thrown);
        final long callback = count;
        if (isOfMachine)
        {
            owner.fail(callback, thrown);
            return;
        }

        final RoomLogic.AfterError decision = decide(thrown, seat);
        if (null == decision)
        {
            return;
        }
        if (RoomLogic.AfterError.CLOSE == decision || (RoomLogic.AfterError.KICK == decision && null == seat))
        {
            owner.fail(callback, thrown);
            return;
        }
        services.listener().onRoomError(room.roomId(), room.type().id(), callback, thrown);
        if (RoomLogic.AfterError.KICK == decision)
        {
            owner.kick(seat, NONE);
        }
    }

    /** A callback threw after which no room can continue. */
    private void onFatal(final Throwable thrown)
    {
        leaveThrown(thrown);
        owner.fail(count, thrown);
    }

    /** The decision of the logic, or null if the room has failed instead. */
    private RoomLogic.AfterError decide(final Throwable thrown, final SeatState seat)
    {
        if (!enter())
        {
            return null;
        }
        try
        {
            final RoomLogic.AfterError decision = Objects.requireNonNull(logic.onError(thrown, seat), "onError");
            exit();
            return decision;
        }
        catch (final Throwable t)
        {
            onFatal(t);
            return null;
        }
    }

    /** Leave a callback that threw. Returns whether it did so for a reason of the machine. */
    private boolean leaveThrown(final Throwable thrown)
    {
        // It counts the callbacks that the group ran, before the number of this callback is recorded.
        owner.leaveStep();
        services.guard.exit();
        final boolean wasInterrupted = services.guard.clearInterrupt();
        breakIfFatal(thrown);
        if (null != JvmFailures.in(thrown) || thrown instanceof InterruptedCallbackException || wasInterrupted)
        {
            // The depth of the stack depends on the machine, and an interrupt may arrive from another thread. Therefore
            // a replay fails here because the log says that the callback failed. It does not run this callback, and
            // must also discard the output of the callback here.
            output.rollback();
            services.control.discard();
            owner.requests.questions.reopen();
            services.host.recordFailure(room, count);
            return true;
        }
        services.leaveCallback();
        return false;
    }
}
