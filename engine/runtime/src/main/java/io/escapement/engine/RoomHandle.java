package io.escapement.engine;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.TrunkMessages;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.ControlSignal;
import io.escapement.engine.internal.loop.LoopContext;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.RoomType;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A room, for threads that are not a loop's. No method blocks: false means that the inbox of the room's loop is full
 * and nothing was done. The loop refuses and counts commands for a room that has closed.
 */
public final class RoomHandle
{
    /** The sender of signals from outside the rooms. */
    public static final long FROM_OUTSIDE = 0;

    private static final long NO_CORRELATION = 0;

    private final long roomId;
    private final RoomType type;
    private final CommandQueue inbox;
    private final RoomCommandEncoder commands = new RoomCommandEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[LoopContext.INBOX_SLOT_LENGTH]);

    RoomHandle(final long roomId, final RoomType type, final CommandQueue[] inboxes)
    {
        this.roomId = roomId;
        this.type = type;
        inbox = inboxes[TrunkMessages.loopOf(roomId)];
    }

    /** The room's id, with its loop in the high bits. Ids are never reused. */
    public long roomId()
    {
        return roomId;
    }

    /**
     * Send the room a message, which {@code onSignal} receives from room {@link #FROM_OUTSIDE}.
     *
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message, up to {@link RoomCommands#MAX_PAYLOAD_LENGTH}.
     * @return false if the inbox is full.
     */
    public synchronized boolean signal(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < 0 || length > RoomCommands.MAX_PAYLOAD_LENGTH)
        {
            throw new IllegalArgumentException(
                "length: " + length + " is not in 0.." + RoomCommands.MAX_PAYLOAD_LENGTH);
        }
        return offer(commands.signal(command, 0, roomId, FROM_OUTSIDE, NO_CORRELATION, buffer, offset, length));
    }

    /**
     * Close the room.
     *
     * @return false if the inbox is full.
     */
    public synchronized boolean close()
    {
        return offer(commands.closeRoom(command, 0, roomId));
    }

    /**
     * Run a closure as a callback of the room. Only for ephemeral rooms, since a closure cannot be recorded.
     *
     * @param task to run in the room's loop.
     * @return false if the inbox is full.
     */
    public synchronized boolean execute(final RoomTask task)
    {
        if (!type.isEphemeral())
        {
            throw new IllegalStateException("room type " + type.name() +
                " is recorded, and closures cannot be: send a signal, or declare the type ephemeral");
        }
        command.putLong(0, roomId);
        return inbox.offer(ControlSignal.EXECUTE, task, command, 0, Long.BYTES);
    }

    /**
     * Run a closure in the room after a delay, unless the room closes before. Only for ephemeral rooms.
     *
     * @param delayNs from the turn in which the room's loop takes the command.
     * @param task    to run in the room's loop.
     * @return false if the inbox is full.
     */
    public boolean after(final long delayNs, final RoomTask task)
    {
        return execute((room) -> room.after(delayNs, task));
    }

    private boolean offer(final int length)
    {
        return inbox.offer(ControlSignal.COMMAND, null, command, 0, length);
    }
}
