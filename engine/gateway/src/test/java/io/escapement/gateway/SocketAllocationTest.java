package io.escapement.gateway;

import io.escapement.testsupport.Allocations;
import io.escapement.testsupport.Tests;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A worker allocates little for a room's message to sixteen players, whose sockets are real ones. */
@Timeout(60)
class SocketAllocationTest
{
    private static final int PLAYERS = 16;
    private static final int ROUNDS = 100;
    private static final int MANY = 64;
    private static final double BYTES_A_MESSAGE = 1;
    private static final int STATE_LENGTH = 200;

    private final AtomicBoolean isOver = new AtomicBoolean();

    @Test
    void shouldAllocateLittleForAMessage() throws Exception
    {
        final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread thread = new FastThreadLocalThread(this::measure, "gateway-allocation");
        thread.setUncaughtExceptionHandler((failed, ex) -> failure.set(ex));
        thread.start();
        thread.join();
        isOver.set(true);
        ResourceLeakDetector.setLevel(level);
        assertNull(failure.get());
    }

    private void measure()
    {
        final GatewayContext context =
            new GatewayContext().udp("127.0.0.1:1", "127.0.0.1:2").secret(new byte[16]);
        context.limits().addressRate(1_000);
        context.conclude();
        final GatewayCounters counters = new GatewayCounters();
        final AddressLimits addresses = new AddressLimits(64, 1_000, 10, 10);
        try (Listener listener = new Listener(context, counters, addresses, null,
            new StaticFiles(SocketAllocationTest.class.getClassLoader(), "test/page.html")))
        {
            final Sessions sessions =
                new Sessions(context, counters, addresses, listener.sharedMessage(), Workers.ALONE);
            final FakeEngine engine = new FakeEngine();
            engine.listener = sessions;
            sessions.trunk(engine);
            sessions.onUp(false);
            final int port = listener.listen(sessions, 0);
            final Thread programs = new Thread(() -> read(port), "programs");
            programs.setDaemon(true);
            programs.start();
            Tests.await(() ->
            {
                turn(listener, sessions, null, null, 0);
                return PLAYERS == sessions.connections().size();
            }, "all players");
            final FakeEngine.FakeSeat[] receivers = receivers(sessions);
            assertLittle(listener, sessions, receivers, 1);
            assertLittle(listener, sessions, receivers, MANY);
        }
    }

    private static FakeEngine.FakeSeat[] receivers(final Sessions sessions)
    {
        final List<FakeEngine.FakeSeat> seats = new ArrayList<>();
        sessions.connections().forEach((connection) ->
        {
            final Session session = new Session();
            session.isLoggedIn = true;
            session.connection = connection;
            connection.session(session);
            final FakeEngine.FakeSeat seat = new FakeEngine.FakeSeat(1, seats.size(), seats.size() + 1);
            final Place place = new Place(session, 1);
            place.state = Place.State.SEATED;
            place.seat = seat;
            seat.place(place);
            seats.add(seat);
        });
        return seats.toArray(new FakeEngine.FakeSeat[0]);
    }

    private static void assertLittle(
        final Listener listener,
        final Sessions sessions,
        final FakeEngine.FakeSeat[] receivers,
        final int messages)
    {
        final UnsafeBuffer state = new UnsafeBuffer(new byte[STATE_LENGTH]);
        final long allocated = Allocations.least(8, () ->
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                final long startNs = System.nanoTime();
                turn(listener, sessions, receivers, state, messages);
                while (System.nanoTime() - startNs < TimeUnit.MICROSECONDS.toNanos(500))
                {
                    turn(listener, sessions, receivers, state, 0);
                }
            }
        });
        final double each = allocated / (double)ROUNDS / PLAYERS / messages;
        assertTrue(each <= BYTES_A_MESSAGE, () -> each + " B a message, " + messages + " a turn");
    }

    private static void turn(
        final Listener listener,
        final Sessions sessions,
        final FakeEngine.FakeSeat[] receivers,
        final UnsafeBuffer state,
        final int messages)
    {
        sessions.beginTurn();
        listener.poll();
        for (int i = 0; i < messages; i++)
        {
            sessions.onRoomMessage(1, true, state, 0, STATE_LENGTH);
            for (final FakeEngine.FakeSeat seat : receivers)
            {
                sessions.onReceiver(seat, true);
            }
        }
        sessions.endTurn();
    }

    /** The players' programs, which read everything. */
    private void read(final int port)
    {
        final ByteBuffer input = ByteBuffer.allocateDirect(64 * 1_024);
        try (Selector selector = Selector.open())
        {
            for (int i = 0; i < PLAYERS; i++)
            {
                final SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
                channel.write(ByteBuffer.wrap(HostileBytesTest.UPGRADE.getBytes(StandardCharsets.US_ASCII)));
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ, channel);
            }
            while (!isOver.get())
            {
                selector.select((key) -> drain((SocketChannel)key.attachment(), input), 100);
            }
            for (final SelectionKey key : selector.keys())
            {
                key.channel().close();
            }
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static void drain(final SocketChannel channel, final ByteBuffer input)
    {
        try
        {
            input.clear();
            channel.read(input);
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
