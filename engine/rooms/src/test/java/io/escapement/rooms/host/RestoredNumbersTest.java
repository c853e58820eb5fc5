package io.escapement.rooms.host;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.LogReader;
import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The numbers that a restore takes at each place of a snapshot: those that a host can have and no others. The room has
 * a seat in each state, timers of both kinds, an open and a refused request, a label, a group, and waiting messages to
 * each kind of audience.
 */
class RestoredNumbersTest
{
    private static final int TYPE = 1;
    private static final int HOST_KIND = 3;
    private static final int ROOM_KIND = 4;
    private static final int SEATS = 4;
    private static final int TIMERS = 4;
    private static final int LINKS = 4;
    private static final int REFUSAL_CODES = 129;
    private static final long MS = 1_000_000;

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
    private final RoomHost host = new RoomHost(context());
    private final ByteSink snapshot = new ByteSink();
    private final Map<String, Integer> offsetByNameMap = new LinkedHashMap<>();
    private UnsafeBuffer body;
    private int at;

    @BeforeEach
    void fillAHost()
    {
        host.beginTurn(MS);
        run(encoder.linkUp(buffer, 0, 1, 0));
        run(encoder.linkUp(buffer, 0, 2, 1));
        run(encoder.openRoom(buffer, 0, 1, 1, 0, 0, TYPE, bytes, 0, 0));
        run(encoder.join(buffer, 0, 1, 7, 1, 0, bytes, 0, 0));
        run(encoder.join(buffer, 0, 1, 8, 2, 1, bytes, 0, 0));
        run(encoder.linkDown(buffer, 0, 1));
        run(encoder.reserve(buffer, 0, 1, 9, 5_000 * MS, 0, 0));
        run(encoder.setRate(buffer, 0, TYPE, 60));
        run(encoder.lockType(buffer, 0, TYPE, true));
        run(encoder.signal(buffer, 0, 1, 0, 0, bytes, 0, 8));
        host.endTurn();
        host.beginTurn(5 * MS);
        host.endTurn();
        host.snapshot(snapshot);
    }

    @Test
    void shouldRestoreTheSnapshotAsItIs()
    {
        final RoomHost restored = RoomHost.restore(context(), snapshot.buffer(), 0, snapshot.length());
        assertEquals(host.stateHash(), restored.stateHash());
        // A held seat, a reservation, a timer, the flush and the refusal.
        assertEquals(5, host.pendingTimers());
        assertEquals(5, restored.pendingTimers());
    }

