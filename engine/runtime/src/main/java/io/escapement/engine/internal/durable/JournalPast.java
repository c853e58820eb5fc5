package io.escapement.engine.internal.durable;

import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.log.LogHistory;
import io.escapement.rooms.log.LogSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;

/**
 * The history in the files of one loop's journal: its first segment, and its snapshots. It is opened by the names of
 * the files. A start reads its snapshot, and its segments only as far as its reader goes. To look at some minutes, a
 * reader need not read an hour. The journal may be in use, up to the data that its thread has written.
 */
public final class JournalPast implements LogHistory
{
    /** Where a journal starts, with an empty host. */
    private static final long BEGINNING = 0;

    private final JournalDisk disk;
    private final int loop;
    private final long held;
    private final long end;
    private final List<Long> starts;

    /**
     * Find the starts.
     *
     * @param disk of the journal.
     * @param loop its number.
     * @param held end of the data that was once on the disk, or in a tail: a journal that ends before it is damaged.
     * @param end  position at which reading stops, or Long.MAX_VALUE to read to the end of the journal.
     */
    JournalPast(final JournalDisk disk, final int loop, final long held, final long end) throws IOException
    {
        this.disk = disk;
        this.loop = loop;
        this.end = end;
        final List<String> names = disk.list();
        final List<Long> found = new ArrayList<>();
        if (names.contains(JournalNames.segment(loop, BEGINNING)))
        {
            found.add(BEGINNING);
        }
        JournalNames.snapshots(names, loop).stream().map(JournalNames::position)
            .filter((position) -> position <= end).forEach(found::add);
        while (!found.isEmpty() && BEGINNING != found.get(0) && !isWhole(found.get(0)))
        {
            found.remove(0);
        }
        if (found.isEmpty())
        {
            throw new JournalException(disk.path(JournalNames.segment(loop, BEGINNING)) +
                ": not there, and no snapshot of loop " + loop + " is whole, so its journal cannot be read");
        }
        // No snapshot is ahead of its journal.
        this.held = Math.max(held, found.get(found.size() - 1));
        starts = List.copyOf(found);
    }

    private JournalPast(final JournalPast whole, final List<Long> starts)
    {
        disk = whole.disk;
        loop = whole.loop;
        held = whole.held;
        end = whole.end;
        this.starts = starts;
    }

    /**
     * The part of this from the last starts before a position.
     *
     * @param count    most starts that it has.
     * @param position that the snapshots precede, if possible.
     */
    public JournalPast latest(final int count, final long position)
    {
        int to = starts.size();
        while (to > 1 && starts.get(to - 1) > position)
        {
            to--;
        }
        return new JournalPast(this, starts.subList(Math.max(0, to - count), to));
    }

    @Override
    public int starts()
    {
        return starts.size();
    }

    /** {@inheritDoc} If a start's snapshot is damaged, the part starts at the previous start. */
    @Override
    public void read(final int start, final Consumer<LogSource> reader)
    {
        int at = start;
        DirectBuffer snapshot = null;
        try
        {
            while (BEGINNING != starts.get(at) && null == (snapshot = snapshot(starts.get(at))))
            {
                if (0 == at)
                {
                    throw new JournalException(disk.path(JournalNames.snapshot(loop, starts.get(0))) + ": damaged");
                }
                at--;
            }
            try (JournalPart part = new JournalPart(disk, loop, snapshot, starts.get(at), held, end))
            {
                reader.accept(part);
            }
        }
        catch (final NoSuchFileException ex)
        {
            throw deleted(ex);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        finally
        {
            if (null != snapshot)
            {
                BufferUtil.free(snapshot);
            }
        }
    }

    /** The journal is in use, and deletes files that it no longer needs. */
    static JournalException deleted(final NoSuchFileException ex)
    {
        return new JournalException(
            ex.getFile() + ": deleted while it was read, because the history begins later now", ex);
    }

    private boolean isWhole(final long position) throws IOException
    {
        final DirectBuffer snapshot = snapshot(position);
        if (null != snapshot)
        {
            BufferUtil.free(snapshot);
        }
        return null != snapshot;
    }

    /** A snapshot in direct memory, or null if it is damaged. */
    private DirectBuffer snapshot(final long position) throws IOException
    {
        try (JournalFile file = disk.open(JournalNames.snapshot(loop, position)))
        {
            return SnapshotStore.verify(file);
        }
        catch (final DamagedRecordException ex)
        {
            SegmentScan.refuseOtherFormat(disk.path(JournalNames.snapshot(loop, position)), ex);
            return null;
        }
    }
}
