package io.escapement.rooms.timers;

import java.util.Arrays;

/**
 * A hashed timing wheel whose timers are never early, late by at most one tick, and in order.
 *
 * <p>A timer set at {@code now} for a deadline belongs to tick {@code max(ceil(deadline / T), floor(now / T) + 1)} and
 * is delivered by the first {@link #expire} at or after that tick's time. This depends on the deadline and on
 * {@code now} alone, not on when the wheel was turned, and no timer fires in the turn that set it.
 *
 * <p>Ticks come in order, and the timers of a tick by deadline, then in the order they were set. Nodes live in one
 * array, four longs each; a bucket is a list of nodes, newest first. Cancelling unlinks a node without looking at its
 * neighbours' contents. The nodes of a tick that is due are moved to a list of their own, are put in order there, and
 * are taken from its head one by one: a timer that is cancelled by an earlier one of its tick is just unlinked, and if
 * a handler throws, what is left stands there for the next time.
 *
 * <p>Nothing is allocated after construction. For one thread.
 */
public final class TimerWheel
{
    /** Receives the timers that are due. Their node is free by then. */
    @FunctionalInterface
    public interface Handler
    {
        /**
         * A timer is due.
         *
         * @param owner      that set it.
         * @param id         the owner gave it.
         * @param deadlineNs it was set for.
         */
        void onTimer(int owner, int id, long deadlineNs);
    }

    private static final int MIN_BUCKETS = 256;
    private static final int MAX_BUCKETS = 65_536;
    private static final int TIMERS_PER_BUCKET = 16;

    private static final int STRIDE = 4;
    private static final int DEADLINE = 0;
    private static final int SEQUENCE = 1;
    /** Previous node in the high 32 bits, next in the low; a negative previous is a list, as {@code -1 - list}. */
    private static final int LINKS = 2;
    /** Owner in the high 32 bits, shifted by one for the flag that the tick is one later; id in the low. */
    private static final int OWNER_AND_ID = 3;

    private static final int NIL = -1;
    private static final long NEVER = Long.MAX_VALUE;

    private final long[] nodes;
    private final int[] heads;
    private final long[] occupied;
    private final int[] runs = new int[Integer.SIZE];
    private final int tickShift;
    private final int mask;
    private final int dueList;
    private final int capacity;
    private int freeHead;
    private int size;
    private long lastSequence;
    private long processedTick;
    private long nextTick = NEVER;

    /**
     * Make a wheel.
     *
     * @param tickNs   length of a tick, a power of two.
     * @param buckets  number of buckets, a power of two, at least 64.
     * @param capacity number of timers that can be set at one time.
     */
    public TimerWheel(final long tickNs, final int buckets, final int capacity)
    {
        if (tickNs <= 0 || 1 != Long.bitCount(tickNs))
        {
            throw new IllegalArgumentException("tickNs must be a power of two: " + tickNs);
        }
        if (buckets < Long.SIZE || 1 != Integer.bitCount(buckets))
        {
            throw new IllegalArgumentException("buckets must be a power of two, at least 64: " + buckets);
        }
        if (capacity < 0 || capacity > Integer.MAX_VALUE / STRIDE)
        {
            throw new IllegalArgumentException("capacity must be 0 to " + Integer.MAX_VALUE / STRIDE + ": " + capacity);
        }

        tickShift = Long.numberOfTrailingZeros(tickNs);
        mask = buckets - 1;
        dueList = buckets;
        this.capacity = capacity;
        nodes = new long[capacity * STRIDE];
        heads = new int[buckets + 1];
        occupied = new long[buckets / Long.SIZE];
        Arrays.fill(heads, NIL);
        for (int i = 0; i < capacity; i++)
        {
            nodes[i * STRIDE + LINKS] = links(0, i + 1 == capacity ? NIL : i + 1);
        }
        freeHead = 0 == capacity ? NIL : 0;
    }

    /**
     * How many buckets suit a number of timers: about one for sixteen.
     *
     * @param timers that may be set at one time.
     * @return a power of two.
     */
    public static int bucketsFor(final int timers)
    {
        final int wanted = Math.min(MAX_BUCKETS, Math.max(MIN_BUCKETS, timers / TIMERS_PER_BUCKET));
        return Integer.highestOneBit(wanted);
    }

    /**
     * Set a timer.
     *
     * @param deadlineNs when it is due, not before {@code nowNs}.
     * @param nowNs      time of the turn that sets it.
     * @param owner      to give back, 0 or more, below 2^30.
     * @param id         to give back.
     * @return the node, valid until the timer is delivered or cancelled.
     */
    public int schedule(final long deadlineNs, final long nowNs, final int owner, final int id)
    {
        final long onTime = tickOf(deadlineNs);
        final long tick = Math.max(onTime, (nowNs >> tickShift) + 1);
        return insert(deadlineNs, ++lastSequence, tick, tick != onTime, owner, id);
    }

