package io.escapement.rooms;

import io.escapement.codecs.room.DirectoryChange;
import org.agrona.DirectBuffer;

/** A change of a room, as the directory publishes it to its subscribers. */
public interface DirectoryEntry
{
    /** The kind of change. */
    DirectoryChange change();

    /** Id of the changed room. */
    long roomId();

    /** Id of the room's type. */
    int typeId();

    /** Number of taken seats, including reserved ones. */
    int seatsTaken();

    /** Number of seats. */
    int seatLimit();

    /** Key of the changed label, for {@link DirectoryChange#LABEL}. */
    int labelKey();

    /** Buffer with the label's value, for {@link DirectoryChange#LABEL}. */
    DirectBuffer valueBuffer();

    /** Offset of the value in {@link #valueBuffer()}. */
    int valueOffset();

    /** Length of the value in bytes; 0 for a removed label. */
    int valueLength();
}
