package io.escapement.perf.ingress;

import io.escapement.perf.process.Parent;
import io.escapement.perf.process.ReceivedBlocks;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/**
 * Receives what the client sends, in the server's thread, and tells the findings after the last message. The last phase
 * counts.
 */
final class Receiver
{
    /** Where the phase stands in a message, behind the sequence. */
    static final int PHASE = Long.BYTES;
    static final int END = -1;

    private final ReceivedBlocks blocks;
    private int phase;

    Receiver(final IngressOptions options)
    {
        blocks = new ReceivedBlocks(TimeUnit.MILLISECONDS.toNanos(options.measureMs()));
    }

    void receive(final DirectBuffer buffer, final int offset)
    {
        final int told = buffer.getInt(offset + PHASE);
        if (told != phase)
        {
            phase = told;
            if (END == told)
            {
                blocks.findings().tell(Parent::tell);
                return;
            }
            blocks.record();
        }
        blocks.receive(buffer, offset);
    }
}
