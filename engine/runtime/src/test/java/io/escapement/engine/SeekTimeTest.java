package io.escapement.engine;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.log.LogHistory;
import io.escapement.rooms.replay.RoomPast;
import io.escapement.testsupport.RealTime;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** How long it takes to go back in a journal of an hour, of 4,096 rooms with 10,000 commands a second; about 2 min. */
@RealTime("it measures how long a seek takes")
class SeekTimeTest
{
    private static final int TYPE = 1;
    private static final int ROOMS = 4_096;
    private static final int HZ = 20;
    private static final int COMMANDS_PER_TURN = 500;
    private static final long STEP_NS = TimeUnit.SECONDS.toNanos(1) / HZ;
    private static final int STEPS = 3_600 * HZ;
    private static final int STEPS_PER_SNAPSHOT = 300 * HZ;
    private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);
    private static final long LIMIT_MS = 3_000;
    private static final int SEEKS = 20;
    private static final long SEED = 17;

    private final CachedNanoClock clock = new CachedNanoClock();

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void shouldShowATurnOfAnHourAgoWithinThreeSeconds(@TempDir final Path directory)
    {
        final List<Long> rooms = write(directory);
        final SplittableRandom random = new SplittableRandom(SEED);
        Durability.journal(directory).history((histories) ->
        {
            final RoomPast first = open(histories.get(0), rooms.get(0));
            first.seekEnd();
            // The rooms opened before.
            final long beginMs = first.epochMs() - HOUR_MS + 1_000;
            final List<Long> earliestMs = new ArrayList<>();
            final List<Long> anyMs = new ArrayList<>();
            for (int i = 0; i < SEEKS; i++)
            {
                final long roomId = rooms.get(random.nextInt(rooms.size()));
                final RoomPast[] past = new RoomPast[1];
                earliestMs.add(tookMs(() ->
                {
                    past[0] = open(histories.get(0), roomId);
                    past[0].seekTime(beginMs);
                }));
                assertTrue(past[0].isOpen());
                anyMs.add(tookMs(() -> past[0].seekTime(beginMs + random.nextLong(HOUR_MS - 1_000))));
                assertTrue(past[0].isOpen());
            }
            System.out.println(length(directory) / 1_000_000 + " MB in " + histories.get(0).starts() +
                " parts; an hour ago: first " + earliestMs.get(0) + " ms, " + middleAndMost(earliestMs) +
                "; then to any second: " + middleAndMost(anyMs));
            assertTrue(Collections.max(earliestMs) < LIMIT_MS, () -> earliestMs + " ms");
            assertTrue(Collections.max(anyMs) < LIMIT_MS, () -> anyMs + " ms");
        });
    }

    private static long length(final Path directory)
    {
        return Stream.of(directory.toFile().listFiles()).mapToLong(File::length).sum();
    }

    private static String middleAndMost(final List<Long> values)
    {
        Collections.sort(values);
        return "median " + values.get(values.size() / 2) + " ms, most " + values.get(values.size() - 1) + " ms";
    }

    private static long tookMs(final Runnable work)
    {
        final long beginNs = System.nanoTime();
        work.run();
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
    }

    private static RoomPast open(final LogHistory history, final long roomId)
    {
        return new RoomPast(history, roomId, () -> context(new CachedNanoClock()).newHostContext());
    }

    private List<Long> write(final Path directory)
    {
        final List<Long> rooms = new ArrayList<>();
        try (TestEngine engine = new TestEngine(context(clock).durability(
            Durability.journal(directory).withoutTail().keepNs(TimeUnit.HOURS.toNanos(2)))))
        {
            for (int i = 0; i < ROOMS; i++)
            {
                final RoomHandle room = engine.engine().openRoom(TYPE);
                engine.await("a room", () ->
                {
                    engine.turn();
                    return RoomHandle.State.OPENED == room.state();
                });
                rooms.add(room.roomId());
            }
            final EngineOperator operator = engine.engine().operator();
            for (int i = 0; i < STEPS; i++)
            {
                for (int j = 0; j < COMMANDS_PER_TURN; j++)
                {
                    final int number = i * COMMANDS_PER_TURN + j;
                    // The journal's thread, which the test does not step, may have to catch up.
                    engine.await("room in the inbox", () ->
                        operator.lockRoom(rooms.get(number % ROOMS), 0 == (number / ROOMS & 1)));
                }
                clock.advance(STEP_NS);
                engine.turn();
                if (0 == i % STEPS_PER_SNAPSHOT)
                {
                    final int due = i / STEPS_PER_SNAPSHOT;
                    engine.await("the snapshots", () ->
                        due <= 1 + engine.engine().counter("escapement loop 0: snapshots"));
                }
            }
            assertEquals(List.of(), engine.errors());
        }
        return rooms;
    }

    private static EngineContext context(final CachedNanoClock clock)
    {
        return new EngineContext().roomType(RoomType.of(TYPE, "walk", 1, Walk::new).seats(1).timers(1)
            .outputLimit(1_024)).loops(1).loopLimits(ROOMS, ROOMS, ROOMS).clock(clock);
    }

    /** Walks at random in each frame, and has a kilobyte of state. */
    private static final class Walk implements RoomLogic
    {
        private final long[] places = new long[128];
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            room.frameRate(HZ);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException("nobody plays here");
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            places[(int)frame % places.length] += room.random().nextInt(1_000);
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            for (final long place : places)
            {
                writer.putLong(place);
            }
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
            for (int i = 0; i < places.length; i++)
            {
                places[i] = reader.getLong();
            }
        }
    }
}
