package io.escapement.rooms.log;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.output.ByteSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/** Logs and snapshots for the tests of this package. */
final class Logs
{
    private static final RoomEncoder ENCODER = new RoomEncoder();

    private Logs()
    {
    }

    static HostConfig config()
    {
        return new HostConfig()
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

    /** A signal whose payload is of one value. */
    static UnsafeBuffer signal(final int value, final int payloadLength)
    {
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[payloadLength]);
        payload.setMemory(0, payloadLength, (byte)value);
        final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
        return new UnsafeBuffer(command, 0, ENCODER.signal(command, 0, value, 0, 0, payload, 0, payloadLength));
    }

    /** Append a proposal of signals of some lengths, the first of them a return. */
    static void propose(final LogWriter log, final long number, final int... lengths)
    {
        final ProposalWriter proposal = new ProposalWriter(0);
        for (int i = 0; i < lengths.length; i++)
        {
            final UnsafeBuffer signal = signal(i, lengths[i]);
            if (0 == i)
            {
                proposal.addReturn(signal, 0, signal.capacity());
            }
            else
            {
                proposal.add(signal, 0, signal.capacity());
            }
        }
        log.append(proposal.buffer(), 0, proposal.finish(0, number, 1_000 * number, number - 1, 11 * (number - 1)));
    }

    static void fail(final LogWriter log, final long number, final long roomId)
    {
        final UnsafeBuffer failed = new UnsafeBuffer(new byte[ProposalWriter.FAILED_LENGTH]);
        log.append(failed, 0, new ProposalWriter(0).failed(failed, 0, number, roomId, 17));
    }

    /** Three proposals with every kind of record, small enough to try every truncation and every bit flip. */
    static ByteSink small()
    {
        final ByteSink sink = new ByteSink();
        final LogWriter log = new LogWriter(sink, config());
        propose(log, 1, 3, 8);
        log.appendHashes(1, 11, 0xABCDEF);
        propose(log, 2, 1);
        fail(log, 2, 5);
        propose(log, 3);
        log.appendHashes(3, 33, -1);
        log.end();

        return sink;
    }

    /** A log of many proposals of random sizes. */
    static ByteSink large(final Random random, final int proposals)
    {
        final ByteSink sink = new ByteSink();
        final LogWriter log = new LogWriter(sink, config());
        for (int number = 1; number <= proposals; number++)
        {
            propose(log, number, random.ints(random.nextInt(8), 0, 200).toArray());
            if (0 == number % 16)
            {
                log.appendHashes(number, 11L * number, random.nextLong());
            }
        }
        log.end();

        return sink;
    }

    static ByteSink snapshot()
    {
        final ByteSink sink = new ByteSink();
        final LogWriter writer = new LogWriter(sink, LogRecords.SNAPSHOT);
        for (int length = 0; length < 20; length += 3)
        {
            final byte[] body = new byte[length];
            new Random(length).nextBytes(body);
            writer.append(16 + length, new UnsafeBuffer(body), 0, length);
        }

        writer.end();

        return sink;
    }

    static LogFile open(final byte[] bytes)
    {
        return LogFile.open(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    static LogFile open(final ByteSink sink)
    {
        return LogFile.open(sink.buffer(), 0, sink.length());
    }

    /** Offsets of the file header and of each record, then the length of the file. */
    static int[] starts(final byte[] bytes, final int fileKind)
    {
        final List<Integer> starts = new ArrayList<>();
        final LogReader reader = new LogReader(new UnsafeBuffer(bytes), 0, bytes.length, fileKind);
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
}
