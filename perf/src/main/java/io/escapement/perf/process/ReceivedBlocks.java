package io.escapement.perf.process;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Receives messages in one thread: copies each out, adds it up, and looks at the clock once a block. The messages are
 * of 64 B, with their sequence at the front and its complement at the end.
 */
public final class ReceivedBlocks
{
    /** Bytes of a message. */
    public static final int MESSAGE_LENGTH = 64;
    /** Messages between two looks at the clock. */
    public static final int BLOCK = 1_024;

    /** Messages that were received, the warm-up's too. */
    public static final String RECEIVED = "received";
    /** Checksum over them. */
    public static final String RECEIVED_SUM = "receivedSum";
    /** Messages that count. */
    public static final String COUNTED = "counted";
    /** What those took, in nanoseconds. */
    public static final String TOOK_NS = "tookNs";
    /** Series: what each block took. */
    public static final String BLOCKS = "blocks";

    private static final int COMPLEMENT = MESSAGE_LENGTH - Long.BYTES;

    private final UnsafeBuffer copy = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
    private final IntervalRecorder recorder;
    private volatile boolean isStartWanted = true;
    private long count;
    private long sum;
    private long lastNs;
    private long firstNs;
    private long blocks;

    /**
     * Make one.
     *
     * @param measureNs how long the part that counts will be.
     */
    public ReceivedBlocks(final long measureNs)
    {
        recorder = new IntervalRecorder(measureNs, IntervalRecorder.DEFAULT_INTERVALS);
    }

    /**
     * Write a message, on the sending side.
     *
     * @param message  to write to.
     * @param sequence of it.
     * @return its part of the checksum.
     */
    public static long write(final MutableDirectBuffer message, final long sequence)
    {
        message.putLong(0, sequence);
        message.putLong(COMPLEMENT, ~sequence);
        return sequence;
    }

    /**
     * Receive a message.
     *
     * @param buffer with it.
     * @param offset of it.
     */
    public void receive(final DirectBuffer buffer, final int offset)
    {
        copy.putBytes(0, buffer, offset, MESSAGE_LENGTH);
        final long sequence = copy.getLong(0);
        // Both ends of the message have to agree.
        sum += sequence == ~copy.getLong(COMPLEMENT) ? sequence : -1;
        if (0 == (++count & BLOCK - 1))
        {
            endOfBlock();
        }
    }

    /**
     * What comes from here on counts, and nothing before. From any thread. All is recorded from the first message on,
     * and to begin anew is part of a warm-up: code that runs for the first time when it counts is compiled anew then.
     */
    public void record()
    {
        isStartWanted = true;
    }

    /**
     * What was received, in the receiving thread or once it has ended.
     *
     * @return new findings.
     */
    public Findings findings()
    {
        return new Findings()
            .put(RECEIVED, count)
            .put(RECEIVED_SUM, sum)
            .put(COUNTED, blocks * BLOCK)
            .put(TOOK_NS, lastNs - firstNs)
            .add(BLOCKS, recorder.stop(lastNs));
    }

    private void endOfBlock()
    {
        if (isStartWanted)
        {
            isStartWanted = false;
            blocks = 0;
            // To forget what was recorded takes a while.
            recorder.start(System.nanoTime());
            firstNs = System.nanoTime();
            lastNs = firstNs;
            return;
        }
        final long nowNs = System.nanoTime();
        blocks++;
        recorder.record(nowNs, nowNs - lastNs);
        lastNs = nowNs;
    }
}
