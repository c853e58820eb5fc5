package io.escapement.perf.rooms;

import com.sun.management.ThreadMXBean;
import io.escapement.perf.peers.JobTimer;
import io.escapement.perf.peers.SafeAgronaTimers;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.agrona.BitUtil;
import org.agrona.DeadlineTimerWheel;
import org.agrona.DirectBuffer;

/** Timers of one kind, set and cancelled by their index in arrays that all kinds share. */
abstract class TimersUnderTest
{
    static final long TICK_NS = 1L << 20;
    static final int SPOKES = 65_536;
    static final int CHUNK = 4_000;
    static final long SPREAD_NS = 60_000_000_000L;
    private static final int ROOMS = 16;
    private static final long STEP_NS = 1_000_000;
    private static final long LAST_NS = SPREAD_NS + 4 * TICK_NS;
    /** Between two reads of the clock. */
    private static final int STEPS = 100;
    /** A wheel may be late by one tick and the rest of another. */
    private static final int TICKS_LATE = 2;
    private static final long SEED = 42;

    final long[] delays;
    final long[] handles;
    /** In the thread that polls. */
    int fired;
    final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final int[] cancelOrder;

    TimersUnderTest(final int count)
    {
        // Spread at random, the same in every run.
        delays = new SplittableRandom(SEED).longs(count, 0, SPREAD_NS).toArray();
        cancelOrder = cancelOrder(count);
        handles = new long[count];
    }

    static TimersUnderTest of(final String kind, final int count)
    {
        return switch (kind)
        {
            case "escapement" -> new Rooms(count);
            case "agrona" -> new Polled(count).agrona();
            case "agronaWithMap" -> new Polled(count).agronaWithMap();
            case "netty" -> new WorkerTimers(count).netty();
            case "jdk" -> new WorkerTimers(count).jdk();
            case "jobTimer" -> new Polled(count).jobTimer();
            default -> throw new IllegalArgumentException("unknown kind of timers: " + kind);
        };
    }

    /** A random order, shuffled within the timers of each room. */
    private static int[] cancelOrder(final int count)
    {
        final SplittableRandom random = new SplittableRandom(SEED + 1);
        final int[] order = IntStream.range(0, count).toArray();
        for (int i = count - 1; i > 0; i--)
        {
            final int other = random.nextInt(i / ROOMS + 1) * ROOMS + i % ROOMS;
            final int swapped = order[i];
            order[i] = order[other];
            order[other] = swapped;
        }
        return order;
    }

    abstract void set(int timer);

    /** Cancel a timer. Returns false if it was not set. */
    abstract boolean cancel(int timer);

    /** Fire all timers due by a time, in the calling thread. */
    abstract void poll(long timeNs);

    /** Set a range of timers, or cancel a range of the random order. */
    void run(final boolean isCancel, final int from, final int to)
    {
        run(isCancel, from, to, 1);
    }

    final void run(final boolean isCancel, final int from, final int to, final int step)
    {
        for (int i = from; i < to; i += step)
        {
            if (!isCancel)
            {
                set(i);
            }
            else if (!cancel(cancelOrder[i]))
            {
                throw new IllegalStateException("timer " + cancelOrder[i] + " was not set");
            }
        }
    }

    /** Cancellations between two reads of the clock. */
    int cancelChunk()
    {
        return CHUNK;
    }

    /** Wait until the timers' thread, if any, has processed all operations handed to it. */
    void settle()
    {
        // No thread by default.
    }

    /** Processor time of the timers' thread. */
    long workerNs()
    {
        return 0;
    }

