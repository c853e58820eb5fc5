package io.escapement.engine.internal.durable;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.HostImage;
import io.escapement.rooms.log.LogHistory;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.ProposalRunner;
import io.escapement.rooms.replay.Replay;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static io.escapement.engine.internal.durable.SteppedJournal.LOOP;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The history of a journal: each start runs to the same end, and reads nothing before it. */
class JournalPastTest
{
    private static final long ROOM = (long)LOOP << 54 | 1;
    private static final int SIGNALS = 4;
    private static final int SIGNAL_LENGTH = 1_000;
    private static final long TURN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    private final List<String> opened = new ArrayList<>();
    private final ProposalWriter proposal = new ProposalWriter(LOOP);
    private final ProposalRunner runner = new ProposalRunner(context());
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[2 * SIGNAL_LENGTH]);
    private MemoryDisk disk = new MemoryDisk(512);
    private SteppedJournal engine;

    @Test
    void shouldRunToTheSameEndFromEachStart() throws Exception
    {
        begin(60 * MINUTE_NS);
        play(5, 200);
        // A kill, with bytes in the tail only.
        turns(5);
        assertTrue(engine.log.proposedPosition() > engine.log.writtenPosition());
        history((past) ->
        {
            assertEquals(6, past.starts());
            assertEquals(numbersFrom(1), numbers(past, 0));
            long before = 0;
            for (int i = 0; i < past.starts(); i++)
            {
                final List<Long> numbers = numbers(past, i);
                assertEquals(numbersFrom(numbers.get(0)), numbers);
                assertTrue(numbers.get(0) > before, "start " + i + " begins with turn " + numbers.get(0));
                before = numbers.get(0);
                assertEquals(runner.host().stateHash(), hashAtEnd(past, i), "start " + i);
            }
        });
    }

    @Test
    void shouldOpenNoSegmentBeforeTheStart() throws Exception
    {
        begin(60 * MINUTE_NS);
        play(5, 200);
        engine.journal.close();
        final List<String> segments = JournalNames.segments(disk.list(), LOOP);
        assertTrue(segments.size() > 10, segments::toString);
        history((past) ->
        {
            assertEquals(List.of(), opened.stream().filter(segments::contains).toList());
            opened.clear();
            numbers(past, past.starts() - 1);
            final List<String> read = opened.stream().filter(segments::contains).toList();
            final String newest = JournalNames.snapshots(disk.list(), LOOP).get(4);
            assertFalse(read.isEmpty());
            final long start = JournalNames.position(newest);
            final String first = segments.stream().filter((name) -> JournalNames.position(name) <= start)
                .reduce((one, other) -> other).orElseThrow();
            assertTrue(read.stream().allMatch((name) -> name.compareTo(first) >= 0), () -> read + " for " + newest);
            // A reader that stops opens no more.
            opened.clear();
            past.read(0, LogSource::next);
            assertEquals(List.of(segments.get(0)), opened);
        });
    }

    @Test
    void shouldLeaveOutADamagedSnapshot() throws Exception
    {
        begin(60 * MINUTE_NS);
        play(4, 100);
        engine.journal.close();
        final List<String> snapshots = JournalNames.snapshots(disk.list(), LOOP);
        damage(snapshots.get(1), disk.bytes(snapshots.get(1)).length / 2);
        history((past) ->
        {
            assertEquals(numbers(past, 1), numbers(past, 2), "the turns after the snapshot before");
            for (int i = 0; i < past.starts(); i++)
            {
                assertEquals(runner.host().stateHash(), hashAtEnd(past, i), "start " + i);
            }
        });
        // Without the first turns the history begins at the oldest that is whole.
        damage(snapshots.get(0), 100);
        final List<String> segments = JournalNames.segments(disk.list(), LOOP);
        for (int i = 0; JournalNames.position(segments.get(i + 1)) < JournalNames.position(snapshots.get(2)); i++)
        {
            disk.delete(segments.get(i));
        }
        history((past) ->
        {
            assertEquals(2, past.starts());
            assertEquals(runner.host().stateHash(), hashAtEnd(past, 0));
        });
    }

    @Test
    void shouldNameADamagedSegment() throws Exception
    {
        begin(60 * MINUTE_NS);
        play(3, 300);
        engine.journal.close();
        final List<String> segments = JournalNames.segments(disk.list(), LOOP);
        final String damaged = segments.get(segments.size() / 2);
        damage(damaged, 100_000);
        history((past) ->
        {
            final String refusal =
                assertThrows(JournalException.class, () -> numbers(past, 0)).getMessage();
            assertTrue(refusal.matches("fake/" + damaged + ": damaged at offset \\d+: no whole record, but the " +
                "journal was complete up to position \\d+ \\(this is position \\d+\\)"), refusal);
            assertEquals(runner.host().stateHash(), hashAtEnd(past, past.starts() - 1), "what is not read is not used");
        });
    }

    @Test
    void shouldEndWhereTheLastRecordIsTorn() throws Exception
    {
        begin(0);
        turns(20);
        engine.stepUntilIdle();
        final String last = JournalNames.segments(disk.list(), LOOP).get(0);
        final UnsafeBuffer bytes = new UnsafeBuffer(disk.bytes(last));
        // The machine has lost the end of the last record, which was never synced, with the tail.
        final int end = (int)engine.log.writtenPosition();
        bytes.setMemory(end - 2_000, 2_000, (byte)0);
        disk.put(last, bytes.byteArray());
        final JournalStorage storage = JournalStorage.inMemory(disk, new MemoryTails(), 78);
        Journal.history(storage, (histories) -> assertEquals(19, numbers(histories.get(LOOP), 0).size()));
    }

    @Test
    void shouldKeepTheTurnsOfATime() throws Exception
    {
        begin(5 * MINUTE_NS);
        for (int minute = 0; minute < 30; minute++)
        {
            play(1, 60);
            final List<String> names = disk.list();
            final List<String> snapshots = JournalNames.snapshots(names, LOOP);
            final List<String> segments = JournalNames.segments(names, LOOP);
            // A snapshot a minute: five that are younger than the last but one, which is the measure, and the first.
            assertEquals(Math.min(minute + 1, 7), snapshots.size(), "minute " + minute);
            final boolean isWhole = JournalNames.position(segments.get(0)) == 0;
            assertEquals(minute < 7, isWhole, () -> segments + " for " + snapshots);
            assertTrue(isWhole || JournalNames.position(segments.get(1)) >= JournalNames.position(snapshots.get(0)),
                () -> segments + " for " + snapshots);
        }
        history((past) ->
        {
            assertEquals(7, past.starts());
            assertTrue(numbers(past, 0).size() >= 5 * 60, () -> numbers(past, 0).size() + " turns");
            assertEquals(runner.host().stateHash(), hashAtEnd(past, 0));
        });
    }

    @Test
    void shouldKeepOneSnapshotAMinute() throws Exception
    {
        begin(60 * MINUTE_NS);
        play(90, 10);
        final List<String> snapshots = JournalNames.snapshots(disk.list(), LOOP);
        // 90 snapshots in 15 minutes.
        assertTrue(snapshots.size() >= 15 && snapshots.size() <= 20, snapshots::toString);
        history((past) -> assertEquals(900, numbers(past, 0).size()));
    }

    @Test
    void shouldReadAJournalInUseUpToWhatIsWritten() throws Exception
    {
        begin(0);
        play(3, 50);
        // The agent writes each eighth turn, with those before it.
        turns(3);
        final JournalPast past = engine.journal.past(LOOP);
        final List<Long> numbers = numbers(past, past.starts() - 1);
        assertEquals(runner.lastProposal() - 1, numbers.get(numbers.size() - 1));
        final JournalPast earlier = past.latest(1, engine.log.snapshotPosition() - 1);
        assertEquals(1, earlier.starts());
        assertTrue(numbers(earlier, 0).size() > numbers.size());
        // The journal has deleted what the history began with.
        final String first = JournalNames.snapshots(disk.list(), LOOP).get(0);
        play(2, 200);
        final String refusal = assertThrows(RuntimeException.class, () -> numbers(earlier, 0)).getMessage();
        assertTrue(refusal.contains(first), refusal);
        assertFalse(numbers(engine.journal.past(LOOP), 0).isEmpty());
    }

    private void begin(final long keepNs) throws Exception
    {
        final JournalSettings settings = new JournalSettings(SteppedJournal.RECORDED.directory(), false,
            SteppedJournal.SEGMENT_LENGTH, SteppedJournal.TAIL_LENGTH, SteppedJournal.RECORDED.tailDirectory(),
            SteppedJournal.SYNC_INTERVAL_NS, 64, SteppedJournal.TAIL_LENGTH / 2, false, keepNs);
        engine = new SteppedJournal(settings, disk, new MemoryTails(), context().header());
    }

    /** Take snapshots, and before each run turns. */
    private void play(final int snapshots, final int turns)
    {
        for (int i = 0; i < snapshots; i++)
        {
            turns(turns);
            engine.clock.advance(SteppedJournal.SYNC_INTERVAL_NS);
            engine.stepUntilIdle();
            final HostImage image = engine.log.beginSnapshot();
            runner.host().beginImage(image);
            runner.host().fillImage(Long.MAX_VALUE);
            engine.log.endSnapshot();
            engine.stepUntilIdle();
            assertEquals(List.of(), engine.errors);
        }
    }

    private void turns(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final long number = runner.lastProposal() + 1;
            proposal.clear();
            final UnsafeBuffer bytes = new UnsafeBuffer(new byte[SIGNAL_LENGTH]);
            bytes.putLong(0, number * number);
            for (int signal = 0; signal < SIGNALS; signal++)
            {
                proposal.add(command, 0, 1 == number && 0 == signal ?
                    encoder.openRoom(command, 0, ROOM, 0, 0, 0, 1, bytes, 0, 0) :
                    encoder.signal(command, 0, ROOM, 0, 0, bytes, 0, SIGNAL_LENGTH));
            }
            final int turnLength = proposal.finish(
                0, number, number * TURN_NS, runner.host().turn(), runner.outputHash());
            assertTrue(engine.log.propose(proposal.buffer(), 0, turnLength) > 0);
            engine.log.poll((position, buffer, offset, size) -> runner.run(buffer, offset, size), 1);
            if (0 == number % 8)
            {
                engine.agent.doWork();
            }
        }
        assertTrue(runner.host().isOpen(ROOM));
    }

    private void damage(final String name, final int offset)
    {
        final byte[] bytes = disk.bytes(name);
        bytes[offset] ^= 1;
        disk.put(name, bytes);
    }

    private void history(final Consumer<LogHistory> reader) throws IOException
    {
        Journal.history(storage(), (Map<Integer, LogHistory> histories) ->
        {
            assertEquals(1, histories.size());
            reader.accept(histories.get(LOOP));
        });
    }

    private JournalStorage storage()
    {
        return new JournalStorage(new NotingDisk(), () -> { }, (name) -> null == name ?
            new PrivateTails() : engine.tails, 77);
    }

    private List<Long> numbersFrom(final long first)
    {
        final List<Long> numbers = new ArrayList<>();
        for (long number = first; number <= runner.lastProposal(); number++)
        {
            numbers.add(number);
        }
        return numbers;
    }

    private static List<Long> numbers(final LogHistory past, final int start)
    {
        final List<Long> numbers = new ArrayList<>();
        past.read(start, (log) ->
        {
            final ProposalReader turn = new ProposalReader();
            while (log.next())
            {
                if (ProposalReader.isProposal(log.buffer(), log.offset(), log.length()))
                {
                    assertEquals(0, turn.wrap(log.buffer(), log.offset(), log.length()));
                    numbers.add(turn.number());
                }
            }
        });
        return numbers;
    }

    private static long hashAtEnd(final LogHistory past, final int start)
    {
        final long[] hash = new long[1];
        past.read(start, (log) ->
        {
            final Replay replay = new Replay(log, context()).run();
            assertTrue(replay.isSame(), replay::difference);
            hash[0] = replay.host().stateHash();
        });
        return hash[0];
    }

    private static HostContext context()
    {
        return new HostContext().roomType(RoomType.of(1, "sum", 1, Sum::new).outputLimit(1_024).freeze())
            .loopState(LoopLimits.of(LOOP, LOOP + 1)).outputs(NoOutputs.NONE);
    }

    /** Adds the numbers of signals. */
    private static final class Sum implements RoomLogic
    {
        private long sum;

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
        }

        @Override
        public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            sum = 31 * sum + buffer.getLong(offset);
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putLong(sum);
        }

        @Override
        public void onRestore(final Room room, final int version, final StateReader reader)
        {
            sum = reader.getLong();
        }
    }

    /** Notes which files are opened. */
    private final class NotingDisk implements JournalDisk
    {
        @Override
        public JournalFile open(final String name) throws IOException
        {
            opened.add(name);
            return disk.open(name);
        }

        @Override
        public JournalFile create(final String name)
        {
            throw new IllegalStateException("a history changes nothing: " + name);
        }

        @Override
        public List<String> list()
        {
            return disk.list();
        }

        @Override
        public void rename(final String from, final String to)
        {
            throw new IllegalStateException("a history changes nothing: " + from);
        }

        @Override
        public void delete(final String name)
        {
            throw new IllegalStateException("a history changes nothing: " + name);
        }

        @Override
        public void forceDirectory()
        {
        }

        @Override
        public String path(final String name)
        {
            return disk.path(name);
        }
    }
}
