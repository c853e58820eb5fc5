package io.escapement.rooms.host;

import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.log.LogReader;
import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.loop.LoopState;
import io.escapement.rooms.output.ByteSink;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static io.escapement.rooms.host.Sender.own;
import static io.escapement.rooms.host.Sender.roomId;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The state of a loop with right checksums and wrong numbers: a restore refuses it, or makes a host that runs on. */
class HostileLoopSnapshotTest
{
    private static final long SEED = 6_021;
    private static final int LOOP_KIND = 6;
    private static final int ROUNDS = Tests.isFull() ? 40_000 : 150;
    private static final long[] VALUES = {
        0, 1, -1, 2, 5, 16, 255, 4_096, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32};

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<String> events = new ArrayList<>();
    private final HostRig rig = Sender.rig(events);
    private int refused;
    private int restored;

    @Test
    void shouldRefuseOrSurviveEveryWrongNumber()
    {
        final ByteSink snapshot = filled();
        final int length = loopRecord(snapshot).capacity();
        for (int at = 0; at <= length - Long.BYTES; at += Long.BYTES)
        {
            for (final long value : VALUES)
            {
                runOn(snapshot, at, value);
            }
        }
        for (int round = 0; round < ROUNDS; round++)
        {
            runOn(snapshot, random.nextInt(length - Long.BYTES), random.nextLong() >>> random.nextInt(Long.SIZE));
        }
        assertTrue(refused > ROUNDS / 20, refused + " refused");
        assertTrue(restored > ROUNDS / 20, restored + " restored");
    }

    @Test
    void shouldRefuseASnapshotWithoutTheStateOrWithMoreOfIt()
    {
        final ByteSink snapshot = filled();
        final UnsafeBuffer record = loopRecord(snapshot);
        final UnsafeBuffer longer = new UnsafeBuffer(new byte[record.capacity() + Long.BYTES]);
        longer.putBytes(0, record, 0, record.capacity());
        for (final UnsafeBuffer other : new UnsafeBuffer[]{
            null, longer, new UnsafeBuffer(record, 0, record.capacity() - Long.BYTES)})
        {
            final ByteSink changed = with(snapshot, other);
            assertThrows(DamagedRecordException.class,
                () -> RoomHost.restore(rig.context(), changed.buffer(), 0, changed.length()));
        }
        final ByteSink same = with(snapshot, record);
        assertEquals(rig.host.stateHash(),
            RoomHost.restore(rig.context(), same.buffer(), 0, same.length()).stateHash());
    }

    private void runOn(final ByteSink snapshot, final int at, final long value)
    {
        final UnsafeBuffer record = loopRecord(snapshot);
        record.putLong(at, value);
        final ByteSink changed = with(snapshot, record);
        final RoomHost host;
        try
        {
            host = RoomHost.restore(rig.context(), changed.buffer(), 0, changed.length());
        }
        catch (final DamagedRecordException e)
        {
            refused++;
            return;
        }
        restored++;
        try
        {
            runOn(host);
        }
        catch (final RuntimeException | StackOverflowError | OutOfMemoryError e)
        {
            throw new AssertionError("seed " + SEED + ": " + value + " at " + at, e);
        }
    }

    private void runOn(final RoomHost host)
    {
        rig.use(host);
        for (int turn = 0; turn < 3; turn++)
        {
            final int number = turn;
            rig.turn(() ->
            {
                rig.signal(own(1), Sender.SIGNAL, own(2));
                rig.signal(own(1), Sender.SIGNAL, roomId(2, 1));
                rig.signal(own(2), Sender.ASYNC, 1);
                rig.loopCommand(0, 2 + number, own(1), 5);
                rig.command(rig.encoder.taken(rig.buffer, 0, 1 + number, 2));
                rig.command(rig.encoder.reply(rig.buffer, 0, own(1), 3, 0, rig.payload, 0, 8));
            });
            final LoopState state = host.loopState();
            for (int loop = 0; loop < Sender.LOOPS; loop++)
            {
                state.sendMessages(loop, (buffer, offset, length) -> true);
                state.sendTaken(loop, (buffer, offset, length) -> true);
            }
            state.sendRequests((buffer, offset, length) -> true);
        }
        host.stateHash();
        host.snapshot(new ByteSink());
        events.clear();
    }

    /** A return, messages in both directions, two kinds of requests. */
    private ByteSink filled()
    {
        rig.turn(() ->
        {
            rig.open(own(1), 0, 0);
            rig.open(own(2), roomId(2, 5), 3);
        });
        rig.turn(() ->
        {
            rig.signal(own(1), Sender.SIGNAL, own(2));
            rig.signal(own(1), Sender.SIGNAL, roomId(2, 1));
            rig.signal(own(1), Sender.ASYNC, 1);
            rig.signal(own(1), Sender.OPEN, 1);
            rig.loopCommand(0, 1, own(1), 5);
        });
        return rig.snapshot();
    }

    private static UnsafeBuffer loopRecord(final ByteSink snapshot)
    {
        final LogReader records =
            new LogReader(snapshot.buffer(), 0, snapshot.length(), LogRecords.SNAPSHOT);
        while (records.next())
        {
            if (LOOP_KIND == records.kind())
            {
                final UnsafeBuffer body = new UnsafeBuffer(new byte[records.bodyLength()]);
                body.putBytes(0, records.buffer(), records.bodyOffset(), records.bodyLength());
                return body;
            }
        }
        throw new AssertionError("no state of a loop");
    }

    /** The snapshot with another record of the loop, or without one. */
    private static ByteSink with(final ByteSink snapshot, final UnsafeBuffer loopRecord)
    {
        final LogReader records =
            new LogReader(snapshot.buffer(), 0, snapshot.length(), LogRecords.SNAPSHOT);
        final ByteSink changed = new ByteSink();
        final LogWriter writer = new LogWriter(changed, LogRecords.SNAPSHOT);
        while (records.next())
        {
            if (LOOP_KIND != records.kind())
            {
                writer.append(records.kind(), records.buffer(), records.bodyOffset(), records.bodyLength());
            }
            else if (null != loopRecord)
            {
                writer.append(LOOP_KIND, loopRecord, 0, loopRecord.capacity());
            }
        }
        writer.end();
        return changed;
    }
}
