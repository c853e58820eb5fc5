package io.escapement.engine.internal.durable;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The findings of one loop's recovery.
 *
 * @param loop             number of the loop.
 * @param isDryRun         whether everything was left as it is.
 * @param incarnation      the journal's last incarnation, 0 if it is empty.
 * @param tail             the use of the tail.
 * @param tailBytes        bytes that only the tail had.
 * @param snapshotPosition of the snapshot to start with, negative without a snapshot.
 * @param segments         number of segments that were read.
 * @param bytes            of them.
 * @param messages         number of messages after the snapshot.
 * @param position         end of the journal.
 * @param nextNumber       of the next message.
 * @param isClosed         whether the journal was closed in order.
 * @param notes            for the operator: data that was cut off, ignored or set aside.
 * @param durationNs       of reading and checking.
 */
public record RecoveryReport(
    int loop,
    boolean isDryRun,
    int incarnation,
    TailState tail,
    long tailBytes,
    long snapshotPosition,
    int segments,
    long bytes,
    long messages,
    long position,
    long nextNumber,
    boolean isClosed,
    List<String> notes,
    long durationNs)
{
    /** The use that recovery made of a tail. */
    public enum TailState
    {
        /** No tail: a first start, an orderly stop, a power loss, or a journal without tails. */
        NONE,
        /** Its bytes were added to the journal. */
        USED,
        /** It is of another journal or incarnation, or of the time before the machine was started. */
        IGNORED
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder("loop ").append(loop).append(": ")
            .append(messages).append(" messages behind ")
            .append(snapshotPosition < 0 ? "the beginning" : "the snapshot at " + snapshotPosition)
            .append(", end at ").append(position).append(", incarnation ").append(incarnation)
            .append(isClosed ? ", closed in order" : ", not closed in order")
            .append(", tail ").append(tail).append(" (").append(tailBytes).append(" bytes), ")
            .append(segments).append(" segments of ").append(bytes).append(" bytes in ")
            .append(TimeUnit.NANOSECONDS.toMillis(durationNs)).append(" ms");
        notes.forEach((note) -> text.append(System.lineSeparator()).append("  ").append(note));
        return text.toString();
    }
}
