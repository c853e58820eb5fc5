package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.durable.CommitLog;
import io.escapement.engine.internal.durable.ProposalHandler;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Commits each message at once and keeps none, without allocating. */
final class QuietLog implements CommitLog
{
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64 * 1_024]);
    private int messageLength;
    private long proposed;

    @Override
    public long propose(final DirectBuffer buffer, final int offset, final int length)
    {
        message.putBytes(0, buffer, offset, length);
        messageLength = length;
        return ++proposed;
    }

    @Override
    public int poll(final ProposalHandler handler, final int limit)
    {
        if (0 == messageLength)
        {
            return 0;
        }
        final int length = messageLength;
        messageLength = 0;
        handler.onProposal(proposed, message, 0, length);
        return 1;
    }

    @Override
    public int maxProposalLength()
    {
        return message.capacity();
    }

    @Override
    public int underWay()
    {
        return 0 == messageLength ? 0 : 1;
    }

    @Override
    public long proposedPosition()
    {
        return proposed;
    }

    @Override
    public long committedPosition()
    {
        return proposed;
    }

    @Override
    public Throwable failure()
    {
        return null;
    }

    @Override
    public void close()
    {
    }
}
