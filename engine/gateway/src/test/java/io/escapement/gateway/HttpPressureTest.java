package io.escapement.gateway;

import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Strangers who ask for pages without end, over sockets of this machine. */
@RealTime("the patience of a listener")
class HttpPressureTest
{
    private static final int PAGE_LENGTH = 64 * 1_024;
    private static final int REQUEST_LIMIT = 100;
    /** Pages that the buffers of both sockets hold, and one that waits. */
    private static final int PAGES_UNREAD = 8;
    private static final String REQUEST = "GET /big.js HTTP/1.1\r\nHost: a\r\n\r\n";

    /** Has one long page. */
    private static final class Pages extends ClassLoader
    {
        @Override
        public InputStream getResourceAsStream(final String name)
        {
            return name.endsWith("/big.js") ? new ByteArrayInputStream(new byte[PAGE_LENGTH]) : null;
        }
    }

    private final ByteBuffer input = ByteBuffer.allocate(16 * 1_024);
    private final StringBuilder heads = new StringBuilder();
    private ListenerBench bench;
    private SocketChannel client;
    private long read;

    private void connect(final long handshakeNs) throws IOException
    {
        final GatewayContext context = new GatewayContext();
        context.limits().handshakeNs(handshakeNs);
        bench = new ListenerBench(context, new Pages(), "big.js");
        client = SocketChannel.open();
        client.setOption(StandardSocketOptions.SO_RCVBUF, 4 * 1_024);
        client.connect(new InetSocketAddress("127.0.0.1", bench.port));
        client.configureBlocking(false);
    }

    @AfterEach
    void close() throws IOException
    {
        client.close();
        bench.close();
    }

    private void request(final int count) throws IOException
    {
        final ByteBuffer requests = ByteBuffer.wrap(REQUEST.repeat(count).getBytes(StandardCharsets.US_ASCII));
        client.write(requests);
        assertEquals(0, requests.remaining(), "the socket's buffer takes all");
    }

    /** Read what is there; false at the end. */
    private boolean read()
    {
        try
        {
            input.clear();
            final int length = client.read(input);
            read += Math.max(0, length);
            for (int i = 0; i < length; i++)
            {
                if (0 != input.get(i))
                {
                    heads.append((char)input.get(i));
                }
            }
            return length >= 0;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    private static int count(final CharSequence text, final String part)
    {
        return (text.length() - text.toString().replace(part, "").length()) / part.length();
    }

    @Test
    void shouldQueueOneAnswerForAClientThatReadsNothing() throws IOException
    {
        connect(TimeUnit.MILLISECONDS.toNanos(50));
        request(2 * REQUEST_LIMIT);
        Tests.await(() ->
        {
            bench.listener.poll();
            return 1 == bench.counters.get(GatewayCounter.CLOSED_HANDSHAKE_TIMEOUT);
        }, "the end of its patience");
        final long answers = bench.counters.get(GatewayCounter.REQUESTS);
        assertTrue(answers >= 1 && answers <= PAGES_UNREAD, () -> answers + " answers for a client that reads nothing");
    }

    @Test
    void shouldAnswerRequestsOfOnePacketInTurnAndALimitedNumber() throws IOException
    {
        connect(TimeUnit.SECONDS.toNanos(5));
        request(REQUEST_LIMIT);
        Tests.await(() ->
        {
            bench.listener.poll();
            return !read();
        }, "the end");
        assertEquals(REQUEST_LIMIT, count(heads, "HTTP/1.1 200 "));
        assertEquals(1, count(heads, "connection: close"), "the last answer says so");
        assertEquals((long)REQUEST_LIMIT * PAGE_LENGTH, read - heads.length(), "each is whole");
        assertEquals(REQUEST_LIMIT, bench.counters.get(GatewayCounter.REQUESTS));
    }

    @Test
    void shouldCloseAConnectionThatAsksForTooLong() throws IOException
    {
        connect(TimeUnit.MILLISECONDS.toNanos(50));
        final long startNs = System.nanoTime();
        final long[] requestDueNs = {startNs};
        Tests.await(() ->
        {
            bench.listener.poll();
            if (System.nanoTime() - requestDueNs[0] > 0)
            {
                requestDueNs[0] = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10);
                try
                {
                    client.write(ByteBuffer.wrap(REQUEST.getBytes(StandardCharsets.US_ASCII)));
                }
                catch (final IOException ex)
                {
                    return true;
                }
            }
            return !read();
        }, "the end");
        assertEquals(1, bench.counters.get(GatewayCounter.CLOSED_HANDSHAKE_TIMEOUT));
        assertTrue(System.nanoTime() - startNs > TimeUnit.MILLISECONDS.toNanos(500), "each restarts its wait");
    }
}
