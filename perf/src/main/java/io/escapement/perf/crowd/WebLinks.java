package io.escapement.perf.crowd;

import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.player.EventDecoder;
import io.escapement.codecs.player.JoinDecoder;
import io.escapement.codecs.player.JoinedDecoder;
import io.escapement.codecs.player.LoggedInDecoder;
import io.escapement.codecs.player.MessageHeaderDecoder;
import io.escapement.codecs.player.PlayerEncoder;
import io.escapement.codecs.player.RefusedDecoder;
import io.escapement.codecs.player.StateDecoder;
import io.escapement.codecs.player.WelcomeDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshaker13;
import io.netty.handler.codec.http.websocketx.WebSocketFrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SSLException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/** All WebSockets to a gateway, one per player. */
final class WebLinks extends SocketLinks
{
    private static final int QUEUE = 4 * 1024;
    private static final int MESSAGE_LENGTH = 1024;
    private static final byte[] NO_BYTES = {};
    private static final byte[] TOKEN = new byte[PlayerMessages.RESUME_TOKEN_LENGTH];

    private static final int BINARY = 0x82;
    private static final int PING = 0x89;
    private static final int CLOSE = 0x88;
    private static final int LENGTH_16 = 126;

    private final URI uri;
    /** Null without TLS. */
    private final SslContext tls;
    private final PlayerEncoder encoder = new PlayerEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final UnsafeBuffer received = new UnsafeBuffer();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
    /** The message, which Netty copies when it masks it. */
    private final ByteBuf content = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(message.byteArray()));

    WebLinks(final CrowdPlan plan, final CrowdBots bots)
    {
        super(plan, bots, new InetSocketAddress(InetAddress.getLoopbackAddress(), plan.gatewayPort()), 0, QUEUE);
        tls = plan.isTls() ? tls() : null;
        uri = URI.create("ws://127.0.0.1:" + plan.gatewayPort() + "/");
    }

    @Override
    Trunk trunk(final int number, final ChannelPipeline pipeline)
    {
        if (null != tls)
        {
            pipeline.addLast(tls.newHandler(pipeline.channel().alloc()));
        }
        final WebTrunk trunk = new WebTrunk(number, pipeline.channel());
        pipeline.addLast(new HttpClientCodec(), new HttpObjectAggregator(MESSAGE_LENGTH), new Upgrade(uri, trunk));
        return trunk;
    }

    /** It trusts every certificate: the server is this run's own. */
    private static SslContext tls()
    {
        try
        {
            return SslContextBuilder.forClient().trustManager(InsecureTrustManagerFactory.INSTANCE)
                .endpointIdentificationAlgorithm(null).protocols("TLSv1.3").build();
        }
        catch (final SSLException ex)
        {
            throw new IllegalStateException("no TLS: " + ex.getMessage(), ex);
        }
    }

    /** The handshake, after which the trunk takes the frames. */
    private static final class Upgrade extends SimpleChannelInboundHandler<FullHttpResponse>
    {
        private final WebTrunk trunk;
        private final WebSocketClientHandshaker handshaker;

        Upgrade(final URI uri, final WebTrunk trunk)
        {
            this.trunk = trunk;
            handshaker = new WebSocketClientHandshaker13(
                uri, WebSocketVersion.V13, PlayerMessages.SUBPROTOCOL, false, null, MESSAGE_LENGTH)
            {
                @Override
                protected WebSocketFrameDecoder newWebsocketDecoder()
                {
                    return trunk;
                }
            };
        }

        @Override
        public void channelActive(final ChannelHandlerContext opened)
        {
            handshaker.handshake(opened.channel());
        }

        @Override
        protected void channelRead0(final ChannelHandlerContext from, final FullHttpResponse response)
        {
            handshaker.finishHandshake(from.channel(), response);
            from.pipeline().remove(this);
            trunk.greet();
        }
    }

    /** A player's WebSocket. */
    private final class WebTrunk extends ByteToMessageDecoder implements Trunk, WebSocketFrameDecoder
    {
        private final int number;
        private final Channel channel;
        private Bot bot;
        private boolean isUnsent;
        private long nowNs;

        WebTrunk(final int number, final Channel channel)
        {
            this.number = number;
            this.channel = channel;
        }

        void greet()
        {
            sendNow(encoder.hello(message, 0, PlayerMessages.PROTOCOL_VERSION, 0, plan.flushMs, TOKEN));
        }

        /** All whole frames of a read in one pass, for which the clock is read once. No frame is passed on. */
        @Override
        protected void decode(final ChannelHandlerContext from, final ByteBuf in, final List<Object> out)
        {
            nowNs = System.nanoTime();
            wrap(received, in);
            int offset = 0;
            int end = frameEnd(0);
            while (end <= received.capacity())
            {
                onFrame(offset, end);
                offset = end;
                end = frameEnd(offset);
            }
            in.skipBytes(offset);
        }

        /** The end of the frame at an offset, beyond the received bytes if the frame is incomplete. */
        private int frameEnd(final int offset)
        {
            final int available = received.capacity() - offset;
            final int shortLength = available < 2 ? 0 : received.getByte(offset + 1);
            if (available < 2 || LENGTH_16 == shortLength && available < 2 + Short.BYTES)
            {
                return Integer.MAX_VALUE;
            }
            if (shortLength < 0 || shortLength > LENGTH_16)
            {
                throw lost("a frame that is masked, or longer than 64 KiB");
            }
            return LENGTH_16 == shortLength ?
                offset + 2 + Short.BYTES + (received.getShort(offset + 2, BIG_ENDIAN) & 0xFFFF) :
                offset + 2 + shortLength;
        }

        private void onFrame(final int offset, final int end)
        {
            final int at = offset + 2 + (LENGTH_16 == received.getByte(offset + 1) ? Short.BYTES : 0);
            switch (received.getByte(offset) & 0xFF)
            {
                case BINARY -> onMessage(at);
                case PING ->
                {
                    final byte[] data = new byte[end - at];
                    received.getBytes(at, data);
                    channel.writeAndFlush(new PongWebSocketFrame(Unpooled.wrappedBuffer(data)), channel.voidPromise());
                }
                case CLOSE -> throw lost(
                    "closed, code " + (end - at < 2 ? 0 : received.getShort(at, BIG_ENDIAN) & 0xFFFF));
                default -> throw lost("a frame of an unknown kind");
            }
        }

        @Override
        public boolean join(final Bot joining)
        {
            bot = joining;
            return send(encoder.join(message, 0, joining.order, joining.roomId, NO_BYTES));
        }

        @Override
        public boolean send(final Bot from, final DirectBuffer buffer, final int length)
        {
            return send(encoder.message(message, 0, from.roomId, buffer, 0, length));
        }

        /** Send the encoded message. Returns false under back pressure. */
        private boolean send(final int length)
        {
            if (!channel.isWritable())
            {
                return false;
            }
            channel.write(new BinaryWebSocketFrame(content.setIndex(0, length)), channel.voidPromise());
            if (!isUnsent)
            {
                isUnsent = true;
                unsent(this);
            }
            return true;
        }

        private void sendNow(final int length)
        {
            send(length);
            channel.flush();
        }

        @Override
        public void flush()
        {
            isUnsent = false;
            channel.flush();
        }

        private void onMessage(final int offset)
        {
            header.wrap(received, offset);
            final int data = offset + MessageHeaderDecoder.ENCODED_LENGTH + header.blockLength() + Short.BYTES;
            switch (header.templateId())
            {
                case EventDecoder.TEMPLATE_ID -> bots.stats.onAnswer(bot, received, data, dataLength(data), nowNs);
                case StateDecoder.TEMPLATE_ID -> bots.stats.onState(bot, received, data, dataLength(data), nowNs);
                case WelcomeDecoder.TEMPLATE_ID -> sendNow(encoder.logIn(
                        message, 0, 1, Integer.toString(number + 1).getBytes(StandardCharsets.US_ASCII)));
                case LoggedInDecoder.TEMPLATE_ID -> onLoggedIn(
                    new LoggedInDecoder().wrapAndApplyHeader(received, offset, header).status());
                case JoinedDecoder.TEMPLATE_ID -> bots.onJoined(
                    bot.order, new JoinedDecoder().wrapAndApplyHeader(received, offset, header).seatIndex(), null);
                case RefusedDecoder.TEMPLATE_ID -> onRefused(
                    new RefusedDecoder().wrapAndApplyHeader(received, offset, header));
                default -> throw lost("a message of template " + header.templateId());
            }
        }

        private int dataLength(final int data)
        {
            return received.getShort(data - Short.BYTES, LITTLE_ENDIAN) & 0xFFFF;
        }

        private void onLoggedIn(final int status)
        {
            if (0 != status)
            {
                throw lost("the log-in was refused, status " + status);
            }
            onUp();
        }

        private void onRefused(final RefusedDecoder refused)
        {
            if (JoinDecoder.TEMPLATE_ID == refused.templateId())
            {
                bots.onJoinRefused(bot.order, refused.codeRaw());
            }
            else
            {
                bots.stats.onRefused(refused.codeRaw());
            }
        }

        private static IllegalStateException lost(final String reason)
        {
            return new IllegalStateException("a connection is lost: " + reason);
        }
    }
}
