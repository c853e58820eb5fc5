package io.escapement.engine.internal.loop;

import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.engine.internal.queue.ByteFifo;
import io.escapement.rooms.output.Outputs;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class EgressEncoderTest
{
    private static final int AUDIENCES = 4;
    private static final int MESSAGES = 5_000;

    /** Few values of each field, so that messages often differ from the last one in one of them or in none. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldEncodeAsIfEachMessageWereTheFirst(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final EgressEncoder encoder = new EgressEncoder();
        final LinkEgress[] links = new LinkEgress[2];
        Arrays.setAll(links, (i) -> new LinkEgress(i, new MemoryPublication(), new LinkQueues(), false));
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[64]);
        final UnsafeBuffer expected = new UnsafeBuffer(new byte[256]);
        for (int i = 0; i < MESSAGES; i++)
        {
            final LinkEgress link = links[random.nextInt(links.length)];
            final int outputClass = random.nextBoolean() ? Outputs.EVENT : Outputs.STATE;
            final long roomId = random.nextInt(2);
            final int audience = random.nextInt(AUDIENCES);
            final long selector = random.nextInt(2);
            final int length = random.nextInt(3);
            payload.putLong(8, random.nextLong());
            assertTrue(encoder.message(link, roomId, outputClass, audience, selector, payload, 8, length));

            final int end = encode(expected, outputClass, roomId, audience, selector, payload, length);
            final ByteFifo queue = Outputs.EVENT == outputClass ? link.events : link.states;
            assertEquals(new UnsafeBuffer(expected, 0, end),
                new UnsafeBuffer(queue.headBuffer(), queue.head(), queue.size()), "message " + i + " of seed " + seed);
            queue.clear();
        }
    }

    private static int encode(
        final UnsafeBuffer to,
        final int outputClass,
        final long roomId,
        final int audience,
        final long selector,
        final UnsafeBuffer payload,
        final int length)
    {
        final int headerLength =
            RoomMessage.putHeader(to, 0, Outputs.STATE == outputClass, roomId, audience, selector, length);
        to.putBytes(headerLength, payload, 8, length);
        return headerLength + length;
    }
}
