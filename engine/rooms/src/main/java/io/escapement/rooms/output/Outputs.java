package io.escapement.rooms.output;

import io.escapement.codecs.trunk.RoomMessage;
import org.agrona.DirectBuffer;

/**
 * Takes all output of a host. {@link #message} carries the rooms' own messages. All other output is control output,
 * encoded once by the host as the SBE message that its receiver will decode.
 *
 * <p>Commands to rooms, requests to services and requests for new rooms are not sent here. They wait in the
 * {@link io.escapement.rooms.loop.LoopState}, and the application that runs the host sends them from there.
 *
 * <p>Delivery has no return value: its result returns as a command, if at all. Called on the host's thread, outside
 * every callback of a room. Buffers are valid during the call only. An implementation must not throw and must not call
 * the host.
 */
public interface Outputs
{
    /** Class of a message: in order and complete. */
    int EVENT = 1;

    /** Class of a message: may be dropped, whole. */
    int STATE = 2;

    /** Audience: every seat of the room on this link. The selector is unused. */
    int ALL = RoomMessage.ALL;

    /** Audience: every seat of the room on this link except one. The selector is the index of that seat. */
    int ALL_EXCEPT = RoomMessage.ALL_EXCEPT;

    /** Audience: seats of a room of up to 64; bit n of the selector is the seat of index n. */
    int MASK = RoomMessage.MASK;

    /** Audience: one seat. The selector is its index in the low 32 bits and its generation in the high. */
    int ONE = RoomMessage.ONE;

    /** Link of a refused command without a link. Its refusal counts as output, but has no receiver. */
    int NO_LINK = -1;

    /**
     * A message for seats of a room on one link.
     *
     * @param link        that the message leaves through.
     * @param roomId      of the sending room.
     * @param outputClass {@link #EVENT} or {@link #STATE}.
     * @param audience    {@link #ALL}, {@link #ALL_EXCEPT}, {@link #MASK} or {@link #ONE}.
     * @param selector    as the audience needs it.
     * @param buffer      with the message.
     * @param offset      of the message.
     * @param length      of the message in bytes.
     */
    void message(
        int link,
        long roomId,
        int outputClass,
        int audience,
        long selector,
        DirectBuffer buffer,
        int offset,
        int length);

    /**
     * A message for seats of a room on several links. By default {@link #message} for each of them.
     *
     * @param links       of the room.
     * @param roomId      of the sending room.
     * @param outputClass {@link #EVENT} or {@link #STATE}.
     * @param audience    {@link #ALL}, {@link #ALL_EXCEPT} or {@link #MASK}.
     * @param selector    as the audience needs it.
     * @param buffer      with the message.
     * @param offset      of the message.
     * @param length      of the message in bytes.
     */
    default void toLinks(
        final RoomLinks links,
        final long roomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        for (int i = 0, count = links.linkCount(); i < count; i++)
        {
            if (links.isReceiving(i, outputClass, audience, selector))
            {
                message(links.linkAt(i), roomId, outputClass, audience, selector, buffer, offset, length);
            }
        }
    }

    /**
     * Control output to a trunk: Joined, SeatResumed, SeatAway, Left or Refused of {@code trunk.xml}.
     *
     * @param link   of the trunk. For a refusal it may be {@link #NO_LINK}, or a link that is not up.
     * @param buffer with the message.
     * @param offset of its header.
     * @param length of the message in bytes.
     */
    void toLink(int link, DirectBuffer buffer, int offset, int length);

    /**
     * A command of {@code room.xml} to the edge: a Subscribe to the directory, or a DirectoryEntry. Without a
     * subscriber, the entry updates the directory. With a subscriber and a RESET, it resubscribes a room. The directory
     * passes the RESET on before the entries.
     *
     * @param buffer with the command.
     * @param offset of its header.
     * @param length of the command in bytes.
     */
    void toEdge(DirectBuffer buffer, int offset, int length);

    /**
     * A Reply or a Refusal of {@code room.xml} to the application, which has asked a room.
     *
     * @param buffer with the answer.
     * @param offset of its header.
     * @param length of the answer in bytes.
     */
    void toApplication(DirectBuffer buffer, int offset, int length);

    /**
     * A command of a room waits in the state of the loop, or the loop has no space for it. It is a Signal, Reserve,
     * Ask, Reply or Refusal to a room, a Request to a service, or an OpenRoom. To be observed, and not to be delivered.
     * By default ignored.
     *
     * @param buffer with the command.
     * @param offset of its header.
     * @param length of the command in bytes.
     */
    default void onCommand(final DirectBuffer buffer, final int offset, final int length)
    {
    }

    /** The output so far may leave now: called after a turn's commands and timers, and after each phase group. */
    void flush();
}
