package io.escapement.engine.internal.edge;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.LoopWiring;
import java.util.ArrayList;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongArrayList;
import org.agrona.collections.LongHashSet;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * All rooms of all loops, and the rooms that want to hear of them. A subscriber is told what a room is now, not each
 * step on the way: what changes while its loop's inbox is full is told once. So what waits is bounded by the rooms.
 */
final class Directory
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final CommandQueue[] inboxes;
    private final RoomPlacement placement;
    private final Long2ObjectHashMap<Entry> entryByRoomMap = new Long2ObjectHashMap<>();
    private final ArrayList<Subscriber> subscribers = new ArrayList<>();
    private final RoomCommandEncoder commands = new RoomCommandEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[LoopWiring.INBOX_SLOT_LENGTH]);

    Directory(final CommandQueue[] inboxes, final RoomPlacement placement)
    {
        this.inboxes = inboxes;
        this.placement = placement;
    }

    void onChange(final DirectoryEntryDecoder change)
    {
        final long roomId = change.subjectRoomId();
        switch (change.change())
        {
            case OPENED ->
            {
                final Entry entry = entryByRoomMap.computeIfAbsent(roomId, (id) -> new Entry());
                entry.typeId = change.typeId();
                entry.seatLimit = change.seatLimit();
            }
            case CLOSED ->
            {
                placement.release(roomId);
                entryByRoomMap.remove(roomId);
                subscribers.removeIf((subscriber) -> subscriber.roomId == roomId);
            }
            case OCCUPANCY ->
            {
                final Entry entry = entryByRoomMap.get(roomId);
                if (null != entry)
                {
                    entry.seatsTaken = change.seatsTaken();
                }
            }
            case LABEL ->
            {
                final Entry entry = entryByRoomMap.get(roomId);
                if (null != entry)
                {
                    final int key = change.labelKey();
                    final byte[] value = new byte[change.valueLength()];
                    change.getValue(value, 0, value.length);
                    entry.valueByKeyMap.put(key, value);
                }
            }
            default ->
            {
                return;
            }
        }
        for (int i = 0; i < subscribers.size(); i++)
        {
            subscribers.get(i).changed(roomId);
        }
    }

    void subscribe(final long roomId)
    {
        final Subscriber subscriber = new Subscriber(roomId);
        subscribers.add(subscriber);
        for (final Long2ObjectHashMap<Entry>.KeyIterator rooms = entryByRoomMap.keySet().iterator(); rooms.hasNext();)
        {
            subscriber.changed(rooms.nextLong());
        }
    }

    /**
     * Tell subscribers what has changed, as far as their loops take it.
     *
     * @return how much was told.
     */
    int tell()
    {
        int told = 0;
        for (int i = 0; i < subscribers.size(); i++)
        {
            told += tell(subscribers.get(i));
        }
        return told;
    }

    int rooms()
    {
        return entryByRoomMap.size();
    }

    private int tell(final Subscriber subscriber)
    {
        int told = 0;
        while (!subscriber.isEmpty())
        {
            final long roomId = subscriber.next();
            if (!tell(subscriber, roomId))
            {
                break;
            }
            subscriber.drop();
            told++;
        }
        return told;
    }

    /** False when the inbox was full on the way: then all of it is told again, which says nothing new. */
    private boolean tell(final Subscriber subscriber, final long roomId)
    {
        final Entry entry = entryByRoomMap.get(roomId);
        if (null == entry)
        {
            final boolean isTold = !subscriber.told.contains(roomId) ||
                offer(subscriber, roomId, DirectoryChange.CLOSED, Entry.NONE, 0, NOTHING, 0);
            if (isTold)
            {
                subscriber.told.remove(roomId);
            }
            return isTold;
        }
        if (!subscriber.told.contains(roomId))
        {
            if (!offer(subscriber, roomId, DirectoryChange.OPENED, entry, 0, NOTHING, 0))
            {
                return false;
            }
            subscriber.told.add(roomId);
        }
        if (!offer(subscriber, roomId, DirectoryChange.OCCUPANCY, entry, 0, NOTHING, 0))
        {
            return false;
        }
        for (final Int2ObjectHashMap<byte[]>.EntryIterator labels = entry.valueByKeyMap.entrySet().iterator();
            labels.hasNext();)
        {
            labels.next();
            final byte[] value = labels.getValue();
            final boolean isTaken = offer(subscriber, roomId, DirectoryChange.LABEL, entry, labels.getIntKey(),
                new UnsafeBuffer(value), value.length);
            if (!isTaken)
            {
                return false;
            }
        }
        return true;
    }

    private boolean offer(
        final Subscriber subscriber,
        final long roomId,
        final DirectoryChange change,
        final Entry entry,
        final int labelKey,
        final DirectBuffer value,
        final int valueLength)
    {
        final int length = commands.directoryEntry(command, 0, subscriber.roomId, change, roomId, entry.typeId,
            entry.seatsTaken, entry.seatLimit, labelKey, value, 0, valueLength);
        return inboxes[TrunkMessages.loopOf(subscriber.roomId)].offer(CommandQueue.COMMAND, null, command, 0, length);
    }

    private static final class Entry
    {
        private static final Entry NONE = new Entry();

        private int typeId;
        private int seatLimit;
        private int seatsTaken;
        private final Int2ObjectHashMap<byte[]> valueByKeyMap = new Int2ObjectHashMap<>();
    }

    private static final class Subscriber
    {
        private final long roomId;
        private final LongHashSet told = new LongHashSet();
        private final LongHashSet waiting = new LongHashSet();
        private final LongArrayList order = new LongArrayList();
        private int head;

        Subscriber(final long roomId)
        {
            this.roomId = roomId;
        }

        void changed(final long subjectRoomId)
        {
            if (waiting.add(subjectRoomId))
            {
                order.addLong(subjectRoomId);
            }
        }

        boolean isEmpty()
        {
            return head == order.size();
        }

        long next()
        {
            return order.getLong(head);
        }

        void drop()
        {
            waiting.remove(order.getLong(head));
            head++;
            if (isEmpty())
            {
                order.clear();
                head = 0;
            }
        }
    }
}
