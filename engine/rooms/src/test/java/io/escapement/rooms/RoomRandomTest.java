package io.escapement.rooms;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RoomRandomTest
{
    private static final long SEED = 5;
    private static final int ROUNDS = 30_000;

    private final RoomRandom random = new RoomRandom(SEED);

    /** The first numbers that the published SplitMix64 gives for this seed; recorded logs depend on them. */
    @Test
    void shouldGiveTheNumbersOfSplitMix()
    {
        random.state(1_234_567);
        for (final String expected : new String[]{"6457827717110365317", "3203168211198807973", "9817491932198370423"})
        {
            assertEquals(expected, Long.toUnsignedString(random.nextLong()));
        }
        random.state(1_234_567);
        assertEquals(0.3500795420214081, random.nextDouble());
        assertEquals(0, random.nextInt(1));
        assertThrows(IllegalArgumentException.class, () -> random.nextInt(0));
    }

    @Test
    void shouldDrawFromTheWholeRange()
    {
        final int[] counts = new int[7];
        for (int i = 0; i < ROUNDS; i++)
        {
            counts[random.nextInt(-3, 4) + 3]++;
        }
        for (final int count : counts)
        {
            assertTrue(Math.abs(count - ROUNDS / 7) < ROUNDS / 70, () -> Arrays.toString(counts));
        }
        for (int i = 0; i < ROUNDS; i++)
        {
            assertTrue(random.nextInt(Integer.MIN_VALUE, Integer.MAX_VALUE) < Integer.MAX_VALUE);
            assertEquals(Integer.MAX_VALUE - 1, random.nextInt(Integer.MAX_VALUE - 1, Integer.MAX_VALUE));
        }
        assertTrue(IntStream.range(0, 64)
            .map((i) -> random.nextInt(Integer.MIN_VALUE, Integer.MAX_VALUE)).anyMatch((number) -> number < -1 << 30));
        assertThrows(IllegalArgumentException.class, () -> random.nextInt(4, 4));
        assertThrows(IllegalArgumentException.class, () -> random.nextInt(Integer.MAX_VALUE, Integer.MIN_VALUE));
    }

    @Test
    void shouldShuffleEachOrderAsOftenAsTheOthers()
    {
        final int[] counts = new int[1_000];
        for (int i = 0; i < ROUNDS; i++)
        {
            final int[] values = {1, 2, 3, 9};
            random.shuffle(values, 3);
            assertEquals(9, values[3], "beyond the length");
            counts[values[0] * 100 + values[1] * 10 + values[2]]++;
        }
        for (final int order : new int[]{123, 132, 213, 231, 312, 321})
        {
            assertTrue(Math.abs(counts[order] - ROUNDS / 6) < ROUNDS / 60, () -> order + ": " + counts[order]);
        }
        final RoomRandom twin = new RoomRandom(random.state());
        final int[] numbers = {1, 2, 3, 4, 5, 6, 7};
        final Integer[] objects = {1, 2, 3, 4, 5, 6, 7};
        random.shuffle(numbers, numbers.length);
        twin.shuffle(objects);
        assertArrayEquals(numbers, Arrays.stream(objects).mapToInt((number) -> number).toArray());
    }

    @Test
    void shouldForkAStreamThatDoesNotChangeThisOne()
    {
        final RoomRandom twin = new RoomRandom(SEED);
        final RoomRandom fork = random.fork();
        final RoomRandom again = twin.fork();
        final long first = fork.nextLong();
        assertEquals(first, again.nextLong());
        fork.nextLong();
        assertEquals(twin.nextLong(), random.nextLong());
        assertNotEquals(first, random.fork().nextLong());
    }
}