    /** Bytes allocated by the calling thread and by the thread of the timers. */
    long bytes()
    {
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /** End the timers' thread. */
    void close()
    {
        // No thread by default.
    }

    /** Fire timers within a limit of time, in simulated steps from the start. */
    void fire(final TimersBenchmark.Cost cost, final long limitNs)
    {
        final long bytes = bytes();
        final long startNs = System.nanoTime();
        long timeNs = 0;
        long tookNs = 0;
        while (timeNs <= LAST_NS && tookNs < limitNs)
        {
            for (int i = 0; i < STEPS; i++)
            {
                timeNs += STEP_NS;
                poll(timeNs);
            }
            tookNs = System.nanoTime() - startNs;
        }
        cost.operations = fired;
        cost.ns = tookNs;
        cost.bytes = bytes() - bytes;
        checkLost(Math.max(dueAt(timeNs - TICKS_LATE * TICK_NS) - fired, fired - dueAt(timeNs + TICK_NS)));
    }

    static void checkLost(final long lost)
    {
        if (lost > 0)
        {
            throw new IllegalStateException(lost + " timers did not fire when they were due");
        }
    }

    private long dueAt(final long timeNs)
    {
        return LongStream.of(delays).filter((delayNs) -> delayNs <= timeNs).count();
    }

    private static final class Rooms extends TimersUnderTest
    {
        private final BenchedHost benched;
        private long sequence;
        /** The room of the running message. */
        private Room room;

        Rooms(final int count)
        {
            super(count);
            benched = new BenchedHost(
                RoomType.of(1, "timers", 1, Owner::new).seats(1).timers(count / ROOMS + 1), ROOMS, 1);
        }

        @Override
        void set(final int timer)
        {
            handles[timer] = room.after(delays[timer], 1, timer);
        }

        @Override
        boolean cancel(final int timer)
        {
            return room.cancel(handles[timer]);
        }

        @Override
        void poll(final long timeNs)
        {
            benched.host.beginTurn(timeNs);
            benched.host.endTurn();
        }

        /** Timer i belongs to room i % ROOMS, even in the order of cancelling. */
        @Override
        void run(final boolean isCancel, final int from, final int to)
        {
            sequence++;
            benched.host.beginTurn(0);
            for (int owner = 0; owner < ROOMS; owner++)
            {
                benched.payload.putInt(0, isCancel ? 1 : 0);
                benched.payload.putInt(4, from + Math.floorMod(owner - from, ROOMS));
                benched.payload.putInt(8, to);
                benched.command(benched.encoder.message(
                    benched.buffer, 0, owner + 1, sequence, 0, 1, BenchedHost.LINK, benched.payload, 0, 12));
            }
            benched.host.endTurn();
        }

        private final class Owner implements RoomLogic
        {
            private Room own;

            @Override
            public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
            {
                own = opened;
            }

            @Override
            public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
            {
                room = own;
                run(1 == buffer.getInt(offset), buffer.getInt(offset + 4), buffer.getInt(offset + 8), ROOMS);
            }

            @Override
            public void onTimer(final long handle, final int kind, final long tag)
            {
                fired++;
            }
        }
    }

    /** Timers that are polled in the calling thread and need no more than three functions. */
    private static final class Polled extends TimersUnderTest
    {
        private IntConsumer set;
        private IntPredicate cancel;
        private LongConsumer poll;
        private int cancelChunk = CHUNK;

        Polled(final int count)
        {
            super(count);
        }

        @Override
        void set(final int timer)
        {
            set.accept(timer);
        }

        @Override
        boolean cancel(final int timer)
        {
            return cancel.test(timer);
        }

        @Override
        void poll(final long timeNs)
        {
            poll.accept(timeNs);
        }

        @Override
        int cancelChunk()
        {
            return cancelChunk;
        }

        Polled agrona()
        {
            final DeadlineTimerWheel wheel =
                new DeadlineTimerWheel(TimeUnit.NANOSECONDS, 0, TICK_NS, SPOKES, ticksAllocation(delays.length));
            final DeadlineTimerWheel.TimerHandler handler = (unit, nowNs, timerId) ->
            {
                fired++;
                return true;
            };
            set = (timer) -> handles[timer] = wheel.scheduleTimer(delays[timer]);
            cancel = (timer) -> wheel.cancelTimer(handles[timer]);
            poll = (timeNs) ->
            {
                do
                {
                    wheel.poll(timeNs, handler, Integer.MAX_VALUE);
                }
                while (wheel.currentTickTime() <= timeNs);
            };
            return this;
        }

        Polled agronaWithMap()
        {
            final SafeAgronaTimers timers =
                new SafeAgronaTimers(TICK_NS, SPOKES, ticksAllocation(delays.length), delays.length);
            final LongConsumer handler = (handle) -> fired++;
            set = (timer) -> handles[timer] = timers.set(delays[timer]);
            cancel = (timer) -> timers.cancel(handles[timer]);
            poll = (timeNs) -> timers.poll(timeNs, handler);
            return this;
        }

        Polled jobTimer()
        {
            final JobTimer timers = new JobTimer();
            final JobTimer.Reservation[] reservations = new JobTimer.Reservation[delays.length];
            final Runnable job = () -> fired++;
            set = (timer) -> reservations[timer] = timers.reserve(delays[timer], job);
            cancel = (timer) -> timers.cancel(reservations[timer]);
            poll = timers::distribute;
            // Small, because a cancellation scans the queue.
            cancelChunk = 10;
            return this;
        }
    }

    private static int ticksAllocation(final int timers)
    {
        // Space for twice the mean, because an overflowing spoke allocates.
        return Math.max(16, BitUtil.findNextPositivePowerOfTwo(2 * timers / SPOKES));
    }
}
