package io.escapement.perf.ingress;

import io.escapement.perf.process.Parent;
import io.escapement.perf.process.ReceivedBlocks;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/** Receives what the client sends, in the server's thread, and tells the findings after the last message. */
final class Receiver
{
    /** Where the phase stands in a message, behind the sequence. */
    static final int PHASE = Long.BYTES;
    static final int WARM_UP = 0;
    static final int COUNTED = 1;
    static final int END = 2;

    private final ReceivedBlocks blocks;

    Receiver(final IngressOptions options)
    {
        blocks = new ReceivedBlocks(TimeUnit.MILLISECONDS.toNanos(options.measureMs()));
    }

    void receive(final DirectBuffer buffer, final int offset)
    {
        final int phase = buffer.getInt(offset + PHASE);
        if (END == phase)
        {
            blocks.findings().tell(Parent::tell);
            return;
        }
        if (COUNTED == phase)
        {
            blocks.record();
        }
        blocks.receive(buffer, offset);
    }
}
