package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import java.util.ArrayList;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongArrayList;
import org.agrona.collections.LongHashSet;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * All rooms of all loops, published to the rooms that subscribe. Subscribers receive the current state of a room, not
 * each step: changes made while its loop's inbox is full are merged. The number of rooms therefore limits the backlog.
 */
final class Directory
{
    private static final UnsafeBuffer NO_VALUE = new UnsafeBuffer(new byte[0]);

    private final CommandQueue[] inboxes;
    private final RoomPlacement placement;
    private final Long2ObjectHashMap<Entry> entryByRoomMap = new Long2ObjectHashMap<>();
    private final ArrayList<Subscriber> subscribers = new ArrayList<>();
    private final RoomEncoder commands = new RoomEncoder();
    private final Entry closed = new Entry();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);

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
                placement.opened(roomId);
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
            case RESET ->
            {
                subscribe(change.roomId(), true);
                return;
            }
            default -> throw new IllegalStateException("no change of the directory: " + change.change());
        }
        for (int i = 0; i < subscribers.size(); i++)
        {
            subscribers.get(i).changed(roomId);
        }
    }

    /** Forget the rooms of a loop that no longer leads, and their subscriptions. */
    void forget(final int loop)
    {
        final LongArrayList gone = new LongArrayList();
        for (final Long2ObjectHashMap<Entry>.KeyIterator rooms = entryByRoomMap.keySet().iterator(); rooms.hasNext();)
        {
            final long roomId = rooms.nextLong();
            if (TrunkMessages.loopOf(roomId) == loop)
            {
                gone.addLong(roomId);
            }
        }
        for (int i = 0; i < gone.size(); i++)
        {
            entryByRoomMap.remove(gone.getLong(i));
        }
        subscribers.removeIf((subscriber) -> TrunkMessages.loopOf(subscriber.roomId) == loop);
    }

    /**
     * Subscribe a room, which may have a subscription.
     *
     * @param isAgain whether the entries that it has are out of date: it gets a RESET before the new ones.
     */
    void subscribe(final long roomId, final boolean isAgain)
    {
        subscribers.removeIf((subscribed) -> subscribed.roomId == roomId);
        final Subscriber subscriber = new Subscriber(roomId);
        subscriber.isResetDue = isAgain;
        subscribers.add(subscriber);
        for (final Long2ObjectHashMap<Entry>.KeyIterator rooms = entryByRoomMap.keySet().iterator(); rooms.hasNext();)
        {
            subscriber.changed(rooms.nextLong());
        }
    }

    /** Publish changes as far as the subscribers' loops take them. Returns the number of rooms published. */
    int publish()
    {
        int published = 0;
        for (int i = 0; i < subscribers.size(); i++)
        {
            published += publish(subscribers.get(i));
        }
        return published;
    }

    int rooms()
    {
        return entryByRoomMap.size();
    }

    private int publish(final Subscriber subscriber)
    {
        int published = 0;
        if (subscriber.isResetDue)
        {
            subscriber.isResetDue = !offer(subscriber, 0, DirectoryChange.RESET, closed, 0, NO_VALUE, 0);
        }
        while (!subscriber.isResetDue && !subscriber.isEmpty() && tryPublish(subscriber, subscriber.peek()))
        {
            subscriber.drop();
            published++;
        }
        return published;
    }

    /** False when the inbox filled up on the way. The room is then published again in full, which is idempotent. */
    private boolean tryPublish(final Subscriber subscriber, final long roomId)
    {
        final Entry entry = entryByRoomMap.get(roomId);
        if (null == entry)
        {
            closed.typeId = (int)subscriber.typeByRoomMap.get(roomId);
            final boolean isDone = Subscriber.NOT_PUBLISHED == closed.typeId ||
                offer(subscriber, roomId, DirectoryChange.CLOSED, closed, 0, NO_VALUE, 0);
            if (isDone)
            {
                subscriber.typeByRoomMap.remove(roomId);
            }
            return isDone;
        }
        if (!subscriber.typeByRoomMap.containsKey(roomId))
        {
            if (!offer(subscriber, roomId, DirectoryChange.OPENED, entry, 0, NO_VALUE, 0))
            {
                return false;
            }
            subscriber.typeByRoomMap.put(roomId, entry.typeId);
        }
        if (!offer(subscriber, roomId, DirectoryChange.OCCUPANCY, entry, 0, NO_VALUE, 0))
        {
            return false;
        }
        for (final Int2ObjectHashMap<byte[]>.EntryIterator labels = entry.valueByKeyMap.entrySet().iterator();
            labels.hasNext();)
        {
            labels.next();
            final byte[] value = labels.getValue();
            final boolean isPublished = offer(subscriber, roomId, DirectoryChange.LABEL, entry, labels.getIntKey(),
                new UnsafeBuffer(value), value.length);
            if (!isPublished)
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
        final int length = commands.directoryEntry(command, 0, subscriber.roomId, roomId, entry.typeId,
            entry.seatsTaken, entry.seatLimit, labelKey, change, value, 0, valueLength);
        return inboxes[TrunkMessages.loopOf(subscriber.roomId)].offer(ControlSignal.COMMAND, null, command, 0, length);
    }

    private static final class Entry
    {
        private int typeId;
        private int seatLimit;
        private int seatsTaken;
        private final Int2ObjectHashMap<byte[]> valueByKeyMap = new Int2ObjectHashMap<>();
    }

    private static final class Subscriber
    {
        private static final int NOT_PUBLISHED = -1;

        private final long roomId;
        /** Types of the rooms for which it has received OPENED. */
        private final Long2LongHashMap typeByRoomMap = new Long2LongHashMap(NOT_PUBLISHED);
        /** Rooms in {@link #backlog}. */
        private final LongHashSet changed = new LongHashSet();
        private final LongArrayList backlog = new LongArrayList();
        private int head;
        private boolean isResetDue;

        Subscriber(final long roomId)
        {
            this.roomId = roomId;
        }

        void changed(final long subjectRoomId)
        {
            if (changed.add(subjectRoomId))
            {
                backlog.addLong(subjectRoomId);
            }
        }

        boolean isEmpty()
        {
            return head == backlog.size();
        }

        long peek()
        {
            return backlog.getLong(head);
        }

        void drop()
        {
            changed.remove(backlog.getLong(head));
            head++;
            if (isEmpty())
            {
                backlog.clear();
                head = 0;
            }
        }
    }
}
