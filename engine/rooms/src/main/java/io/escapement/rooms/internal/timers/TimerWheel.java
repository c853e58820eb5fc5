package io.escapement.rooms.internal.timers;

import java.util.Arrays;

/**
 * A hashed timing wheel. Timers are never early, late by at most one tick, and delivered in a defined order: by tick,
 * then by deadline, then in the order they were set. See the package description for the rule of ticks.
 *
 * <p>A timer is a node: four longs of one array. A bucket is a chain of blocks of node numbers. A block is one cache
 * line. Therefore reading a tick costs one cache miss for each 13 timers, compared with a cache miss for each timer in
 * a linked list:
 * <pre>
 *   newestPlaces[bucket] --&gt; | older, bucket, size, .-.   | --&gt; | older, bucket, size, ..-... | --&gt; NIL
 * </pre>
 *
 * <p>Cancelling a node leaves a gap and touches only its block. When few nodes are left in a block, its gaps are filled
 * from the newest block of the bucket. Thus every block except the newest is well used.
 *
 * <p>When a tick is due, its nodes move to the due row and are sorted there. If an earlier timer of its tick cancels a
 * timer, the timer leaves a gap in that row. If a handler throws, the rest stays in the row for the next
 * {@link #expire}.
 *
 * <p>No allocation after construction. For one thread.
 */
public final class TimerWheel
{
    /** Receives the timers that are due. Their nodes have been freed. */
    @FunctionalInterface
    public interface Handler
    {
        /**
         * A timer is due.
         *
         * @param owner      given when it was set.
         * @param id         given when it was set.
         * @param deadlineNs given when it was set.
         */
        void onTimer(int owner, int id, long deadlineNs);
    }

    private static final int MIN_BUCKETS = 256;
    private static final int MAX_BUCKETS = 65_536;
    private static final int TIMERS_PER_BUCKET = 16;

    private static final int CAPACITY_LIMIT = 1 << 28;
    private static final int BUCKETS_LIMIT = 1 << 20;

    private static final int STRIDE = 4;
    private static final int DEADLINE = 0;
    private static final int SEQUENCE = 1;
    private static final int TICK = 2;
    /** Owner in the high 32 bits, id in the low. */
    private static final int OWNER_AND_ID = 3;

    /** A block is one cache line of ints. */
    private static final int BLOCK_LENGTH = 16;
    private static final int BLOCK_MASK = BLOCK_LENGTH - 1;
    /** The last place of the next older block, or NIL. */
    private static final int OLDER = 0;
    private static final int BUCKET = 1;
    /** Number of nodes in the block. */
    private static final int SIZE = 2;
    private static final int FIRST_NODE = 3;
    /** At this number of nodes the gaps of a block are filled. A higher number saves memory and costs more moves. */
    private static final int FEW = 4;

    /** Up to this many timers of a tick are sorted by insertion, which is faster for a few. */
    private static final int INSERTION_LIMIT = 40;

    private static final int NIL = -1;
    private static final long NEVER = Long.MAX_VALUE;

    private final long[] nodes;
    /** For a node in a bucket, its place in the blocks. For a due node, the complement of its place in the due row. */
    private final int[] places;
    private final int[] freeNodes;
    private final int[] blocks;
    private final int[] freeBlocks;
    private final int[] newestPlaces;
    private final long[] occupied;
    private final int[] due;
    private final long[] dueDeadlines;
    private final int tickShift;
    private final long tickMask;
    private final int mask;
    private final int capacity;
    private int size;
    private int freeBlockCount;
    private int dueFrom;
    private int dueTo;
    private int dueSize;
    private long lastSequence;
    private long processedTick;
    private long nextTick = NEVER;
    /** Earliest tick of the nodes that expire() has passed since it last delivered. */
    private long soonestKept;

