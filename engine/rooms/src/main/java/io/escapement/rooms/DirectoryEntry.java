package io.escapement.rooms;

import io.escapement.codecs.room.DirectoryChange;
import org.agrona.DirectBuffer;

/** News of a room, as the directory tells it to its subscribers. */
public interface DirectoryEntry
{
    /**
     * What is told.
     *
     * @return the kind of news.
     */
    DirectoryChange change();

    /**
     * The room told of.
     *
     * @return its id.
     */
    long roomId();

    /**
     * Its type.
     *
     * @return the stable id of its type.
     */
    int typeId();

    /**
     * How many of its seats are taken, reserved ones included.
     *
     * @return the number.
     */
    int seatsTaken();

    /**
     * How many seats it has.
     *
     * @return the number.
     */
    int seatLimit();

    /**
     * Which label changed, for {@link DirectoryChange#LABEL}.
     *
     * @return the key given to {@link Room#label}.
     */
    int labelKey();

    /**
     * Where the label's value is, for {@link DirectoryChange#LABEL}.
     *
     * @return the buffer that holds it.
     */
    DirectBuffer valueBuffer();

    /**
     * Where the value begins.
     *
     * @return the offset in {@link #valueBuffer()}.
     */
    int valueOffset();

    /**
     * How long the value is.
     *
     * @return its length in bytes.
     */
    int valueLength();
}
