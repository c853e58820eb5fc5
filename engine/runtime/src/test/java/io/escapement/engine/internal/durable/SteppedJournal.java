package io.escapement.engine.internal.durable;

import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.room.StateHashDecoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.NoOutputs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/** One engine's journal of one loop on a {@link MemoryDisk}, with the journal's thread stepped by hand. */
final class SteppedJournal
{
    static final int LOOP = 3;
    static final int TAIL_LENGTH = 65_536;
    static final int SEGMENT_LENGTH = 4 * TAIL_LENGTH;
    static final long SYNC_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);
    static final JournalSettings RECORDED = options(false, true);
    static final JournalSettings SYNCED = options(true, true);
    static final JournalSettings NO_TAIL = options(false, false);

    private static final long BOOT = 77;
    private static final int TEMPLATE = StateHashDecoder.TEMPLATE_ID;

    final MemoryDisk disk;
    final MemoryTails tails;
    final CachedNanoClock clock = new CachedNanoClock();
    final List<Throwable> errors = new ArrayList<>();
    final List<byte[]> recovered = new ArrayList<>();
    /** That recovery has chosen, or null. */
    final DirectBuffer snapshot;
    final RecoveryReport report;
    final Journal journal;
    final JournalLog log;
    final JournalAgent agent;

    SteppedJournal(final JournalSettings options, final MemoryDisk disk, final MemoryTails tails) throws Exception
    {
        this(options, disk, tails, header());
    }

    SteppedJournal(
        final JournalSettings options, final MemoryDisk disk, final MemoryTails tails, final HostConfig header)
        throws Exception
    {
        this.disk = disk;
        this.tails = tails;
        journal = Journal.open(options, JournalStorage.inMemory(disk, tails, BOOT), clock, errors::add);
        try (RecoveredLoop loop = journal.recover(LOOP, header))
        {
            recovered.addAll(messages(loop));
            snapshot = loop.snapshot();
            report = loop.report();
            log = journal.start(LOOP, loop, header);
        }
        agent = journal.agent();
    }

    static JournalSettings options(final boolean isSynced, final boolean hasTail)
    {
        return new JournalSettings(Path.of("unused"), isSynced, SEGMENT_LENGTH, TAIL_LENGTH,
            hasTail ? Path.of("/memory") : null, SYNC_INTERVAL_NS, 64, TAIL_LENGTH / 2, false, 0);
    }

    static HostConfig header()
    {
        return header(LOOP);
    }

    static HostConfig header(final int loop)
    {
        return new HostConfig().loopLimits(LoopLimits.of(loop, LOOP + 1)).roomLimit(5).seatLimit(6).timerLimit(7)
            .linkLimit(8).phaseGroups(4).wheelTickNs(1_000_000).addType(1, 2, 3, "chess").build("test");
    }

    /** A host without rooms, for snapshots. */
    static RoomHost host()
    {
        return host(0, 0);
    }

    /** A host with rooms of a state length, for snapshots. */
    static RoomHost host(final int rooms, final int stateLength)
    {
        return host(rooms, new UnsafeBuffer(new byte[stateLength]));
    }

    /** A host with rooms that all have this state, which the caller may change. */
    static RoomHost host(final int rooms, final UnsafeBuffer state)
    {
        final RoomHost host = new RoomHost(hostContext(rooms, state));
        final UnsafeBuffer command = new UnsafeBuffer(new byte[256]);
        host.beginTurn(1);
        for (int room = 1; room <= rooms; room++)
        {
            host.onCommand(command, 0, new RoomEncoder().openRoom(command, 0, room, 0, 0, 0, 1, command, 0, 0));
        }
        host.endTurn();
        return host;
    }

    /** Restore a snapshot of such a host, and return the number of its rooms. */
    static int roomsOf(final DirectBuffer snapshot, final int rooms, final int stateLength)
    {
        return roomsOf(snapshot, rooms, new UnsafeBuffer(new byte[stateLength]));
    }

    /** Restore a snapshot of such a host and the state of its rooms, and return their number. */
    static int roomsOf(final DirectBuffer snapshot, final int rooms, final UnsafeBuffer state)
    {
        return RoomHost.restore(hostContext(rooms, state), snapshot, 0, snapshot.capacity()).openRooms();
    }

    private static HostContext hostContext(final int rooms, final UnsafeBuffer state)
    {
        return new HostContext().roomType(RoomType.of(1, "state", 1, () -> new StateRoom(state)))
            .roomLimit(Math.max(1, rooms)).outputs(NoOutputs.NONE);
    }

    /** Has a state of a length, and nothing else. */
    private static final class StateRoom implements RoomLogic
    {
        private final UnsafeBuffer state;

        StateRoom(final UnsafeBuffer state)
        {
            this.state = state;
        }

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putBytes(state, 0, state.capacity());
        }

        @Override
        public void onRestore(final Room room, final int version, final StateReader reader)
        {
            reader.getBytes(state, 0);
        }
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
    SteppedJournal afterKill(final JournalSettings options) throws Exception
    {
        disk.mend();
        return new SteppedJournal(options, disk, tails);
    }

    /** The messages of a log from where it points. */
    static List<byte[]> messages(final LogSource log)
    {
        final List<byte[]> messages = new ArrayList<>();
        while (log.next())
        {
            messages.add(copy(log.buffer(), log.offset(), log.length()));
        }
        return messages;
    }

    static byte[] copy(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }

    /** A file as a build with another version of the format would write it: its checksum is right. */
    static byte[] inVersion(final byte[] file, final int version)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(file.clone());
        // The version is behind the magic.
        bytes.putInt(8, version);
        final CRC32C crc = new CRC32C();
        crc.update(bytes.byteArray(), 0, 16);
        bytes.putInt(16, (int)crc.getValue());
        return bytes.byteArray();
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
