package io.escapement.perf.crowd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/** All connections to the TCP peer. One selector and one large buffer to receive into, which is decoded in one pass. */
final class TcpLinks implements BotLinks
{
    private static final int READ_LENGTH = 256 * 1024;
    private static final int GATEWAY_WRITE_LENGTH = 64 * 1024;
    private static final int PLAYER_WRITE_LENGTH = 1024;

    private final CrowdPlan plan;
    private final CrowdBots bots;
    private final Trunk[] trunks;
    /** Those with moves that have not left. */
    private final ArrayDeque<Trunk> unsent = new ArrayDeque<>();
    private final ByteBuffer in = ByteBuffer.allocateDirect(READ_LENGTH);
    private final UnsafeBuffer inView = new UnsafeBuffer(in);
    private final Consumer<SelectionKey> onReady = this::onReady;
    private final Selector selector;
    private int work;

    TcpLinks(final CrowdPlan plan, final CrowdBots bots)
    {
        this.plan = plan;
        this.bots = bots;
        trunks = new Trunk[plan.trunks];
        try
        {
            selector = Selector.open();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public void connect()
    {
        try
        {
            for (int i = 0; i < trunks.length; i++)
            {
                trunks[i] = new Trunk();
            }
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException("a connection failed: " + ex.getMessage(), ex);
        }
    }

    @Override
    public boolean isUp()
    {
        return Arrays.stream(trunks).allMatch((trunk) -> null != trunk && trunk.channel.isConnected());
    }

    @Override
    public BotTrunk trunk(final int number)
    {
        return trunks[number];
    }

    @Override
    public int poll()
    {
        work = 0;
        try
        {
            selector.selectNow(onReady);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return work;
    }

    @Override
    public void flush()
    {
        for (Trunk trunk = unsent.poll(); null != trunk; trunk = unsent.poll())
        {
            trunk.isUnsent = false;
            trunk.write();
        }
    }

    @Override
    public void close()
    {
        for (final Trunk trunk : trunks)
        {
            CloseHelper.quietClose(null == trunk ? null : trunk.channel);
        }
        CloseHelper.quietClose(selector);
    }

    private void onReady(final SelectionKey key)
    {
        final Trunk trunk = (Trunk)key.attachment();
        work++;
        if (key.isWritable())
        {
            trunk.write();
        }
        if (key.isReadable())
        {
            trunk.read();
        }
    }

    /** A connection. */
    private final class Trunk implements BotTrunk
    {
        final SocketChannel channel;
        private final SelectionKey key;
        private final ByteBuffer out;
        private final UnsafeBuffer outView;
        private final Int2ObjectHashMap<Bot[]> botsByRoomMap = new Int2ObjectHashMap<>();
        /** The start of a frame whose rest has not arrived. */
        private final byte[] tail = new byte[TcpWire.HEADER + Math.max(plan.state, CrowdMessages.MOVE_LENGTH)];
        private int tailLength;
        boolean isUnsent;

        Trunk() throws IOException
        {
            out = ByteBuffer.allocateDirect(plan.hasConnectionPerPlayer() ? PLAYER_WRITE_LENGTH : GATEWAY_WRITE_LENGTH);
            outView = new UnsafeBuffer(out);
            channel = SocketChannel.open();
            if (!plan.hasConnectionPerPlayer())
            {
                channel.socket().setReceiveBufferSize(CrowdGame.SOCKET_BUFFER);
            }
            channel.socket().setTcpNoDelay(true);
            final String[] address = plan.serverEndpoint().split(":");
            channel.connect(new InetSocketAddress(address[0], Integer.parseInt(address[1])));
            channel.configureBlocking(false);
            key = channel.register(selector, SelectionKey.OP_READ, this);
        }

        @Override
        public boolean join(final Bot bot)
        {
            final int offset = claim(TcpWire.JOIN_LENGTH, TcpWire.JOIN, bot.order);
            if (offset < 0)
            {
                return false;
            }
            outView.putLong(offset, bot.roomId);
            return true;
        }

        @Override
        public boolean send(final Bot bot, final DirectBuffer buffer, final int length)
        {
            final int offset = claim(TcpWire.HEADER + length, TcpWire.MOVE, bot.order);
            if (offset < 0)
            {
                return false;
            }
            outView.putBytes(offset, buffer, 0, length);
            return true;
        }

        /** Room for a frame; returns where its payload goes, or -1 if there is none. */
        private int claim(final int length, final int type, final int id)
        {
            if (out.remaining() < length)
            {
                write();
                if (out.remaining() < length)
                {
                    return -1;
                }
            }
            final int offset = out.position();
            outView.putShort(offset + TcpWire.LENGTH, (short)length);
            outView.putShort(offset + TcpWire.TYPE, (short)type);
            outView.putInt(offset + TcpWire.ID, id);
            out.position(offset + length);
            if (!isUnsent)
            {
                isUnsent = true;
                unsent.add(this);
            }
            return offset + TcpWire.HEADER;
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
            final int interest =
                0 == out.position() ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
            if (interest != key.interestOps())
            {
                key.interestOps(interest);
            }
        }

        void read()
        {
            in.clear();
            in.put(tail, 0, tailLength);
            try
            {
                if (channel.read(in) < 0)
                {
                    throw lost("end of stream");
                }
            }
            catch (final IOException ex)
            {
                throw lost(ex.getMessage());
            }
            final int length = in.position();
            int offset = 0;
            while (length - offset >= TcpWire.HEADER && length - offset >= frameLength(offset))
            {
                onFrame(offset, frameLength(offset));
                offset += frameLength(offset);
            }
            tailLength = length - offset;
            inView.getBytes(offset, tail, 0, tailLength);
        }

        private int frameLength(final int offset)
        {
            final int length = inView.getShort(offset + TcpWire.LENGTH) & 0xFFFF;
            if (length < TcpWire.HEADER || length > tail.length)
            {
                throw lost("a frame of " + length + " B");
            }
            return length;
        }

        private void onFrame(final int offset, final int length)
        {
            final int id = inView.getInt(offset + TcpWire.ID);
            final int payload = offset + TcpWire.HEADER;
            final int payloadLength = length - TcpWire.HEADER;
            // The clock is read once for all players of this trunk that the message is for.
            final long nowNs = System.nanoTime();
            switch (inView.getShort(offset + TcpWire.TYPE))
            {
                case TcpWire.ANSWER -> bots.stats.onAnswer(bots.bot(id), inView, payload, payloadLength, nowNs);
                case TcpWire.STATE ->
                {
                    final Bot[] receivers = botsByRoomMap.get(id);
                    if (null == receivers)
                    {
                        throw lost("a state of a room without a player here");
                    }
                    for (final Bot receiver : receivers)
                    {
                        bots.stats.onState(receiver, inView, payload, payloadLength, nowNs);
                    }
                }
                case TcpWire.JOINED -> onJoined(id, inView.getInt(payload), inView.getInt(payload + Integer.BYTES));
                default -> throw lost("a frame of an unknown type");
            }
        }

        private void onJoined(final int player, final int room, final int seat)
        {
            final Bot[] before = botsByRoomMap.getOrDefault(room, new Bot[0]);
            final Bot[] receivers = Arrays.copyOf(before, before.length + 1);
            receivers[before.length] = bots.onJoined(player, seat, null);
            botsByRoomMap.put(room, receivers);
        }

        private IllegalStateException lost(final String reason)
        {
            return new IllegalStateException("a connection is lost: " + reason);
        }
    }
}
