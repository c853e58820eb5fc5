package io.escapement.rooms.host;

import io.escapement.rooms.JoinRequest;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The answers of the decisions of one callback and of the callbacks that follow it, for one room at a time. */
final class JoinAnswers
{
    private UnsafeBuffer buffer = new UnsafeBuffer(new byte[0]);
    private int length;

    /** Have space for as many answers as a room can decide on in one step. */
    void ensure(final int answers)
    {
        if (buffer.capacity() < answers * JoinRequest.MAX_ANSWER_LENGTH)
        {
            buffer = new UnsafeBuffer(new byte[answers * JoinRequest.MAX_ANSWER_LENGTH]);
        }
    }

    UnsafeBuffer buffer()
    {
        return buffer;
    }

    void reset()
    {
        length = 0;
    }

    int put(final DirectBuffer answer, final int offset, final int answerLength)
    {
        final int at = length;
        buffer.putBytes(at, answer, offset, answerLength);
        length += answerLength;
        return at;
    }
}