    /** The first frame of the room was at 4.17 ms, the snapshot is of 5 ms, and 5 is the deadline of no other. */
    @ParameterizedTest
    @CsvSource({
        "random, 0 -1", "callbacks, 0 -1", "locked, 0 1", "operator, 0 1", "subscribed, 0 1", "opener, 0 -1 7",
        "correlation, 0 -1 7", "lost state, 0 1", "dirty, 0 1",
        "requested rate, 60 61 1000", "frame, 0 9", "missed, 0 9", "grid position, -1 0", "last deadline, 0",
        "seat 0 generation, 1 2 2147483646", "seat 3 generation, 1 2 2147483646",
        "seat 0 player, 0 -1 10", "seat 0 link, 0", "seat 0 sequence, -1 0 5", "seat 0 lost state, 0 1",
        "seat 1 link, -1 0 1 3", "free seat 0, 3",
        "timer 0 generation, 1 2 2147483646", "timer 2 generation, 1 9 2147483646", "timer 0 tag, -1 0",
        "timer 0 period, 0 5", "timer 1 frame, 0 5", "timer 0 deadline, 0 5000000000",
        "last request, 2 3", "request 0, 1 2", "refused id, 0 5", "refused code, 0 5",
        "message 0 class, 1 2", "message 1 except, 0 3", "message 3 mask, 0 1 7 15",
        "group, 0 1 2 3", "empty delay, -1 1", "last question, 0 5", "last join, 0 5"})
    void shouldTakeNumbersThatARoomCanHave(final String name, final String values)
    {
        for (final String value : values.split(" "))
        {
            restoreRoom(name, Long.parseLong(value));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "id, 0 -1", "type, 0 2 -1", "ordinal, 0 -1 2",
        "seat limit, 0 -1 3 5", "timer limit, -1 3 5", "output limit, 0 -1 15 1025", "request limit, -1 0 2",
        "requested rate, -1 59 1001", "rate, 0 59 61", "grid position, -2 1 1000",
        "seat 0 generation, 0 -1 2147483647 2147483648", "seat 0 state, -1 0 3 4", "seat 0 link, -1 1 2 4",
        "seat 1 state, 2 4", "seat 1 link, -2 4", "seat 1 player, 7 9", "seat 2 link, 0 1", "seat 2 state, 2 4",
        "seat 3 generation, 0 2147483647", "seat 3 state, 1 4",
        "free seats, 0 2 -1", "data length, 1 -1", "free seat 0, -1 0 1 2 4",
        "timer 0 generation, 0 -1 2147483647", "timer 0 kind, 1 -3 -2 -1", "timer 1 kind, 0 -1 -3",
        "timer 0 sequence, 0 -1 100000", "timer 0 tick, 0 -1",
        "free timers, 0 1 3 -1", "free timer 0, -1 0 1 4 2147483648", "free timer 1, 3",
        "frame timers, 0 2 -1", "frame timer 0, -1 0 2 4",
        "last request, 0", "open requests, -1 0 2", "request 0, 0 -1 3",
        "refused requests, -1 0 2 65", "label 0, -1 1 3 65", "label bytes, 1 3", "label 1, 1 -1",
        "message bytes, -1 0 8 1025", "message 0 length, -1 8193 2000", "message 0 class, 0 3",
        "message 0 audience, 9 -1", "message 0 seat, 4 -1", "message 1 except, 4 -1", "message 3 mask, 16 -1",
        "groups, -1 2", "group, 4 8 16 -1", "has refusals, 0", "spectator limit, -1 1", "empty delay, 0 -2",
        "open questions, -1 1", "waiting joins, -1 1"})
    void shouldRefuseNumbersThatNoRoomHas(final String name, final String values)
    {
        for (final String value : values.split(" "))
        {
            assertThrows(DamagedRecordException.class, () -> restoreRoom(name, Long.parseLong(value)),
                name + " of " + value);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "turn, 0 9, true", "turn, -1, false", "time, -1 0, false", "draining, 0 1, true", "links, 3 5 0 -1, false",
        "caps, -1 0 2, false", "cap type, 2 0, false", "cap, 0 -1 1001 59, false", "last ordinal, 0 -1, false",
        "last ordinal, 1 2, true", "last sequence, 0 -1, false", "output hash, 0, true", "refusals 0, -1 5, true",
        "incarnation, 0 7, true", "incarnation, -1 2147483648, false", "member, 0 7, true", "member, -1, false",
        "epoch, 0 -1 7, true", "type locks, -1 0 2, false", "locked type, 2 0, false",
        "opening type, 0 2 -1, false", "end of types, 1 7, false"})
    void shouldTakeWhatAHostCanHaveAndNothingElse(final String name, final String values, final boolean isPossible)
    {
        for (final String value : values.split(" "))
        {
            if (isPossible)
            {
                restore(HOST_KIND, name, Long.parseLong(value));
            }
            else
            {
                assertThrows(DamagedRecordException.class, () -> restore(HOST_KIND, name, Long.parseLong(value)),
                    name + " of " + value);
            }
        }
    }

    @Test
    void shouldNameAVersionThatIsNotRegistered()
    {
        for (final int kind : new int[]{HOST_KIND, ROOM_KIND})
        {
            final String message = assertThrows(IllegalArgumentException.class,
                () -> restore(kind, HOST_KIND == kind ? "opening version" : "version", 2)).getMessage();
            assertTrue(message.endsWith("in version 2, which is not registered"), message);
        }
    }

    private void restoreRoom(final String name, final long value)
    {
        restore(ROOM_KIND, name, value);
    }

    private void restore(final int kind, final String name, final long value)
    {
        final LogReader records =
            new LogReader(snapshot.buffer(), 0, snapshot.length(), LogRecords.SNAPSHOT);
        final ByteSink changed = new ByteSink();
        final LogWriter writer = new LogWriter(changed, LogRecords.SNAPSHOT);
        while (records.next())
        {
            body = new UnsafeBuffer(new byte[records.bodyLength()]);
            body.putBytes(0, records.buffer(), records.bodyOffset(), records.bodyLength());
            if (kind == records.kind())
            {
                nameThePlaces(kind);
                put(name, value);
            }
            writer.append(records.kind(), body, 0, body.capacity());
        }
        writer.end();
        RoomHost.restore(context(), changed.buffer(), 0, changed.length());
    }

    private void put(final String name, final long value)
    {
        final int offset = offsetByNameMap.get(name);
        if (name.startsWith("message 0") && !name.endsWith("seat"))
        {
            // The header of a message: the length, then the class in one byte and the audience above it.
            switch (name)
            {
                case "message 0 length" -> body.putInt(offset, (int)value);
                case "message 0 class" -> body.putInt(offset, (body.getInt(offset) & ~0xFF) | (int)value);
                default -> body.putInt(offset, (body.getInt(offset) & 0xFF) | ((int)value << Byte.SIZE));
            }
        }
        else
        {
            body.putLong(offset, value);
        }
    }

