package io.escapement.rooms.host;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.LogReader;
import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A restore takes the records of a snapshot in their order, each once and whole. */
class RestoredRecordsTest
{
    private static final int ROOM_KIND = 4;

    private record Record(int kind, byte[] body)
    {
    }

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private final RoomHost host = new RoomHost(context());
    private Record header;
    private Record ofHost;
    private Record first;
    private Record second;
    private Record loop;

    @BeforeEach
    void readASnapshot()
    {
        host.beginTurn(1);
        for (int room = 1; room <= 2; room++)
        {
            assertEquals(0, host.onCommand(buffer, 0, encoder.openRoom(buffer, 0, room, 1, 0, 0, room, buffer, 0, 0)));
        }
        host.endTurn();
        final ByteSink snapshot = new ByteSink();
        host.snapshot(snapshot);
        final LogReader reader = new LogReader(snapshot.buffer(), 0, snapshot.length(), LogRecords.SNAPSHOT);
        final List<Record> records = new ArrayList<>();
        while (reader.next())
        {
            final byte[] body = new byte[reader.bodyLength()];
            reader.buffer().getBytes(reader.bodyOffset(), body);
            records.add(new Record(reader.kind(), body));
        }
        assertEquals(5, records.size());
        header = records.get(0);
        ofHost = records.get(1);
        loop = records.get(2);
        first = records.get(3);
        second = records.get(4);
    }

    /** The second room's type has neither timers nor requests. */
    @Test
    void shouldRestoreTheRecordsAsTheyAre()
    {
        final RoomHost restored = restore(header, ofHost, loop, first, second);
        assertEquals(host.stateHash(), restored.stateHash());
        assertEquals(2, restored.openRooms());
        assertEquals(1, restore(header, ofHost, loop, second).openRooms());
        assertEquals(0, restore(header, ofHost, loop).openRooms());
    }

    @Test
    void shouldRefuseOtherRecords()
    {
        refuses();
        refuses(header);
        refuses(ofHost, first, second);
        refuses(header, first, second);
        refuses(ofHost, header, first);
        refuses(header, header, ofHost);
        refuses(header, ofHost, ofHost);
        refuses(header, new Record(ROOM_KIND, ofHost.body), first);
        refuses(header, ofHost);
        refuses(header, ofHost, first, second);
        refuses(header, ofHost, loop, loop, first);
        refuses(header, ofHost, loop, second, first);
        refuses(header, ofHost, loop, first, first);
        refuses(header, ofHost, loop, new Record(ROOM_KIND + 2, first.body));
        refuses(header, longer(ofHost), loop, first);
        refuses(header, shorter(ofHost), loop, first);
        refuses(header, ofHost, longer(loop), first);
        refuses(header, ofHost, shorter(loop), first);
        refuses(header, ofHost, loop, shorter(first));
        refuses(shorter(header), ofHost);
    }

    private void refuses(final Record... records)
    {
        assertThrows(DamagedRecordException.class, () -> restore(records), () -> Arrays.toString(records));
    }

    private static Record longer(final Record record)
    {
        return new Record(record.kind, Arrays.copyOf(record.body, record.body.length + Long.BYTES));
    }

    private static Record shorter(final Record record)
    {
        return new Record(record.kind, Arrays.copyOf(record.body, record.body.length - Long.BYTES));
    }

    private static RoomHost restore(final Record... records)
    {
        final ByteSink bytes = new ByteSink();
        final LogWriter writer = new LogWriter(bytes, LogRecords.SNAPSHOT);
        for (final Record each : records)
        {
            writer.append(each.kind, new UnsafeBuffer(each.body), 0, each.body.length);
        }
        writer.end();
        return RoomHost.restore(context(), bytes.buffer(), 0, bytes.length());
    }

    private static HostContext context()
    {
        return new HostContext().outputs(NoOutputs.NONE).roomLimit(2).seatLimit(8).timerLimit(8).linkLimit(2)
            .build("records").roomType(RoomType.of(1, "plain", 1, Quiet::new).seats(4).timers(2))
            .roomType(RoomType.of(2, "bare", 1, Quiet::new).seats(4).timers(0).requests(0).groups(0));
    }
}
