package io.escapement.console;

import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Streams whose readers read nothing. */
@RealTime("streams that are stuck, and the order of writes in time")
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
                streams.run(streams.enter(), new OutputStream()
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

    /** Many pages that all wrote in the same moment would hold the players up. */
    @Test
    void shouldWriteOneStreamAfterAnother() throws Exception
    {
        final EventStreams streams = new EventStreams();
        final int later = 8;
        IntStream.range(0, later).forEach((i) -> assertEquals(i, streams.enter()));
        final CompletableFuture<Long> first = writtenNs(streams, 0);
        final CompletableFuture<Long> last = writtenNs(streams, streams.enter());
        final long publishedNs = System.nanoTime();
        streams.publish(new byte[1]);
        assertTrue(last.get() - publishedNs >= later * EventStreams.APART_NS, "too early");
        assertTrue(first.get() - last.get() < 0, "the first one wrote last");
        streams.leave(1);
        assertEquals(1, streams.enter());
        streams.close();
        assertEquals(EventStreams.LIMIT, streams.enter());
    }

    /** When a stream writes its first event. It waits for one on return. */
    private static CompletableFuture<Long> writtenNs(final EventStreams streams, final int place)
    {
        final CompletableFuture<Long> writtenNs = new CompletableFuture<>();
        final Thread thread = new Thread(() ->
        {
            try
            {
                streams.run(place, new OutputStream()
                {
                    @Override
                    public void write(final int value)
                    {
                        writtenNs.complete(System.nanoTime());
                    }
                });
            }
            catch (final IOException ex)
            {
                writtenNs.completeExceptionally(ex);
            }
        });
        thread.setDaemon(true);
        thread.start();
        Tests.await(() -> Thread.State.WAITING == thread.getState(), "the stream to wait");
        return writtenNs;
    }
}
