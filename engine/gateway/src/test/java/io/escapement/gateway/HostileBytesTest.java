package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.MessageHeaderDecoder;
import io.escapement.testsupport.Tests;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Bytes of strangers, through the same decoders as those of a socket: requests, and frames behind an upgrade. Each is
 * handled, or ends its connection with a status or a code; {@link LeakWatch} fails the class when one keeps a buffer.
 * Half of the time goes into the stack traces of where buffers were made.
 */
class HostileBytesTest
{
    private static final long SEED = 2_026;
    private static final int FRAMES = Tests.isFull() ? 100_000_000 : 50_000;
    private static final int REQUESTS = Tests.isFull() ? 1_000_000 : 500;
    private static final int MAX_FRAMES_A_READ = 8;
    private static final int CONTINUATION = 0;
    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int OPCODE = 0x0F;
    private static final int FIN = 0x80;
    private static final int MASKED = 0x80;
    private static final int LENGTH_16 = 126;
    private static final int LENGTH_64 = 127;
    static final String UPGRADE = "GET /game?x=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n" +
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" +
        "Sec-WebSocket-Protocol: " + PlayerMessages.SUBPROTOCOL + "\r\n\r\n";
    private static final List<String> REQUEST_SAMPLES = List.of(UPGRADE, UPGRADE.replace("13", "8"),
        UPGRADE.replace("Host: ", "Origin: https://other.example\r\nHost: "),
        UPGRADE.replace("escapement.1", "escapement.1, escapement.resume.00112233445566778899aabbccddeeff"),
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET /health HTTP/1.0\r\n\r\n", "HEAD /ready HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody",
        "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n",
        "GET /" + "a/".repeat(3_000) + " HTTP/1.1\r\nHost: a\r\n\r\n");

    private static final Set<Integer> CODES = Stream.of(CloseCode.NORMAL, CloseCode.PROTOCOL_ERROR, CloseCode.TEXT,
        CloseCode.TOO_BIG, CloseCode.PROTOCOL_VERSION, CloseCode.MALFORMED).map(CloseCode::value)
        .collect(Collectors.toUnmodifiableSet());

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<byte[]> messages = HostilePlayerTest.samples(random);
    private final ByteBuffer frames = ByteBuffer.allocate(2 * MAX_FRAMES_A_READ * 2_048);
    private final GatewayBench bench = bench();
    private final AddressLimits addresses = new AddressLimits(1_000, 10_000, 1_000, 64, new SecureRandom());
    private final StaticFiles files =
        new StaticFiles(HostileBytesTest.class.getClassLoader(), null, "test/page.html", Runnable::run);
    /** Whether the stranger has sent a close on the present connection. */
    private boolean hasClose;

    private static GatewayBench bench()
    {
        final GatewayContext context = new GatewayContext();
        context.limits().messageRate(1_000_000).byteRate(100_000_000).logInRate(1_000_000);
        return new GatewayBench(context, new WebSocketMessage(PooledByteBufAllocator.DEFAULT));
    }

    @BeforeAll
    static void trackBuffersOnly()
    {
        LeakWatch.recordCreationOnly();
    }

    private EmbeddedChannel connect()
    {
        final EmbeddedChannel channel = new EmbeddedChannel();
        channel.config().setAllocator(PooledByteBufAllocator.DEFAULT);
        final Newcomer client =
            new Newcomer(channel, bench.admission, addresses, bench.counters, bench.context.clock(), null);
        // Time passes, so that no rate of the address is a limit.
        bench.clock.advance(TimeUnit.MILLISECONDS.toNanos(1));
        assertTrue(client.count(InetAddress.getLoopbackAddress()));
        Listener.addDecoders(channel.pipeline(),
            new WebHandler(bench.context, bench.counters, bench.sessions, files, client));
        return channel;
    }

    /** A connection whose next frame is mostly a Hello. */
    private EmbeddedChannel upgraded()
    {
        final EmbeddedChannel channel = connect();
        channel.writeInbound(buffer(UPGRADE.getBytes(StandardCharsets.US_ASCII)));
        final String answer = new String(sent(channel), StandardCharsets.US_ASCII);
        assertTrue(answer.startsWith("HTTP/1.1 101 "), answer);
        if (0 != random.nextInt(8))
        {
            final byte[] hello = messages.get(messages.size() - 1).clone();
            hello[MessageHeaderDecoder.ENCODED_LENGTH] = (byte)(0 == random.nextInt(64) ? 2 : 1);
            writeFrame(FIN | BINARY, MASKED, hello, hello.length);
        }
        return channel;
    }

