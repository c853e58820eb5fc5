package io.escapement.rooms.output;

import org.agrona.DirectBuffer;

/**
 * Takes everything that leaves a host. {@link #message} carries the rooms' own messages; all other output is control
 * output, encoded once by the host as the SBE message that its receiver will decode.
 *
 * <p>A host with a loop state keeps what goes to rooms and services, and OpenRooms, until they have an answer: they are
 * sent from the loop state, and here are to be observed, not delivered.
 *
 * <p>Delivery has no return value: its result comes back as a command, if at all. Called on the host's thread, outside
 * every callback of a room; buffers are valid during the call only. An implementation must not throw and must not call
 * the host.
 */
public interface Outputs
{
    /** Class of a message: in order and complete. */
    int EVENT = 1;

    /** Class of a message: may be dropped, whole. */
    int STATE = 2;

    /** Audience: every seat of the room on this link; the selector is unused. */
    int ALL = 0;

    /** Audience: every seat of the room on this link but one; the selector is the index of that seat. */
    int ALL_EXCEPT = 1;

    /** Audience: seats of a room of up to 64; bit n of the selector stands for the seat of index n. */
    int MASK = 2;

    /** Audience: one seat; the selector is its index in the low 32 bits and its generation in the high. */
    int ONE = 3;

    /** Link of a refused command that came through no link. Its refusal counts as output, but has no receiver. */
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
     * The message of the call before, unchanged, for seats on another link. By default {@link #message}.
     *
     * @param link        that the message leaves through.
     * @param roomId      of the sending room.
     * @param outputClass {@link #EVENT} or {@link #STATE}.
     * @param audience    {@link #ALL}, {@link #ALL_EXCEPT} or {@link #MASK}.
     * @param selector    as the audience needs it.
     * @param buffer      with the message.
     * @param offset      of the message.
     * @param length      of the message in bytes.
     */
    default void again(
        final int link,
        final long roomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        message(link, roomId, outputClass, audience, selector, buffer, offset, length);
    }

    /**
     * Control output to a trunk: Joined, SeatResumed, SeatAway, Left or Refused of {@code trunk.xml}.
     *
     * @param link   of the trunk; of a refusal also {@link #NO_LINK}, or a link that is not up.
     * @param buffer with the message.
     * @param offset of its header.
     * @param length of the message in bytes.
     */
    void toLink(int link, DirectBuffer buffer, int offset, int length);

    /**
     * A command to a room of this host or another: Signal, Reserve, Ask, Reply or Refusal of {@code room.xml}; or to
     * one of this host a DirectoryEntry with a RESET, when it subscribes again. If a Signal, a Reserve or an Ask cannot
     * be delivered, its sender gets a Refusal.
     *
     * @param roomId of the receiver; 0 for the embedding program, which gets the answers to its questions.
     * @param buffer with the command.
     * @param offset of its header.
     * @param length of the command in bytes.
     */
    void toRoom(long roomId, DirectBuffer buffer, int offset, int length);

    /**
     * A command of {@code room.xml} to the edge: an OpenRoom whose room id and seed the edge fills in, a Subscribe to
     * the directory, or a DirectoryEntry without a subscriber that updates the directory.
     *
     * @param buffer with the command.
     * @param offset of its header.
     * @param length of the command in bytes.
     */
    void toEdge(DirectBuffer buffer, int offset, int length);

    /**
     * A Request of {@code room.xml} to a service, to be answered by a Reply or a Refusal command.
     *
     * @param serviceId of the service.
     * @param orderKey  requests of one key are handled in order.
     * @param buffer    with the request.
     * @param offset    of its header.
     * @param length    of the request in bytes.
     */
    void toService(int serviceId, long orderKey, DirectBuffer buffer, int offset, int length);

    /** The output so far may leave now: called after a turn's commands and timers, and after each phase group. */
    void flush();
}
