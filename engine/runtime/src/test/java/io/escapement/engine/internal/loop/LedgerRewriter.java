package io.escapement.engine.internal.loop;

import io.escapement.rooms.proposal.ProposalReader;
import io.escapement.rooms.proposal.ProposalWriter;
import org.agrona.concurrent.UnsafeBuffer;

/** Forges proposals, with a checksum that is right. */
final class LedgerRewriter
{
    private final ProposalReader reader = new ProposalReader();
    private final ProposalWriter[] writers = {new ProposalWriter(0), new ProposalWriter(1)};

    /** The proposal without a hash, and with another incarnation and number unless those are 0. */
    byte[] rewritten(final int loop, final byte[] message, final int incarnation, final long number)
    {
        final ProposalWriter writer = writers[loop];
        writer.clear();
        reader.wrap(new UnsafeBuffer(message), 0, message.length);
        for (int i = 0; reader.nextCommand(); i++)
        {
            if (i < reader.returns() && 0 == number)
            {
                writer.addReturn(reader.buffer(), reader.commandOffset(), reader.commandLength());
            }
            else
            {
                writer.add(reader.buffer(), reader.commandOffset(), reader.commandLength());
            }
        }
        final int length = writer.finish(0 == incarnation ? reader.incarnation() : incarnation,
            0 == number ? reader.number() : number, reader.nowNs(), 0, 0);
        final byte[] bytes = new byte[length];
        writer.buffer().getBytes(0, bytes);
        return bytes;
    }
}
