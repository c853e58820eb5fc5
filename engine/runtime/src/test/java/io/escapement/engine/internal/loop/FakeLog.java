package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.durable.CommitLog;
import io.escapement.engine.internal.durable.ProposalHandler;
import io.escapement.rooms.log.LogSource;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A log in memory that commits when it is asked to, refuses and fails on request. */
final class FakeLog implements CommitLog
{
    final List<byte[]> messages = new ArrayList<>();
    boolean isCommitting = true;
    int room = Integer.MAX_VALUE;
    int refused;
    private RuntimeException failure;
    private int committed;
    private int polled;

    static FakeLog recorded()
    {
        return new FakeLog();
    }

    static FakeLog synced()
    {
        final FakeLog log = new FakeLog();
        log.isCommitting = false;
        return log;
    }

    /** Another incarnation on what survived of a log. */
    static FakeLog after(final FakeLog log, final int survivors)
    {
        final FakeLog next = new FakeLog();
        next.messages.addAll(log.messages.subList(0, survivors));
        next.committed = survivors;
        next.polled = survivors;
        return next;
    }

    /** Commit the oldest messages that are not committed. */
    void commit(final int count)
    {
        committed = Math.min(messages.size(), committed + count);
    }

    void fail()
    {
        failure = new IllegalStateException("planted");
    }

    /** Pass on nothing of what is committed now. */
    void skipPolled()
    {
        polled = committed;
    }

    int committed()
    {
        return committed;
    }

    /** Number of messages that were passed on. */
    int polled()
    {
        return polled;
    }

    /** All messages, as a recovery reads them. */
    LogSource source()
    {
        return source(0);
    }

    /** The messages after a position, as a recovery reads them. */
    LogSource source(final int from)
    {
        return new MessageSource(messages, from);
    }

    @Override
    public long propose(final DirectBuffer buffer, final int offset, final int length)
    {
        if (null != failure)
        {
            return FAILED;
        }
        if (underWay() >= room)
        {
            refused++;
            return BACK_PRESSURED;
        }
        final byte[] message = new byte[length];
        buffer.getBytes(offset, message);
        messages.add(message);
        committed = isCommitting ? messages.size() : committed;
        return messages.size();
    }

    @Override
    public int poll(final ProposalHandler handler, final int limit)
    {
        int count = 0;
        while (count < limit && polled < committed)
        {
            final byte[] message = messages.get(polled++);
            handler.onProposal(polled, new UnsafeBuffer(message), 0, message.length);
            count++;
        }
        return count;
    }

    @Override
    public int maxProposalLength()
    {
        return 1024 * 1024 - 16;
    }

    @Override
    public int underWay()
    {
        return messages.size() - polled;
    }

    @Override
    public long proposedPosition()
    {
        return messages.size();
    }

    @Override
    public long committedPosition()
    {
        return committed;
    }

    @Override
    public Throwable failure()
    {
        return failure;
    }

    @Override
    public void close()
    {
        // Nothing is open.
    }
}
