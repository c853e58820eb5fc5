package io.escapement.perf.loop;

import io.escapement.perf.rig.MessageCounter;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class RingBenchmarkTest
{
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MessageCounter.MESSAGE_LENGTH]);
    private final MessageCounter counter = new MessageCounter();

    @Test
    void shouldFailIfAMessageIsLostOrChanged()
    {
        long sum = MessageCounter.write(message, 7);
        counter.receive(message, 0);
        sum += MessageCounter.write(message, 8);
        assertEquals("1 of 2 messages were lost", failure(2, sum));
        message.putByte(MessageCounter.MESSAGE_LENGTH - 1, (byte)1);
        counter.receive(message, 0);
        assertEquals("messages sent and received have other checksums", failure(2, sum));
    }

    private String failure(final long sent, final long sum)
    {
        return assertThrows(IllegalStateException.class, () -> RingBenchmark.check(sent, sum, counter)).getMessage();
    }
}
