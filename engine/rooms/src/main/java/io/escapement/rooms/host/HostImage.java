package io.escapement.rooms.host;

import io.escapement.rooms.output.RecordSink;

/**
 * A snapshot of a host in memory, taken while the host runs: its state at the end of the turn before
 * {@link RoomHost#beginImage}. The host's thread fills it; once it is complete it may be handed to another thread that
 * writes it to a file. Its memory is kept for the next snapshot.
 */
public final class HostImage
{
    final SnapshotRecords records = new SnapshotRecords();

    /** Whether all rooms are in it. */
    public boolean isComplete()
    {
        return records.isComplete();
    }

    /** The reason why it cannot be completed, since a room could not be written, or null. */
    public Throwable failure()
    {
        return records.failure();
    }

    /** Length of the states that are in it, in bytes. */
    public long length()
    {
        return records.length();
    }

    /**
     * Write the next part of the complete snapshot, in the format of {@link RoomHost#snapshot}. Computes checksums.
     *
     * @param sink       that takes the bytes, the same in all calls.
     * @param leastBytes to write in this call, if as many are left.
     * @return whether all is written.
     */
    public boolean writeTo(final RecordSink sink, final long leastBytes)
    {
        return records.writeTo(sink, leastBytes);
    }

    /** Write it from its beginning again: the same bytes. */
    public void rewind()
    {
        records.rewind();
    }
}
