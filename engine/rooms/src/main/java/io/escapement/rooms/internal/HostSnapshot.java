package io.escapement.rooms.internal;

import io.escapement.codecs.RoomCommands;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.internal.records.RecordHeader;
import io.escapement.rooms.internal.records.RecordReader;
import io.escapement.rooms.internal.records.RecordWriter;
import io.escapement.rooms.internal.timers.TimerWheel;
import io.escapement.rooms.log.TurnLogHeader;
import io.escapement.rooms.output.RecordSink;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * A host's snapshot as a file of records: the header of turn logs, the host, then each room in the order of opening. A
 * restore verifies the checksums of all records before it uses the first.
 */
final class HostSnapshot
{
    private static final int HEADER_KIND = 2;
    private static final int HOST_KIND = 3;
    private static final int ROOM_KIND = 4;

    private HostSnapshot()
    {
    }

    static void write(final HostState host, final TurnLogHeader header, final RecordSink sink)
    {
        final RecordWriter records = new RecordWriter(sink, RecordHeader.SNAPSHOT);
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(4 * 1024);
        records.append(HEADER_KIND, buffer, 0, header.encode(buffer, 0));

        final RoomServices services = host.services();
        final BufferStateWriter writer = new BufferStateWriter();
        host.write(writer);
        writer.putLong(host.rooms().lastOrdinal());
        writer.putLong(services.wheel.lastSequence());
        writer.putLong(services.trace.outputHash());
        services.refusals.write(writer);
        records.append(HOST_KIND, writer.buffer(), 0, writer.length());

        for (RoomInstance room = host.rooms().first(); null != room; room = room.next())
        {
            if (!room.type().isEphemeral())
            {
                writer.reset();
                writeRoom(room, services.wheel, writer);
                records.append(ROOM_KIND, writer.buffer(), 0, writer.length());
            }
        }
        records.end();
    }

    static void read(
        final HostState host,
        final TurnLogHeader expected,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final RecordReader records = new RecordReader(buffer, offset, length, RecordHeader.SNAPSHOT);
        records.verifyAll();
        host.services().guard.beginTurn();
        try
        {
            readRecords(host, expected, records);
        }
        catch (final IllegalStateException | ArithmeticException | IndexOutOfBoundsException | NullPointerException e)
        {
            throw new DamagedRecordException(records.recordOffset(), "its content is wrong: " + e.getMessage());
        }
    }

    private static void readRecords(
        final HostState host, final TurnLogHeader expected, final RecordReader records)
    {
        next(records, HEADER_KIND);
        if (0 != RoomCommands.validateLogRecord(records.buffer(), records.bodyOffset(), records.bodyLength()))
        {
            throw new IllegalStateException("the header is malformed");
        }
        final TurnLogHeader header = TurnLogHeader.decode(records.buffer(), records.bodyOffset());
        if (!expected.build(header.build()).equals(header))
        {
            throw new IllegalArgumentException(
                "the snapshot is of a host with other settings: it has " + header + ", this host has " + expected);
        }

        next(records, HOST_KIND);
        readHost(host, state(records));
        final NodeState.Restorer nodes = new NodeState.Restorer();
        while (records.next() && ROOM_KIND == records.kind())
        {
            readRoom(host, state(records), nodes);
        }
        nodes.apply(host.services().wheel);
    }

    private static void readHost(final HostState host, final BufferStateReader reader)
    {
        host.read(reader);
        host.rooms().lastOrdinal(reader.getLong());
        final RoomServices services = host.services();
        services.wheel.restoreTime(reader.getLong(), services.trace.lastTurnNs());
        services.trace.outputHash(reader.getLong());
        services.refusals.read(reader);
    }

    private static void writeRoom(final RoomInstance room, final TimerWheel wheel, final BufferStateWriter writer)
    {
        final RoomLimits limits = room.identity().limits();
        writer.putLong(room.roomId());
        writer.putInt(room.type().id());
        writer.putLong(room.identity().ordinal());
        writer.putInt(limits.seats());
        writer.putInt(limits.timers());
        writer.putInt(limits.output());
        writer.putInt(limits.requests());
        RoomSnapshot.write(room, wheel, writer, true);
        room.invoker().logic().onSnapshot(writer);
    }

    private static void readRoom(
        final HostState host, final BufferStateReader reader, final NodeState.Restorer nodes)
    {
        final long roomId = reader.getLong();
        final RoomType type = host.type(reader.getInt());
        final long ordinal = reader.getLong();
        final RoomLimits limits = new RoomLimits(reader.getInt(), reader.getInt(), reader.getInt(), reader.getInt());
        final RoomInstance room = host.newRoom(type, roomId, ordinal, limits);
        nodes.room(room);
        RoomSnapshot.read(room, host.services().links, reader, nodes);
        room.invoker().restore(type.version(), reader);
        if (0 != reader.remaining())
        {
            throw new IllegalStateException("room " + roomId + " left " + reader.remaining() + " bytes unread");
        }
    }

    private static void next(final RecordReader records, final int kind)
    {
        if (!records.next() || records.kind() != kind)
        {
            throw new IllegalStateException("a record of kind " + kind + " was expected");
        }
    }

    private static BufferStateReader state(final RecordReader records)
    {
        return new BufferStateReader(records.buffer(), records.bodyOffset(), records.bodyLength());
    }
}
