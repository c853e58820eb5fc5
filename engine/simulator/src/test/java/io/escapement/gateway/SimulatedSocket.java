package io.escapement.gateway;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.PlayerLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A WebSocket between a player's client and a gateway: frames in order, with a delay, until it breaks. Each end
 * notices the break at another time, and frames on their way are lost from some frame on.
 */
public final class SimulatedSocket implements PlayerLink
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long NEVER = Long.MAX_VALUE;
    /** Bytes that kernels and the network have on their way. Others are in the gateway's queue. */
    private static final int WINDOW = 1_024;
    /** The gateway waits so long for a program that does not take the close. */
    private static final long CLOSE_NS = 1_000 * MS;
    /** A ping or its answer. */
    private static final byte[] PING = {};

    private record Frame(byte[] bytes, CloseCode code, long dueNs)
    {
    }

    private final ArrayDeque<Frame> queued = new ArrayDeque<>();
    private final ArrayDeque<Frame> toProgram = new ArrayDeque<>();
    private final ArrayDeque<Frame> lost = new ArrayDeque<>();
    private final ArrayDeque<Frame> toGateway = new ArrayDeque<>();
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final NanoClock clock;
    private final SplittableRandom random;
    private final long delayNs;
    private PlayerConnection connection;
    private CloseCode closed;
    private long queuedBytes;
    private long onTheWay;
    private long gatewayEndNs = NEVER;
    private long programEndNs = NEVER;
    /** Queued frames that the gateway has flushed. */
    private int flushed;
    private boolean isReading = true;
    private boolean isBroken;

    SimulatedSocket(final NanoClock clock, final SplittableRandom random)
    {
        this.clock = clock;
        this.random = random;
        delayNs = MS + random.nextLong(20 * MS);
    }

    // The program's end

    /** Send a message. */
    public void send(final DirectBuffer buffer, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);
        add(toGateway, bytes, null);
    }

    /** Take up to a number of messages, and answer pings. */
    public void read(final int limit, final Consumer<DirectBuffer> handler)
    {
        for (int i = 0; i < limit && hasArrived(toProgram) && !isOver(); i++)
        {
            final Frame frame = toProgram.remove();
            onTheWay -= frame.bytes.length;
            if (null != frame.code)
            {
                closed = frame.code;
                programEndNs = clock.nanoTime();
            }
            else if (PING == frame.bytes)
            {
                add(toGateway, PING, null);
            }
            else
            {
                handler.accept(new UnsafeBuffer(frame.bytes));
            }
        }
    }

    /** Whether the program knows that the connection is closed. */
    public boolean isOver()
    {
        return clock.nanoTime() >= programEndNs;
    }

    /** The reason that arrived, or null. */
    public CloseCode closed()
    {
        return closed;
    }

    /** The connection breaks. The gateway may notice that only because answers to its pings are missing. */
    public void lose()
    {
        if (!isBroken)
        {
            isBroken = true;
            final long nowNs = clock.nanoTime();
            cut(toProgram, lost);
            cut(toGateway, new ArrayDeque<>());
            programEndNs = Math.min(programEndNs, nowNs + random.nextLong(300 * MS));
            gatewayEndNs = Math.min(gatewayEndNs,
                0 == random.nextInt(3) ? NEVER : nowNs + random.nextLong(200 * MS));
        }
    }

    private void cut(final Deque<Frame> frames, final Deque<Frame> cut)
    {
        for (int i = frames.isEmpty() ? 0 : random.nextInt(frames.size() + 1); i > 0; i--)
        {
            cut.addFirst(frames.removeLast());
        }
    }

    /** Take the messages that the gateway has sent, and that the program has not read. */
    public void unread(final Consumer<DirectBuffer> handler)
    {
        Stream.of(toProgram, lost, queued).flatMap(Deque::stream).filter((frame) -> 0 != frame.bytes.length)
            .forEach((frame) -> handler.accept(new UnsafeBuffer(frame.bytes)));
    }

    // The gateway's end

    boolean isAccepted()
    {
        return null != connection;
    }

    void accept(final PlayerConnection accepted)
    {
        connection = accepted;
    }

    /** A worker reads what has arrived, all that one read of a socket took also after it stopped reading. */
    void turn()
    {
        while (isReading && hasArrived(toGateway))
        {
            do
            {
                final Frame frame = toGateway.remove();
                if (PING == frame.bytes)
                {
                    connection.onPong(0);
                }
                else
                {
                    view.wrap(frame.bytes);
                    connection.onMessage(view, 0, frame.bytes.length);
                }
            }
            while (hasArrived(toGateway));
        }
        if (clock.nanoTime() >= gatewayEndNs)
        {
            connection.onClosed();
            programEndNs = Math.min(programEndNs, clock.nanoTime());
        }
        push();
    }

    /** Whether the gateway has nothing more to do for it. */
    boolean isGone()
    {
        return connection.isClosed() && (queued.isEmpty() || clock.nanoTime() >= gatewayEndNs);
    }

    private void push()
    {
        while (!isBroken && flushed > 0 && (0 == onTheWay || onTheWay + queued.peek().bytes.length <= WINDOW))
        {
            final Frame frame = queued.remove();
            flushed--;
            queuedBytes -= frame.bytes.length;
            onTheWay += frame.bytes.length;
            add(toProgram, frame.bytes, frame.code);
        }
    }

    private void add(final Deque<Frame> frames, final byte[] bytes, final CloseCode code)
    {
        if (!isBroken)
        {
            final long dueNs = clock.nanoTime() + delayNs / 2 + random.nextLong(delayNs);
            frames.add(new Frame(
                bytes, code, frames.isEmpty() ? dueNs : Math.max(dueNs, frames.peekLast().dueNs)));
        }
    }

    private boolean hasArrived(final Deque<Frame> frames)
    {
        return !frames.isEmpty() && frames.peek().dueNs <= clock.nanoTime();
    }

    private void queue(final byte[] bytes, final CloseCode code)
    {
        queued.add(new Frame(bytes, code, 0));
        queuedBytes += bytes.length;
    }

    @Override
    public void send(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        queue(bytes);
    }

    @Override
    public void send(final SharedMessage message)
    {
        queue(((SimulatedGateway.Shared)message).bytes());
    }

    private void queue(final byte[] bytes)
    {
        final DirectBuffer message = new UnsafeBuffer(bytes);
        if (0 != PlayerLayout.RULES.validate(message, 0, bytes.length))
        {
            throw new AssertionError("malformed: message " + SchemaRules.templateId(message, 0));
        }
        queue(bytes, null);
    }

    @Override
    public boolean greet(final boolean hasSession)
    {
        return true;
    }

    @Override
    public void ping()
    {
        queue(PING, null);
    }

    @Override
    public void pong(final DirectBuffer buffer, final int offset, final int length)
    {
        throw new AssertionError("programs send no pings");
    }

    @Override
    public void flush()
    {
        flushed = queued.size();
        push();
    }

    @Override
    public long queuedBytes()
    {
        return queuedBytes;
    }

    @Override
    public void isReading(final boolean value)
    {
        isReading = value;
    }

    @Override
    public void close(final CloseCode code)
    {
        queue(PING, code);
        gatewayEndNs = Math.min(gatewayEndNs, clock.nanoTime() + CLOSE_NS);
        flush();
    }
}
