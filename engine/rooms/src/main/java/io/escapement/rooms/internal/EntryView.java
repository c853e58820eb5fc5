package io.escapement.rooms.internal;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.rooms.DirectoryEntry;
import org.agrona.DirectBuffer;

/** The {@link DirectoryEntry} of a command, for the logic. */
final class EntryView implements DirectoryEntry
{
    private final DirectoryEntryDecoder decoder;
    private DirectBuffer buffer;
    private int valueOffset;
    private int valueLength;

    EntryView(final DirectoryEntryDecoder decoder)
    {
        this.decoder = decoder;
    }

    static boolean isKnown(final DirectoryEntryDecoder decoder)
    {
        final DirectoryChange change = decoder.change();
        return DirectoryChange.SBE_UNKNOWN != change && DirectoryChange.NULL_VAL != change;
    }

    EntryView wrap(final DirectBuffer source)
    {
        buffer = source;
        valueLength = decoder.valueLength();
        valueOffset = decoder.limit() + DirectoryEntryDecoder.valueHeaderLength();
        return this;
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
        return buffer;
    }

    @Override
    public int valueOffset()
    {
        return valueOffset;
    }

    @Override
    public int valueLength()
    {
        return valueLength;
    }
}
