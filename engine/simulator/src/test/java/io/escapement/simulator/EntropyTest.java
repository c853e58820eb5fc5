package io.escapement.simulator;

import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** Numbers that the JDK makes depend on the seed alone. */
final class EntropyTest
{
    @Test
    void shouldMakeTheSameNumbersInEachThread()
    {
        try (Entropy entropy = new Entropy())
        {
            final long numbers = entropy.run(7, EntropyTest::numbers);
            assertEquals(numbers, entropy.run(7, EntropyTest::numbers));
            assertEquals(numbers, CompletableFuture.supplyAsync(() -> entropy.run(7, EntropyTest::numbers)).join());
            assertNotEquals(numbers, entropy.run(8, EntropyTest::numbers));
        }
    }

    @Test
    void shouldGiveTheThreadItsIdBack()
    {
        final long id = Thread.currentThread().getId();
        try (Entropy entropy = new Entropy())
        {
            assertNotEquals(id, entropy.run(7, () -> Thread.currentThread().getId()));
            assertEquals(id, Thread.currentThread().getId());
        }
    }

    private static long numbers()
    {
        final ThreadLocalRandom random = ThreadLocalRandom.current();
        long numbers = new SecureRandom().nextLong();
        for (int i = 0; i < 100; i++)
        {
            numbers = 31 * numbers + random.nextInt();
        }
        return numbers;
    }
}
