package io.escapement.rooms.host;

import io.escapement.rooms.RoomUseException;

/**
 * Knows which room is inside a callback and on which thread the turn runs. The only place in this module that knows of
 * threads, and it only compares them.
 */
final class ThreadGuard
{
    private Thread thread;
    private RoomInstance current;

    void beginTurn()
    {
        thread = Thread.currentThread();
    }

    void enter(final RoomInstance room)
    {
        current = room;
    }

    void exit()
    {
        current = null;
    }

    long runningRoomId()
    {
        final RoomInstance running = current;
        return null == running ? 0 : running.roomId();
    }

    boolean isIdle()
    {
        return null == current;
    }

    void check(final RoomInstance room)
    {
        if (room != current || Thread.currentThread() != thread)
        {
            refuse(room);
        }
    }

    private void refuse(final RoomInstance room)
    {
        final Thread caller = Thread.currentThread();
        throw new RoomUseException(caller != thread ?
            "room " + room.roomId() + " was used from thread '" + caller.getName() + "', its host runs on '" +
            (null == thread ? "none yet" : thread.getName()) + "'" :
            "room " + room.roomId() + " was used outside its own callbacks");
    }
}
