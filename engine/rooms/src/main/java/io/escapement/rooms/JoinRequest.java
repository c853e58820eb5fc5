package io.escapement.rooms;

import io.escapement.codecs.RoomCommands;
import org.agrona.DirectBuffer;

/**
 * A new player's request for a seat. It can be used inside
 * {@link RoomLogic#onJoinRequest(JoinRequest, DirectBuffer, int, int)} only. A later call throws
 * {@link RoomUseException}.
 */
public interface JoinRequest
{
    /** Longest {@link #answer}, in bytes. */
    int MAX_ANSWER_LENGTH = RoomCommands.MAX_JOIN_ANSWER_LENGTH;

    /**
     * Number of the request, counted from 1 in each room of a type with {@link RoomType#joinRequests(int)}. Keep it to
     * decide {@link RoomLogic#LATER}. {@link Room#NO_JOIN} in other rooms.
     */
    long id();

    /** The player, authenticated by the trunk or a token. */
    long playerId();

    /** Id of the trunk of the request. {@link Seat#trunkId()} of the seat will be the same. */
    long trunkId();

    /**
     * Give the player bytes with its seat, if this request is accepted at once. A decision that is made later has its
     * own, {@link Room#admit(long, DirectBuffer, int, int)}. The last call counts.
     *
     * @param buffer with the answer.
     * @param offset of the answer.
     * @param length of the answer in bytes, up to {@link #MAX_ANSWER_LENGTH}.
     */
    void answer(DirectBuffer buffer, int offset, int length);
}
