package io.escapement.ratelimit;

import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FairQueueTest
{
    private static final int LIMIT = 8;

    private final FairQueue<String> queue = new FairQueue<>(LIMIT);

    @Test
    void shouldServeSourcesInTurnAndEachInItsOrder()
    {
        for (final String element : List.of("a1", "a2", "a3", "b1", "b2", "c1"))
        {
            assertNull(queue.offer(element.substring(0, 1), element));
        }
        assertEquals("a1", queue.peek());
        assertEquals(List.of("a1", "b1", "c1", "a2", "b2", "a3"), rest());
        assertTrue(queue.isEmpty());
        assertNull(queue.peek());
        assertNull(queue.poll());
    }

    @Test
    void shouldRememberWhoWasServedWhenItHadNothingMore()
    {
        queue.offer("a", "a1");
        queue.poll();
        queue.offer("a", "a2");
        queue.offer("b", "b1");
        assertEquals(List.of("b1", "a2"), rest(), "b was never served");
    }

    @Test
    void shouldDisplaceTheNewestOfTheFullestSource()
    {
        for (int i = 1; i < LIMIT; i++)
        {
            queue.offer("a", "a" + i);
        }
        queue.offer("b", "b1");
        assertEquals("a8", queue.offer("a", "a8"), "the newcomer of the fullest source has no place");
        assertEquals("a7", queue.offer("b", "b2"));
        assertEquals("a6", queue.offer("c", "c1"));
        assertEquals(LIMIT, queue.size());
        assertEquals(List.of("a1", "b1", "c1", "a2", "b2", "a3", "a4", "a5"), rest());
    }

    /** As many sources as places: a source that was never served displaces one of the sources that were served. */
    @Test
    void shouldDisplaceTheSourceThatWouldBeLastAmongEqualOnes()
    {
        for (int i = 0; i < LIMIT; i++)
        {
            queue.offer("s" + i, "first");
            queue.poll();
        }
        for (int i = 0; i < LIMIT; i++)
        {
            assertNull(queue.offer("s" + i, "s" + i));
        }
        assertEquals("s7", queue.offer("new", "honest"));
        assertEquals("honest", queue.poll());
        assertEquals("s0", queue.poll());
    }

    @Test
    void shouldRemoveElementsWithoutServingThem()
    {
        queue.offer("a", "a1");
        queue.offer("b", "b1");
        queue.offer("b", "b2");
        queue.removeIf((element) -> element.endsWith("1"));
        assertEquals(1, queue.size());
        queue.offer("a", "a2");
        assertEquals(List.of("b2", "a2"), rest());
    }

    @Test
    void shouldRememberALimitedNumberOfSources()
    {
        for (int i = 0; i <= FairQueue.REMEMBERED_SOURCES; i++)
        {
            queue.offer("s" + i, "first");
            queue.poll();
        }
        queue.offer("s1", "remembered");
        queue.offer("s0", "forgotten");
        assertEquals("forgotten", queue.poll(), "as a source that was never served");
        assertEquals("remembered", queue.poll());
    }

    @Test
    void shouldRefuseALimitWithoutAPlace()
    {
        assertThrows(IllegalArgumentException.class, () -> new FairQueue<>(0));
    }

    /** The naive twin keeps a list of elements and searches it. */
    @Test
    void shouldBeWhatANaiveQueueIs()
    {
        final long seed = Tests.seed();
        final Random random = new Random(seed);
        final List<String> naive = new ArrayList<>();
        final Map<String, Integer> servedByKeyMap = new HashMap<>();
        int services = 0;
        for (int step = 0; step < 20_000; step++)
        {
            final String message = "seed " + seed + ", step " + step;
            if (random.nextInt(5) < 3)
            {
                final String key = "" + (char)('a' + random.nextInt(5) * random.nextInt(5));
                final String element = key + step;
                naive.add(element);
                assertEquals(naive.size() > LIMIT ? displace(naive, servedByKeyMap) : null,
                    queue.offer(key, element), message);
            }
            else if (0 == random.nextInt(8))
            {
                final String key = "" + (char)('a' + random.nextInt(17));
                naive.removeIf((element) -> element.startsWith(key));
                queue.removeIf((element) -> element.startsWith(key));
            }
            else
            {
                final String expected = naive.stream().reduce(
                    (one, other) -> isBefore(other, one, naive, servedByKeyMap) ? other : one).orElse(null);
                naive.remove(expected);
                assertEquals(expected, queue.poll(), message);
                if (null != expected)
                {
                    servedByKeyMap.put(expected.substring(0, 1), ++services);
                }
            }
            assertEquals(naive.size(), queue.size(), message);
        }
    }

    private static String displace(final List<String> naive, final Map<String, Integer> servedByKeyMap)
    {
        String worst = naive.get(0);
        for (final String element : naive)
        {
            final long more = count(naive, element) - count(naive, worst);
            final boolean isSame = element.charAt(0) == worst.charAt(0);
            if (more > 0 || 0 == more && (isSame || isBefore(worst, element, naive, servedByKeyMap)))
            {
                worst = element;
            }
        }
        naive.remove(worst);
        return worst;
    }

    private static boolean isBefore(
        final String one, final String other, final List<String> naive, final Map<String, Integer> servedByKeyMap)
    {
        final int ofOne = servedByKeyMap.getOrDefault(one.substring(0, 1), 0);
        final int ofOther = servedByKeyMap.getOrDefault(other.substring(0, 1), 0);
        return ofOne != ofOther ? ofOne < ofOther : first(naive, one) < first(naive, other);
    }

    private static int first(final List<String> naive, final String element)
    {
        int at = 0;
        while (naive.get(at).charAt(0) != element.charAt(0))
        {
            at++;
        }
        return at;
    }

    private static long count(final List<String> naive, final String element)
    {
        return naive.stream().filter((other) -> other.charAt(0) == element.charAt(0)).count();
    }

    private List<String> rest()
    {
        final List<String> rest = new ArrayList<>();
        for (String element = queue.poll(); null != element; element = queue.poll())
        {
            rest.add(element);
        }
        return rest;
    }
}
