package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.JoinedDecoder;
import io.escapement.codecs.player.LoggedInDecoder;
import io.escapement.codecs.player.PongDecoder;
import io.escapement.codecs.player.WelcomeDecoder;
import io.escapement.testsupport.RealTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.CloseHelper;

/** Thousands of strangers on sockets of one thread, who note how a gateway receives each of them. */
@RealTime("a crowd, by the clock of the machine")
final class Crowd implements AutoCloseable
{
    /** Behaviour of a member once it may begin. */
    enum Manner
    {
        /** Greet the gateway, come back when refused, and answer pings. */
        GREETING(HostileBytesTest.UPGRADE.length()),
        /** Send the request a byte a second. */
        SLOW_REQUEST(1),
        /** Take a seat, then send messages a byte a second. */
        SLOW_PLAYER(HostileBytesTest.UPGRADE.length());

        private final int atOnce;

        Manner(final int atOnce)
        {
            this.atOnce = atOnce;
        }
    }

    /** Each address of 127.0.0.0/8 has its own limit. */
    private static final int ADDRESSES = 250;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    /** As client.js does: doubling, with full jitter. */
    private static final long BACKOFF_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long MAX_BACKOFF_NS = 8 * SECOND_NS;
    private static final int MAX_DOUBLINGS = 5;
    private static final int BUFFER_LENGTH = 1_024;
    private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String UPGRADED = "HTTP/1.1 101 ";
    private static final int BINARY_FRAME = 0x82;
    private static final int CLOSE_FRAME = 0x88;
    private static final int PING_FRAME = 0x89;
    private static final int PONG_FRAME = 0x8A;
    private static final int MASKED = 0x80;
    private static final int LENGTH_16 = 126;

    /** One of them, through all its attempts. */
    private final class Member
    {
        private final int number;
        private final ByteBuffer in = ByteBuffer.allocate(BUFFER_LENGTH);
        private SelectionKey key;
        private ByteBuffer out;
        private long dueNs;
        private int refusals;
        private boolean isUpgraded;
        private boolean isGreeted;

        Member(final int number)
        {
            this.number = number;
        }

        void connect() throws IOException
        {
            attempts++;
            in.clear();
            isUpgraded = false;
            out = ByteBuffer.wrap(HostileBytesTest.UPGRADE.getBytes(StandardCharsets.US_ASCII));
            final SocketChannel channel = SocketChannel.open();
            channel.configureBlocking(false);
            channel.bind(new InetSocketAddress("127.0.1." + (1 + number % ADDRESSES), 0));
            key = channel.register(selector, SelectionKey.OP_CONNECT, this);
            if (channel.connect(gateway))
            {
                onConnected();
            }
        }

        private void onConnected() throws IOException
        {
            key.interestOps(SelectionKey.OP_READ);
            send(manner.atOnce);
        }

        private void send(final int most) throws IOException
        {
            out.limit(Math.min(out.capacity(), out.position() + most));
            ((SocketChannel)key.channel()).write(out);
            dueNs = System.nanoTime() + SECOND_NS;
        }

        void onReady()
        {
            try
            {
                if (key.isConnectable())
                {
                    ((SocketChannel)key.channel()).finishConnect();
                    onConnected();
                }
                if (key.isValid() && key.isReadable())
                {
                    read();
                }
            }
            catch (final IOException ex)
            {
                end(isUpgraded ? "cut" : "closed at once");
            }
        }

        private void read() throws IOException
        {
            final int length = ((SocketChannel)key.channel()).read(in);
            in.flip();
            if (!isUpgraded)
            {
                readHead();
            }
            while (isUpgraded && key.isValid() && readFrame())
            {
                // The next one.
            }
            in.compact();
            if (length < 0 && key.isValid())
            {
                end(isUpgraded ? "cut" : 0 == in.position() ? "closed at once" : "half an answer");
            }
        }

        private void readHead() throws IOException
        {
            final int end = indexOf(in, HEAD_END);
            if (end < 0)
            {
                return;
            }
            final String head = new String(in.array(), 0, end, StandardCharsets.US_ASCII);
            if (!head.startsWith(UPGRADED))
            {
                end("status " + head.substring(9, 12));
                return;
            }
            in.position(end + HEAD_END.length);
            isUpgraded = true;
            write((link) -> link.hello(FakeLink.NO_TOKEN));
        }

        private boolean readFrame() throws IOException
        {
            final int start = in.position();
            if (in.remaining() < 2)
            {
                return false;
            }
            final int first = in.get() & 0xFF;
            int length = in.get() & 0xFF;
            if (LENGTH_16 == length && in.remaining() >= 2)
            {
                length = in.getShort() & 0xFFFF;
            }
            if (in.remaining() < length)
            {
                in.position(start);
                return false;
            }
            final int next = in.position() + length;
            if (CLOSE_FRAME == first)
            {
                end(CloseCode.get(in.getShort() & 0xFFFF).name());
            }
            else if (PING_FRAME == first)
            {
                if (Manner.GREETING == manner)
                {
                    final byte[] payload = new byte[length];
                    in.get(payload);
                    ((SocketChannel)key.channel()).write(frame(PONG_FRAME, payload, payload.length));
                }
            }
            else
            {
                onMessage(in.order(ByteOrder.LITTLE_ENDIAN).getShort(in.position() + 2) & 0xFFFF);
                in.order(ByteOrder.BIG_ENDIAN);
            }
            in.position(next);
            return true;
        }