    /** All that the gateway has sent since the last call. */
    private static byte[] sent(final EmbeddedChannel channel)
    {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteBuf part = channel.readOutbound(); null != part; part = channel.readOutbound())
        {
            final byte[] bytes = new byte[part.readableBytes()];
            part.readBytes(bytes).release();
            all.writeBytes(bytes);
        }
        return all.toByteArray();
    }

    @Test
    void shouldEndHostileFramesWithACloseCode() throws InterruptedException
    {
        WorkerThread.run(this::endHostileFrames);
    }

    private void endHostileFrames()
    {
        final Set<Integer> statuses = new TreeSet<>();
        EmbeddedChannel channel = upgraded();
        int connections = 1;
        for (int i = 0; i < FRAMES;)
        {
            final int count = 1 + random.nextInt(MAX_FRAMES_A_READ);
            for (int frame = 0; frame < count; frame++)
            {
                writeFrame();
            }
            i += count;
            receive(channel, written(), i);
            bench.turn();
            bench.engine.log.clear();
            final byte[] bytes = sent(channel);
            if (!channel.isActive())
            {
                final int status = statusOf(bytes, i);
                statuses.add(status);
                // A stranger's own close is echoed.
                assertTrue(CODES.contains(status) || hasClose, () -> "seed " + SEED + ": status " + status);
            }
            if (!channel.isActive() || 0 == random.nextInt(64))
            {
                channel.finishAndReleaseAll();
                hasClose = false;
                channel = upgraded();
                connections++;
            }
        }
        channel.finishAndReleaseAll();
        bench.turns(10);
        final int least = FRAMES / 100;
        assertTrue(connections > least, () -> "seed " + SEED + ": most were ignored");
        assertTrue(statuses.containsAll(CODES), () -> "not all reasons: " + statuses);
        assertEquals(0, bench.sessions.connections().size());
    }

    /** Deliver bytes in one piece or in two, as a socket would. */
    private void receive(final EmbeddedChannel channel, final byte[] bytes, final int round)
    {
        final int split = 0 == random.nextInt(4) ? random.nextInt(bytes.length + 1) : bytes.length;
        try
        {
            channel.writeInbound(buffer(Arrays.copyOf(bytes, split)));
            if (split < bytes.length && channel.isActive())
            {
                channel.writeInbound(buffer(Arrays.copyOfRange(bytes, split, bytes.length)));
            }
            channel.runPendingTasks();
            // A connection that was closed waits for the stranger's close.
            channel.advanceTimeBy(3, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
        }
        catch (final RuntimeException | AssertionError ex)
        {
            throw new AssertionError("seed " + SEED + ", round " + round, ex);
        }
        assertEquals(List.of(), bench.errors, () -> "seed " + SEED + ", round " + round);
    }

    /** A buffer that the leak detector watches. */
    private static ByteBuf buffer(final byte[] bytes)
    {
        return PooledByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
    }

    /** The frames written since the last call. */
    private byte[] written()
    {
        final byte[] bytes = Arrays.copyOf(frames.array(), frames.position());
        frames.clear();
        return bytes;
    }

    /** The status of the close that ends what was sent, or 0 for a close without one. */
    private static int statusOf(final byte[] sent, final int round)
    {
        final int end = sent.length;
        if (end >= 2 && (byte)(FIN | CLOSE) == sent[end - 2] && 0 == sent[end - 1])
        {
            return 0;
        }
        assertTrue(end >= 4 && (byte)(FIN | CLOSE) == sent[end - 4] && 2 == sent[end - 3],
            () -> "seed " + SEED + ", round " + round + ": closed without a close");
        return (sent[end - 2] & 0xFF) << 8 | sent[end - 1] & 0xFF;
    }

    /** Mostly a valid frame with a valid message, so that those behind it are read too. */
    private void writeFrame()
    {
        final byte[] payload = payload();
        final int kind = random.nextInt(100);
        int first = FIN | BINARY;
        int maskBit = MASKED;
        if (kind == 0)
        {
            first = random.nextInt(256);
        }
        else if (kind == 1)
        {
            maskBit = 0;
        }
        else if (kind == 2)
        {
            first = FIN | TEXT + random.nextInt(2) * (CLOSE - TEXT);
        }
        else if (kind < 6)
        {
            // A ping or a pong, which has at most 125 bytes.
            first = FIN | CLOSE + 1 + random.nextInt(2);
        }
        else if (kind < 9)
        {
            writeFrame(BINARY, MASKED, payload, payload.length);
            first = FIN | CONTINUATION;
        }
        final int length = 9 == kind ? wrongLength() : payload.length;
        writeFrame(first, maskBit, payload, length);
    }

    private int wrongLength()
    {
        return switch (random.nextInt(4))
        {
            case 0 -> random.nextInt();
            case 1 -> Integer.MAX_VALUE;
            case 2 -> PlayerMessages.MAX_REQUEST_LENGTH + 1;
            default -> random.nextInt(256);
        };
    }

    /** A message, seldom a mutated one, noise or none. */
    private byte[] payload()
    {
        final int kind = random.nextInt(100);
        if (kind < 2)
        {
            final byte[] noise = new byte[random.nextInt(0 == kind ? 8 : 1_200)];
            random.nextBytes(noise);
            return noise;
        }
        final byte[] message = messages.get(random.nextInt(messages.size())).clone();
        if (kind == 2)
        {
            message[random.nextInt(message.length)] = (byte)random.nextInt();
        }
        return message;
    }

    /** A negative length is written as one of 64 bits. */
    private void writeFrame(final int first, final int maskBit, final byte[] payload, final int length)
    {
        hasClose |= CLOSE == (first & OPCODE);
        frames.put((byte)first);
        if (length < 0 || length > 0xFFFF)
        {
            frames.put((byte)(maskBit | LENGTH_64)).putLong((long)length << random.nextInt(33));
        }
        else if (length >= LENGTH_16 || 0 == random.nextInt(200))
        {
            // Now and then longer than needed, which the protocol forbids.
            frames.put((byte)(maskBit | LENGTH_16)).putShort((short)length);
        }
        else
        {
            frames.put((byte)(maskBit | length));
        }
        final int mask = 0 == maskBit ? 0 : random.nextInt();
        if (0 != maskBit)
        {
            frames.putInt(mask);
        }
        for (int i = 0; i < payload.length; i++)
        {
            frames.put((byte)(payload[i] ^ mask >>> (3 - i % 4) * 8));
        }
    }

    @Test
    void shouldAnswerHostileRequestsWithAStatus()
    {
        final Set<String> statuses = new TreeSet<>();
        int silent = 0;
        for (int i = 0; i < REQUESTS; i++)
        {
            final EmbeddedChannel channel = connect();
            receive(channel, request(), i);
            final String answer = new String(sent(channel), StandardCharsets.US_ASCII);
            if (answer.startsWith("HTTP/1.1 "))
            {
                statuses.add(answer.substring(9, 12));
            }
            else
            {
                silent++;
                final int round = i;
                assertEquals("", answer, () -> "seed " + SEED + ", round " + round);
                // More of it may come until the deadline.
                assertTrue(channel.isActive(), () -> "seed " + SEED + ", round " + round + ": closed in silence");
            }
            channel.finishAndReleaseAll();
        }
        assertTrue(silent < REQUESTS / 2, "most were not read to their end");
        assertEquals(Set.of("100", "101", "200", "400", "403", "404", "405", "413", "417", "421", "426"), statuses);
        assertFalse(bench.sessions.connections().isBlocked());
    }

    private byte[] request()
    {
        final byte[] bytes = REQUEST_SAMPLES.get(random.nextInt(REQUEST_SAMPLES.size()))
            .getBytes(StandardCharsets.US_ASCII);
        if (0 == random.nextInt(32))
        {
            random.nextBytes(bytes);
        }
        for (int flips = random.nextInt(4); flips > 0; flips--)
        {
            bytes[random.nextInt(Math.min(200, bytes.length))] = (byte)random.nextInt(128);
        }
        return bytes;
    }
}