    /**
     * Create a wheel.
     *
     * @param tickNs   length of a tick, a power of two, at least 2.
     * @param buckets  number of buckets, a power of two.
     * @param capacity number of timers that can be set at one time.
     */
    public TimerWheel(final long tickNs, final int buckets, final int capacity)
    {
        // With ticks of 1 ns, the last tick would equal NEVER.
        if (tickNs < 2 || 1 != Long.bitCount(tickNs))
        {
            throw new IllegalArgumentException("tickNs must be a power of two, at least 2: " + tickNs);
        }
        if (buckets <= 0 || buckets > BUCKETS_LIMIT || 1 != Integer.bitCount(buckets))
        {
            throw new IllegalArgumentException(
                "buckets must be a power of two up to " + BUCKETS_LIMIT + ": " + buckets);
        }
        if (capacity < 0 || capacity > CAPACITY_LIMIT)
        {
            throw new IllegalArgumentException("capacity must be 0 to " + CAPACITY_LIMIT + ": " + capacity);
        }

        tickShift = Long.numberOfTrailingZeros(tickNs);
        tickMask = tickNs - 1;
        mask = buckets - 1;
        this.capacity = capacity;
        nodes = new long[capacity * STRIDE];
        places = new int[capacity];
        freeNodes = new int[capacity];
        due = new int[capacity];
        dueDeadlines = new long[capacity];
        newestPlaces = new int[buckets];
        occupied = new long[Math.max(1, buckets / Long.SIZE)];
        // Each bucket may have one block with few nodes, and collecting a bucket uses another block.
        freeBlockCount = capacity / (FEW + 1) + Math.min(buckets, capacity) + 1;
        freeBlocks = new int[freeBlockCount];
        blocks = new int[freeBlockCount * BLOCK_LENGTH];
        Arrays.fill(newestPlaces, NIL);
        for (int i = 0; i < freeBlockCount; i++)
        {
            freeBlocks[i] = (freeBlockCount - 1 - i) * BLOCK_LENGTH;
        }
        for (int i = 0; i < capacity; i++)
        {
            freeNodes[i] = i;
        }
    }

    /**
     * The number of buckets that suits a number of timers: about 1 for 16 timers.
     *
     * @param timers that can be set at one time.
     * @return a power of two.
     */
    public static int bucketsFor(final int timers)
    {
        final int buckets = Math.min(MAX_BUCKETS, Math.max(MIN_BUCKETS, timers / TIMERS_PER_BUCKET));
        return Integer.highestOneBit(buckets);
    }

    /**
     * Set a timer.
     *
     * @param deadlineNs may be in the past.
     * @param nowNs      time of the turn that sets it.
     * @param owner      passed to the handler.
     * @param id         passed to the handler.
     * @return the node, valid until the timer is delivered or cancelled.
     */
    public int schedule(final long deadlineNs, final long nowNs, final int owner, final int id)
    {
        final long tick = Math.max(tickOf(deadlineNs), (nowNs >> tickShift) + 1);
        final int node = insert(deadlineNs, lastSequence + 1, tick, owner, id);
        lastSequence++;
        return node;
    }

    /**
     * Cancel a timer.
     *
     * @param node of a set timer. The caller guarantees that.
     */
    public void cancel(final int node)
    {
        final int place = places[node];
        if (place < 0)
        {
            due[~place] = NIL;
            dueSize--;
        }
        else
        {
            final int block = place & ~BLOCK_MASK;
            blocks[place] = NIL;
            final int left = --blocks[block + SIZE];
            // With fewer nodes, but at least 1, it is the newest block of its bucket, which may be nearly empty.
            if (FEW == left || 0 == left)
            {
                refill(block);
            }
        }
        freeNodes[--size] = node;
    }

    /**
     * Deliver every timer that is due. A timer that a handler sets is due in a later call.
     *
     * @param nowNs   time of the turn.
     * @param handler of the timers.
     * @return number of delivered timers.
     */
    public int expire(final long nowNs, final Handler handler)
    {
        int delivered = 0 == dueSize ? 0 : deliver(handler);
        final long target = nowNs >> tickShift;
        long idleFrom = nextTick;
        soonestKept = NEVER;
        while (nextTick <= target)
        {
            final long tick = nextTick;
            processedTick = tick;
            collect(tick);
            nextTick = nextOccupiedTick();
            if (0 != dueSize)
            {
                placeDue();
                delivered += deliver(handler);
                idleFrom = nextTick;
                soonestKept = NEVER;
            }
            else if (nextTick - idleFrom > mask)
            {
                // A whole round of the wheel found no due timer and has seen every node, as after a jump in time:
                // continue at the earliest of them.
                nextTick = Math.max(nextTick, soonestKept);
                idleFrom = nextTick;
                soonestKept = NEVER;
            }
        }
        processedTick = Math.max(processedTick, target);
        return delivered;
    }

    /**
     * A time before which no timer is due.
     *
     * @return nanoseconds, or {@link Long#MAX_VALUE} when no timer is set.
     */
    public long nextDeadlineNs()
    {
        if (0 != dueSize)
        {
            return processedTick << tickShift;
        }
        return 0 == size || nextTick > NEVER >> tickShift ? NEVER : nextTick << tickShift;
    }

    /**
     * Deadline of a timer in nanoseconds, for a snapshot.
     *
     * @param node of the timer.
     */
    public long deadlineNs(final int node)
    {
        return nodes[node * STRIDE + DEADLINE];
    }

    /**
     * Position of a timer in the order of setting, for a snapshot.
     *
     * @param node of the timer.
     * @return a number that increases with every timer set.
     */
    public long sequence(final int node)
    {
        return nodes[node * STRIDE + SEQUENCE];
    }

