package io.escapement.engine.internal.loop;

import io.escapement.rooms.RoomTask;
import io.escapement.rooms.host.RoomHost;
import org.agrona.DirectBuffer;

/**
 * The source of a loop's turns, between the queues and the room host. Without a log a command runs where it is taken
 * ({@link InPlaceTurns}). With a log the commands of a turn are proposed, and run when the log has committed them
 * ({@link CommittedTurns}). Each duty cycle with work calls {@link #begin}, hands over commands if that returned true,
 * and calls {@link #end()}.
 */
interface Turns
{
    /** Sixteenths of a turn's space, for {@link #hasRoom}. Each source leaves some to the next. */
    int RETURNS = 4;
    /** For commands of the engine itself. */
    int ENGINE = 8;
    /** For the inbox. */
    int INBOX = 13;
    /** For the ring, which is left more than a batch. */
    int WHOLE = 16;
    /** Of {@link #blockedSinceNs}. */
    long NEVER = -1;

    /** The host. Between turns. */
    RoomHost host();

    /** Begin a duty cycle. Returns whether it takes commands. */
    boolean begin(long nowNs);

    /** Take a command. */
    void command(DirectBuffer buffer, int offset, int length);

    /** A link is attached by the command that follows. */
    void attach(LinkAttachment link);

    /** A link is detached by the command that follows. */
    void detach(int link);

    /** Run the commands and the due work. Returns the work done. */
    int end();

    /** Whether a turn is needed for a reason other than a deadline or the queues. */
    boolean isWaiting();

    /** Engine time of the next frame or timer. */
    long deadlineNs();

    /** Engine time from which a turn takes no more commands of the ring. */
    default long cutNs()
    {
        return deadlineNs();
    }

    /** Engine time until which the loop may park. */
    default long parkUntilNs()
    {
        return deadlineNs();
    }

    /** Whether a part of the turn's space, in sixteenths, has room for another command. */
    default boolean hasRoom(final int sixteenths)
    {
        return true;
    }

    /** The command at this sequence of the ring is next. */
    default void beforeRing(final long sequence)
    {
    }

    /** Take a closure. */
    default void execute(final long roomId, final RoomTask task)
    {
        throw new IllegalStateException("a closure for room " + roomId + " cannot be made durable");
    }

    /** Work in each duty cycle that is no turn. Returns the work done. */
    default int work(final long nowNs)
    {
        return 0;
    }

    /** Engine time since which the log has had no room, negative if it has. Any thread. */
    default long blockedSinceNs()
    {
        return NEVER;
    }

    /** Whether the log is empty for the loop. Any thread. */
    default boolean isLogEmpty()
    {
        return true;
    }

    /** Whether other nodes propose the turns, so that commands of this node have no effect. */
    default boolean isFollowing()
    {
        return false;
    }

    /** The loop has failed. */
    default void fail(final Throwable cause)
    {
    }
}
