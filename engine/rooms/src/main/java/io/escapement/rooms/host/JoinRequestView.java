package io.escapement.rooms.host;

import io.escapement.rooms.JoinRequest;
import io.escapement.rooms.RoomUseException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The request of the onJoinRequest that runs, one object for all rooms of a host. Its answer stays until the next
 * request.
 */
final class JoinRequestView implements JoinRequest
{
    private final ThreadGuard guard;
    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[MAX_ANSWER_LENGTH]);
    private RoomIdentity room;
    private long id;
    private long playerId;
    private long trunkId;
    private int answerLength;

    JoinRequestView(final ThreadGuard guard)
    {
        this.guard = guard;
    }

    JoinRequestView begin(final RoomIdentity inRoom, final long number, final long player, final long trunk)
    {
        room = inRoom;
        id = number;
        playerId = player;
        trunkId = trunk;
        answerLength = 0;
        return this;
    }

    void end()
    {
        room = null;
    }

    UnsafeBuffer answer()
    {
        return answer;
    }

    int answerLength()
    {
        return answerLength;
    }

    @Override
    public long id()
    {
        check();
        return id;
    }

    @Override
    public long playerId()
    {
        check();
        return playerId;
    }

    @Override
    public long trunkId()
    {
        check();
        return trunkId;
    }

    @Override
    public void answer(final DirectBuffer buffer, final int offset, final int length)
    {
        check();
        checkAnswer(length);
        answer.putBytes(0, buffer, offset, length);
        answerLength = length;
    }

    static void checkAnswer(final int length)
    {
        if (length < 0 || length > MAX_ANSWER_LENGTH)
        {
            throw new IllegalArgumentException(
                "an answer must have 0 to " + MAX_ANSWER_LENGTH + " bytes: " + length);
        }
    }

    private void check()
    {
        final RoomIdentity current = room;
        if (null == current)
        {
            throw new RoomUseException("a join request was used after its onJoinRequest: keep its id");
        }
        guard.checkActing(current);
    }
}