    private void nameThePlaces(final int kind)
    {
        at = 0;
        if (HOST_KIND == kind)
        {
            names("turn", "time", "draining", "links");
            at += LINKS * 2 * Long.BYTES;
            names("caps", "cap type", "cap", "last ordinal", "last sequence", "output hash", "refusals 0");
            at += (REFUSAL_CODES - 1) * Long.BYTES;
            names("incarnation", "member", "epoch", "proposal", "opening type", "opening version", "end of types",
                "type locks", "locked type");
        }
        else
        {
            nameTheRoom();
        }
        assertEquals(body.capacity(), at, "the layout of record " + kind);
    }

    private void nameTheRoom()
    {
        names("id", "type", "version", "ordinal", "seat limit", "spectator limit", "timer limit", "output limit",
            "request limit");
        names("random", "callbacks", "locked", "operator", "subscribed", "opener", "correlation", "lost state",
            "dirty");
        names("requested rate", "rate", "frame", "missed", "grid position", "last deadline");
        for (int i = 0; i < SEATS; i++)
        {
            final String seat = "seat " + i + " ";
            names(seat + "generation", seat + "state");
            if (0 != last())
            {
                names(seat + "player", seat + "link", seat + "sequence", seat + "lost state");
                node(seat);
            }
        }
        names("data length", "free seats", "free seat 0", "last join", "waiting joins");
        for (int i = 0; i < TIMERS; i++)
        {
            final String timer = "timer " + i + " ";
            names(timer + "generation", timer + "kind");
            if (-1 != last())
            {
                names(timer + "tag", timer + (0 == last() ? "period" : "frame"), timer + "details");
                node(timer);
            }
        }
        names("free timers", "free timer 0", "free timer 1", "frame timers", "frame timer 0");
        names("last request", "open requests", "request 0", "refused requests", "refused id", "refused code");
        for (int i = 0; i < Room.MAX_LABELS; i++)
        {
            names("label " + i);
            if (0 != last())
            {
                names("label bytes");
                at += (int)last();
            }
        }
        names("message bytes");
        final int end = at + (int)last();
        for (int i = 0; at < end; i++)
        {
            offsetByNameMap.put("message " + i + " length", at);
            offsetByNameMap.put("message " + i + " class", at + Integer.BYTES);
            offsetByNameMap.put("message " + i + " audience", at + Integer.BYTES);
            for (final String selector : List.of("seat", "except", "mask"))
            {
                offsetByNameMap.put("message " + i + " " + selector, at + Long.BYTES);
            }
            at += 3 * Long.BYTES;
        }
        names("groups", "group");
        names("has flush");
        at += 3 * Long.BYTES;
        names("has refusals");
        at += 3 * Long.BYTES;
        names("empty delay", "has empty", "last question", "open questions", "has questions");
    }

    private void node(final String owner)
    {
        names(owner + "node");
        if (0 != last())
        {
            names(owner + "deadline", owner + "sequence", owner + "tick");
        }
    }

    private void names(final String... names)
    {
        for (final String name : names)
        {
            offsetByNameMap.put(name, at);
            at += Long.BYTES;
        }
    }

    private long last()
    {
        return body.getLong(at - Long.BYTES);
    }

    private void run(final int length)
    {
        assertEquals(0, host.onCommand(buffer, 0, length));
    }

    private static HostContext context()
    {
        return new HostContext().outputs(NoOutputs.NONE).roomLimit(2).seatLimit(8).timerLimit(8).linkLimit(LINKS)
            .build("numbers").roomType(RoomType.of(TYPE, "busy", 1, Busy::new).seats(SEATS).timers(TIMERS).requests(1)
            .groups(1).outputLimit(1_024).flushEveryNs(1_000 * MS));
    }

    private static final class Busy extends Quiet
    {
        private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);

        @Override
        public void onSignal(
            final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.frameRate(60);
            room.after(1_000 * MS, 1, 1);
            room.everyFrames(100, 2, 2);
            room.label(0, bytes, 0, 2);
            room.newGroup().add(room.seat(0));
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            room.sendEvent(room.seat(0), bytes, 0, 8);
            room.sendState(room.everyoneBut(room.seat(1)), bytes, 0, 8);
            room.sendState(room.everyone(), bytes, 0, 8);
            room.sendState(room.group(0), bytes, 0, 8);
            // After the timers of the turn, so that the refusal of the second waits.
            room.async(1, 1, bytes, 0, 8);
            room.async(1, 1, bytes, 0, 8);
        }
    }
}
