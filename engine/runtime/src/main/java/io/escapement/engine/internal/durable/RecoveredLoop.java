package io.escapement.engine.internal.durable;

import io.escapement.rooms.log.TurnLogHeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.agrona.DirectBuffer;

/** The journal of one loop as recovery found it: a snapshot, and the messages to run behind it. */
public final class RecoveredLoop implements AutoCloseable
{
    private final JournalReader reader;
    private final DirectBuffer snapshot;
    private final long snapshotPosition;
    private final RecoveryReport report;

    RecoveredLoop(
        final JournalReader reader,
        final DirectBuffer snapshot,
        final long snapshotPosition,
        final RecoveryReport report)
    {
        this.reader = reader;
        this.snapshot = snapshot;
        this.snapshotPosition = snapshotPosition;
        this.report = report;
    }

    /** The snapshot to restore, verified; null to begin with an empty host. Direct memory of exactly its length. */
    public DirectBuffer snapshot()
    {
        return snapshot;
    }

    /** Position of the snapshot; negative without one. */
    public long snapshotPosition()
    {
        return snapshotPosition;
    }

    /** Settings of the host that wrote the journal last, or null if it is empty. */
    public TurnLogHeader log()
    {
        return reader.log();
    }

    /** Number of the last incarnation; 0 if the journal is empty. */
    public int incarnation()
    {
        return report.incarnation();
    }

    /** The findings, for the operator. */
    public RecoveryReport report()
    {
        return report;
    }

    /**
     * Pass on the messages behind the snapshot, in order, with their positions. May be called repeatedly, until
     * {@link #close()}.
     *
     * @param handler of the messages.
     * @return number of messages.
     */
    public long forEach(final ProposalHandler handler)
    {
        try
        {
            return reader.forEach(Math.max(0, snapshotPosition), handler);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Pass on the messages behind the snapshot among which all records of failed rooms are. May be called repeatedly,
     * until {@link #close()}.
     *
     * @param handler of the messages.
     */
    public void forEachFailed(final ProposalHandler handler)
    {
        try
        {
            reader.forEachFailed(Math.max(0, snapshotPosition), handler);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Release the memory for reading. The snapshot and the report stay. */
    @Override
    public void close()
    {
        reader.close();
    }

    JournalLog.Start start()
    {
        return new JournalLog.Start(
            reader.end(), reader.nextNumber(), reader.scans().isEmpty() ? 0 : reader.last().lastCheck());
    }
}
