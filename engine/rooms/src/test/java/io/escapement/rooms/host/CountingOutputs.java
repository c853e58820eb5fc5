package io.escapement.rooms.host;

import io.escapement.rooms.output.Outputs;
import org.agrona.DirectBuffer;

/** Counts the output of a host, and keeps none of it. */
class CountingOutputs implements Outputs
{
    long messages;
    long others;

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
        messages++;
    }

    @Override
    public void toLink(final int link, final DirectBuffer buffer, final int offset, final int length)
    {
        others++;
    }

    @Override
    public void onCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        others++;
    }

    @Override
    public void toEdge(final DirectBuffer buffer, final int offset, final int length)
    {
        others++;
    }

    @Override
    public void toProgram(final DirectBuffer buffer, final int offset, final int length)
    {
        others++;
    }

    @Override
    public void flush()
    {
        others++;
    }
}
