package io.escapement.perf.crowd;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/** All connections to the TCP peer. */
final class TcpLinks extends SocketLinks
{
    private static final int GATEWAY_QUEUE = 64 * 1024;
    private static final int GATEWAY_CHUNK = 16 * 1024;
    private static final int PLAYER_QUEUE = 2 * 1024;
    private static final int PLAYER_CHUNK = 512;
    private static final Bot[] NO_BOTS = {};

    private final boolean isGateway;
    /** The bytes of a read. */
    private final UnsafeBuffer view = new UnsafeBuffer();

    TcpLinks(final CrowdPlan plan, final CrowdBots bots)
    {
        super(plan, bots, address(plan.serverEndpoint()), plan.hasConnectionPerPlayer() ? 0 : CrowdGame.SOCKET_BUFFER,
            plan.hasConnectionPerPlayer() ? PLAYER_QUEUE : GATEWAY_QUEUE);
        isGateway = !plan.hasConnectionPerPlayer();
    }

    static InetSocketAddress address(final String endpoint)
    {
        final String[] parts = endpoint.split(":");
        return new InetSocketAddress(parts[0], Integer.parseInt(parts[1]));
    }

    @Override
    Trunk trunk(final int number, final ChannelPipeline pipeline)
    {
        final TcpTrunk trunk = new TcpTrunk();
        pipeline.addLast(trunk);
        return trunk;
    }

    /** A connection. */
    private final class TcpTrunk extends TcpWire implements Trunk
    {
        private final Int2ObjectHashMap<Bot[]> botsByRoomMap = new Int2ObjectHashMap<>();
        private long nowNs;
        /** Added to an index of the buffer that is read, it is the index in the view. */
        private int shift;

        TcpTrunk()
        {
            super(isGateway ? GATEWAY_CHUNK : PLAYER_CHUNK, HEADER + Math.max(plan.state, CrowdMessages.MOVE_LENGTH));
        }

        @Override
        public void channelActive(final ChannelHandlerContext opened)
        {
            onUp();
        }

        @Override
        public boolean join(final Bot bot)
        {
            if (!claim())
            {
                return false;
            }
            header(JOIN, bot.order, JOIN_LENGTH).writeLongLE(bot.roomId);
            return true;
        }

        @Override
        public boolean send(final Bot bot, final DirectBuffer buffer, final int length)
        {
            if (!claim())
            {
                return false;
            }
            header(MOVE, bot.order, HEADER + length).writeBytes(buffer.byteArray(), 0, length);
            return true;
        }

        private boolean claim()
        {
            if (!isWritable())
            {
                return false;
            }
            if (isFlushed())
            {
                unsent(this);
            }
            return true;
        }

        /** The clock is read once for all frames. */
        @Override
        void onRead(final ByteBuf in)
        {
            nowNs = System.nanoTime();
            shift = -in.readerIndex();
            wrap(view, in);
        }

        @Override
        boolean onFrame(final ByteBuf in, final int length)
        {
            final int offset = in.readerIndex() + shift;
            final int id = view.getInt(offset + ID);
            final int payload = offset + HEADER;
            switch (view.getShort(offset + TYPE))
            {
                case ANSWER -> bots.stats.onAnswer(bots.bot(id), view, payload, length - HEADER, nowNs);
                case STATE ->
                {
                    for (final Bot receiver : botsByRoomMap.get(id))
                    {
                        bots.stats.onState(receiver, view, payload, length - HEADER, nowNs);
                    }
                }
                case JOINED -> onJoined(id, view.getInt(payload), view.getInt(payload + Integer.BYTES));
                default ->
                {
                    return false;
                }
            }
            return true;
        }

        private void onJoined(final int player, final int room, final int seat)
        {
            final Bot[] before = botsByRoomMap.getOrDefault(room, NO_BOTS);
            final Bot[] receivers = Arrays.copyOf(before, before.length + 1);
            receivers[before.length] = bots.onJoined(player, seat, null);
            botsByRoomMap.put(room, receivers);
        }
    }
}
