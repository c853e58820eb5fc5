package io.escapement.perf.crowd;

import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.player.EventDecoder;
import io.escapement.codecs.player.JoinDecoder;
import io.escapement.codecs.player.JoinedDecoder;
import io.escapement.codecs.player.LoggedInDecoder;
import io.escapement.codecs.player.MessageHeaderDecoder;
import io.escapement.codecs.player.RefusedDecoder;
import io.escapement.codecs.player.StateDecoder;
import io.escapement.codecs.player.WelcomeDecoder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/** A player's WebSocket: raw frames, as short as a program could make them. */
final class WebPlayer implements BotTrunk, AutoCloseable
{
    private static final int OUT_LENGTH = 1024;
    private static final int TAIL_LENGTH = 512;
    private static final int BINARY = 0x82;
    private static final int PING = 0x89;
    private static final int PONG = 0x8A;
    private static final int CLOSE = 0x88;
    private static final int IS_MASKED = 0x80;
    private static final int LENGTH_MASK = 0x7F;
    private static final int LENGTH_16 = 126;
    private static final int MASK_LENGTH = 4;
    private static final int MOST_HEADER = 8;
    private static final int MASK = 0x5A17C3E9;
    private static final byte[] NO_BYTES = new byte[0];
    private static final byte[] TOKEN = new byte[PlayerMessages.RESUME_TOKEN_LENGTH];
    private static final byte[] UPGRADE = ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n" +
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
        "Sec-WebSocket-Protocol: " + PlayerMessages.SUBPROTOCOL + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    private static final String UPGRADED = "HTTP/1.1 101";
    private static final String END_OF_HEAD = "\r\n\r\n";

    private final WebLinks links;
    private final int number;
    private final ByteBuffer out = ByteBuffer.allocateDirect(OUT_LENGTH);
    private final UnsafeBuffer outView = new UnsafeBuffer(out);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    /** The start of a frame whose rest has not arrived. */
    private byte[] tail = new byte[TAIL_LENGTH];
    private int tailLength;
    private SocketChannel socket;
    private ByteChannel channel;
    private TlsChannel tls;
    private SelectionKey key;
    private boolean isUpgraded;
    private Bot bot;
    boolean isUnsent;

    WebPlayer(final WebLinks links, final int number)
    {
        this.links = links;
        this.number = number;
    }

