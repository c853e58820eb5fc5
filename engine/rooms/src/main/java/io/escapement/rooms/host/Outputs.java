package io.escapement.rooms.host;

import io.escapement.rooms.AwayReason;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.LeaveReason;
import org.agrona.DirectBuffer;

/**
 * Where everything goes that leaves a host. What becomes of it is never told by a return value: it comes back as a
 * command, if at all. Called on the host's thread, outside every callback of a room; buffers are valid during the call
 * alone. An implementation must not throw and must not call the host.
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
     * A player has a seat: a new one, or its own again. Of the room's messages it gets those that come after this.
     *
     * @param link       of the player.
     * @param requestId  of the join.
     * @param roomId     of the room.
     * @param seatIndex  of the seat.
     * @param generation of the seat.
     * @param playerId   of the player.
     * @param sequence   last one accepted from this seat, 0 for a new seat.
     */
    void joined(
        int link, long requestId, long roomId, int seatIndex, int generation, long playerId, long sequence);

    /**
     * A held seat is present again because its trunk was resumed.
     *
     * @param link       of the player, from now on.
     * @param roomId     of the room.
     * @param seatIndex  of the seat.
     * @param generation of the seat.
     * @param sequence   last one accepted from this seat.
     */
    void resumed(int link, long roomId, int seatIndex, int generation, long sequence);

    /**
     * A seat went away for a reason other than the loss of its link, and is held.
     *
     * @param link       that the player was reached through.
     * @param roomId     of the room.
     * @param seatIndex  of the seat.
     * @param generation of the seat.
     * @param reason     why.
     */
    void away(int link, long roomId, int seatIndex, int generation, AwayReason reason);

    /**
     * A seat was freed.
     *
     * @param link       that the player was reached through last; it is up.
     * @param roomId     of the room.
     * @param seatIndex  of the seat.
     * @param generation that the seat had.
     * @param reason     why.
     */
    void left(int link, long roomId, int seatIndex, int generation, LeaveReason reason);

    /**
     * A command of a link, or of the engine, was refused.
     *
     * @param link       that it came through, or -1.
     * @param templateId of the command.
     * @param roomId     that it was for.
     * @param reference  the request id of a join, the sequence of a message, otherwise 0.
     * @param code       why.
     */
    void refused(int link, int templateId, long roomId, long reference, int code);

    /**
     * A room was opened.
     *
     * @param roomId    of the room.
     * @param typeId    of its type.
     * @param seatLimit its number of seats.
     */
    void roomOpened(long roomId, int typeId, int seatLimit);

    /**
     * A room closed. The last that is heard of it.
     *
     * @param roomId of the room.
     * @param reason why.
     */
    void roomClosed(long roomId, CloseReason reason);

    /**
     * A room's number of taken seats changed.
     *
     * @param roomId     of the room.
     * @param seatsTaken reserved ones included.
     */
    void occupancy(long roomId, int seatsTaken);

    /**
     * A room changed one of its labels.
     *
     * @param roomId of the room.
     * @param key    of the label.
     * @param buffer with the value.
     * @param offset of the value.
     * @param length of the value in bytes; 0 removes the label.
     */
    void label(long roomId, int key, DirectBuffer buffer, int offset, int length);

    /**
     * A room wants to be told of all rooms, by DirectoryEntry commands.
     *
     * @param roomId of the subscriber.
     */
    void subscribe(long roomId);

    /**
     * A message of a room to another, to become a Signal command or, for the sender, a Refusal.
     *
     * @param fromRoomId    the sender.
     * @param correlationId of the sender.
     * @param toRoomId      the receiver.
     * @param buffer        with the message.
     * @param offset        of the message.
     * @param length        of the message in bytes.
     */
    void signal(long fromRoomId, long correlationId, long toRoomId, DirectBuffer buffer, int offset, int length);

    /**
     * A request to a service, to be answered by a Reply or a Refusal command.
     *
     * @param roomId        that asks.
     * @param correlationId of the room.
     * @param serviceId     of the service.
     * @param orderKey      requests of one key are done in order.
     * @param buffer        with the request.
     * @param offset        of the request.
     * @param length        of the request in bytes.
     */
    void async(
        long roomId, long correlationId, int serviceId, long orderKey, DirectBuffer buffer, int offset, int length);

    /**
     * A room asks for a new room, to be answered by the new room's host or by a Refusal command.
     *
     * @param roomId        that asks.
     * @param correlationId of the room.
     * @param typeId        of the new room.
     * @param buffer        with the arguments.
     * @param offset        of the arguments.
     * @param length        of the arguments in bytes.
     */
    void openRoom(long roomId, long correlationId, int typeId, DirectBuffer buffer, int offset, int length);

    /**
     * A room asks for a seat in another, to become a Reserve command there.
     *
     * @param roomId        that asks.
     * @param correlationId of the room.
     * @param inRoomId      the other room.
     * @param playerId      of the player.
     * @param ttlNs         how long the seat is to be kept.
     */
    void reserve(long roomId, long correlationId, long inRoomId, long playerId, long ttlNs);

    /**
     * The answer to an OpenRoom or a Reserve command that a room asked for, to become a Reply command there.
     *
     * @param toRoomId      the room that asked.
     * @param correlationId of that room.
     * @param status        0 for done, or a refusal code.
     * @param roomId        the room that was opened, or that has the seat.
     */
    void reply(long toRoomId, long correlationId, int status, long roomId);

    /**
     * A signal found no room, to become a Refusal command at its sender.
     *
     * @param toRoomId      the sender of the signal.
     * @param correlationId of the sender.
     * @param code          why.
     */
    void signalRefused(long toRoomId, long correlationId, int code);

    /** What was put out so far may leave now: after the commands and timers of a turn, and after each phase group. */
    void flush();
}
