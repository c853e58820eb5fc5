package io.escapement.rooms.host;

import io.escapement.rooms.internal.loop.LoopLedger;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.output.Outputs;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

class HostOutputTest
{
    private static final int LENGTH = 16;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);

    @Test
    void shouldHashEachLinkOfAMessageAndItsBytesOnce()
    {
        final long twoLinks = hash(1, 2);
        assertEquals(twoLinks, hash(1, 2));
        assertNotEquals(twoLinks, hash(1, 3));
        assertNotEquals(twoLinks, hash(2, 1));
        assertNotEquals(twoLinks, hash(1));
        assertNotEquals(twoLinks, hash(1, 2, 3));
        message.putByte(LENGTH - 1, (byte)1);
        assertNotEquals(twoLinks, hash(1, 2));
    }

    private long hash(final int... links)
    {
        final HostOutput outputs = new HostOutput(
            new CapturedOutputs(), new LoopLedger(LoopLimits.NOTHING), new RefusalCounts(HostListener.NONE), true);
        outputs.message(links[0], 1, Outputs.STATE, Outputs.ALL, 0, message, 0, LENGTH);
        for (int i = 1; i < links.length; i++)
        {
            outputs.again(links[i], 1, Outputs.STATE, Outputs.ALL, 0, message, 0, LENGTH);
        }
        return outputs.hash();
    }
}
