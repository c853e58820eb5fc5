package io.escapement.engine.internal.durable;

import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.TurnLogHeader;
import io.escapement.rooms.output.NoOutputs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/** One engine's journal of one loop on a {@link FakeDisk}, with the journal's thread stepped by hand. */
final class SteppedJournal
{
    static final int LOOP = 3;
    static final int TAIL_LENGTH = 65_536;
    static final int SEGMENT_LENGTH = 4 * TAIL_LENGTH;
    static final long SYNC_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);
    static final JournalOptions RECORDED = options(false, true);
    static final JournalOptions SYNCED = options(true, true);
    static final JournalOptions NO_TAIL = options(false, false);

    private static final long BOOT = 77;
    private static final int TEMPLATE = 68;

    final FakeDisk disk;
    final FakeTails tails;
    final CachedNanoClock clock = new CachedNanoClock();
    final List<Throwable> errors = new ArrayList<>();
    final List<byte[]> recovered = new ArrayList<>();
    final RecoveryReport report;
    final Journal journal;
    final JournalLog log;
    final JournalAgent agent;

    SteppedJournal(final JournalOptions options, final FakeDisk disk, final FakeTails tails) throws Exception
    {
        this(options, disk, tails, header());
    }

    SteppedJournal(
        final JournalOptions options, final FakeDisk disk, final FakeTails tails, final TurnLogHeader header)
        throws Exception
    {
        this.disk = disk;
        this.tails = tails;
        final JournalAbout about = JournalAbout.read(disk);
        journal = new Journal(options, disk, () -> { }, null == about ? JournalAbout.create() : about,
            (directory) -> null == directory ? new PrivateTails() : tails, BOOT, clock, errors::add);
        try (RecoveredLoop loop = journal.recover(LOOP, header))
        {
            loop.forEach((position, buffer, offset, length) -> recovered.add(copy(buffer, offset, length)));
            report = loop.report();
            log = journal.start(LOOP, loop, header);
        }
        agent = journal.agent();
    }

    static JournalOptions options(final boolean isSynced, final boolean hasTail)
    {
        return new JournalOptions(Path.of("unused"), isSynced, SEGMENT_LENGTH, TAIL_LENGTH,
            hasTail ? Path.of("/memory") : null, SYNC_INTERVAL_NS, 64, TAIL_LENGTH / 2, false);
    }

    static TurnLogHeader header()
    {
        return new TurnLogHeader().roomLimit(5).seatLimit(6).timerLimit(7).linkLimit(8).phaseGroups(4)
            .wheelTickNs(1_000_000).addType(1, 2, 3, "chess").build("test");
    }

    /** A host without rooms, for snapshots. */
    static RoomHost host()
    {
        final RoomType type = RoomType.of(1, "unused", 1, () ->
        {
            throw new IllegalStateException("no room opens here");
        });
        return new RoomHost(new HostContext().roomType(type).roomLimit(1).outputs(new NoOutputs()));
    }

    /** A message of any content and a length of 8 to the limit. */
    static byte[] message(final Random random, final int limit)
    {
        final byte[] message = new byte[MessageHeaderEncoder.ENCODED_LENGTH + random.nextInt(limit - 7)];
        random.nextBytes(message);
        new UnsafeBuffer(message).putShort(MessageHeaderDecoder.templateIdEncodingOffset(), (short)TEMPLATE);
        return message;
    }

    long propose(final byte[] message)
    {
        return log.propose(new UnsafeBuffer(message), 0, message.length);
    }

    /** Pass on everything that is committed. */
    List<byte[]> poll()
    {
        final List<byte[]> committed = new ArrayList<>();
        log.poll((position, buffer, offset, length) -> committed.add(copy(buffer, offset, length)), Integer.MAX_VALUE);
        return committed;
    }

    void stepUntilIdle()
    {
        while (agent.doWork() > 0)
        {
            clock.advance(1);
        }
    }

    /** The next engine after a kill: the cache of the disk and the tails survive. */
    SteppedJournal afterKill(final JournalOptions options) throws Exception
    {
        disk.mend();
        return new SteppedJournal(options, disk, tails);
    }

    static byte[] copy(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }

    /** Whether messages are the same, in the same order. */
    static boolean same(final List<byte[]> one, final List<byte[]> other)
    {
        return one.size() == other.size() && isPrefix(one, other);
    }

    /** Whether the first messages of the whole are these. */
    static boolean isPrefix(final List<byte[]> part, final List<byte[]> whole)
    {
        for (int i = 0; i < part.size(); i++)
        {
            if (i >= whole.size() || !Arrays.equals(part.get(i), whole.get(i)))
            {
                return false;
            }
        }
        return true;
    }
}
