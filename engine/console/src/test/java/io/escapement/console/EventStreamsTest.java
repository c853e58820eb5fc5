package io.escapement.console;

import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Streams whose readers read nothing. */
@Timeout(30)
class EventStreamsTest
{
    /** A reader that reads nothing is closed after ten seconds. */
    @Test
    void shouldEndAStreamThatIsStuck() throws Exception
    {
        final EventStreams streams = new EventStreams();
        final CountDownLatch isWriting = new CountDownLatch(1);
        final CountDownLatch isInterrupted = new CountDownLatch(1);
        final Thread reader = new Thread(() ->
        {
            try
            {
                streams.run(new OutputStream()
                {
                    @Override
                    public void write(final int value) throws IOException
                    {
                        isWriting.countDown();
                        try
                        {
                            new CountDownLatch(1).await();
                        }
                        catch (final InterruptedException ex)
                        {
                            isInterrupted.countDown();
                            throw new IOException("closed by an interrupt", ex);
                        }
                    }
                });
            }
            catch (final IOException ex)
            {
                // As of a socket.
            }
        });
        reader.start();
        Tests.await(() ->
        {
            streams.publish(new byte[1]);
            return 0 == isWriting.getCount();
        }, "a write");
        streams.endStuck(System.nanoTime() + TimeUnit.SECONDS.toNanos(9));
        assertFalse(isInterrupted.await(50, TimeUnit.MILLISECONDS), "too early");
        streams.endStuck(System.nanoTime() + TimeUnit.SECONDS.toNanos(11));
        assertTrue(isInterrupted.await(10, TimeUnit.SECONDS), "it is still stuck");
        reader.join();
    }
}
