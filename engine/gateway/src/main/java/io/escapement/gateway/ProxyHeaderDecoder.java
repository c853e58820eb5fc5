package io.escapement.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads the header of the PROXY protocol, version 1 or 2, with which a configured proxy starts each connection: it
 * names the client. Then the decoder leaves the pipeline. A connection without a header is closed.
 */
final class ProxyHeaderDecoder extends ByteToMessageDecoder
{
    /** The longest line of version 1, with its end. */
    private static final int MAX_LINE = 107;
    /** The addresses of version 2 and the fields that proxies add after them. */
    private static final int MAX_ADDED = 1_024;
    private static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};
    private static final byte[] LINE_START = {'P', 'R', 'O', 'X', 'Y', ' '};
    private static final int FIXED_LENGTH = 16;
    private static final int VERSION_2 = 0x20;
    private static final int LOCAL = 0;
    private static final int PROXY = 1;
    private static final int UNSPECIFIED = 0;
    private static final int INET = 1;
    private static final int INET6 = 2;
    private static final int INET_LENGTH = 4;
    private static final int INET6_LENGTH = 16;
    private static final int PORTS_LENGTH = 4;

    private final Newcomer client;
    private final InetAddress proxy;
    private final GatewayCounters counters;

    /**
     * A decoder for one connection.
     *
     * @param client   receives the address.
     * @param proxy    the connection's own address, which is the client's in a health check of the proxy.
     * @param counters of the worker.
     */
    ProxyHeaderDecoder(final Newcomer client, final InetAddress proxy, final GatewayCounters counters)
    {
        this.client = client;
        this.proxy = proxy;
        this.counters = counters;
    }

    @Override
    protected void decode(final ChannelHandlerContext context, final ByteBuf in, final List<Object> out)
    {
        if (!context.channel().isActive())
        {
            in.skipBytes(in.readableBytes());
            return;
        }
        final boolean isLine = in.readableBytes() > 0 && LINE_START[0] == in.getByte(in.readerIndex());
        if (!startsWith(in, isLine ? LINE_START : SIGNATURE))
        {
            refuse(context, in);
            return;
        }
        final int length = isLine ? lineLength(in) : length(in);
        if (length < 0)
        {
            refuse(context, in);
        }
        else if (length > 0 && length <= in.readableBytes())
        {
            final InetAddress address = isLine ? readLine(in, length) : read(in, length);
            if (null == address)
            {
                refuse(context, in);
            }
            else if (client.count(address))
            {
                context.pipeline().remove(this);
            }
            else
            {
                in.skipBytes(in.readableBytes());
                context.close();
            }
        }
    }

    private void refuse(final ChannelHandlerContext context, final ByteBuf in)
    {
        counters.increment(GatewayCounter.PROXY_HEADERS_REFUSED);
        in.skipBytes(in.readableBytes());
        context.close();
    }

    /** Whether the received bytes match a start. */
    private static boolean startsWith(final ByteBuf in, final byte[] start)
    {
        for (int i = 0; i < Math.min(start.length, in.readableBytes()); i++)
        {
            if (start[i] != in.getByte(in.readerIndex() + i))
            {
                return false;
            }
        }
        return true;
    }

    /** Of the line with its end, 0 until the end arrives, or -1 if it cannot arrive. */
    private static int lineLength(final ByteBuf in)
    {
        final int end = in.indexOf(in.readerIndex(), in.readerIndex() + Math.min(MAX_LINE, in.readableBytes()),
            (byte)'\n');
        if (end < 0)
        {
            return in.readableBytes() < MAX_LINE ? 0 : -1;
        }
        return end + 1 - in.readerIndex();
    }

    /** Of a header of version 2, 0 while its fixed part is not there, or -1 if it is too long. */
    private static int length(final ByteBuf in)
    {
        if (in.readableBytes() < FIXED_LENGTH)
        {
            return 0;
        }
        final int added = in.getUnsignedShort(in.readerIndex() + FIXED_LENGTH - Short.BYTES);
        return added > MAX_ADDED ? -1 : FIXED_LENGTH + added;
    }

    /** {@code PROXY TCP4 192.0.2.1 192.0.2.9 50000 443}, or {@code PROXY UNKNOWN} and anything. */
    private InetAddress readLine(final ByteBuf in, final int length)
    {
        final String line = in.readCharSequence(length, StandardCharsets.US_ASCII).toString();
        final String[] words = line.trim().split(" ");
        if (!line.endsWith("\r\n"))
        {
            return null;
        }
        if (words.length > 1 && "UNKNOWN".equals(words[1]))
        {
            return proxy;
        }
        final boolean is4 = words.length > 1 && "TCP4".equals(words[1]);
        if (6 != words.length || !is4 && !"TCP6".equals(words[1]))
        {
            return null;
        }
        return Proxies.addressOf(words[2]);
    }

    private InetAddress read(final ByteBuf in, final int length)
    {
        final int start = in.readerIndex();
        in.skipBytes(length);
        final int command = in.getByte(start + SIGNATURE.length) - VERSION_2;
        final int family = in.getByte(start + SIGNATURE.length + 1) >> 4;
        if (LOCAL == command || PROXY == command && UNSPECIFIED == family)
        {
            return proxy;
        }
        final int addressLength = INET == family ? INET_LENGTH : INET6_LENGTH;
        if (PROXY != command || INET != family && INET6 != family ||
            length < FIXED_LENGTH + 2 * addressLength + PORTS_LENGTH)
        {
            return null;
        }
        final byte[] address = new byte[addressLength];
        in.getBytes(start + FIXED_LENGTH, address);
        try
        {
            return InetAddress.getByAddress(address);
        }
        catch (final UnknownHostException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
