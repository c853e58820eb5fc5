package io.escapement.rooms.host;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/** The state of a room between its opening and its close, and its figures for operators, which are not state. */
abstract class RoomStatus
{
    final RoomIdentity identity;
    final RoomServices services;
    private final long roomId;
    private boolean isOpen = true;
    private boolean isLocked;
    private boolean isLockedByOperator;
    private boolean isSubscribed;
    private boolean isCloseRequested;
    private int closeCode;
    private long openerRoomId;
    private long correlationId;
    /** During onOpen only, so that it is no part of a snapshot. */
    private long openingFor;
    /** Time of the host when the room was opened or restored. */
    private final long openedNs;
    private long refusals;
    private long statesLost;
    private long snapshotNumber;

    RoomStatus(final RoomIdentity identity, final RoomServices services)
    {
        this.identity = identity;
        this.services = services;
        roomId = identity.roomId();
        openedNs = services.time.nowNs();
    }

    long roomId()
    {
        return roomId;
    }

    RoomType type()
    {
        return identity.type();
    }

    int slot()
    {
        return identity.slot();
    }

    long openedNs()
    {
        return openedNs;
    }

    /** Commands to the room that were refused. */
    long refusals()
    {
        return refusals;
    }

    void countRefusal()
    {
        refusals++;
    }

    /** States that were dropped on their way to a seat. */
    long statesLost()
    {
        return statesLost;
    }

    void countLostState()
    {
        statesLost++;
    }

    /** The room for which this one opens. */
    long openingFor()
    {
        return openingFor;
    }

    void openingFor(final long roomId)
    {
        openingFor = roomId;
    }

    /** Number of the last rolling snapshot that the room is in. */
    long snapshotNumber()
    {
        return snapshotNumber;
    }

    void snapshotNumber(final long value)
    {
        snapshotNumber = value;
    }

    boolean isOpen()
    {
        return isOpen;
    }

    void closed()
    {
        isOpen = false;
    }

    /** Whether the logic admits no new players. */
    boolean isLocked()
    {
        return isLocked;
    }

    void lock(final boolean locked)
    {
        isLocked = locked;
    }

    /** Whether an operator has locked the room, in addition to its logic. */
    boolean isLockedByOperator()
    {
        return isLockedByOperator;
    }

    void lockByOperator(final boolean locked)
    {
        isLockedByOperator = locked;
    }

    /** Whether the room has subscribed to the directory. */
    boolean isSubscribed()
    {
        return isSubscribed;
    }

    void subscribed(final boolean value)
    {
        isSubscribed = value;
    }

    /** The room that requested this one; 0 if the edge or the application did. */
    long openerRoomId()
    {
        return openerRoomId;
    }

    /** Correlation id of that request. */
    long correlationId()
    {
        return correlationId;
    }

    void origin(final long opener, final long correlation)
    {
        openerRoomId = opener;
        correlationId = correlation;
    }

    /** Write the parts of the loop, which have no effect on the room. */
    void writeOrigin(final StateWriter writer)
    {
        writer.putBoolean(isSubscribed);
        writer.putLong(openerRoomId);
        writer.putLong(correlationId);
    }

    void readOrigin(final StateReader reader)
    {
        isSubscribed = reader.getBoolean();
        openerRoomId = reader.getLong();
        correlationId = reader.getLong();
    }

    boolean isCloseRequested()
    {
        return isCloseRequested;
    }

    /** Close the room once the callback has returned, with a code of the application or 0. The first code counts. */
    void closeLater(final int code)
    {
        if (!isCloseRequested)
        {
            closeCode = code;
        }
        isCloseRequested = true;
    }

    int closeCode()
    {
        return closeCode;
    }
}
