package io.escapement.engine.internal.durable;

import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.agrona.DirectBuffer;

/** The recovered journal of one loop: a snapshot, and the messages to run after it. */
public final class RecoveredLoop implements LogSource, AutoCloseable
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
        rewind();
    }

    /** The verified snapshot to restore. Null to start with an empty host. Direct memory of exactly its length. */
    @Override
    public DirectBuffer snapshot()
    {
        return snapshot;
    }

    /** Position of the snapshot, negative without a snapshot. */
    public long snapshotPosition()
    {
        return snapshotPosition;
    }

    /** Settings of the host that wrote the journal last, or null if it is empty. */
    @Override
    public HostConfig config()
    {
        return reader.config();
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

    /** Begin with the first message after the snapshot again. May be called repeatedly, until {@link #close()}. */
    @Override
    public void rewind()
    {
        reader.rewind(Math.max(0, snapshotPosition), false);
    }

    @Override
    public void rewindToFailed()
    {
        reader.rewind(Math.max(0, snapshotPosition), true);
    }

    @Override
    public boolean next()
    {
        try
        {
            return reader.next();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public DirectBuffer buffer()
    {
        return reader.buffer();
    }

    @Override
    public int offset()
    {
        return reader.messageOffset();
    }

    @Override
    public int length()
    {
        return reader.messageLength();
    }

    @Override
    public boolean isFinished()
    {
        return reader.isClosed();
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
