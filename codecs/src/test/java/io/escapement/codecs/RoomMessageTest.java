package io.escapement.codecs;

import io.escapement.codecs.trunk.RoomMessage;
import java.util.Random;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Messages of rooms: what is put is read, and no bytes are read beyond a batch. */
class RoomMessageTest
{
    private static final int MESSAGES = 20_000;
    private static final long SEED = 20_261_129;
    private static final int[] HEADER_LENGTHS = {7, 9, 15, 11};

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final RoomMessage message = new RoomMessage();

    @Test
    void shouldReadWhatWasPut()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[16 * 1_024]);
        for (int i = 0; i < MESSAGES; i++)
        {
            final boolean isState = random.nextBoolean();
            final long number = random.nextLong(RoomMessage.MAX_NUMBER + 1) >>> random.nextInt(38);
            final long roomId = TrunkMessages.roomId(random.nextInt(1_024), number);
            final int audience = random.nextInt(4);
            final long selector = selector(audience);
            final int length = 0 == random.nextInt(10) ? TrunkMessages.MAX_MESSAGE_LENGTH : random.nextInt(100);
            final int at = random.nextInt(100);
            final int headerLength =
                RoomMessage.putHeader(buffer, at, isState, roomId, audience, selector, length);
            final int end = at + headerLength + length;
            assertEquals(HEADER_LENGTHS[audience], headerLength);
            assertTrue(RoomMessage.isAt(buffer, at, end));
            assertEquals(headerLength + length, message.wrap(buffer, at, end));
            assertEquals(headerLength + length, RoomMessage.entrySize(buffer, at));
            assertEquals(isState, message.isState());
            assertEquals(number, message.number());
            assertEquals(audience, message.audience());
            assertEquals(selector, message.selector());
            assertEquals(at + headerLength, message.payloadOffset());
            assertEquals(length, message.payloadLength());
            assertTrue(message.wrap(buffer, at, end - 1) < 0, "its end is missing");
        }
    }

    @Test
    void shouldRefuseAPayloadThatIsTooLong()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[16 * 1_024]);
        final int length = TrunkMessages.MAX_MESSAGE_LENGTH + 1;
        final int headerLength = RoomMessage.putHeader(buffer, 0, true, 1, RoomMessage.ALL, 0, length);
        assertTrue(message.wrap(buffer, 0, headerLength + length) < 0);
    }

    /** The buffer ends with the batch, so a read beyond it throws. */
    @Test
    void shouldStayInsideAnyBytes()
    {
        final Random bytes = new Random(SEED);
        int taken = 0;
        for (int i = 0; i < MESSAGES; i++)
        {
            final byte[] batch = new byte[random.nextInt(24)];
            bytes.nextBytes(batch);
            if (batch.length > 1 && random.nextBoolean())
            {
                batch[0] = (byte)random.nextInt(24);
                batch[1] = (byte)(random.nextBoolean() ? 0x80 : 0xC0);
            }
            final UnsafeBuffer buffer = new UnsafeBuffer(batch);
            if (!RoomMessage.isAt(buffer, 0, batch.length))
            {
                continue;
            }
            final int size = message.wrap(buffer, 0, batch.length);
            if (size >= 0)
            {
                assertTrue(size <= batch.length && message.payloadLength() >= 0);
                assertEquals(size, message.payloadOffset() + message.payloadLength());
                taken++;
            }
        }
        assertTrue(taken > 100, "messages that were taken: " + taken);
        assertFalse(RoomMessage.isAt(new UnsafeBuffer(new byte[]{0, 0, -1, -1}), 3, 4));
    }

    private long selector(final int audience)
    {
        return switch (audience)
        {
            case RoomMessage.ALL_EXCEPT -> random.nextInt(1 << 16);
            case RoomMessage.MASK -> random.nextLong();
            case RoomMessage.ONE -> random.nextLong(1 << 16) << Integer.SIZE | random.nextInt(1 << 16);
            default -> 0;
        };
    }
}
