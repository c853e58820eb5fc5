package io.escapement.rooms.host;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.rooms.DirectoryEntry;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The {@link DirectoryEntry} of a command, for the logic. */
final class EntryView implements DirectoryEntry
{
    private final UnsafeBuffer value = new UnsafeBuffer(0, 0);
    private DirectoryEntryDecoder decoder;

    static boolean isKnown(final DirectoryEntryDecoder decoder)
    {
        final DirectoryChange change = decoder.change();
        return DirectoryChange.SBE_UNKNOWN != change && DirectoryChange.NULL_VAL != change;
    }

    EntryView wrap(final DirectoryEntryDecoder entry)
    {
        decoder = entry;
        value.wrap(
            entry.buffer(), entry.limit() + DirectoryEntryDecoder.valueHeaderLength(), entry.valueLength());
        return this;
    }

    /** The buffer of the value, which is valid during the call only. */
    UnsafeBuffer value()
    {
        return value;
    }

    @Override
    public DirectoryChange change()
    {
        return decoder.change();
    }

    @Override
    public long roomId()
    {
        return decoder.subjectRoomId();
    }

    @Override
    public int typeId()
    {
        return decoder.typeId();
    }

    @Override
    public int seatsTaken()
    {
        return decoder.seatsTaken();
    }

    @Override
    public int seatLimit()
    {
        return decoder.seatLimit();
    }

    @Override
    public int labelKey()
    {
        return decoder.labelKey();
    }

    @Override
    public DirectBuffer valueBuffer()
    {
        return value;
    }

    @Override
    public int valueOffset()
    {
        return 0;
    }

    @Override
    public int valueLength()
    {
        return value.capacity();
    }
}
