package io.escapement.rooms.host;

import io.escapement.codecs.Codes;
import io.escapement.codecs.RoomCommands;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateHash;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.internal.loop.LoopLedger;
import io.escapement.rooms.internal.timers.TimerWheel;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogReader;
import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.output.RecordSink;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.LongArrayList;

/**
 * A host's snapshot as a file of records: the header of logs, the host, then each room in the order of opening. A
 * restore verifies the checksums of all records before it uses the first.
 */
final class HostSnapshot
{
    static final long ALL_ROOMS = 0;

    private static final int HEADER_KIND = 2;
    private static final int HOST_KIND = 3;
    private static final int NO_TYPE = 0;
    private static final int LOOP_KIND = 6;
    static final int ROOM_KIND = 4;

    /** Takes the first records of the host. */
    interface Target
    {
        void append(int kind, DirectBuffer buffer, int offset, int length);
    }

    private HostSnapshot()
    {
    }

    static void write(final RoomHost host, final HostConfig header, final RecordSink sink)
    {
        final LogWriter records = new LogWriter(sink, LogRecords.SNAPSHOT);
        final BufferStateWriter writer = new BufferStateWriter();
        writeHost(host, header, writer, records::append);
        for (RoomInstance room = host.rooms.first(); null != room; room = room.next())
        {
            writer.reset();
            writeRoom(room, host.services.wheel, writer);
            records.append(ROOM_KIND, writer.buffer(), 0, writer.length());
        }
        records.end();
    }

    /** Write all but the rooms. */
    static void writeHost(
        final RoomHost host, final HostConfig header, final BufferStateWriter writer, final Target records)
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(4 * 1024);
        records.append(HEADER_KIND, buffer, 0, header.encode(buffer, 0));

        final RoomServices services = host.services;
        writer.reset();
        writeOwn(host, writer);
        writer.putLong(host.rooms.lastOrdinal());
        writer.putLong(services.wheel.lastSequence());
        writer.putLong(services.output.hash());
        services.refusals.write(writer);
        services.incarnation.write(writer);
        writer.putLong(services.incarnation.proposal());
        writeVersions(host, writer);
        services.typeLocks.write(writer, host.types);
        records.append(HOST_KIND, writer.buffer(), 0, writer.length());

