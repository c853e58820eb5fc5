package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.testsupport.Allocations;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A room's message to sixteen players: encoded once, shared by their frames. */
@Timeout(60)
class GatewayAllocationTest
{
    private static final int PLAYERS = 16;
    private static final int ROUNDS = 20_000;
    private static final int BYTES_A_MESSAGE = 8;

    /** A socket that takes every frame at once. */
    private static final class TakingLink implements PlayerLink
    {
        private long frames;
        private long bytes;

        @Override
        public void send(final DirectBuffer buffer, final int offset, final int length)
        {
            frames++;
        }

        @Override
        public void send(final SharedMessage message)
        {
            final ByteBuf frame = ((WebSocketMessage)message).share();
            frames++;
            bytes += frame.readableBytes();
            frame.release();
        }

        @Override
        public void ping()
        {
            frames++;
        }

        @Override
        public void pong(final DirectBuffer buffer, final int offset, final int length)
        {
            frames++;
        }

        @Override
        public void flush()
        {
            // It has taken everything.
        }

        @Override
        public long queuedBytes()
        {
            return 0;
        }

        @Override
        public void isReading(final boolean value)
        {
            throw new AssertionError("nobody is blocked");
        }

        @Override
        public void close(final CloseCode code)
        {
            throw new AssertionError(code);
        }
    }

    /** In a thread as the gateway's, whose buffers come from a cache of the thread. */
    @Test
    void shouldAllocateNoMoreThanEightBytesAMessage() throws InterruptedException
    {
        final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread thread = new FastThreadLocalThread(this::measure, "gateway-allocation");
        thread.setUncaughtExceptionHandler((failed, ex) -> failure.set(ex));
        thread.start();
        thread.join();
        ResourceLeakDetector.setLevel(level);
        assertNull(failure.get());
    }

    private void measure()
    {
        final GatewayBench bench = new GatewayBench(
            new GatewayContext(), new WebSocketMessage(PooledByteBufAllocator.DEFAULT));
        final TakingLink[] links = new TakingLink[PLAYERS];
        final FakeEngine.FakeSeat[] seats = new FakeEngine.FakeSeat[PLAYERS];
        for (int i = 0; i < PLAYERS; i++)
        {
            links[i] = new TakingLink();
            final Session session = new Session();
            session.connection = bench.sessions.accept(links[i], "10.0.0.1");
            session.connection.session(session);
            seats[i] = new FakeEngine.FakeSeat(1, i, i + 1);
            final Place place = new Place(session, 1);
            place.state = Place.State.SEATED;
            place.seat = seats[i];
            seats[i].place(place);
        }
        final byte[] state = "a state of the room".repeat(10).getBytes(StandardCharsets.US_ASCII);
        final UnsafeBuffer buffer = new UnsafeBuffer(state);
        final long allocated = Allocations.least(5, () ->
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                bench.sessions.beginTurn();
                bench.sessions.onRoomMessage(1, true, buffer, 0, state.length);
                for (final FakeEngine.FakeSeat seat : seats)
                {
                    bench.sessions.onReceiver(seat, true);
                }
                bench.sessions.endTurn();
            }
        });
        final double each = allocated / (double)ROUNDS / PLAYERS;
        assertTrue(each <= BYTES_A_MESSAGE, () -> each + " B a message");
        // 4 bytes of the frame, 18 of the message's header, block and length.
        assertEquals((4 + 18 + state.length) * links[0].frames, links[0].bytes);
    }
}
