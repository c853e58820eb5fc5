package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.testsupport.Allocations;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A room's message to sixteen players: encoded once, shared by their frames. */
class GatewayAllocationTest
{
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
        public boolean greet(final boolean hasSession)
        {
            return true;
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

    @Test
    void shouldAllocateNoMoreThanEightBytesAMessage() throws InterruptedException
    {
        WorkerThread.runUntracked(GatewayAllocationTest::measure);
    }

    private static void measure()
    {
        final GatewayBench bench = new GatewayBench(
            new GatewayContext(), new WebSocketMessage(PooledByteBufAllocator.DEFAULT));
        final TakingLink[] links = new TakingLink[Broadcast.PLAYERS];
        for (int i = 0; i < links.length; i++)
        {
            links[i] = new TakingLink();
            bench.sessions.accept(links[i], "10.0.0.1", bench.clock.nanoTime());
        }
        final Broadcast broadcast = new Broadcast(bench.sessions);
        final long allocated = Allocations.least(5, () ->
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                bench.sessions.beginTurn();
                broadcast.send(1);
                bench.sessions.endTurn();
            }
        });
        final double each = allocated / (double)ROUNDS / Broadcast.PLAYERS;
        assertTrue(each <= BYTES_A_MESSAGE, () -> each + " B a message");
        // 4 bytes of the frame, 26 of the message's header, block and length.
        assertEquals((4 + 26 + Broadcast.STATE_LENGTH) * links[0].frames, links[0].bytes);
    }
}
