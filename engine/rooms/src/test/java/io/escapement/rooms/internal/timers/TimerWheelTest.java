package io.escapement.rooms.internal.timers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TimerWheelTest
{
    private static final long T = 1L << 10;
    private static final int BUCKETS = 16;
    private static final int CAPACITY = 2_000;
    private static final int MOST_BUCKETS = 1 << 20;
    private static final int MOST_TIMERS = 1 << 28;

    private final TimerWheel wheel = new TimerWheel(T, BUCKETS, CAPACITY);
    private final List<Integer> fired = new ArrayList<>();
    private final TimerWheel.Handler collector = (owner, id, deadlineNs) -> fired.add(id);

    @Test
    void shouldFireAtTheFirstTickNotBeforeTheDeadline()
    {
        wheel.schedule(5 * T, 0, 1, 1);
        wheel.schedule(5 * T + 1, 0, 1, 2);

        assertEquals(0, wheel.expire(5 * T - 1, collector));
        assertEquals(1, wheel.expire(5 * T, collector));
        assertEquals(0, wheel.expire(6 * T - 1, collector));
        assertEquals(1, wheel.expire(6 * T, collector));
        assertEquals(List.of(1, 2), fired);
    }

    @Test
    void shouldNotFireInTheTurnThatSetIt()
    {
        wheel.schedule(4 * T, 4 * T, 1, 1);
        wheel.schedule(0, 4 * T + 7, 1, 2);

        assertEquals(0, wheel.expire(5 * T - 1, collector));
        assertEquals(2, wheel.expire(5 * T, collector));
        assertEquals(List.of(2, 1), fired);
    }

    @Test
    void shouldNotDeliverATimerInTheExpireWhoseHandlerSetIt()
    {
        final long nowNs = 100 * T;
        wheel.schedule(3 * T, 0, 1, 1);
        wheel.schedule(90 * T, 0, 1, 2);

        final int count = wheel.expire(nowNs, (owner, id, deadlineNs) ->
        {
            fired.add(id);
            wheel.schedule(50 * T, nowNs, 1, id + 10);
        });

        assertEquals(2, count);
        assertEquals(List.of(1, 2), fired);
        assertEquals(2, wheel.expire(nowNs + T, collector));
        assertEquals(List.of(1, 2, 11, 12), fired);
    }

    @Test
    void shouldGiveAnOverdueTimerATickOfTheTimeItWasSetAt()
    {
        // The wheel has never expired, so it starts at 0 and passes the same bucket in earlier rounds.
        final int node = wheel.schedule(10 * T, 100 * T, 1, 1);

        assertEquals(101, wheel.tick(node));
        assertEquals(0, wheel.expire(101 * T - 1, collector));
        assertEquals(1, wheel.expire(101 * T, collector));
    }

    @Test
    void shouldOrderByTickThenDeadlineThenOrderOfSetting()
    {
        wheel.schedule(9 * T, 0, 1, 6);
        wheel.schedule(2 * T - 3, 0, 1, 3);
        wheel.schedule(2 * T - 5, 0, 1, 1);
        wheel.schedule(2 * T - 3, 0, 1, 4);
        wheel.schedule(2 * T - 5, 0, 1, 2);
        wheel.schedule(9 * T - 1, 0, 1, 5);
        // It has the earliest deadline, but not the earliest tick.
        wheel.schedule(1, 9 * T, 1, 7);

        wheel.expire(50 * T, collector);

        assertEquals(List.of(1, 2, 3, 4, 5, 6, 7), fired);
    }

    @Test
    void shouldOrderManyTimersOfOneTick()
    {
        final SplittableRandom random = new SplittableRandom(11);
        for (int round = 0; round < 20; round++)
        {
            final int count = round < 19 ? random.nextInt(100) : CAPACITY;
            final long tickNs = 20L * round * T;
            final List<long[]> expected = new ArrayList<>();
            for (int id = 0; id < count; id++)
            {
                final long deadlineNs = tickNs + 5 * T - random.nextInt(50);
                wheel.schedule(deadlineNs, tickNs, 1, id);
                expected.add(new long[]{deadlineNs, id});
            }
            // Stable, so equal deadlines stay in the order of setting.
            expected.sort((a, b) -> Long.compare(a[0], b[0]));

            fired.clear();
            wheel.expire(tickNs + 5 * T, collector);

            assertEquals(expected.stream().map((timer) -> (int)timer[1]).toList(), fired);
        }
    }

    @Test
    void shouldKeepTimersOfLaterRounds()
    {
        for (int turn = 5; turn >= 0; turn--)
        {
            wheel.schedule((3 + (long)turn * BUCKETS) * T, 0, 1, turn);
        }

        for (int turn = 0; turn < 6; turn++)
        {
            assertEquals(0, wheel.expire((3 + (long)turn * BUCKETS) * T - 1, collector));
            assertEquals(1, wheel.expire((3 + (long)turn * BUCKETS) * T, collector));
        }
        assertEquals(List.of(0, 1, 2, 3, 4, 5), fired);
    }

    @Test
    void shouldKeepAllTimersOfAFullBucket()
    {
        final TimerWheel single = new TimerWheel(T, 1, 15);
        for (int id = 0; id < 15; id++)
        {
            single.schedule((20 + id) * T, 0, 1, id);
        }

        for (int tick = 1; tick < 20; tick++)
        {
            assertEquals(0, single.expire(tick * T, collector));
        }
        assertEquals(15, single.expire(34 * T, collector));
        assertEquals(IntStream.range(0, 15).boxed().toList(), fired);
    }

    @Test
    void shouldDeliverInOrderOfTicksOverAGapOfManyTurns()
    {
        final List<Integer> ids = new ArrayList<>(IntStream.range(0, 1_000).boxed().toList());
        Collections.shuffle(ids, new Random(5));
        for (final int id : ids)
        {
            wheel.schedule((1 + 7L * id) * T, 0, 1, id);
        }

        assertEquals(1_000, wheel.expire(8_000 * T, collector));
        assertEquals(IntStream.range(0, 1_000).boxed().toList(), fired);
    }

    @Test
    void shouldCrossAGapOfYearsWithoutWalkingItsTicks()
    {
        final long farNs = TimeUnit.DAYS.toNanos(365 * 100);
        wheel.schedule(farNs, 0, 1, 1);
        wheel.schedule(farNs - TimeUnit.DAYS.toNanos(1), 0, 1, 0);
        wheel.schedule(Long.MAX_VALUE, 0, 1, 2);

        assertEquals(2, wheel.expire(farNs + T, collector));
        assertEquals(List.of(0, 1), fired);
        assertEquals(0, wheel.expire(farNs + TimeUnit.DAYS.toNanos(365 * 100), collector));
        assertEquals(1, wheel.size());
    }

    @Test
    void shouldNotOverflowAtTheEndOfTime()
    {
        final long lastTickNs = Long.MAX_VALUE / T * T;
        wheel.schedule(Long.MAX_VALUE, 0, 1, 1);

        assertEquals(Long.MAX_VALUE, wheel.nextDeadlineNs());
        wheel.schedule(lastTickNs, 0, 1, 2);
        assertEquals(lastTickNs, wheel.nextDeadlineNs());
        assertEquals(1, wheel.expire(Long.MAX_VALUE, collector));
        assertEquals(List.of(2), fired);
    }

    @Test
    void shouldRunBeforeTimeZero()
    {
        wheel.schedule(-3 * T, -5 * T, 1, 1);
        wheel.schedule(-3 * T + 1, -5 * T, 1, 2);
        wheel.schedule(Long.MIN_VALUE, -5 * T, 1, 0);

        assertEquals(1, wheel.expire(-3 * T - 1, collector));
        assertEquals(1, wheel.expire(-3 * T, collector));
        assertEquals(1, wheel.expire(-2 * T, collector));
        assertEquals(List.of(0, 1, 2), fired);
    }

    @Test
    void shouldNotDeliverATimerCancelledWhileDue()
    {
        final int[] nodes = new int[5];
        for (int id = 0; id < nodes.length; id++)
        {
            nodes[id] = wheel.schedule(T - 10 + id, 0, 1, id);
        }

        final int count = wheel.expire(T, (owner, id, deadlineNs) ->
        {
            fired.add(id);
            if (1 == id)
            {
                wheel.cancel(nodes[4]);
                wheel.cancel(nodes[2]);
                // Reuses the node of a due timer: it must neither revive that timer nor fire early.
                wheel.schedule(T, T, 1, 9);
            }
        });

        assertEquals(3, count);
        assertEquals(List.of(0, 1, 3), fired);
        assertEquals(1, wheel.size());
        assertEquals(2 * T, wheel.nextDeadlineNs());
        assertEquals(1, wheel.expire(2 * T, collector));
        assertEquals(List.of(0, 1, 3, 9), fired);
    }

    @Test
    void shouldFreeANodeBeforeItsHandler()
    {
        for (int id = 0; id < CAPACITY; id++)
        {
            wheel.schedule(T, 0, 1, id);
        }

        wheel.expire(T, (owner, id, deadlineNs) -> wheel.schedule(2 * T, T, 1, id));

        assertEquals(CAPACITY, wheel.size());
        assertEquals(CAPACITY, wheel.expire(2 * T, collector));
        assertEquals(0, wheel.size());
    }

    @Test
    void shouldHoldItsCapacityWhenEachTimerHasABlock()
    {
        for (int capacity = 1; capacity <= 8; capacity++)
        {
            for (int buckets = 1; buckets <= 8; buckets <<= 1)
            {
                final TimerWheel small = new TimerWheel(T, buckets, capacity);
                // Those of later rounds move to a block more when their bucket is collected.
                for (int id = 0; id < capacity; id++)
                {
                    small.schedule((1 + id) * T, 0, 1, id);
                }
                assertEquals(capacity, small.expire(capacity * T, collector));
            }
        }
    }

    @Test
    void shouldHoldItsCapacityInEveryDistribution()
    {
        final int[] nodes = new int[CAPACITY];
        for (int spread = 1; spread <= 64; spread <<= 1)
        {
            for (int id = 0; id < CAPACITY; id++)
            {
                nodes[id] = wheel.schedule((1 + id % spread) * T, 0, 1, id);
            }
            final int spreadNow = spread;
            assertThrows(IllegalStateException.class, () -> wheel.schedule(spreadNow * T, 0, 1, 0));
            for (int id = 0; id < CAPACITY; id++)
            {
                if (0 != id % 7)
                {
                    wheel.cancel(nodes[id]);
                    nodes[id] = wheel.schedule((1 + id % BUCKETS) * T, 0, 1, id);
                }
            }
            assertEquals(CAPACITY, wheel.size());
            for (final int node : nodes)
            {
                wheel.cancel(node);
            }
            assertEquals(0, wheel.size());
        }
    }

    @Test
    void shouldDeliverTheRestInOrderAfterAHandlerThrew()
    {
        for (int id = 0; id < 8; id++)
        {
            wheel.schedule(id < 5 ? T - 10 + id : id * 40 * T, 0, 1, id);
        }
        final int[] survivor = new int[1];
        final TimerWheel.Handler thrower = (owner, id, deadlineNs) ->
        {
            fired.add(id);
            if (1 == id)
            {
                survivor[0] = wheel.schedule(2 * T, 1_000 * T, 1, 8);
                throw new IllegalStateException("on purpose");
            }
        };

        assertThrows(IllegalStateException.class, () -> wheel.expire(1_000 * T, thrower));
        assertEquals(1_001, wheel.tick(survivor[0]));
        assertEquals(7, wheel.size());
        assertEquals(T, wheel.nextDeadlineNs());

        assertEquals(6, wheel.expire(1_000 * T, collector));
        assertEquals(1, wheel.expire(1_001 * T, collector));
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8), fired);
        assertEquals(Long.MAX_VALUE, wheel.nextDeadlineNs());
    }

    @Test
    void shouldCancelAndRestoreTheRestAfterAHandlerThrew()
    {
        final int[] nodes = new int[4];
        for (int id = 0; id < nodes.length; id++)
        {
            nodes[id] = wheel.schedule(T - 10 + id, 0, 1, id);
        }
        assertThrows(IllegalStateException.class, () -> wheel.expire(9 * T, (owner, id, deadlineNs) ->
        {
            throw new IllegalStateException("on purpose");
        }));
        wheel.cancel(nodes[2]);

        final TimerWheel other = new TimerWheel(T, BUCKETS, CAPACITY);
        other.restoreTime(wheel.lastSequence(), 9 * T);
        for (final int id : new int[]{1, 3})
        {
            other.restore(
                wheel.deadlineNs(nodes[id]), wheel.sequence(nodes[id]), wheel.tick(nodes[id]), 1, id);
        }

        assertEquals(2, other.expire(9 * T, collector));
        assertEquals(2, wheel.expire(9 * T, collector));
        assertEquals(List.of(1, 3, 1, 3), fired);
    }

    @Test
    void shouldReturnTheValuesOfATimer()
    {
        final List<Long> seen = new ArrayList<>();
        final int first = wheel.schedule(7, 0, Integer.MAX_VALUE, -1);
        final int second = wheel.schedule(8, 0, 0, Integer.MIN_VALUE);

        assertEquals(7, wheel.deadlineNs(first));
        assertEquals(1, wheel.sequence(second) - wheel.sequence(first));
        assertEquals(wheel.sequence(second), wheel.lastSequence());
        wheel.expire(T, (owner, id, deadlineNs) -> seen.addAll(List.of((long)owner, (long)id, deadlineNs)));
        assertEquals(List.of((long)Integer.MAX_VALUE, -1L, 7L, 0L, (long)Integer.MIN_VALUE, 8L), seen);
    }

    @Test
    void shouldKnowWhichTicksArePast()
    {
        wheel.expire(7 * T, collector);
        assertTrue(wheel.isPast(7));
        assertFalse(wheel.isPast(8));
        wheel.restoreTime(0, 9 * T + 1);
        assertTrue(wheel.isPast(9));
        assertFalse(wheel.isPast(10));
        wheel.expire(8 * T, collector);
        assertTrue(wheel.isPast(9));
    }

    @Test
    void shouldReturnTheNextDeadline()
    {
        assertEquals(Long.MAX_VALUE, wheel.nextDeadlineNs());
        wheel.schedule(9 * T - 1, 0, 1, 1);
        assertEquals(9 * T, wheel.nextDeadlineNs());
        wheel.schedule(4 * T, 0, 1, 2);
        assertEquals(4 * T, wheel.nextDeadlineNs());
        wheel.cancel(wheel.schedule(7 * T, 0, 1, 3));
        wheel.expire(4 * T, collector);
        assertEquals(9 * T, wheel.nextDeadlineNs());
        wheel.expire(9 * T, collector);
        assertEquals(Long.MAX_VALUE, wheel.nextDeadlineNs());
        wheel.schedule(12 * T, 9 * T, 1, 4);
        wheel.schedule(24 * T, 9 * T, 1, 5);
        wheel.expire(12 * T, collector);
        assertEquals(24 * T, wheel.nextDeadlineNs());
        wheel.expire(24 * T, collector);
        wheel.cancel(wheel.schedule(31 * T, 24 * T, 1, 6));
        assertEquals(Long.MAX_VALUE, wheel.nextDeadlineNs());
    }

    @Test
    void shouldChooseBucketsByTimers()
    {
        assertEquals(256, TimerWheel.bucketsFor(0));
        assertEquals(256, TimerWheel.bucketsFor(8_000));
        assertEquals(4_096, TimerWheel.bucketsFor(4_096 * 16));
        assertEquals(65_536, TimerWheel.bucketsFor(Integer.MAX_VALUE));
    }

    @Test
    void shouldRefuseInvalidArguments()
    {
        assertThrows(IllegalArgumentException.class, () -> new TimerWheel(1_000, BUCKETS, 1));
        assertThrows(IllegalArgumentException.class, () -> new TimerWheel(1, BUCKETS, 1));
        assertThrows(IllegalArgumentException.class, () -> new TimerWheel(T, 100, 1));
        assertThrows(IllegalArgumentException.class, () -> new TimerWheel(T, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new TimerWheel(T, BUCKETS, -1));
        assertThrows(IllegalArgumentException.class, () -> new TimerWheel(T, MOST_BUCKETS * 2, 1));
        assertThrows(IllegalArgumentException.class, () -> new TimerWheel(T, BUCKETS, MOST_TIMERS + 1));
        assertThrows(IllegalStateException.class, () -> new TimerWheel(T, BUCKETS, 0).schedule(1, 0, 1, 1));
    }

    @Test
    void shouldTakeTheLeastTickAndTheMostBuckets()
    {
        final TimerWheel widest = new TimerWheel(2, MOST_BUCKETS, 1);
        assertEquals(1, widest.capacity());
        widest.schedule(2L * MOST_BUCKETS - 3, 0, 1, 1);
        assertEquals(0, widest.expire(2L * MOST_BUCKETS - 3, collector));
        assertEquals(1, widest.expire(2L * MOST_BUCKETS - 2, collector));
    }
}