    /**
     * Tick of a timer, for a snapshot.
     *
     * @param node of the timer.
     */
    public long tick(final int node)
    {
        return nodes[node * STRIDE + TICK];
    }

    /**
     * Whether a tick is not later than the last turn. Then no waiting timer can have it.
     *
     * @param tick of a timer.
     */
    public boolean isPast(final long tick)
    {
        return tick <= processedTick;
    }

    /** Number of timers that are set. */
    public int size()
    {
        return size;
    }

    /** Number of timers that can be set at one time. */
    public int capacity()
    {
        return capacity;
    }

    /** The last number given out in the order of setting. */
    public long lastSequence()
    {
        return lastSequence;
    }

    /**
     * Continue, in an empty wheel, from the state of another.
     *
     * @param sequence {@link #lastSequence()} of the other wheel.
     * @param nowNs    time of its last turn.
     */
    public void restoreTime(final long sequence, final long nowNs)
    {
        lastSequence = sequence;
        processedTick = nowNs >> tickShift;
    }

    /**
     * Set a timer of another wheel, with the values it had there.
     *
     * @param deadlineNs from {@link #deadlineNs(int)}.
     * @param sequence   from {@link #sequence(int)}.
     * @param tick       from {@link #tick(int)}.
     * @param owner      passed to the handler.
     * @param id         passed to the handler.
     */
    public int restore(final long deadlineNs, final long sequence, final long tick, final int owner, final int id)
    {
        return insert(deadlineNs, sequence, tick, owner, id);
    }

    private int insert(
        final long deadlineNs,
        final long sequence,
        final long tick,
        final int owner,
        final int id)
    {
        if (size == capacity)
        {
            throw new IllegalStateException("all " + capacity + " timers of the wheel are set");
        }

        final int node = freeNodes[size++];
        final int base = node * STRIDE;
        nodes[base + DEADLINE] = deadlineNs;
        nodes[base + SEQUENCE] = sequence;
        nodes[base + TICK] = tick;
        nodes[base + OWNER_AND_ID] = ((long)owner << 32) | (id & 0xFFFF_FFFFL);
        append((int)tick & mask, node);
        if (tick < nextTick)
        {
            nextTick = tick;
        }
        return node;
    }

    private void append(final int bucket, final int node)
    {
        int place = newestPlaces[bucket] + 1;
        // Also true for NIL, at which a bucket has no block yet.
        if (0 == (place & BLOCK_MASK))
        {
            place = nextPlace(bucket, place - 1);
        }
        put(place, node);
        blocks[(place & ~BLOCK_MASK) + SIZE]++;
        newestPlaces[bucket] = place;
    }

    private void put(final int place, final int node)
    {
        blocks[place] = node;
        places[node] = place;
    }

    /**
     * A place for a further node: in the newest block, compacted, if it has more gaps than nodes. Otherwise in a new
     * block.
     */
    private int nextPlace(final int bucket, final int newest)
    {
        final int full = newest & ~BLOCK_MASK;
        if (NIL != newest && blocks[full + SIZE] <= FEW)
        {
            int place = full + FIRST_NODE;
            for (int from = place; from <= newest; from++)
            {
                if (NIL != blocks[from])
                {
                    put(place++, blocks[from]);
                }
            }
            return place;
        }

        final int block = freeBlocks[--freeBlockCount];
        blocks[block + OLDER] = newest;
        blocks[block + BUCKET] = bucket;
        blocks[block + SIZE] = 0;
        occupied[bucket >>> 6] |= 1L << bucket;
        return block + FIRST_NODE;
    }

    /** Fill the gaps of a block from the newest block of its bucket, which is freed once it is empty. */
    private void refill(final int block)
    {
        final int bucket = blocks[block + BUCKET];
        final int source = newestPlaces[bucket] & ~BLOCK_MASK;
        if (source != block)
        {
            fill(block, source, bucket);
        }
        if (0 == blocks[source + SIZE])
        {
            final int older = blocks[source + OLDER];
            newestPlaces[bucket] = older;
            freeBlocks[freeBlockCount++] = source;
            if (NIL == older)
            {
                occupied[bucket >>> 6] &= ~(1L << bucket);
            }
        }
    }

    private void fill(final int block, final int source, final int bucket)
    {
        int newest = newestPlaces[bucket];
        int gap = block + FIRST_NODE;
        while (gap < block + BLOCK_LENGTH && 0 != blocks[source + SIZE])
        {
            if (NIL != blocks[gap])
            {
                gap++;
            }
            else if (NIL == blocks[newest])
            {
                newest--;
            }
            else
            {
                put(gap++, blocks[newest--]);
                blocks[source + SIZE]--;
                blocks[block + SIZE]++;
            }
        }
        newestPlaces[bucket] = newest;
    }

