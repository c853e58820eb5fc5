package io.escapement.engine;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.log.LogHistory;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.Replay;
import io.escapement.rooms.replay.RoomPast;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A journal on a real disk can be read from each of its snapshots. */
class EngineHistoryTest
{
    private static final int TYPE = 1;
    private static final int TAIL_LENGTH = 128 * 1_024;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int STEPS_A_MINUTE = (int)(MINUTE_NS / STEP_NS);
    private static final int MINUTES = 20;

    @TempDir
    Path directory;

    private final CachedNanoClock clock = new CachedNanoClock();

    @Test
    void shouldReadAJournalFromEachSnapshot()
    {
        final long minutes = 5;
        final long hash = run(context().durability(Durability.journal(directory).tailLength(TAIL_LENGTH)
            .segmentLength(2 * TAIL_LENGTH).bytesUnderWay(TAIL_LENGTH / 2).tailDirectory(directory)
            .snapshotIntervalNs(MINUTE_NS).keepNs(minutes * MINUTE_NS)));
        Durability.journal(directory).history((histories) ->
        {
            final LogHistory history = histories.get(0);
            assertTrue(history.starts() >= minutes && history.starts() <= minutes + 3, history.starts() + " starts");
            assertAllEnd(history, hash);
        });
    }

    @Test
    void shouldReadARecordingFromItsBeginning()
    {
        final long hash = run(context().recordTo(directory));
        final Durability recording = Durability.journal(directory);
        recording.history((histories) ->
        {
            assertEquals(1, histories.get(0).starts());
            assertAllEnd(histories.get(0), hash);
        });
        assertTrue(recording.replay(context()).get(0).startsWith("loop 0: the same: "));
    }

    /** Run a room for some time. Returns the state at the end. */
    private long run(final EngineContext context)
    {
        try (TestEngine engine = new TestEngine(context))
        {
            engine.engine().openRoom(TYPE);
            for (int i = 0; i < MINUTES * STEPS_A_MINUTE; i++)
            {
                clock.advance(STEP_NS);
                engine.turn();
                if (0 == i % STEPS_A_MINUTE)
                {
                    final int minutes = i / STEPS_A_MINUTE;
                    // The journal's thread, which the test does not step.
                    engine.await("the snapshots", () -> context.durability().isRecording() ||
                        minutes <= 1 + engine.engine().counter("escapement loop 0: snapshots"));
                }
            }
            assertEquals(List.of(), engine.errors());
            return engine.engine().host(0).stateHash();
        }
    }

    private static void assertAllEnd(final LogHistory history, final long hash)
    {
        for (int i = 0; i < history.starts(); i++)
        {
            final String start = "start " + i;
            history.read(i, (log) -> assertEquals(hash, replay(log).host().stateHash(), start));
        }
        final List<Long> rooms = RoomPast.rooms(history);
        assertEquals(1, rooms.size());
        final RoomPast past = new RoomPast(
            history, rooms.get(0), () -> context(new CachedNanoClock()).newHostContext());
        past.seekEnd();
        final long end = past.stateHash();
        final long turn = past.turn();
        past.seek(0);
        assertTrue(past.turn() < turn);
        while (past.step())
        {
            // Through all parts.
        }
        assertEquals(turn, past.turn());
        assertEquals(end, past.stateHash());
    }

    private static Replay replay(final LogSource log)
    {
        final Replay replay = new Replay(
            log, context(new CachedNanoClock()).newHostContext().outputs(NoOutputs.NONE)).run();
        assertTrue(replay.isSame(), replay::difference);
        return replay;
    }

    private EngineContext context()
    {
        return context(clock);
    }

    private static EngineContext context(final CachedNanoClock clock)
    {
        return new EngineContext().roomType(RoomType.of(TYPE, "count", 1, Count::new).outputLimit(1_024)).loops(1)
            .clock(clock);
    }

    /** Counts its frames. */
    private static final class Count implements RoomLogic
    {
        private long count;

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            room.frameRate(2);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            count += frame;
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putLong(count);
        }

        @Override
        public void onRestore(final Room room, final int version, final StateReader reader)
        {
            count = reader.getLong();
        }
    }
}
