package io.escapement.rooms.host;

import io.escapement.rooms.log.HostConfig;

/**
 * Takes a snapshot of one turn while the next turns run. The host's own state is copied at once, the rooms
 * incrementally: between turns, and each room at the latest before it changes. Until then it is as it was at the end of
 * the snapshot's turn. A snapshot has one position in the log, and a recovery runs all turns after it in all rooms.
 *
 * <p>A room changes by a command, a timer or a frame, and its host calls this before each. A command to the host may
 * change any room. Before it all remaining rooms are copied.
 */
final class RollingSnapshot
{
    private final BufferStateWriter writer = new BufferStateWriter();
    private RoomHost host;
    private HostImage records;
    private RoomInstance cursor;
    /** Number of this snapshot. A room has the number of the last snapshot that it is in. */
    private long number;
    /** Slot of the room that was rehearsed last. */
    private int rehearsed;
    private long lastOrdinal;
    /** Time of the snapshot's turn, which the logics see when they write their state. */
    private long nowNs;

    /** Whether rooms are left. */
    boolean isFilling()
    {
        return null != records;
    }

    /** Begin with the state between two turns. */
    void begin(final RoomHost source, final HostConfig header, final HostImage target)
    {
        if (isFilling())
        {
            throw new IllegalStateException("the last snapshot is not complete");
        }
        host = source;
        records = target;
        number++;
        cursor = source.rooms.first();
        lastOrdinal = source.rooms.lastOrdinal();
        nowNs = source.services.time.nowNs();
        target.begin();
        HostSnapshot.writeHost(source, header, writer, (kind, buffer, offset, length) ->
            target.add(kind, 0, buffer, length));
        completeIfAtEnd();
    }

    /**
     * Write the host's own state and some rooms, and forget their bytes. That code runs too rarely to be loaded and
     * compiled otherwise, and the first snapshot would delay a turn by that time.
     *
     * @return number of rooms.
     */
    int rehearse(final RoomHost source, final HostConfig header, final int count)
    {
        HostSnapshot.writeHost(source, header, writer, (kind, buffer, offset, length) -> { });
        final RoomTable rooms = source.rooms;
        int done = 0;
        for (int i = rooms.slots(); i > 0 && done < count; i--)
        {
            rehearsed = rehearsed + 1 >= rooms.slots() ? 0 : rehearsed + 1;
            final RoomInstance room = rooms.bySlot(rehearsed);
            if (null != room)
            {
                done++;
                writer.reset();
                try
                {
                    HostSnapshot.writeRoom(room, source.services.wheel, writer);
                }
                catch (final RuntimeException ignored)
                {
                    // The snapshot itself reports it.
                }
            }
        }
        return done;
    }

    /** Copy rooms until they have this many bytes, or all are copied. */
    void fill(final long bytes)
    {
        if (isFilling())
        {
            final long end = bytes > Long.MAX_VALUE - records.length() ? Long.MAX_VALUE : records.length() + bytes;
            while (isFilling() && records.length() < end)
            {
                final RoomInstance room = cursor;
                cursor = room.next();
                write(room);
                completeIfAtEnd();
            }
        }
    }

    /** Copy all rooms that are left: any of them may change. */
    void beforeChange()
    {
        fill(Long.MAX_VALUE);
    }

    /** A room is about to change. */
    void beforeChange(final RoomInstance room)
    {
        if (isFilling() && null != room)
        {
            write(room);
        }
    }

    /** The rooms of a group are about to run their frames, and have parts of their state in the group. */
    void beforeChange(final PhaseGroup group)
    {
        for (int i = 0; i < group.places() && isFilling(); i++)
        {
            if (null != group.room(i))
            {
                write(host.rooms.byId(group.room(i).roomId()));
            }
        }
    }

    /** A room leaves the list of rooms. It was copied before, because it changed. */
    void beforeRemoval(final RoomInstance room)
    {
        if (isFilling() && cursor == room)
        {
            cursor = room.next();
            completeIfAtEnd();
        }
    }

    private void write(final RoomInstance room)
    {
        if (number == room.snapshotNumber() || room.identity.ordinal() > lastOrdinal)
        {
            return;
        }
        room.snapshotNumber(number);
        final HostTime time = host.services.time;
        final long timeNs = time.nowNs();
        time.nowNs(nowNs);
        try
        {
            writer.reset();
            HostSnapshot.writeRoom(room, host.services.wheel, writer);
            records.add(HostSnapshot.ROOM_KIND, room.identity.ordinal(), writer.buffer(), writer.length());
        }
        catch (final RuntimeException ex)
        {
            // The turn continues: only the snapshot has failed.
            records.fail(ex);
            end();
        }
        finally
        {
            time.nowNs(timeNs);
        }
    }

    private void completeIfAtEnd()
    {
        if (isFilling() && (null == cursor || cursor.identity.ordinal() > lastOrdinal))
        {
            records.complete();
            end();
        }
    }

    private void end()
    {
        records = null;
        cursor = null;
    }
}
