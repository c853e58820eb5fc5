package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.durable.LogSnapshots;
import io.escapement.rooms.host.HostImage;
import io.escapement.rooms.output.ByteSink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Keeps the snapshots of a {@link FakeLog} in memory; on the disk when it is asked to, or never. */
final class FakeSnapshots implements LogSnapshots
{
    record Snapshot(int position, byte[] bytes)
    {
    }

    final List<Snapshot> snapshots = new ArrayList<>();
    boolean isSlow;
    int refused;
    private final IntSupplier polled;
    private final HostImage image = new HostImage();
    private int position;
    private boolean isFilling;
    private boolean isWriting;
    private long completed;
    private long failed;

    FakeSnapshots(final IntSupplier polled)
    {
        this.polled = polled;
    }

    boolean isFilling()
    {
        return isFilling;
    }

    /** The file is on the disk. */
    void write()
    {
        final ByteSink sink = new ByteSink();
        while (!image.writeTo(sink, 1_000))
        {
            // All of it.
        }
        snapshots.add(new Snapshot(position, sink.toArray()));
        isWriting = false;
        completed++;
    }

    /** The disk is full. */
    void fail()
    {
        isWriting = false;
        failed++;
    }

    @Override
    public HostImage beginSnapshot()
    {
        if (isWriting)
        {
            refused++;
            return null;
        }
        position = polled.getAsInt();
        isFilling = true;
        return image;
    }

    @Override
    public void endSnapshot()
    {
        isFilling = false;
        isWriting = true;
        if (!isSlow)
        {
            write();
        }
    }

    @Override
    public void abandonSnapshot()
    {
        isFilling = false;
    }

    @Override
    public long completedSnapshots()
    {
        return completed;
    }

    @Override
    public long failedSnapshots()
    {
        return failed;
    }
}
