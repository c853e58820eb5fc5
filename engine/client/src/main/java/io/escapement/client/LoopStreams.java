package io.escapement.client;

import io.escapement.codecs.TrunkMessages;
import org.agrona.CloseHelper;

/** The loop streams of a trunk. Each is opened when a seat on its loop is first requested. */
final class LoopStreams implements AutoCloseable
{
    private final TrunkContext context;
    private final EgressAdapter egress;
    private final long timeoutNs;
    private LoopStream[] streams = {};
    private Session session;

    LoopStreams(final TrunkContext context, final EgressAdapter egress)
    {
        this.context = context;
        this.egress = egress;
        timeoutNs = context.connectTimeoutNs();
    }

    /** The trunk is up. A resumed one opens every stream, because its seats may be on any loop. */
    void onUp(final Session value)
    {
        session = value;
        streams = new LoopStream[session.loops()];
        for (int i = 0; session.isResumed() && i < streams.length; i++)
        {
            attached(i);
        }
    }

    int poll()
    {
        int work = 0;
        for (final LoopStream stream : streams)
        {
            if (null != stream)
            {
                work += stream.poll();
            }
        }
        return work;
    }

    void advance(final long nowNs)
    {
        for (int i = 0; i < streams.length; i++)
        {
            if (null == streams[i])
            {
                continue;
            }
            if (streams[i].isLost(nowNs, timeoutNs))
            {
                // The trunk outlives one of its streams. The engine returns the seats of the loop when it is attached.
                streams[i].close();
                streams[i] = open(i);
                egress.onLoopLost(i);
            }
            streams[i].advance(nowNs, session.trunkId(), session.attachToken());
        }
    }

    /** Whether the engine has that loop. */
    boolean has(final int loop)
    {
        return loop < streams.length;
    }

    /** The stream of a loop if it is attached, otherwise null. A stream that does not exist yet is opened. */
    LoopStream attached(final int loop)
    {
        if (loop >= streams.length)
        {
            return null;
        }
        final LoopStream stream = streams[loop];
        if (null == stream)
        {
            streams[loop] = open(loop);
            return null;
        }
        return stream.isAttached() ? stream : null;
    }

    private LoopStream open(final int loop)
    {
        return new LoopStream(context.connections().open(TrunkMessages.loopStreamId(loop), egress),
            session.maxBatchEntries(), egress.isAcceptedWanted(), context.clock().nanoTime());
    }

    /** Return whether that stream exists. */
    boolean onAttached(final int loop)
    {
        if (loop >= streams.length || null == streams[loop])
        {
            return false;
        }
        streams[loop].onAttached();
        return true;
    }

    /** Offer every batch, and return whether nothing is left that could be sent. */
    boolean flush()
    {
        boolean isAll = true;
        for (final LoopStream stream : streams)
        {
            isAll &= null == stream || stream.flush();
        }
        return isAll;
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(streams);
    }
}