    /** Start to connect. */
    void open()
    {
        try
        {
            socket = SocketChannel.open();
            socket.configureBlocking(false);
            socket.socket().setTcpNoDelay(true);
            key = socket.register(links.selector, SelectionKey.OP_CONNECT, this);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), links.plan.gatewayPort()));
        }
        catch (final IOException ex)
        {
            throw lost(ex.getMessage());
        }
    }

    void onReady(final SelectionKey ready)
    {
        try
        {
            if (ready.isConnectable())
            {
                socket.finishConnect();
                tls = null == links.tls ? null : new TlsChannel(socket, links.tls.createSSLEngine());
                channel = null == tls ? socket : tls;
                out.put(UPGRADE);
                write();
                return;
            }
            if (ready.isReadable())
            {
                read();
            }
            if (0 != out.position() || null != tls && tls.isUnsent())
            {
                write();
            }
        }
        catch (final IOException ex)
        {
            throw lost(ex.getMessage());
        }
    }

    @Override
    public boolean join(final Bot joining)
    {
        bot = joining;
        return send(links.encoder.join(links.message, 0, joining.order, joining.roomId, NO_BYTES));
    }

    @Override
    public boolean send(final Bot from, final DirectBuffer buffer, final int length)
    {
        return send(links.encoder.message(links.message, 0, from.roomId, buffer, 0, length));
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(socket);
    }

    void write()
    {
        try
        {
            out.flip();
            channel.write(out);
            out.compact();
        }
        catch (final IOException ex)
        {
            throw lost(ex.getMessage());
        }
        final boolean isWaiting = null == tls ? 0 != out.position() : tls.isUnsent();
        final int interest = isWaiting ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (interest != key.interestOps())
        {
            key.interestOps(interest);
        }
    }

    private void sendNow(final int length)
    {
        if (!send(length))
        {
            throw lost("no room for a message");
        }
    }

    /** Frame the message that was encoded; false if there is no room. */
    private boolean send(final int length)
    {
        return frame(BINARY, links.message, 0, length);
    }

    private boolean frame(final int opcode, final DirectBuffer buffer, final int offset, final int length)
    {
        if (out.remaining() < MOST_HEADER + length)
        {
            return false;
        }
        int at = out.position();
        outView.putByte(at++, (byte)opcode);
        if (length < LENGTH_16)
        {
            outView.putByte(at++, (byte)(IS_MASKED | length));
        }
        else
        {
            outView.putByte(at++, (byte)(IS_MASKED | LENGTH_16));
            outView.putShort(at, (short)length, BIG_ENDIAN);
            at += Short.BYTES;
        }
        outView.putInt(at, MASK, LITTLE_ENDIAN);
        at += MASK_LENGTH;
        for (int i = 0; i < length; i++)
        {
            outView.putByte(at + i, (byte)(buffer.getByte(offset + i) ^ MASK >>> Byte.SIZE * (i % MASK_LENGTH)));
        }
        out.position(at + length);
        if (!isUnsent)
        {
            isUnsent = true;
            links.unsent(this);
        }
        return true;
    }

    private void read() throws IOException
    {
        final ByteBuffer in = links.in;
        in.clear();
        in.put(tail, 0, tailLength);
        if (channel.read(in) < 0)
        {
            throw lost("end of stream");
        }
        final int length = in.position();
        final long nowNs = System.nanoTime();
        int offset = isUpgraded ? 0 : upgrade(length);
        int end = frameEnd(offset, length);
        while (end <= length)
        {
            onFrame(offset, end, nowNs);
            offset = end;
            end = frameEnd(offset, length);
        }
        tailLength = length - offset;
        if (tailLength > tail.length)
        {
            tail = new byte[2 * tailLength];
        }
        links.inView.getBytes(offset, tail, 0, tailLength);
    }

    /** Returns where the first frame begins, or 0 if the head has not arrived. */
    private int upgrade(final int length)
    {
        final String head = links.inView.getStringWithoutLengthAscii(0, length);
        final int end = head.indexOf(END_OF_HEAD);
        if (end < 0)
        {
            return 0;
        }
        if (!head.startsWith(UPGRADED))
        {
            throw lost(head.substring(0, head.indexOf('\r')));
        }
        isUpgraded = true;
        sendNow(links.encoder.hello(
            links.message, 0, PlayerMessages.PROTOCOL_VERSION, 0, links.plan.flushMs, TOKEN));
        write();
        return end + END_OF_HEAD.length();
    }

    /** The end of the frame at an offset, beyond the length if it has not arrived. */
    private int frameEnd(final int offset, final int length)
    {
        if (!isUpgraded || length - offset < 2)
        {
            return Integer.MAX_VALUE;
        }
        final int shortLength = links.inView.getByte(offset + 1) & LENGTH_MASK;
        if (shortLength < LENGTH_16)
        {
            return offset + 2 + shortLength;
        }
        if (shortLength > LENGTH_16)
        {
            throw lost("a frame of more than 64 KiB");
        }
        return length - offset < 2 + Short.BYTES ? Integer.MAX_VALUE :
            offset + 2 + Short.BYTES + (links.inView.getShort(offset + 2, BIG_ENDIAN) & 0xFFFF);
    }

    private void onFrame(final int offset, final int end, final long nowNs)
    {
        final UnsafeBuffer view = links.inView;
        final int at = offset + 2 + (LENGTH_16 == (view.getByte(offset + 1) & LENGTH_MASK) ? Short.BYTES : 0);
        switch (view.getByte(offset) & 0xFF)
        {
            case BINARY -> onMessage(view, at, nowNs);
            case PING -> frame(PONG, view, at, end - at);
            case CLOSE -> throw lost("closed, code " + (end - at < 2 ? 0 : view.getShort(at, BIG_ENDIAN) & 0xFFFF));
            default -> throw lost("a frame of an unknown kind");
        }
    }

    private void onMessage(final UnsafeBuffer view, final int offset, final long nowNs)
    {
        header.wrap(view, offset);
        final int block = offset + MessageHeaderDecoder.ENCODED_LENGTH;
        final int data = block + header.blockLength() + Short.BYTES;
        switch (header.templateId())
        {
            case EventDecoder.TEMPLATE_ID -> links.bots.stats.onAnswer(
                bot, view, data, view.getShort(data - Short.BYTES, LITTLE_ENDIAN) & 0xFFFF, nowNs);
            case StateDecoder.TEMPLATE_ID -> links.bots.stats.onState(
                bot, view, data, view.getShort(data - Short.BYTES, LITTLE_ENDIAN) & 0xFFFF, nowNs);
            case WelcomeDecoder.TEMPLATE_ID -> logIn();
            case LoggedInDecoder.TEMPLATE_ID -> onLoggedIn(new LoggedInDecoder().wrapAndApplyHeader(
                view, offset, header).status());
            case JoinedDecoder.TEMPLATE_ID -> links.bots.onJoined(bot.order, new JoinedDecoder().wrapAndApplyHeader(
                view, offset, header).seatIndex(), null);
            case RefusedDecoder.TEMPLATE_ID -> onRefused(new RefusedDecoder().wrapAndApplyHeader(
                view, offset, header));
            default -> throw lost("a message of template " + header.templateId());
        }
    }

    private void logIn()
    {
        final byte[] credentials = Integer.toString(number + 1).getBytes(StandardCharsets.US_ASCII);
        sendNow(links.encoder.logIn(links.message, 0, 1, credentials));
        write();
    }

    private void onLoggedIn(final int status)
    {
        if (0 != status)
        {
            throw lost("the log-in was refused, status " + status);
        }
        links.onUp();
    }

    private void onRefused(final RefusedDecoder refused)
    {
        if (JoinDecoder.TEMPLATE_ID == refused.templateId())
        {
            links.bots.onJoinRefused(bot.order, refused.codeRaw());
        }
        else
        {
            links.bots.stats.onRefused(refused.codeRaw());
        }
    }

    private static IllegalStateException lost(final String reason)
    {
        return new IllegalStateException("a connection is lost: " + reason);
    }
}
