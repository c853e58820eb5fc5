package io.escapement.rooms.scenario;

import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.host.HostRig;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.LogReader;
import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.replay.LoggedTurns;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Snapshots with right checksums and wrong numbers. A restore refuses them, or makes a host that runs on: no number may
 * ask for memory, throw out of a later turn, or keep a turn from returning.
 */
class HostileSnapshotTest
{
    private static final long SEED = 4_711;
    private static final int HEADER_KIND = 2;
    private static final int TURNS = 150;
    private static final long[] VALUES = {
        0, 1, -1, 2, -2, 3, 4, 5, 64, 255, 4_096, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE,
        1L << 32, 1L << 33, 1_000_000_000_000L};

    private record Record(int kind, byte[] body)
    {
    }

    private final SplittableRandom random = new SplittableRandom(SEED);
    private int refused;
    private int restored;

    @Test
    void shouldRefuseOrSurviveEveryWrongNumber()
    {
        final int rounds = Tests.isFull() ? 200_000 : 400;
        final Scenario scenario = Scenario.run(SEED, 3_000);
        final List<List<Record>> snapshots = new ArrayList<>();
        final List<Long> turns = new ArrayList<>();
        snapshots(scenario, snapshots, turns);
        for (int round = 0; round < rounds; round++)
        {
            final int which = random.nextInt(snapshots.size());
            final List<Record> records = snapshots.get(which);
            final int at = 1 + random.nextInt(records.size() - 1);
            final Record changed = records.get(at);
            final int slot = random.nextInt(changed.body.length / Long.BYTES) * Long.BYTES;
            final UnsafeBuffer body = new UnsafeBuffer(changed.body.clone());
            final long value = value(body.getLong(slot));
            body.putLong(slot, value);
            final List<Record> others = new ArrayList<>(records);
            others.set(at, new Record(changed.kind, body.byteArray()));
            final String what = scenario + ", round " + round + ", turn " + turns.get(which) + ", record " + at +
                " of kind " + changed.kind + ", " + value + " at " + slot;
            try
            {
                runOn(scenario, others, turns.get(which));
            }
            catch (final RuntimeException | StackOverflowError | OutOfMemoryError e)
            {
                throw new AssertionError(what, e);
            }
        }
        assertTrue(refused > rounds / 20, refused + " refused");
        assertTrue(restored > rounds / 20, restored + " restored");
    }

    private void runOn(final Scenario scenario, final List<Record> records, final long turn)
    {
        final RoomHost host = restore(records);
        if (null == host)
        {
            refused++;
            return;
        }
        restored++;
        final LoggedTurns log = ReplayTest.turns(scenario);
        while (log.next() && log.turn() < turn + TURNS)
        {
            if (log.turn() > turn)
            {
                log.run(host);
            }
        }
        host.stateHash();
        HostRig.announce(host, true);
        host.snapshot(new ByteSink());
    }

    private RoomHost restore(final List<Record> records)
    {
        final ByteSink bytes = new ByteSink();
        final LogWriter writer = new LogWriter(bytes, LogRecords.SNAPSHOT);
        for (final Record each : records)
        {
            writer.append(each.kind, new UnsafeBuffer(each.body), 0, each.body.length);
        }
        writer.end();
        try
        {
            return RoomHost.restore(
                Scenario.context().outputs(new CapturedOutputs()), bytes.buffer(), 0, bytes.length());
        }
        catch (final DamagedRecordException e)
        {
            return null;
        }
        catch (final RuntimeException e)
        {
            // The state of the logic, which its own onRestore refused, or a version that another program may have.
            if (e.getMessage().contains("onRestore") || e.getMessage().endsWith("not registered"))
            {
                return null;
            }
            throw e;
        }
    }

    private long value(final long old)
    {
        final int kind = random.nextInt(4);
        return 0 == kind ? old + random.nextInt(-3, 4) : 1 == kind ? random.nextLong() :
            VALUES[random.nextInt(VALUES.length)];
    }

    /** Snapshots of the scenario after some of its turns. */
    private static void snapshots(
        final Scenario scenario, final List<List<Record>> snapshots, final List<Long> turns)
    {
        final RoomHost host = new RoomHost(Scenario.context().outputs(new CapturedOutputs()));
        final LoggedTurns log = ReplayTest.turns(scenario);
        while (log.next())
        {
            assertTrue(log.run(host));
            if (0 == log.turn() % 60)
            {
                final ByteSink bytes = new ByteSink();
                host.snapshot(bytes);
                snapshots.add(records(bytes));
                turns.add(log.turn());
            }
        }
    }

    private static List<Record> records(final ByteSink bytes)
    {
        final LogReader reader = new LogReader(bytes.buffer(), 0, bytes.length(), LogRecords.SNAPSHOT);
        final List<Record> records = new ArrayList<>();
        while (reader.next())
        {
            final byte[] body = new byte[reader.bodyLength()];
            reader.buffer().getBytes(reader.bodyOffset(), body);
            records.add(new Record(reader.kind(), body));
        }
        assertTrue(records.size() > 10 && HEADER_KIND == records.get(0).kind);
        return records;
    }
}
