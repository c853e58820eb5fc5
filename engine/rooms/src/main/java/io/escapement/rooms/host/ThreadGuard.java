package io.escapement.rooms.host;

import io.escapement.rooms.RoomUseException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Knows which room is inside a callback and on which thread the turn runs. Only this class of the module names threads:
 * it compares them, and clears interrupts.
 *
 * <p>The host's thread writes the running room in opaque mode: on common hardware a plain store that the compiler may
 * neither omit nor hoist. A watchdog's thread sees it soon. The identity read there is immutable.
 */
final class ThreadGuard
{
    private static final VarHandle RUNNING;

    static
    {
        try
        {
            RUNNING = MethodHandles.lookup().findVarHandle(ThreadGuard.class, "running", RoomIdentity.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Thread thread;
    private RoomIdentity running;
    /** The running room if it may act. Null while it only reads, for a snapshot or a hash. */
    private RoomIdentity acting;
    private long callback;

    void beginTurn()
    {
        thread = Thread.currentThread();
    }

    void enter(final RoomIdentity room)
    {
        callback++;
        acting = room;
        RUNNING.setOpaque(this, room);
    }

    /** Let a room read: time and seats, but neither send nor set timers. */
    void enterToRead(final RoomIdentity room)
    {
        beginTurn();
        RUNNING.setOpaque(this, room);
    }

    void exit()
    {
        acting = null;
        RUNNING.setOpaque(this, null);
    }

    /** Number of the last callback of all rooms. It is not state: a restored host counts from 0. */
    long callback()
    {
        return callback;
    }

    /** Clear the interrupt of this thread, which could not park any more. Returns whether there was one. */
    boolean clearInterrupt()
    {
        return Thread.interrupted();
    }

    /** Id of the running room, 0 for no room. May be called from another thread. */
    long runningRoomId()
    {
        final RoomIdentity room = (RoomIdentity)RUNNING.getOpaque(this);
        return null == room ? 0 : room.roomId();
    }

    boolean isIdle()
    {
        return null == running;
    }

    void check(final RoomIdentity room)
    {
        if (room != running || Thread.currentThread() != thread)
        {
            refuse(room);
        }
    }

    void checkActing(final RoomIdentity room)
    {
        if (room != acting || Thread.currentThread() != thread)
        {
            refuse(room);
        }
    }

    private void refuse(final RoomIdentity room)
    {
        final Thread caller = Thread.currentThread();
        throw new RoomUseException(caller != thread ?
            "room " + room.roomId() + " was used from thread '" + caller.getName() + "', its host runs on '" +
            (null == thread ? "none yet" : thread.getName()) + "'" :
            "room " + room.roomId() + (room == running ?
            " can only be read while its state is restored, written or hashed" :
            " was used outside its own callbacks"));
    }
}