    private int deliver(final Handler handler)
    {
        int delivered = 0;
        while (dueFrom < dueTo)
        {
            final int at = dueFrom++;
            final int node = due[at];
            if (NIL != node)
            {
                final long ownerAndId = nodes[node * STRIDE + OWNER_AND_ID];
                // Freed before the call, so that the handler of a full wheel can set a timer.
                dueSize--;
                freeNodes[--size] = node;
                delivered++;
                handler.onTimer((int)(ownerAndId >>> 32), (int)ownerAndId, dueDeadlines[at]);
            }
        }
        return delivered;
    }

    /**
     * Move the nodes of a tick to the due row, which is empty because the previous tick was delivered. Nodes of later
     * rounds of the wheel stay in the bucket.
     */
    private void collect(final long tick)
    {
        final int bucket = (int)tick & mask;
        int newest = newestPlaces[bucket];
        newestPlaces[bucket] = NIL;
        occupied[bucket >>> 6] &= ~(1L << bucket);
        int count = 0;
        while (NIL != newest)
        {
            final int block = newest & ~BLOCK_MASK;
            for (int place = block + FIRST_NODE; place <= newest; place++)
            {
                final int node = blocks[place];
                if (NIL == node)
                {
                    continue;
                }
                final long tickOfNode = nodes[node * STRIDE + TICK];
                if (tickOfNode <= tick)
                {
                    due[count] = node;
                    dueDeadlines[count++] = nodes[node * STRIDE + DEADLINE];
                }
                else
                {
                    soonestKept = Math.min(soonestKept, tickOfNode);
                    append(bucket, node);
                }
            }
            newest = blocks[block + OLDER];
            freeBlocks[freeBlockCount++] = block;
        }
        dueFrom = 0;
        dueTo = count;
        dueSize = count;
    }

    /** Sort the due row, and record the place of each of its nodes. */
    private void placeDue()
    {
        if (dueTo <= INSERTION_LIMIT)
        {
            sortFew();
        }
        else
        {
            sortMany();
        }
        for (int i = 0; i < dueTo; i++)
        {
            places[due[i]] = ~i;
        }
    }

    private void sortFew()
    {
        for (int i = 1; i < dueTo; i++)
        {
            final int node = due[i];
            final long deadlineNs = dueDeadlines[i];
            int to = i;
            while (to > 0 && isBefore(deadlineNs, node, dueDeadlines[to - 1], due[to - 1]))
            {
                due[to] = due[to - 1];
                dueDeadlines[to] = dueDeadlines[to - 1];
                to--;
            }
            due[to] = node;
            dueDeadlines[to] = deadlineNs;
        }
    }

    /** An in-place heap sort: it needs no memory, and no order of the deadlines makes it slow. */
    private void sortMany()
    {
        for (int i = dueTo / 2 - 1; i >= 0; i--)
        {
            siftDown(i, dueTo);
        }
        for (int end = dueTo - 1; end > 0; end--)
        {
            final int node = due[end];
            final long deadlineNs = dueDeadlines[end];
            due[end] = due[0];
            dueDeadlines[end] = dueDeadlines[0];
            due[0] = node;
            dueDeadlines[0] = deadlineNs;
            siftDown(0, end);
        }
    }

    private void siftDown(final int from, final int end)
    {
        final int node = due[from];
        final long deadlineNs = dueDeadlines[from];
        int at = from;
        int child = 2 * at + 1;
        while (child < end)
        {
            if (child + 1 < end &&
                isBefore(dueDeadlines[child], due[child], dueDeadlines[child + 1], due[child + 1]))
            {
                child++;
            }
            if (!isBefore(deadlineNs, node, dueDeadlines[child], due[child]))
            {
                break;
            }
            due[at] = due[child];
            dueDeadlines[at] = dueDeadlines[child];
            at = child;
            child = 2 * at + 1;
        }
        due[at] = node;
        dueDeadlines[at] = deadlineNs;
    }

    private boolean isBefore(final long deadlineA, final int a, final long deadlineB, final int b)
    {
        return deadlineA < deadlineB ||
            deadlineA == deadlineB && nodes[a * STRIDE + SEQUENCE] < nodes[b * STRIDE + SEQUENCE];
    }

    /** The first tick after the processed tick with nodes in its bucket, possibly of a later round. */
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

    /** Rounds up without overflow at the latest deadlines, and correctly before time 0. */
    private long tickOf(final long deadlineNs)
    {
        return (deadlineNs >> tickShift) + (0 == (deadlineNs & tickMask) ? 0 : 1);
    }
}
