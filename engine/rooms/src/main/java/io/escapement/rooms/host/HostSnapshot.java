package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.log.DamagedRecordException;
import io.escapement.rooms.log.RecordHeader;
import io.escapement.rooms.log.RecordReader;
import io.escapement.rooms.log.RecordSink;
import io.escapement.rooms.log.RecordWriter;
import io.escapement.rooms.log.TurnLogHeader;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * A whole host as a file of records: the header that logs have too, the host, then each room in the order they opened.
 * Records carry checksums; a restore reads them all before it uses the first.
 */
final class HostSnapshot
{
    private static final int HEADER_KIND = 2;
    private static final int HOST_KIND = 3;
    private static final int ROOM_KIND = 4;

    private HostSnapshot()
    {
    }

    static void write(final RoomHost host, final RecordSink sink)
    {
        final RecordWriter records = new RecordWriter(sink, RecordHeader.SNAPSHOT);
        final ExpandableArrayBuffer header = new ExpandableArrayBuffer(4 * 1024);
        records.append(HEADER_KIND, header, 0, host.context.header().encode(header, 0));

        final BufferStateWriter writer = new BufferStateWriter();
        writeHost(host, writer);
        writer.putLong(host.rooms.lastOrdinal());
        writer.putLong(host.wheel.lastSequence());
        writer.putLong(null == host.hashing ? 0 : host.hashing.value());
        for (final long count : host.refusalCounts)
        {
            writer.putLong(count);
        }
        records.append(HOST_KIND, writer.buffer(), 0, writer.length());

        for (RoomInstance room = host.rooms.first(); null != room; room = room.next)
        {
            if (!room.type.isEphemeral())
            {
                writer.reset();
                writeRoom(room, writer);
                records.append(ROOM_KIND, writer.buffer(), 0, writer.length());
            }
        }
        records.end();
    }

    /** The part of the host that its hash speaks of too. */
    static void writeHost(final RoomHost host, final StateWriter writer)
    {
        writer.putLong(host.turn);
        writer.putLong(host.lastTurnNs);
        writer.putBoolean(host.isDraining);
        host.links.write(writer);
        for (final RoomType type : host.context.types())
        {
            writer.putInt(host.rateCapByTypeMap.get(type.id()));
        }
    }

    static RoomHost read(final RoomHost host, final DirectBuffer buffer, final int offset, final int length)
    {
        final RecordReader records = new RecordReader(buffer, offset, length, RecordHeader.SNAPSHOT);
        records.verifyAll();
        host.guard.beginTurn();
        try
        {
            readRecords(host, records);
        }
        catch (final IllegalStateException | ArithmeticException | IndexOutOfBoundsException | NullPointerException e)
        {
            throw new DamagedRecordException(records.recordOffset(), "its content is wrong: " + e.getMessage());
        }
        return host;
    }

    private static void readRecords(final RoomHost host, final RecordReader records)
    {
        next(records, HEADER_KIND);
        if (0 != RoomCommands.validateLogRecord(records.buffer(), records.bodyOffset(), records.bodyLength()))
        {
            throw new IllegalStateException("the header is malformed");
        }
        final TurnLogHeader header = TurnLogHeader.decode(records.buffer(), records.bodyOffset());
        final TurnLogHeader expected = host.context.header();
        if (!expected.build(header.build()).equals(header))
        {
            throw new IllegalArgumentException(
                "the snapshot is of another host: it has " + header + ", this one " + expected);
        }

        next(records, HOST_KIND);
        readHost(host, state(records));
        final NodeState.Restorer nodes = new NodeState.Restorer();
        while (records.next() && ROOM_KIND == records.kind())
        {
            readRoom(host, state(records), nodes);
        }
        nodes.apply(host.wheel);
    }

    private static void readHost(final RoomHost host, final BufferStateReader reader)
    {
        host.turn = reader.getLong();
        host.lastTurnNs = reader.getLong();
        host.isDraining = reader.getBoolean();
        host.links.read(reader);
        for (final RoomType type : host.context.types())
        {
            final int cap = reader.getInt();
            if (0 != cap)
            {
                host.rateCapByTypeMap.put(type.id(), cap);
            }
        }
        host.rooms.lastOrdinal(reader.getLong());
        host.wheel.restoreTime(reader.getLong(), host.lastTurnNs);
        final long outputHash = reader.getLong();
        if (null != host.hashing)
        {
            host.hashing.value(outputHash);
        }
        Arrays.setAll(host.refusalCounts, (i) -> reader.getLong());
    }

    private static void writeRoom(final RoomInstance room, final BufferStateWriter writer)
    {
        final RoomLimits limits = room.limits();
        writer.putLong(room.roomId());
        writer.putInt(room.type.id());
        writer.putLong(room.ordinal());
        writer.putInt(limits.seats());
        writer.putInt(limits.timers());
        writer.putInt(limits.output());
        writer.putInt(limits.requests());
        RoomSnapshot.write(room, writer, true);
        room.logic.onSnapshot(writer);
    }

    private static void readRoom(
        final RoomHost host, final BufferStateReader reader, final NodeState.Restorer nodes)
    {
        final long roomId = reader.getLong();
        final RoomType type = host.typeByIdMap.get(reader.getInt());
        final long ordinal = reader.getLong();
        final RoomLimits limits = new RoomLimits(reader.getInt(), reader.getInt(), reader.getInt(), reader.getInt());
        final RoomInstance room = new RoomInstance(host, type, roomId, ordinal, host.rooms.takeSlot(limits), limits);
        host.rooms.add(room);
        nodes.room(room);
        RoomSnapshot.read(room, reader, nodes);
        room.calls.restore(type.version(), reader);
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
