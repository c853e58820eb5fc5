package io.escapement.rooms.log;

import io.escapement.rooms.internal.records.RecordHeader;
import io.escapement.rooms.internal.records.RecordReader;
import io.escapement.rooms.internal.records.RecordWriter;
import io.escapement.rooms.output.ByteSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/** Logs and snapshots for the tests of this package. */
public final class Logs
{
    private static final Commands COMMANDS = new Commands();

    private Logs()
    {
    }

    static TurnLogHeader header()
    {
        return new TurnLogHeader()
            .epochMs(1_700_000_000_123L)
            .wheelTickNs(1_048_576)
            .roomLimit(1000)
            .linkLimit(16)
            .timerLimit(4000)
            .seatLimit(8000)
            .phaseGroups(4)
            .addType(7, 1, 0x1234_5678_9ABC_DEF0L, "chess")
            .addType(9, 3, -1L, "arena")
            .build("0.1.0-abcdef");
    }

    static void command(final TurnLog log, final byte[] bytes)
    {
        log.command(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    /** Three turns with every kind of record, small enough to try every truncation and every bit flip. */
    static ByteSink small()
    {
        final ByteSink sink = new ByteSink();
        final TurnLogWriter log = new TurnLogWriter(sink, header());
        log.turnStart(1, 1_000);
        command(log, COMMANDS.linkUp(1));
        command(log, COMMANDS.openRoom(5));
        log.turnEnd(11);
        log.stateHash(1, 0xABCDEF);
        log.turnStart(2, 2_000);
        command(log, COMMANDS.message(5, 1, 3));
        log.failedAt(5, 17);
        log.turnEnd(22);
        log.turnStart(3, 2_000);
        log.turnEnd(33);
        log.stateHash(3, -1);
        log.close();

        return sink;
    }

    /** A log of many turns of random sizes. */
    static ByteSink large(final Random random, final int turns)
    {
        final ByteSink sink = new ByteSink();
        final TurnLogWriter log = new TurnLogWriter(sink, header());
        for (int turn = 1; turn <= turns; turn++)
        {
            log.turnStart(turn, turn * 1_000L);
            final int count = random.nextInt(8);
            for (int i = 0; i < count; i++)
            {
                command(log, COMMANDS.message(random.nextInt(10), i, random.nextInt(200)));
            }

            log.turnEnd(random.nextLong());
            if (0 == turn % 16)
            {
                log.stateHash(turn, random.nextLong());
            }
        }

        log.close();

        return sink;
    }

    public static ByteSink snapshot()
    {
        final ByteSink sink = new ByteSink();
        final RecordWriter writer = new RecordWriter(sink, RecordHeader.SNAPSHOT);
        for (int length = 0; length < 20; length += 3)
        {
            final byte[] body = new byte[length];
            new Random(length).nextBytes(body);
            writer.append(16 + length, new UnsafeBuffer(body), 0, length);
        }

        writer.end();

        return sink;
    }

    static TurnLogReader open(final byte[] bytes)
    {
        return TurnLogReader.open(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    static TurnLogReader open(final ByteSink sink)
    {
        return TurnLogReader.open(sink.buffer(), 0, sink.length());
    }

    /** Offsets of the file header and of each record, then the length of the file. */
    static int[] starts(final byte[] bytes, final int fileKind)
    {
        final List<Integer> starts = new ArrayList<>();
        final RecordReader reader = new RecordReader(new UnsafeBuffer(bytes), 0, bytes.length, fileKind);
        starts.add(0);
        boolean more = true;
        while (more)
        {
            more = reader.next();
            starts.add((int)reader.recordOffset());
        }

        starts.add(bytes.length);

        return starts.stream().mapToInt(Integer::intValue).toArray();
    }

    static List<byte[]> commands(final TurnLogReader reader)
    {
        final List<byte[]> commands = new ArrayList<>();
        reader.forEachCommand(
            (buffer, offset, length) ->
            {
                final byte[] bytes = new byte[length];
                buffer.getBytes(offset, bytes);
                commands.add(bytes);
            });

        return commands;
    }
}
