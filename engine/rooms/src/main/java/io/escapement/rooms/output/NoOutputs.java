package io.escapement.rooms.output;

import org.agrona.DirectBuffer;

/** Discards all output, as in a replay, which compares hashes. Override the methods of the output to keep. */
public class NoOutputs implements Outputs
{
    /** A host with this instance only hashes its output. */
    public static final Outputs NONE = new NoOutputs();

    @Override
    public void message(
        final int link,
        final long roomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
    }

    @Override
    public void toLink(final int link, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    @Override
    public void toEdge(final DirectBuffer buffer, final int offset, final int length)
    {
    }

    @Override
    public void toApplication(final DirectBuffer buffer, final int offset, final int length)
    {
    }

    @Override
    public void flush()
    {
    }
}