    /**
     * Cancel a timer that is set. The caller makes sure that it is.
     *
     * @param node that {@link #schedule} returned.
     */
    public void cancel(final int node)
    {
        unlink(node);
        free(node);
    }

    /**
     * Deliver every timer that is due. What a handler sets meanwhile is not.
     *
     * @param nowNs   time of the turn.
     * @param handler to deliver to.
     * @return how many were delivered.
     */
    public int expire(final long nowNs, final Handler handler)
    {
        int delivered = NIL == heads[dueList] ? 0 : deliver(handler);
        final long target = nowNs >> tickShift;
        while (nextTick <= target)
        {
            final long tick = nextTick;
            processedTick = tick;
            collect(tick);
            nextTick = nextOccupiedTick();
            if (NIL != heads[dueList])
            {
                sortDue();
                delivered += deliver(handler);
            }
        }
        processedTick = Math.max(processedTick, target);
        return delivered;
    }

    /**
     * The earliest time at which a timer may be due.
     *
     * @return a time that no timer is due before, {@link Long#MAX_VALUE} when none is set.
     */
    public long nextDeadlineNs()
    {
        if (NIL != heads[dueList])
        {
            return processedTick << tickShift;
        }
        return NEVER == nextTick ? NEVER : nextTick << tickShift;
    }

    /**
     * Deadline of a timer that is set.
     *
     * @param node of the timer.
     * @return nanoseconds.
     */
    public long deadlineNs(final int node)
    {
        return nodes[node * STRIDE + DEADLINE];
    }

    /**
     * The place of a timer in the order of setting.
     *
     * @param node of the timer.
     * @return a number that rises with every timer set.
     */
    public long sequence(final int node)
    {
        return nodes[node * STRIDE + SEQUENCE];
    }

    /**
     * The tick that a timer belongs to.
     *
     * @param node of the timer.
     * @return the tick.
     */
    public long tick(final int node)
    {
        final int base = node * STRIDE;
        return tickOf(nodes[base + DEADLINE]) + ((nodes[base + OWNER_AND_ID] >>> 32) & 1);
    }

    /**
     * How many timers are set.
     *
     * @return the number.
     */
    public int size()
    {
        return size;
    }

    /**
     * How many can be.
     *
     * @return the number.
     */
    public int capacity()
    {
        return capacity;
    }

    /**
     * The last number given out in the order of setting.
     *
     * @return the number.
     */
    public long lastSequence()
    {
        return lastSequence;
    }

    /**
     * Bring an empty wheel to where another stood.
     *
     * @param sequence of the other.
     * @param nowNs    of its last turn.
     */
    public void restoreTime(final long sequence, final long nowNs)
    {
        lastSequence = sequence;
        processedTick = nowNs >> tickShift;
    }

    /**
     * Set a timer as it was set in another wheel.
     *
     * @param deadlineNs it had.
     * @param sequence   it had.
     * @param tick       it had.
     * @param owner      to give back.
     * @param id         to give back.
     * @return the node.
     */
    public int restore(final long deadlineNs, final long sequence, final long tick, final int owner, final int id)
    {
        return insert(deadlineNs, sequence, tick, tick != tickOf(deadlineNs), owner, id);
    }

    private int insert(
        final long deadlineNs,
        final long sequence,
        final long tick,
        final boolean isTickLater,
        final int owner,
        final int id)
    {
        final int node = freeHead;
        if (NIL == node)
        {
            throw new IllegalStateException("all " + capacity + " timers of the wheel are set");
        }

        final int base = node * STRIDE;
        freeHead = (int)nodes[base + LINKS];
        final int bucket = (int)tick & mask;
        final int head = heads[bucket];
        nodes[base + DEADLINE] = deadlineNs;
        nodes[base + SEQUENCE] = sequence;
        nodes[base + LINKS] = links(-1 - bucket, head);
        nodes[base + OWNER_AND_ID] = ((long)((owner << 1) | (isTickLater ? 1 : 0)) << 32) | (id & 0xFFFF_FFFFL);
        heads[bucket] = node;
        if (NIL == head)
        {
            occupied[bucket >>> 6] |= 1L << bucket;
        }
        else
        {
            previous(head, node);
        }
        if (tick < nextTick)
        {
            nextTick = tick;
        }
        size++;
        return node;
    }

    private void unlink(final int node)
    {
        final long links = nodes[node * STRIDE + LINKS];
        final int previous = (int)(links >>> 32);
        final int next = (int)links;
        if (previous >= 0)
        {
            next(previous, next);
        }
        else
        {
            final int list = -1 - previous;
            heads[list] = next;
            if (NIL == next && dueList != list)
            {
                occupied[list >>> 6] &= ~(1L << list);
            }
        }
        if (NIL != next)
        {
            previous(next, previous);
        }
    }

    private void free(final int node)
    {
        nodes[node * STRIDE + LINKS] = links(0, freeHead);
        freeHead = node;
        size--;
    }

