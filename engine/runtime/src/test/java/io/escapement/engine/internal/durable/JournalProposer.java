package io.escapement.engine.internal.durable;

import io.escapement.rooms.host.HostImage;
import io.escapement.rooms.host.RoomHost;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A process that proposes numbered messages to a real journal until it is killed. The number of the last one that was
 * committed is in a mapped file, which survives the kill: the answer that a client would have.
 */
public final class JournalProposer
{
    static final int LOOP = 0;
    static final int LENGTH_LIMIT = 2_000;

    private static final int TEMPLATE = 66;
    private static final int NUMBER_OFFSET = 8;
    private static final int HEADER_LENGTH = 16;
    private static final int SNAPSHOT_EVERY = 200;
    private static final int STEP_BYTES = 64 * 1_024;
    /** So that a kill often finds a snapshot half written. */
    static final int ROOMS = 64;
    static final int STATE_LENGTH = 32 * 1_024;

    private JournalProposer()
    {
    }

    static JournalSettings options(final Path directory, final boolean isSynced, final Path tails)
    {
        return new JournalSettings(directory, isSynced, 1_048_576, 65_536, tails, TimeUnit.MILLISECONDS.toNanos(5), 64,
            32_768, false, 0);
    }

    /** Length of a message, by its number. */
    static int length(final long number)
    {
        return HEADER_LENGTH + (int)(number * 7_919 % (LENGTH_LIMIT - HEADER_LENGTH));
    }

    static void put(final UnsafeBuffer buffer, final long number)
    {
        buffer.putShort(2, (short)TEMPLATE);
        buffer.putLong(NUMBER_OFFSET, number);
        buffer.setMemory(HEADER_LENGTH, length(number) - HEADER_LENGTH, (byte)number);
    }

    static long number(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + NUMBER_OFFSET);
    }

    static UnsafeBuffer acknowledged(final Path file) throws IOException
    {
        try (FileChannel channel = FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE))
        {
            final MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
            return new UnsafeBuffer(bytes);
        }
    }

    /** Directory, file of the acknowledged number, SYNCED or RECORDED, directory of tails or "-". */
    public static void main(final String[] arguments) throws IOException
    {
        final UnsafeBuffer acknowledged = acknowledged(Path.of(arguments[1]));
        System.out.println("OPENING");
        final Path tails = "-".equals(arguments[3]) ? null : Path.of(arguments[3]);
        final JournalSettings options = options(Path.of(arguments[0]), "SYNCED".equals(arguments[2]), tails);
        final Journal journal = Journal.open(options, SystemNanoClock.INSTANCE, (ex) -> System.out.println(ex));
        final JournalLog log;
        try (RecoveredLoop recovered = journal.recover(LOOP, SteppedJournal.header(0)))
        {
            log = journal.start(LOOP, recovered, SteppedJournal.header(0));
        }
        AgentRunner.startOnThread(new AgentRunner(
            new BackoffIdleStrategy(1, 1, 20_000, 50_000), Throwable::printStackTrace, null, journal.agent()));
        System.out.println("READY");

        final RoomHost host = SteppedJournal.host(ROOMS, STATE_LENGTH);
        HostImage image = null;
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH_LIMIT]);
        final ProposalHandler handler =
            (position, buffer, offset, length) -> acknowledged.putLongOrdered(0, number(buffer, offset));
        for (long number = log.nextNumber(); null == log.failure(); number++)
        {
            put(message, number);
            long position = log.propose(message, 0, length(number));
            while (CommitLog.BACK_PRESSURED == position)
            {
                log.poll(handler, Integer.MAX_VALUE);
                Thread.onSpinWait();
                position = log.propose(message, 0, length(number));
            }
            log.poll(handler, Integer.MAX_VALUE);
            if (null == image && 0 == number % SNAPSHOT_EVERY)
            {
                image = log.beginSnapshot();
                if (null != image)
                {
                    host.beginImage(image);
                }
            }
            if (null != image)
            {
                host.fillImage(STEP_BYTES);
                if (image.isComplete())
                {
                    image = null;
                    log.endSnapshot();
                }
            }
        }
        System.out.println("FAILED " + log.failure());
    }
}
