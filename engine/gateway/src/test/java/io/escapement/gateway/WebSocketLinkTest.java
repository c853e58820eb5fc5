package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Frames behind an upgrade: pings, fragments, and when they are answered. */
class WebSocketLinkTest
{
    private static final int FIN = 0x80;
    private static final int PING = 9;
    private static final int BINARY = 2;
    private static final int CONTINUATION = 0;
    private static final int RECEIVERS = 5;

    private final GatewayBench bench = new GatewayBench();
    private final EmbeddedChannel channel = upgraded(bench);

    /** A stranger's connection, without a request. */
    static EmbeddedChannel connected(final GatewayBench bench)
    {
        final EmbeddedChannel made = new EmbeddedChannel();
        final Newcomer client =
            new Newcomer(made, bench.admission, bench.addresses, bench.counters, bench.clock, null);
        assertTrue(client.count(InetAddress.getLoopbackAddress()));
        Listener.addDecoders(made.pipeline(), new WebHandler(bench.context, bench.counters, bench.sessions,
            new StaticFiles(WebSocketLinkTest.class.getClassLoader(), bench.context.files(), "test/page.html",
                Runnable::run), client));
        return made;
    }

    /** The answer to a request, as text. */
    static String answer(final EmbeddedChannel channel, final String request)
    {
        channel.writeInbound(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII));
        return new String(sent(channel), StandardCharsets.US_ASCII);
    }

    static EmbeddedChannel upgraded(final GatewayBench bench)
    {
        final EmbeddedChannel made = connected(bench);
        final String answer = answer(made, HostileBytesTest.UPGRADE);
        assertTrue(answer.startsWith("HTTP/1.1 101 "), answer);
        return made;
    }

    private static byte[] sent(final EmbeddedChannel from)
    {
        final ByteBuffer all = ByteBuffer.allocate(64 * 1_024);
        for (ByteBuf part = from.readOutbound(); null != part; part = from.readOutbound())
        {
            all.limit(all.position() + part.readableBytes());
            part.readBytes(all).release();
            all.limit(all.capacity());
        }
        return Arrays.copyOf(all.array(), all.position());
    }

    /** A masked frame, whose mask is zero. */
    private static byte[] frame(final int first, final int length)
    {
        final byte[] frame = new byte[(length < 126 ? 6 : 8) + length];
        frame[0] = (byte)first;
        frame[1] = (byte)(0x80 | Math.min(126, length));
        if (length >= 126)
        {
            frame[2] = (byte)(length >> 8);
            frame[3] = (byte)length;
        }
        return frame;
    }

    /** A frame with a whole message, whose mask is zero. */
    static ByteBuf binary(final byte[] message)
    {
        final byte[] frame = frame(FIN | BINARY, message.length);
        System.arraycopy(message, 0, frame, frame.length - message.length, message.length);
        return Unpooled.wrappedBuffer(frame);
    }

    private void receive(final byte[] frame, final int times)
    {
        final ByteBuf bytes = channel.alloc().buffer();
        for (int i = 0; i < times; i++)
        {
            bytes.writeBytes(frame);
        }
        channel.writeInbound(bytes);
    }

    @Test
    void shouldAnswerPingsWithinTheRateAndOnceATurn()
    {
        final byte[] ping = frame(FIN | PING, 3);
        ping[6] = 'a';
        receive(ping, 500);
        assertEquals(0, sent(channel).length, "nothing before the end of the turn");
        bench.turn();
        final byte[] pongs = sent(channel);
        assertEquals(120 * 5, pongs.length);
        assertArrayEquals(new byte[]{(byte)0x8A, 3, 'a', 0, 0}, Arrays.copyOf(pongs, 5));
        assertEquals(380, bench.count(GatewayCounter.RATE_LIMITED));
        assertTrue(channel.isActive());
    }

    @Test
    void shouldCloseAMessageThatIsTooLongInAllItsFragments()
    {
        receive(frame(BINARY, 768), 1);
        receive(frame(CONTINUATION, 768), 1);
        assertTrue(channel.isActive());
        receive(frame(CONTINUATION, 0), 2);
        assertTrue(channel.isActive(), "1,536 bytes are not too long");
        receive(frame(FIN | CONTINUATION, 1), 1);
        assertEquals(1, bench.count(GatewayCounter.CLOSED_TOO_BIG));
        final byte[] close = sent(channel);
        assertEquals(CloseCode.TOO_BIG.value(), (close[2] & 0xFF) << 8 | close[3] & 0xFF);
    }

    /** LeakWatch sees that it is free when the last has sent it. */
    @Test
    void shouldShareOneFrameAmongAllReceiversOfARoomsMessage()
    {
        final GatewayBench many = new GatewayBench(
            new GatewayContext(), new WebSocketMessage(PooledByteBufAllocator.DEFAULT));
        final List<EmbeddedChannel> receivers =
            Stream.generate(() -> upgraded(many)).limit(RECEIVERS).toList();
        final Broadcast broadcast = new Broadcast(many.sessions);
        many.sessions.beginTurn();
        broadcast.send(1);
        many.sessions.endTurn();
        final List<ByteBuf> frames = receivers.stream().map(EmbeddedChannel::<ByteBuf>readOutbound).toList();
        assertEquals(1, frames.stream().map(ByteBuf::memoryAddress).distinct().count(), "memory of one frame");
        for (final ByteBuf frame : frames)
        {
            assertEquals(frames.get(0), frame);
            assertTrue(frame.readableBytes() > Broadcast.STATE_LENGTH);
        }
        frames.forEach(ByteBuf::release);
        receivers.forEach(EmbeddedChannel::finishAndReleaseAll);
    }
}
