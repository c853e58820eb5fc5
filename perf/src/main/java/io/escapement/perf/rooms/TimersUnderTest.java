package io.escapement.perf.rooms;

import io.escapement.perf.peers.JobTimer;
import io.escapement.perf.peers.SafeAgronaTimers;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
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
    static final int ROOMS = 16;
    static final int CHUNK = 4_000;
    static final long SPREAD_NS = 60_000_000_000L;
    static final long STEP_NS = 1_000_000;
    static final long LAST_NS = SPREAD_NS + 4 * TICK_NS;
    private static final int STEPS = 100;
    /** A wheel may be late by one tick and the rest of another. */
    private static final int TICKS_LATE = 2;
    private static final long SEED = 42;

    final long[] delays;
    final int[] cancelOrder;
    final long[] handles;
    /** Time of the last {@link #advance}. */
    long nowNs;
    private int fired;

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
            case "agrona" -> new Agrona(count);
            case "agronaWithMap" -> new AgronaWithMap(count);
            case "netty" -> new WorkerTimers.Netty(count);
            case "jdk" -> new WorkerTimers.Jdk(count);
            case "jobTimer" -> new Jobs(count);
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

    abstract void set(int from, int to);

    abstract void cancel(int from, int to);

    /** Fire what is due by a time, in the calling thread. */
    abstract void poll(long timeNs);

    /** Advance the time. Returns how many fired. */
    final int advance(final long timeNs)
    {
        fired = 0;
        nowNs = timeNs;
        poll(timeNs);
        return fired;
    }

    final void onFired()
    {
        fired++;
    }

    final void checkCancelled(final boolean isCancelled, final int i)
    {
        if (!isCancelled)
        {
            throw new IllegalStateException("timer " + cancelOrder[i] + " was not set");
        }
    }

    /** Cancellations between two reads of the clock. */
    int cancelChunk()
    {
        return CHUNK;
    }

    /** Wait until the timers' thread, if any, has processed what was handed to it. */
    void settle()
    {
        // No thread by default.
    }

    /** Processor time of the timers' thread. */
    long workerNs()
    {
        return 0;
    }

    /** Bytes allocated by the timers' thread. */
    long workerBytes()
    {
        return 0;
    }

    /** Fire timers within a limit of time, in simulated steps from the start. */
    void fire(final TimersSample sample, final long limitNs)
    {
        final long startNs = System.nanoTime();
        long timeNs = 0;
        long beforeNs = startNs;
        while (timeNs <= LAST_NS && beforeNs - startNs < limitNs)
        {
            int fired = 0;
            for (int i = 0; i < STEPS; i++)
            {
                timeNs += STEP_NS;
                fired += advance(timeNs);
            }
            final long nowNs = System.nanoTime();
            sample.add(fired, nowNs - beforeNs);
            beforeNs = nowNs;
        }
        final long late = sample.operations - dueAt(timeNs - TICKS_LATE * TICK_NS);
        final long early = dueAt(timeNs + TICK_NS) - sample.operations;
        sample.lost = Math.max(0, -Math.min(late, early));
    }

    private long dueAt(final long timeNs)
    {
        return LongStream.of(delays).filter((delayNs) -> delayNs <= timeNs).count();
    }

    /** End the timers' thread. */
    void close()
    {
        // No thread by default.
    }

    private static final class Rooms extends TimersUnderTest
    {
        private static final int SET = 1;
        private static final int CANCEL = 2;

        private final BenchedHost benched;
        private long sequence;

        Rooms(final int count)
        {
            super(count);
            benched = new BenchedHost(
                RoomType.of(1, "timers", 1, Owner::new).seats(1).timers(delays.length / ROOMS + 1), ROOMS, 1);
        }

        @Override
        void set(final int from, final int to)
        {
            command(SET, from, to);
        }

        @Override
        void cancel(final int from, final int to)
        {
            command(CANCEL, from, to);
        }

        @Override
        void poll(final long timeNs)
        {
            benched.host.beginTurn(timeNs);
            benched.host.endTurn();
        }

        private void command(final int operation, final int from, final int to)
        {
            sequence++;
            benched.host.beginTurn(nowNs);
            for (int room = 0; room < ROOMS; room++)
            {
                benched.payload.putInt(0, operation);
                // Timer i belongs to room i % ROOMS, in the order of cancelling too.
                benched.payload.putInt(4, from + Math.floorMod(room - from, ROOMS));
                benched.payload.putInt(8, to);
                benched.command(benched.encoder.message(
                    benched.buffer, 0, room + 1, sequence, 0, 1, BenchedHost.LINK, benched.payload, 0, 12));
            }
            benched.host.endTurn();
        }

        private final class Owner implements RoomLogic
        {
            private Room room;

            @Override
            public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
            {
                room = opened;
            }

            @Override
            public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
            {
                final int end = buffer.getInt(offset + 8);
                if (SET == buffer.getInt(offset))
                {
                    for (int i = buffer.getInt(offset + 4); i < end; i += ROOMS)
                    {
                        handles[i] = room.after(delays[i], 1, i);
                    }
                }
                else
                {
                    for (int i = buffer.getInt(offset + 4); i < end; i += ROOMS)
                    {
                        checkCancelled(room.cancel(handles[cancelOrder[i]]), i);
                    }
                }
            }

            @Override
            public void onTimer(final long handle, final int kind, final long tag)
            {
                onFired();
            }
        }
    }

    private static final class Agrona extends TimersUnderTest
    {
        private final DeadlineTimerWheel wheel =
            new DeadlineTimerWheel(TimeUnit.NANOSECONDS, 0, TICK_NS, SPOKES, ticksAllocation(delays.length));
        private final DeadlineTimerWheel.TimerHandler handler = this::onTimer;

        Agrona(final int count)
        {
            super(count);
        }

        @Override
        void set(final int from, final int to)
        {
            for (int i = from; i < to; i++)
            {
                handles[i] = wheel.scheduleTimer(nowNs + delays[i]);
            }
        }

        @Override
        void cancel(final int from, final int to)
        {
            for (int i = from; i < to; i++)
            {
                checkCancelled(wheel.cancelTimer(handles[cancelOrder[i]]), i);
            }
        }

        @Override
        void poll(final long timeNs)
        {
            do
            {
                wheel.poll(timeNs, handler, Integer.MAX_VALUE);
            }
            while (wheel.currentTickTime() <= timeNs);
        }

        private boolean onTimer(final TimeUnit unit, final long now, final long timerId)
        {
            onFired();
            return true;
        }
    }

    private static final class AgronaWithMap extends TimersUnderTest
    {
        private final SafeAgronaTimers timers;
        private final LongConsumer handler = (handle) -> onFired();

        AgronaWithMap(final int count)
        {
            super(count);
            timers = new SafeAgronaTimers(0, TICK_NS, SPOKES, ticksAllocation(delays.length), delays.length);
        }

        @Override
        void set(final int from, final int to)
        {
            for (int i = from; i < to; i++)
            {
                handles[i] = timers.set(nowNs + delays[i]);
            }
        }

        @Override
        void cancel(final int from, final int to)
        {
            for (int i = from; i < to; i++)
            {
                checkCancelled(timers.cancel(handles[cancelOrder[i]]), i);
            }
        }

        @Override
        void poll(final long timeNs)
        {
            timers.poll(timeNs, handler, Integer.MAX_VALUE);
        }
    }

    /** A locked priority queue of jobs. */
    private static final class Jobs extends TimersUnderTest
    {
        /** Small, because a cancellation scans the queue. */
        private static final int CANCEL_CHUNK = 10;

        private final JobTimer timer = new JobTimer();
        private final JobTimer.Reservation[] reservations = new JobTimer.Reservation[delays.length];
        private final Runnable job = this::onFired;

        Jobs(final int count)
        {
            super(count);
        }

        @Override
        void set(final int from, final int to)
        {
            for (int i = from; i < to; i++)
            {
                reservations[i] = timer.reserve(nowNs + delays[i], job);
            }
        }

        @Override
        void cancel(final int from, final int to)
        {
            for (int i = from; i < to; i++)
            {
                checkCancelled(timer.cancel(reservations[cancelOrder[i]]), i);
            }
        }

        @Override
        void poll(final long timeNs)
        {
            timer.distribute(timeNs);
        }

        @Override
        int cancelChunk()
        {
            return CANCEL_CHUNK;
        }
    }

    private static int ticksAllocation(final int timers)
    {
        // A spoke that overflows allocates, so there is room for twice the mean.
        return Math.max(16, BitUtil.findNextPositivePowerOfTwo(2 * timers / SPOKES));
    }
}