    private int deliver(final Handler handler)
    {
        int delivered = 0;
        int node = heads[dueList];
        while (NIL != node)
        {
            final int base = node * STRIDE;
            final long deadlineNs = nodes[base + DEADLINE];
            final long ownerAndId = nodes[base + OWNER_AND_ID];
            unlink(node);
            free(node);
            delivered++;
            handler.onTimer((int)(ownerAndId >>> 33), (int)ownerAndId, deadlineNs);
            node = heads[dueList];
        }
        return delivered;
    }

    /**
     * Move the nodes of this tick to the due list, linked forwards only; nodes of later turns of the wheel stay. The
     * due list is empty before, since the tick before was delivered.
     */
    private void collect(final long tick)
    {
        final int bucket = (int)tick & mask;
        int node = heads[bucket];
        int due = NIL;
        int kept = NIL;
        while (NIL != node)
        {
            final int base = node * STRIDE;
            final int next = (int)nodes[base + LINKS];
            // A node one turn of the wheel later has a deadline of at least the ticks of a turn, less one, later.
            if (tickOf(nodes[base + DEADLINE]) <= tick)
            {
                nodes[base + LINKS] = links(0, due);
                due = node;
            }
            else
            {
                nodes[base + LINKS] = links(-1 - bucket, kept);
                if (NIL != kept)
                {
                    previous(kept, node);
                }
                kept = node;
            }
            node = next;
        }
        heads[dueList] = due;
        heads[bucket] = kept;
        if (NIL == kept)
        {
            occupied[bucket >>> 6] &= ~(1L << bucket);
        }
    }

    /**
     * Put the due list in order: a merge sort from the bottom up over the next links, where run i has 2^i nodes; then
     * the previous links are set again.
     */
    private void sortDue()
    {
        int node = heads[dueList];
        Arrays.fill(runs, NIL);
        while (NIL != node)
        {
            final int rest = (int)nodes[node * STRIDE + LINKS];
            next(node, NIL);
            int run = node;
            int i = 0;
            while (NIL != runs[i])
            {
                run = merge(runs[i], run);
                runs[i++] = NIL;
            }
            runs[i] = run;
            node = rest;
        }

        int sorted = NIL;
        for (final int run : runs)
        {
            sorted = NIL == run ? sorted : NIL == sorted ? run : merge(run, sorted);
        }
        heads[dueList] = sorted;
        int before = -1 - dueList;
        for (int at = sorted; NIL != at; at = (int)nodes[at * STRIDE + LINKS])
        {
            previous(at, before);
            before = at;
        }
    }

    private int merge(final int first, final int second)
    {
        int a = first;
        int b = second;
        int head = NIL;
        int tail = NIL;
        while (NIL != a && NIL != b)
        {
            final int taken = isBefore(a, b) ? a : b;
            if (taken == a)
            {
                a = (int)nodes[a * STRIDE + LINKS];
            }
            else
            {
                b = (int)nodes[b * STRIDE + LINKS];
            }
            if (NIL == tail)
            {
                head = taken;
            }
            else
            {
                next(tail, taken);
            }
            tail = taken;
        }
        next(tail, NIL == a ? b : a);
        return head;
    }

    private boolean isBefore(final int a, final int b)
    {
        final long deadlineA = nodes[a * STRIDE + DEADLINE];
        final long deadlineB = nodes[b * STRIDE + DEADLINE];
        return deadlineA < deadlineB ||
            deadlineA == deadlineB && nodes[a * STRIDE + SEQUENCE] < nodes[b * STRIDE + SEQUENCE];
    }

    /** The first tick after the processed one whose bucket is not empty. */
    private long nextOccupiedTick()
    {
        if (0 == size)
        {
            return NEVER;
        }

        final long from = processedTick + 1;
        final int start = (int)from & mask;
        int word = start >>> 6;
        long bits = occupied[word] & (-1L << start);
        for (int i = 0; i <= occupied.length; i++)
        {
            if (0 != bits)
            {
                final int bucket = (word << 6) + Long.numberOfTrailingZeros(bits);
                return from + ((bucket - start) & mask);
            }
            word = word + 1 == occupied.length ? 0 : word + 1;
            bits = occupied[word];
        }
        return NEVER;
    }

    private long tickOf(final long deadlineNs)
    {
        // Rounded up; written so that the latest deadlines do not overflow.
        return deadlineNs <= 0 ? 0 : ((deadlineNs - 1) >> tickShift) + 1;
    }

    private void previous(final int node, final int previous)
    {
        final int at = node * STRIDE + LINKS;
        nodes[at] = links(previous, (int)nodes[at]);
    }

    private void next(final int node, final int next)
    {
        final int at = node * STRIDE + LINKS;
        nodes[at] = (nodes[at] & 0xFFFF_FFFF_0000_0000L) | (next & 0xFFFF_FFFFL);
    }

    private static long links(final int previous, final int next)
    {
        return ((long)previous << 32) | (next & 0xFFFF_FFFFL);
    }
}
