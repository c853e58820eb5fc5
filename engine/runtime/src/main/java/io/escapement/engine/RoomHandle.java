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
 * A room, seen from outside its loop. For any thread but a loop's. Nothing here waits: false says that the inbox of the
 * room's loop is full just now, and that nothing was done. What becomes of a command of a room that is gone is counted
 * by its loop as refused.
 */
public final class RoomHandle
{
    /** The sender that a signal from outside has. */
    public static final long FROM_OUTSIDE = 0;

    private static final long UNASKED = 0;

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

    /**
     * The room's id, never used again.
     *
     * @return the id, its loop in the high bits.
     */
    public long roomId()
    {
        return roomId;
    }

    /**
     * Send the room a message, which arrives as onSignal from room {@link #FROM_OUTSIDE}.
     *
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message, up to {@link RoomCommands#MAX_PAYLOAD_LENGTH}.
     * @return whether there was room for it.
     */
    public synchronized boolean signal(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < 0 || length > RoomCommands.MAX_PAYLOAD_LENGTH)
        {
            throw new IllegalArgumentException(
                "length: " + length + " is not in 0.." + RoomCommands.MAX_PAYLOAD_LENGTH);
        }
        return offer(commands.signal(command, 0, roomId, FROM_OUTSIDE, UNASKED, buffer, offset, length));
    }

    /**
     * Close the room.
     *
     * @return whether there was room for the command.
     */
    public synchronized boolean close()
    {
        return offer(commands.closeRoom(command, 0, roomId));
    }

    /**
     * Run a closure in the room, as one of its callbacks. For ephemeral rooms, which are not recorded.
     *
     * @param task to run in the room's loop.
     * @return whether there was room for it.
     */
    public synchronized boolean execute(final RoomTask task)
    {
        if (!type.isEphemeral())
        {
            throw new IllegalStateException("room type " + type.name() +
                " is recorded, and a closure cannot be: send a signal, or declare the type ephemeral");
        }
        command.putLong(0, roomId);
        return inbox.offer(ControlSignal.EXECUTE, task, command, 0, Long.BYTES);
    }

    /**
     * Run a closure in the room after a while, unless the room closes before. For ephemeral rooms.
     *
     * @param delayNs from when the room's loop takes it.
     * @param task    to run in the room's loop.
     * @return whether there was room for it.
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