        writer.reset();
        services.loop.write(writer);
        records.append(LOOP_KIND, writer.buffer(), 0, writer.length());
    }

    /** Read all rooms, or only one, without the state of the loop, for a host with no other room. */
    static void read(
        final RoomHost host,
        final HostConfig expected,
        final boolean isOtherAccepted,
        final long onlyRoomId,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final LogReader records = new LogReader(buffer, offset, length, LogRecords.SNAPSHOT);
        records.verifyAll();
        try
        {
            readRecords(host, expected, isOtherAccepted, onlyRoomId, records);
        }
        catch (final IllegalStateException | ArithmeticException | IndexOutOfBoundsException | NullPointerException e)
        {
            throw new DamagedRecordException(records.recordOffset(), "its content is wrong: " + e.getMessage());
        }
    }

    private static void readRecords(
        final RoomHost host,
        final HostConfig expected,
        final boolean isOtherAccepted,
        final long onlyRoomId,
        final LogReader records)
    {
        next(records, HEADER_KIND);
        final int code =
            RoomCommands.validateLogRecord(records.buffer(), records.bodyOffset(), records.bodyLength());
        if (0 != code)
        {
            throw new IllegalStateException("the header is refused: " + Codes.nameOf(code));
        }
        final boolean isAlone = ALL_ROOMS != onlyRoomId;
        final HostConfig header = isAlone ? decode(records).alone() : decode(records);
        if (!expected.build(header.build()).equals(header) && !(isOtherAccepted && isCompatible(expected, header)))
        {
            throw new IllegalArgumentException("the snapshot is of a host with other settings: it has " + header +
                ", this host has " + expected + (isOtherAccepted ?
                ", and other ticks, phase groups or limits of the loop's state cannot be accepted" : ""));
        }

        next(records, HOST_KIND);
        readHost(host, isOtherAccepted, state(records));
        next(records, LOOP_KIND);
        if (!isAlone)
        {
            final BufferStateReader reader = state(records);
            host.services.loop.read(reader);
            checkEnd(reader, "the loop");
        }
        final NodeState.Restorer nodes = new NodeState.Restorer();
        long lastOrdinal = 0;
        while (records.next())
        {
            Restored.inRange(records.kind(), ROOM_KIND, ROOM_KIND, "the kind of a record");
            if (!isAlone || onlyRoomId == state(records).getLong())
            {
                lastOrdinal = readRoom(host, isOtherAccepted, state(records), nodes, lastOrdinal);
            }
        }
        Restored.check(lastOrdinal <= host.rooms.lastOrdinal(), "a room newer than the newest");
        nodes.apply(host.services.wheel);
    }

    static long[] rooms(final DirectBuffer snapshot)
    {
        final LogReader records = new LogReader(snapshot, 0, snapshot.capacity(), LogRecords.SNAPSHOT);
        final LongArrayList ids = new LongArrayList();
        while (records.next())
        {
            if (ROOM_KIND == records.kind())
            {
                ids.addLong(state(records).getLong());
            }
        }
        return ids.toLongArray();
    }

    /** Whether the times of timers and frames, and the queues of the loop, mean the same in both. */
    private static boolean isCompatible(final HostConfig expected, final HostConfig found)
    {
        return expected.wheelTickNs() == found.wheelTickNs() && expected.phaseGroups() == found.phaseGroups() &&
            expected.loopLimits().equals(found.loopLimits());
    }

    private static HostConfig decode(final LogReader records)
    {
        try
        {
            return HostConfig.decode(records.buffer(), records.bodyOffset());
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private static void readHost(
        final RoomHost host, final boolean isOtherAccepted, final BufferStateReader reader)
    {
        readOwn(host, reader);
        host.rooms.lastOrdinal(reader.getLong());
        final RoomServices services = host.services;
        services.wheel.restoreTime(reader.getLong(), host.lastTurnNs());
        services.output.hash(reader.getLong());
        services.refusals.read(reader);
        services.incarnation.read(reader);
        services.incarnation.proposal(reader.getLong());
        Restored.check(services.incarnation.proposal() >= 0, "proposal " + services.incarnation.proposal());
        services.time.nowNs(host.lastTurnNs());
        readVersions(host, reader, isOtherAccepted);
        services.typeLocks.read(reader, host.types);
        checkEnd(reader, "the host");
    }

    private static void checkEnd(final BufferStateReader reader, final String owner)
    {
        Restored.check(0 == reader.remaining(), reader.remaining() + " bytes after the state of " + owner);
    }

    static void writeRoom(final RoomInstance room, final TimerWheel wheel, final BufferStateWriter writer)
    {
        final RoomLimits limits = room.identity.limits();
        writer.putLong(room.roomId());
        writer.putInt(room.type().id());
        writer.putInt(room.type().version());
        writer.putLong(room.identity.ordinal());
        writer.putInt(limits.seats());
        writer.putInt(limits.spectators());
        writer.putInt(limits.timers());
        writer.putInt(limits.output());
        writer.putInt(limits.requests());
        RoomSnapshot.write(room, wheel, writer, true);
        room.invoker.snapshot(writer);
    }

    private static long readRoom(
        final RoomHost host,
        final boolean isOtherAccepted,
        final BufferStateReader reader,
        final NodeState.Restorer nodes,
        final long lastOrdinal)
    {
        final long roomId = reader.getLong();
        final int typeId = reader.getInt();
        final int version = reader.getInt();
        final RoomType type = registered(host, typeId, version, isOtherAccepted);
        final long ordinal = reader.getLong();
        final RoomLimits limits = new RoomLimits(
            reader.getInt(), reader.getInt(), reader.getInt(), reader.getInt(), reader.getInt());
        checkLimits(host, roomId, type, limits);
        Restored.check(ordinal > lastOrdinal, "room " + roomId + " is not in the order of opening");
        final RoomInstance room = host.newRoom(type, roomId, ordinal, limits);
        nodes.room(room);
        RoomSnapshot.read(room, host.services.links, reader, nodes);
        readOrigin(host.services.loop, room);
        room.invoker.restore(version, reader);
        if (0 != reader.remaining())
        {
            throw new RoomRestoreException(
                room.identity, "onRestore left " + reader.remaining() + " bytes unread", null);
        }
        return ordinal;
    }

    private static void readOrigin(final LoopLedger loop, final RoomInstance room)
    {
        if (0 != room.openerRoomId())
        {
            Restored.check(0 == loop.openedFor(room.openerRoomId(), room.correlationId()),
                "room " + room.roomId() + " was opened for a request that opened another");
            loop.roomOpened(room.openerRoomId(), room.correlationId(), room.roomId());
        }
    }

    /** Hash of everything that the future depends on. */
    static long hash(final RoomHost host)
    {
        final RoomServices services = host.services;
        final StateHash hash = new StateHash();
        writeOwn(host, hash);
        if (0 != services.incarnation.number())
        {
            services.incarnation.write(hash);
        }
        if (services.typeLocks.isHashed(host.types))
        {
            services.typeLocks.write(hash, host.types);
        }
        services.loop.write(hash);
        if (isAnyReloaded(host))
        {
            writeVersions(host, hash);
        }
        for (RoomInstance room = host.rooms.first(); null != room; room = room.next())
        {
            hash.putLong(RoomSnapshot.hash(room, services.wheel));
            room.writeOrigin(hash);
        }
        return hash.value();
    }

    /** Write the part of the host's own state that its hash covers. */
    private static void writeOwn(final RoomHost host, final StateWriter writer)
    {
        final RoomServices services = host.services;
        writer.putLong(host.turn());
        writer.putLong(host.lastTurnNs());
        writer.putBoolean(services.isDraining());
        services.links.write(writer);
        services.rateCaps.write(writer, host.types);
    }

    private static boolean isAnyReloaded(final RoomHost host)
    {
        boolean isAny = false;
        for (final RoomType type : host.types)
        {
            isAny |= host.type(type.id()) != type;
        }
        return isAny;
    }

    /** Write with which version the rooms of each type open. The hash covers it once a Reload has changed it. */
    private static void writeVersions(final RoomHost host, final StateWriter writer)
    {
        for (final RoomType type : host.types)
        {
            writer.putInt(type.id());
            writer.putInt(host.type(type.id()).version());
        }
        writer.putInt(NO_TYPE);
    }

    /** Read the versions. Types and versions that are not registered are skipped if others are accepted. */
    private static void readVersions(
        final RoomHost host, final StateReader reader, final boolean isOtherAccepted)
    {
        for (int typeId = reader.getInt(); NO_TYPE != typeId; typeId = reader.getInt())
        {
            final RoomType type = registered(host, typeId, reader.getInt(), isOtherAccepted);
            Restored.check(null != type || isOtherAccepted, "type " + typeId + ", which is not in the header");
            if (null != type)
            {
                host.openAs(type);
            }
        }
    }

    /** The version of a type that a snapshot names, or the present version instead if others are accepted. */
    private static RoomType registered(
        final RoomHost host, final int typeId, final int version, final boolean isOtherAccepted)
    {
        final RoomType exact = host.type(typeId, version);
        final RoomType type = host.type(typeId);
        if (null == exact && null != type && !isOtherAccepted)
        {
            throw new IllegalArgumentException("the snapshot has rooms of " + type.name() + " (type " + typeId +
                ") in version " + version + ", which is not registered");
        }
        return null == exact ? type : exact;
    }

    private static void readOwn(final RoomHost host, final StateReader reader)
    {
        final RoomServices services = host.services;
        host.restoreTurn(reader.getLong(), reader.getLong());
        services.draining(reader.getBoolean());
        services.links.read(reader);
        services.rateCaps.read(reader, host.types);
    }

    /** A damaged record may ask for any array, although its checksum is right. */
    private static void checkLimits(
        final RoomHost host, final long roomId, final RoomType type, final RoomLimits limits)
    {
        if (null == type || roomId <= 0 || null != host.rooms.byId(roomId))
        {
            throw new IllegalStateException("room " + roomId + " has no type, no id, or is there twice");
        }
        final boolean isInType = limits.seats() > 0 && limits.seats() <= type.seats() &&
            limits.spectators() >= 0 && limits.spectators() <= type.spectators() &&
            limits.timers() >= 0 && limits.timers() <= type.timers() &&
            limits.output() > 0 && limits.output() <= type.outputLimit() &&
            limits.requests() >= 0 && limits.requests() <= type.requests();
        if (!isInType || !host.rooms.fits(limits))
        {
            throw new IllegalStateException("room " + roomId + " is over the limits of its type or host: " + limits);
        }
    }

    private static void next(final LogReader records, final int kind)
    {
        Restored.check(records.next() && records.kind() == kind,
            "a record of kind " + kind + " was expected, found kind " + records.kind());
    }

    private static BufferStateReader state(final LogReader records)
    {
        return new BufferStateReader(records.buffer(), records.bodyOffset(), records.bodyLength());
    }
}
