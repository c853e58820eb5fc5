package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.codecs.TrunkMessages;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Random and almost valid datagrams and batches are sent to the ports of a running engine, beside an honest trunk: all
 * of its messages arrive, nothing throws, and memory does not grow.
 */
class HostilePortsTest
{
    private static final long SEED = 20_261_122;
    private static final boolean IS_FULL = Tests.isFull();
    private static final int DATAGRAMS = IS_FULL ? 1_000_000 : 20_000;
    private static final int FRAMES = IS_FULL ? 1_000_000 : 20_000;
    private static final long SPARE_BYTES = 8 * 1_024 * 1_024;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
    private long sent;

    @Test
    void shouldServeTheHonestTrunkAmongHostileDatagrams() throws IOException
    {
        try (TestEngine engine = new TestEngine(new EngineContext().loops(1).roomType(EchoRoom.type()));
            TestTrunk trunk = TestTrunk.over(engine);
            DatagramChannel socket = DatagramChannel.open())
        {
            final ClientSeat seat = trunk.join(engine, engine.engine().openRoom(1).roomId(), 7);
            honest(engine, trunk, seat, 1_000);
            final long before = directMemory();
            final ByteBuffer datagram = ByteBuffer.allocateDirect(2_048).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < DATAGRAMS; i++)
            {
                datagram.clear();
                final int length = datagram(datagram);
                datagram.position(0).limit(length);
                socket.send(datagram, address(0 == (i & 1) ? engine.ingress() : engine.response()));
                if (0 == i % 4)
                {
                    engine.turn();
                    honest(engine, trunk, seat, 1);
                }
            }
            honest(engine, trunk, seat, 1_000);
            assertEquals(sent, trunk.events, "seed " + SEED);
            assertTrue(directMemory() - before < SPARE_BYTES,
                "seed " + SEED + ", direct and mapped bytes: " + before + " before, " + directMemory() + " after");
        }
    }

    @Test
    void shouldServeTheHonestTrunkAmongHostileBatches()
    {
        final EngineContext context = new EngineContext().loops(1).roomType(EchoRoom.type());
        try (TestEngine engine = new TestEngine(context); TestTrunk trunk = TestTrunk.over(engine);
            RawTrunk raw = RawTrunk.attached(engine, 0))
        {
            final long roomId = engine.engine().openRoom(1).roomId();
            final ClientSeat seat = trunk.join(engine, roomId, 7);
            raw.join(0, 1, roomId, 8, new byte[0]);
            raw.awaitReceived("Joined 1.1 at 0");
            final byte[][] frames = {frame(raw, roomId, 1), frame(raw, roomId, 3), frame(raw, roomId, 12)};
            final long before = directMemory();
            for (int i = 0; i < FRAMES; i++)
            {
                final byte[] bytes = mutated(frames[random.nextInt(frames.length)]);
                final int stream = 0 == random.nextInt(8) ?
                    TrunkMessages.CONTROL_STREAM_ID : TrunkMessages.loopStreamId(0);
                engine.await("to send", raw::poll, () -> !raw.isConnected(stream) || raw.trySendBytes(stream, bytes));
                raw.received.clear();
                if (0 == i % 8)
                {
                    raw.keepalive();
                    honest(engine, trunk, seat, 1);
                }
            }
            honest(engine, trunk, seat, 1_000);
            assertEquals(sent, trunk.events, "seed " + SEED);
            assertTrue(directMemory() - before < SPARE_BYTES,
                "seed " + SEED + ", direct and mapped bytes: " + before + " before, " + directMemory() + " after");
        }
    }

    private void honest(final TestEngine engine, final TestTrunk trunk, final ClientSeat seat, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            engine.await("to send", trunk, () -> SendStatus.SENT == trunk.client().send(seat, message, 0, 64));
            sent++;
        }
        engine.await("echoes, seed " + SEED, trunk, () -> sent == trunk.events);
    }

    /** Random bytes, or an Aeron header of a live stream followed by random bytes. */
    private int datagram(final ByteBuffer datagram)
    {
        final int length = 1 + random.nextInt(200);
        for (int i = 0; i < length; i++)
        {
            datagram.put(i, (byte)random.nextInt());
        }
        if (0 != random.nextInt(8) && length >= 40)
        {
            datagram.putInt(0, 0 == random.nextInt(4) ? random.nextInt() : length);
            datagram.put(4, (byte)0);
            datagram.putShort(6, (short)random.nextInt(12));
            datagram.putInt(12, random.nextInt(16));
            datagram.putInt(16, TrunkMessages.CONTROL_STREAM_ID + random.nextInt(2));
        }
        return length;
    }

    private static byte[] frame(final RawTrunk raw, final long roomId, final int entries)
    {
        raw.begin();
        for (int i = 0; i < entries; i++)
        {
            raw.add(roomId, 1, 1, i + 1, new byte[10 * i]);
        }
        return raw.frame();
    }

    private byte[] mutated(final byte[] frame)
    {
        final byte[] bytes = Arrays.copyOf(frame, 1 + random.nextInt(frame.length + 8));
        for (int i = random.nextInt(4); i >= 0; i--)
        {
            bytes[random.nextInt(bytes.length)] = (byte)random.nextInt();
        }
        return bytes;
    }

    private static InetSocketAddress address(final String endpoint)
    {
        final int colon = endpoint.indexOf(':');
        return new InetSocketAddress(endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1)));
    }

    private static long directMemory()
    {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
    }
}
