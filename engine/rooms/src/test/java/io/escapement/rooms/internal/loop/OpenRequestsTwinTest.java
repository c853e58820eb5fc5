package io.escapement.rooms.internal.loop;

import io.escapement.rooms.StateHash;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The requests against a map in the order of insertion. */
class OpenRequestsTwinTest
{
    private static final long SEED = 5_106;
    private static final int LIMIT = 40;
    /** More than the first arrays have lanes for. */
    private static final int SERVICES = 6;

    private record Key(long roomId, long correlationId)
    {
    }

    private static final class Request
    {
        private final int serviceId;
        private final byte[] bytes;
        private boolean isSent;

        Request(final int serviceId, final byte[] bytes)
        {
            this.serviceId = serviceId;
            this.bytes = bytes;
        }
    }

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final UnsafeBuffer source = new UnsafeBuffer(new byte[2_048]);
    private final OpenRequests requests = new OpenRequests(LIMIT);
    private final Map<Key, Request> twin = new LinkedHashMap<>();

    @Test
    void shouldHoldWhatAMapHolds()
    {
        int full = 0;
        for (int step = 0; step < 100_000; step++)
        {
            switch (random.nextInt(0 == (step / 1_000 & 1) ? 5 : 7))
            {
                case 0, 1, 2 -> add();
                case 3 -> send();
                case 4 ->
                {
                    if (0 == random.nextInt(50))
                    {
                        requests.sendAgain();
                        twin.values().forEach((request) -> request.isSent = false);
                    }
                }
                default -> remove();
            }
            full += requests.isFull() ? 1 : 0;
            assertEquals(twin.size(), requests.size(), this::seed);
            assertEquals(twin.size() == LIMIT, requests.isFull(), this::seed);
            assertEquals(
                twin.values().stream().anyMatch((request) -> !request.isSent), requests.hasUnsent(), this::seed);
        }
        assertTrue(full > 1_000 && full < 99_000, "full in " + full + " steps");
        final StateHash expected = new StateHash();
        expected.putInt(twin.size());
        twin.values().forEach(
            (request) -> expected.putBytes(new UnsafeBuffer(request.bytes), 0, request.bytes.length));
        final StateHash actual = new StateHash();
        requests.write(actual);
        assertEquals(expected.value(), actual.value(), this::seed);
    }

    private void add()
    {
        final Key key = new Key(random.nextLong(1, 8), random.nextLong(1, 20));
        if (requests.isFull())
        {
            return;
        }
        final byte[] bytes = new byte[random.nextInt(1_500)];
        random.nextBytes(bytes);
        source.putBytes(4, bytes);
        final int serviceId = random.nextInt(-1, SERVICES);
        requests.add(key.roomId, key.correlationId, serviceId, source, 4, bytes.length);
        twin.remove(key);
        twin.put(key, new Request(serviceId, bytes));
        assertTrue(requests.contains(key.roomId, key.correlationId), this::seed);
    }

    private void send()
    {
        final Set<Integer> full = new HashSet<>();
        final int[] accepted = {0};
        final int sent = requests.send((buffer, offset, length) ->
        {
            // The oldest of the services that have refused none.
            final Request request = twin.values().stream()
                .filter((open) -> !open.isSent && !full.contains(open.serviceId)).findFirst().orElseThrow();
            final byte[] actual = new byte[length];
            buffer.getBytes(offset, actual);
            assertArrayEquals(request.bytes, actual, this::seed);
            request.isSent = random.nextInt(3) != 0;
            accepted[0] += request.isSent ? 1 : 0;
            if (!request.isSent)
            {
                full.add(request.serviceId);
            }
            return request.isSent;
        });
        assertEquals(accepted[0], sent, this::seed);
        assertTrue(twin.values().stream().allMatch((open) -> open.isSent || full.contains(open.serviceId)), this::seed);
    }

    private void remove()
    {
        final Key key = new Key(random.nextLong(1, 8), random.nextLong(1, 20));
        assertEquals(null != twin.remove(key), requests.remove(key.roomId, key.correlationId), this::seed);
        assertFalse(requests.contains(key.roomId, key.correlationId), this::seed);
    }

    private String seed()
    {
        return "seed " + SEED;
    }
}
