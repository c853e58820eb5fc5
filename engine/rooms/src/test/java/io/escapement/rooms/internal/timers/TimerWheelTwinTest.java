package io.escapement.rooms.internal.timers;

import io.escapement.testsupport.Allocations;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TimerWheelTwinTest
{
    private static final long TICK_NS = 1L << 10;
    /** A small number, so that most timers are whole rounds of the wheel ahead. */
    private static final int BUCKETS = 16;
    /** More than the bits of one word, which are searched for the next bucket with timers. */
    private static final int MANY_BUCKETS = 256;
    private static final int CAPACITY = 500;
    private static final int NODES_PER_BLOCK = 13;
    private static final long SEED = 8_086;

    private record Timer(int owner, int id, long deadlineNs, long tick, long sequence)
    {
    }

    private static final class HandlerException extends RuntimeException
    {
        private static final long serialVersionUID = 1L;
    }

    /** The specification of the wheel, as a sorted list. */
    private static final class Twin
    {
        private final List<Timer> timers = new ArrayList<>();
        private long sequence;

        Timer schedule(final long deadlineNs, final long nowNs, final int owner, final int id)
        {
            final long tick = Math.max(-Math.floorDiv(-deadlineNs, TICK_NS), Math.floorDiv(nowNs, TICK_NS) + 1);
            final Timer timer = new Timer(owner, id, deadlineNs, tick, ++sequence);
            timers.add(timer);
            return timer;
        }

        Timer takeDue(final long lastTick)
        {
            final Timer first = timers.stream().filter((timer) -> timer.tick <= lastTick)
                .min(Comparator.comparingLong(Timer::tick).thenComparingLong(Timer::deadlineNs)
                    .thenComparingLong(Timer::sequence)).orElse(null);
            timers.remove(first);
            return first;
        }
    }

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Twin twin = new Twin();
    private final int[] nodeById = new int[1 << 24];
    private int buckets = BUCKETS;
    private TimerWheel wheel = new TimerWheel(TICK_NS, BUCKETS, CAPACITY);
    private long nowNs = -500 * TICK_NS;
    private int nextId;
    private int delivered;
    private int thrown;
    private int mostSet;

    @ParameterizedTest
    @ValueSource(ints = {BUCKETS, MANY_BUCKETS})
    void shouldBehaveAsASortedList(final int bucketCount)
    {
        buckets = bucketCount;
        wheel = new TimerWheel(TICK_NS, buckets, CAPACITY);
        final int operations = Tests.isFull() ? 5_000_000 : 50_000;
        for (int i = 0; i < operations; i++)
        {
            final int dice = random.nextInt(100);
            if (dice < 45)
            {
                schedule();
            }
            else if (dice < 65)
            {
                cancel();
            }
            else
            {
                // Time may pass without an expire: timers set then must belong to the same ticks.
                nowNs += random.nextLong(random.nextInt(1_000) > 0 ? 2 * TICK_NS : 1_000 * TICK_NS);
                if (dice < 90)
                {
                    expire();
                }
            }
            if (i % 1_000 == 0)
            {
                scheduleMany();
            }
            mostSet = Math.max(mostSet, wheel.size());
            if (i % 20_000 == 19_999)
            {
                restore();
            }
            assertEquals(twin.timers.size(), wheel.size(), "seed " + SEED);
        }
        assertTrue(delivered > operations / 10, "only " + delivered + " timers fired");
        assertEquals(CAPACITY, mostSet, "the wheel was never full");
        assertTrue(thrown > operations / 1_000, "only " + thrown + " handlers threw");
    }

    /** A cancelled node leaves a gap, and gaps must not use up the blocks. */
    @Test
    void shouldHoldItsCapacityAfterEveryPatternOfCancels()
    {
        for (int round = 0; round < 2_000; round++)
        {
            // Few buckets produce long chains of blocks; many produce blocks with few nodes.
            final int spread = 1 << random.nextInt(5);
            while (twin.timers.size() < CAPACITY)
            {
                schedule((1 + random.nextInt(spread)) * TICK_NS);
            }
            final int kept = random.nextInt(CAPACITY);
            final boolean isOldestFirst = random.nextBoolean();
            while (twin.timers.size() > kept)
            {
                cancel(isOldestFirst ? 0 : random.nextInt(twin.timers.size()));
            }
        }
        nowNs = 2 * BUCKETS * TICK_NS;
        expire();
        assertEquals(twin.timers.size(), wheel.size(), "seed " + SEED);
    }

    /** Timers cancelled soon after they are set, such as request timeouts. */
    @Test
    void shouldHoldItsCapacityAmongShortLivedTimers()
    {
        while (twin.timers.size() < CAPACITY)
        {
            schedule(TICK_NS);
            for (int i = random.nextInt(16); i > 0 && twin.timers.size() < CAPACITY; i--)
            {
                schedule(TICK_NS);
                cancel(twin.timers.size() - 1);
            }
        }
        nowNs = TICK_NS;
        expire();
        assertEquals(twin.timers.size(), wheel.size(), "seed " + SEED);
    }

    /** The pattern that needs the most blocks: each block is filled, then all but a few of its timers are cancelled. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldHoldItsCapacityInThinBlocks(final boolean isNewestThinned)
    {
        buckets = 1;
        for (int kept = 1; kept <= NODES_PER_BLOCK; kept++)
        {
            wheel = new TimerWheel(TICK_NS, buckets, CAPACITY);
            twin.timers.clear();
            twin.sequence = 0;
            nowNs = 0;
            int first = 0;
            while (twin.timers.size() + NODES_PER_BLOCK <= CAPACITY)
            {
                first = isNewestThinned ? twin.timers.size() : first;
                for (int i = 0; i < NODES_PER_BLOCK; i++)
                {
                    schedule((1 + random.nextInt(20)) * TICK_NS);
                }
                for (int i = NODES_PER_BLOCK; i > kept && first + i <= twin.timers.size(); i--)
                {
                    cancel(first + random.nextInt(i));
                }
                first += kept;
            }
            while (twin.timers.size() < CAPACITY)
            {
                schedule((1 + random.nextInt(20)) * TICK_NS);
            }
            for (int tick = 1; tick <= 20; tick++)
            {
                nowNs = tick * TICK_NS;
                expire();
            }
        }
    }

    @Test
    void shouldDeliverTheRestAfterAHandlerThrew()
    {
        for (int id = 0; id < 5; id++)
        {
            wheel.schedule(100 + id, 0, 1, id);
        }
        wheel.schedule(5_000, 0, 1, 5);
        final List<Integer> ids = new ArrayList<>();
        assertThrows(IllegalStateException.class, () -> wheel.expire(TICK_NS * 20, (owner, id, deadlineNs) ->
        {
            ids.add(id);
            if (id == 2)
            {
                throw new IllegalStateException("on purpose");
            }
        }));
        assertTrue(wheel.nextDeadlineNs() <= TICK_NS * 20);
        wheel.expire(TICK_NS * 20, (owner, id, deadlineNs) -> ids.add(id));
        assertEquals(List.of(0, 1, 2, 3, 4, 5), ids);
        assertEquals(Long.MAX_VALUE, wheel.nextDeadlineNs());
    }

    @Test
    void shouldHoldTheFarthestDeadlineAndRefuseTimersOverItsCapacity()
    {
        for (int i = 0; i < CAPACITY; i++)
        {
            wheel.schedule(Long.MAX_VALUE - i, 0, 1, i);
        }
        assertThrows(IllegalStateException.class, () -> wheel.schedule(1, 0, 1, 1));
        assertEquals(0, wheel.expire(TimeUnit.DAYS.toNanos(1), (owner, id, deadlineNs) -> delivered++));
    }

    @Test
    void shouldNotAllocate()
    {
        final TimerWheel.Handler handler = (owner, id, deadlineNs) -> delivered++;
        assertEquals(0, Allocations.least(8, () ->
        {
            delivered = 0;
            for (int i = 0; i < 50_000; i++)
            {
                nowNs += 700;
                wheel.schedule(nowNs + random.nextInt(100_000), nowNs, 1, i);
                wheel.cancel(wheel.schedule(nowNs + 50_000, nowNs, 1, i));
                // Sometimes long enough for many timers to be due in one tick.
                if (0 == i % 50 || 0 != i % 1_000 / 500)
                {
                    wheel.expire(nowNs, handler);
                }
            }
        }));
        assertTrue(delivered > 33_000, "only " + delivered + " timers fired");
    }

    private void schedule()
    {
        schedule(deadlineNs());
    }

    /** Fill the wheel, with enough timers in one tick for the heap sort. */
    private void scheduleMany()
    {
        final long tickNs = Math.floorDiv(nowNs, TICK_NS) * TICK_NS + TICK_NS * (2 + random.nextInt(40));
        for (int i = 0; i < CAPACITY; i++)
        {
            schedule(tickNs - random.nextInt(50));
        }
    }

    private void schedule(final long deadlineNs)
    {
        if (twin.timers.size() < CAPACITY)
        {
            final int id = nextId++;
            nodeById[id] = wheel.schedule(deadlineNs, nowNs, id % 7, id);
            final Timer timer = twin.schedule(deadlineNs, nowNs, id % 7, id);
            assertEquals(timer.tick, wheel.tick(nodeById[id]), "seed " + SEED);
        }
    }

    private long deadlineNs()
    {
        return switch (random.nextInt(12))
        {
            case 0 -> nowNs;
            case 1 -> nowNs - random.nextLong(100 * TICK_NS);
            case 2 -> Math.floorDiv(nowNs, TICK_NS) * TICK_NS + TICK_NS * random.nextInt(3);
            case 3, 4, 5, 6 -> nowNs + random.nextLong(4 * TICK_NS);
            default -> nowNs + random.nextLong(1_000 * TICK_NS);
        };
    }

    private void cancel()
    {
        if (!twin.timers.isEmpty())
        {
            cancel(random.nextInt(twin.timers.size()));
        }
    }

    private void cancel(final int at)
    {
        wheel.cancel(nodeById[twin.timers.remove(at).id]);
    }

    private void expire()
    {
        final long firstDueNs = twin.timers.stream().mapToLong((timer) -> timer.tick * TICK_NS).min()
            .orElse(Long.MAX_VALUE);
        assertTrue(wheel.nextDeadlineNs() <= firstDueNs, "seed " + SEED + ": woken too late");
        final long nowTick = Math.floorDiv(nowNs, TICK_NS);
        boolean isDone = false;
        while (!isDone)
        {
            try
            {
                turn(nowTick);
                isDone = true;
            }
            catch (final HandlerException ex)
            {
                // The next expire delivers the rest.
                thrown++;
            }
            if (random.nextInt(50) == 0)
            {
                restore();
            }
        }
        assertEquals(null, twin.takeDue(nowTick), "seed " + SEED + ": not delivered");
    }

    private void turn(final long nowTick)
    {
        wheel.expire(nowNs, (owner, id, deadlineNs) ->
        {
            final Timer expected = twin.takeDue(nowTick);
            assertNotNull(expected, "seed " + SEED + ": " + id + " is not due");
            assertEquals(expected.id, id, "seed " + SEED);
            assertEquals(expected.owner, owner, "seed " + SEED);
            assertEquals(expected.deadlineNs, deadlineNs, "seed " + SEED);
            assertTrue(nowNs >= deadlineNs, "seed " + SEED + ": early");
            delivered++;
            // A room's callback may cancel any timer, even a due one, and set new ones.
            if (random.nextInt(4) == 0)
            {
                cancel();
            }
            if (random.nextInt(4) == 0)
            {
                schedule();
            }
            if (random.nextInt(100) == 0)
            {
                throw new HandlerException();
            }
        });
    }

    private void restore()
    {
        final TimerWheel other = new TimerWheel(TICK_NS, buckets, CAPACITY);
        other.restoreTime(wheel.lastSequence(), nowNs);
        twin.timers.sort(Comparator.comparingLong(Timer::sequence));
        for (final Timer timer : twin.timers)
        {
            final int node = nodeById[timer.id];
            assertEquals(timer.sequence, wheel.sequence(node), "seed " + SEED);
            nodeById[timer.id] = other.restore(
                wheel.deadlineNs(node), wheel.sequence(node), wheel.tick(node), timer.owner, timer.id);
        }
        wheel = other;
    }
}