        private void onMessage(final int templateId) throws IOException
        {
            if (WelcomeDecoder.TEMPLATE_ID == templateId)
            {
                if (Manner.GREETING == manner)
                {
                    arrive();
                }
                else
                {
                    write((link) -> link.logIn(1, Integer.toString(number)));
                }
            }
            else if (LoggedInDecoder.TEMPLATE_ID == templateId)
            {
                write((link) -> link.join(1, GatewayProcesses.OTHER_ROOM));
            }
            else if (JoinedDecoder.TEMPLATE_ID == templateId)
            {
                arrive();
            }
            else if (PongDecoder.TEMPLATE_ID == templateId)
            {
                pongs++;
            }
        }

        private void arrive()
        {
            isGreeted = true;
            arrived++;
            dueNs = System.nanoTime() + SECOND_NS;
        }

        /** Send the next byte. */
        void step(final long nowNs)
        {
            if (!key.isValid() || nowNs - dueNs < 0 || Manner.GREETING == manner ||
                Manner.SLOW_PLAYER == manner && !isGreeted)
            {
                return;
            }
            try
            {
                if (!out.hasRemaining() && out.limit() == out.capacity() && Manner.SLOW_PLAYER == manner)
                {
                    encode((link) -> link.pingGateway(nowNs));
                }
                send(1);
            }
            catch (final IOException ex)
            {
                end("cut");
            }
        }

        /** Send the rest of a message, and leave for good. */
        void sayGoodbye()
        {
            try
            {
                send(out.capacity());
                write(FakeLink::goodbye);
            }
            catch (final IOException ex)
            {
                end("cut");
            }
        }

        private void write(final Consumer<FakeLink> message) throws IOException
        {
            encode(message);
            send(out.capacity());
        }

        private void encode(final Consumer<FakeLink> message)
        {
            codec.outgoing = (buffer, length) -> out = frame(BINARY_FRAME, buffer.byteArray(), length);
            message.accept(codec);
        }

        /** Its connection has ended, and how. */
        private void end(final String how)
        {
            if (isGreeted)
            {
                isGreeted = false;
                arrived--;
            }
            endings.merge(how, 1, Integer::sum);
            key.cancel();
            CloseHelper.quietClose(key.channel());
            if (Manner.GREETING == manner)
            {
                dueNs = System.nanoTime() + random.nextLong(Math.min(BACKOFF_NS << refusals, MAX_BACKOFF_NS));
                refusals = Math.min(refusals + 1, MAX_DOUBLINGS);
                returning.add(this);
            }
        }
    }

    private final InetSocketAddress gateway;
    private final Selector selector;
    private final List<Member> members = new ArrayList<>();
    private final PriorityQueue<Member> returning = new PriorityQueue<>(Comparator.comparingLong((m) -> m.dueNs));
    private final TreeMap<String, Integer> endings = new TreeMap<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private final FakeLink codec = new FakeLink();
    private final Manner manner;
    private int attempts;
    private int arrived;
    private int pongs;

    /** All of them connect at once. */
    Crowd(final int port, final Manner manner, final int first, final int count) throws IOException
    {
        gateway = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        selector = Selector.open();
        this.manner = manner;
        for (int i = 0; i < count; i++)
        {
            final Member member = new Member(first + i);
            members.add(member);
            member.connect();
        }
    }

    /** Receive what is there, send what is due, and let those who were refused come again. */
    void turn(final long waitMs) throws IOException
    {
        selector.select((key) -> ((Member)key.attachment()).onReady(), waitMs);
        final long nowNs = System.nanoTime();
        for (Member member = returning.peek(); null != member && nowNs - member.dueNs >= 0; member = returning.peek())
        {
            returning.remove().connect();
        }
        if (Manner.GREETING != manner)
        {
            members.forEach((member) -> member.step(nowNs));
        }
    }

    /** Those who have seats give them back, and wait for the gateway's close. */
    void leave(final long waitMs) throws IOException
    {
        if (Manner.SLOW_PLAYER == manner)
        {
            members.stream().filter((member) -> member.isGreeted).forEach(Member::sayGoodbye);
            final long startNs = System.nanoTime();
            while (arrived > 0 && System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(100))
            {
                selector.select((key) -> ((Member)key.attachment()).onReady(), waitMs);
            }
        }
    }

    /** Those who are greeted, or have their seats. */
    int arrived()
    {
        return arrived;
    }

    /** How the ends of connections so far were received, for a log. */
    @Override
    public String toString()
    {
        return "arrived=" + arrived + " attempts=" + attempts + " pongs=" + pongs + " ends=" + endings;
    }

    /** Close all sockets. */
    @Override
    public void close()
    {
        selector.keys().forEach((key) -> CloseHelper.quietClose(key.channel()));
        CloseHelper.quietClose(selector);
    }

    private static int indexOf(final ByteBuffer buffer, final byte[] wanted)
    {
        for (int i = 0; i <= buffer.limit() - wanted.length; i++)
        {
            if (Arrays.equals(buffer.array(), i, i + wanted.length, wanted, 0, wanted.length))
            {
                return i;
            }
        }
        return -1;
    }

    /** A frame whose mask is zeros, so that its bytes go as they are. */
    private static ByteBuffer frame(final int first, final byte[] payload, final int length)
    {
        final ByteBuffer frame = ByteBuffer.allocate(8 + length).put((byte)first);
        if (length < LENGTH_16)
        {
            frame.put((byte)(MASKED | length));
        }
        else
        {
            frame.put((byte)(MASKED | LENGTH_16)).putShort((short)length);
        }
        return frame.putInt(0).put(payload, 0, length).flip().slice();
    }
}
