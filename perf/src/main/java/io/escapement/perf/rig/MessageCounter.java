package io.escapement.perf.rig;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The receiving end of a throughput test. One thread copies each 64-byte message out, adds it to a checksum, and reads
 * the clock once per block. A message has its sequence at the front and the complement of the sequence at the end.
 */
public final class MessageCounter
{
    /** Bytes of a message. */
    public static final int MESSAGE_LENGTH = 64;
    /** Messages between two reads of the clock. */
    public static final int BLOCK = 1_024;
    /** Messages received, including the warm-up's messages. */
    public static final String RECEIVED = "received";
    /** Checksum of the messages received. */
    public static final String RECEIVED_SUM = "receivedSum";
    /** Messages received in the measured part. */
    public static final String COUNTED = "counted";
    /** Duration of the measured part in nanoseconds. */
    public static final String TOOK_NS = "tookNs";
    /** Series: duration of each block. */
    public static final String BLOCKS = "blocks";
    /** Messages sent, reported by the sender. */
    public static final String SENT = "sent";
    /** Checksum of the messages sent, reported by the sender. */
    public static final String SENT_SUM = "sentSum";

    private static final int COMPLEMENT = MESSAGE_LENGTH - Long.BYTES;

    private final UnsafeBuffer copy = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
    private final IntervalRecorder recorder;
    private volatile boolean isRestartRequested = true;
    private long count;
    private long sum;
    private long lastNs;
    private long firstNs;
    private long blocks;

    /** Create without times. */
    public MessageCounter()
    {
        recorder = null;
    }

    /** Create for an expected length of the measured part. */
    public MessageCounter(final long measureNs)
    {
        recorder = new IntervalRecorder(measureNs);
    }

    /** Write a message at the sending end. Returns its contribution to the checksum. */
    public static long write(final MutableDirectBuffer message, final long sequence)
    {
        message.putLong(0, sequence);
        message.putLong(COMPLEMENT, ~sequence);
        return sequence;
    }

    /** Receive a message. */
    public void receive(final DirectBuffer buffer, final int offset)
    {
        copy.putBytes(0, buffer, offset, MESSAGE_LENGTH);
        final long sequence = copy.getLong(0);
        sum += sequence == ~copy.getLong(COMPLEMENT) ? sequence : -1;
        if (0 == (++count & BLOCK - 1) && null != recorder)
        {
            endOfBlock();
        }
    }

    /** Messages received, in the receiving thread or when it has no more messages. */
    public long count()
    {
        return count;
    }

    /** Checksum of the messages received. */
    public long sum()
    {
        return sum;
    }

    /**
     * Discard the recording at the end of the current block, and restart it. From any thread. Everything is recorded
     * from the first message on, and warm-ups also restart, because code that first runs in the measured part is
     * compiled there.
     */
    public void restart()
    {
        isRestartRequested = true;
    }

    /** The measurements, in the receiving thread or after it has stopped. */
    public Measurements measurements()
    {
        return new Measurements()
            .put(RECEIVED, count)
            .put(RECEIVED_SUM, sum)
            .put(COUNTED, blocks * BLOCK)
            .put(TOOK_NS, lastNs - firstNs)
            .add(BLOCKS, recorder.stop(lastNs));
    }

    private void endOfBlock()
    {
        if (isRestartRequested)
        {
            isRestartRequested = false;
            blocks = 0;
            recorder.start(System.nanoTime());
            // Read again, because clearing the histograms takes a while.
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
