package io.escapement.console;

import io.escapement.engine.Durability;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.http.HttpError;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.replay.Replay;
import io.escapement.testsupport.JsonReader;
import io.escapement.testsupport.Tests;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The past of a room that counts, in a journal that the engine writes at the same time. */
class PastRoomsTest
{
    static final int TYPE = 9;
    private static final long UNLUCKY = 13;
    private static final int FRAMES = 180;

    private final MonitorContext monitor = new MonitorContext();
    private Engine engine;
    private PastRooms past;
    private long roomId;
    private long frames;

    /** Counts its frames and its players, and fails when an unlucky player joins. */
    static final class Counted implements RoomLogic
    {
        private long frames;
        private long joins;

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            room.frameRate(60);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException("nobody plays here");
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            frames++;
        }

        @Override
        public void onJoin(final Seat seat)
        {
            joins++;
            if (UNLUCKY == seat.playerId())
            {
                throw new IllegalStateException("unlucky");
            }
        }

        @Override
        public void onSnapshot(final StateWriter to)
        {
            to.putLong(frames);
            to.putLong(joins);
        }

        @Override
        public void onRestore(final Room room, final int version, final StateReader from)
        {
            frames = from.getLong();
            joins = from.getLong();
        }

        @Override
        public void onDescribe(final RoomDescription to)
        {
            to.put("frames", frames);
            to.put("joins", joins);
        }
    }

    /** Reads a byte of the number of frames for the script of {@link DrawnRooms}, and the whole number. */
    static final class CountedView implements RoomView
    {
        @Override
        public byte[] read(final RoomLogic logic)
        {
            final long frames = ((Counted)logic).frames;
            return ByteBuffer.allocate(1 + Long.BYTES).put((byte)frames).putLong(frames).array();
        }

        @Override
        public String directory()
        {
            return "io/escapement/console/drawn";
        }

        @Override
        public List<String> files()
        {
            return List.of("drawn.js");
        }
    }

    static EngineContext engineContext(final MonitorContext monitor, final Path directory)
    {
        return ConsoleTest.engineContext(monitor).durability(Durability.journal(directory).withoutTail())
            .roomType(type());
    }

    private static RoomType type()
    {
        return RoomType.of(TYPE, "counted", 4, Counted::new);
    }

    @BeforeEach
    void play(@TempDir final Path directory)
    {
        engine = Engine.launch(engineContext(monitor, directory));
        past = new PastRooms(engine.operator(),
            new RoomViews(Map.of(TYPE, new CountedView()), engine.operator()));
        roomId = engine.openRoom(TYPE).roomId();
        try (Player player = new Player(engine, "trunk"))
        {
            player.join(engine, roomId, 1);
        }
        Tests.await(() -> frames() > FRAMES, "frames");
    }

    @AfterEach
    void close()
    {
        past.close();
        engine.close();
    }

    @Test
    void shouldMoveThroughTheFramesOfARoom() throws HttpError
    {
        final Map<?, ?> range = json(past.range(roomId).toString());
        assertEquals((double)TYPE, range.get("type"));
        final long endMs = number(range, "end");
        assertTrue(endMs - number(range, "begin") > 1_000L * FRAMES / 60 - 100, range::toString);
        final ByteBuffer end = view(Map.of("at", Long.toString(endMs)));
        final long turn = end.getLong(0);
        final long last = end.getLong(17);
        assertTrue(last > FRAMES, () -> last + " frames");
        final ByteBuffer before = view(Map.of("turn", Long.toString(turn), "move", "-frame"));
        final long framesBefore = before.getLong(17);
        assertTrue(framesBefore < last, "a frame before");
        final ByteBuffer after = view(Map.of("turn", Long.toString(before.getLong(0)), "move", "frame"));
        assertEquals(framesBefore + 1, after.getLong(17));
        // The same place has the same bytes, from wherever it is reached.
        final ByteBuffer early = view(Map.of("at", Long.toString(endMs - 2_000)));
        assertTrue(early.getLong(17) < framesBefore - 60, "two seconds before");
        assertEquals(after, view(Map.of("turn", Long.toString(after.getLong(0)))));
        assertEquals(early, view(Map.of("at", Long.toString(endMs - 2_000))));
        final Map<?, ?> values = (Map<?, ?>)json(past.values(
            roomId, PastRooms.move(Map.of("turn", Long.toString(turn)))).toString()).get("values");
        assertEquals(Long.toString(last), values.get("frames"));
        assertEquals("1", values.get("joins"));
    }

    @Test
    void shouldShowWhatHappenedByTime() throws HttpError
    {
        try (Player player = new Player(engine, "unlucky"))
        {
            player.ask(roomId, UNLUCKY);
            Tests.await(
                () -> player.poll() && null == ConsoleTest.await(engine.operator().room(roomId)), "the failure");
        }
        Tests.await(() -> null != failure(), "the failure in the journal's files");
        final long failedMs = failure().getLong(8);
        final Map<?, ?> lanes = json(past.lanes(roomId, failedMs - 60_000, failedMs + 1_000).toString());
        assertEquals(false, lanes.get("isCut"));
        final List<?> failures = (List<?>)lanes.get("failures");
        assertEquals(1, failures.size(), lanes::toString);
        final Map<?, ?> failed = (Map<?, ?>)failures.get(0);
        assertEquals(failedMs, number(failed, "timeMs"));
        assertTrue(failed.get("text").toString().contains("unlucky"), failed::toString);
        assertEquals(PastLanes.PARTS, ((List<?>)lanes.get("commands")).size());
        // It opened, and two players joined.
        assertTrue(sum(lanes, "commands") >= 3, lanes::toString);
        // No other thread waits for a frame's deadline to the nanosecond.
        assertTrue(sum(lanes, "lateUs") > 0, lanes::toString);
        assertEquals(400, assertThrows(HttpError.class,
            () -> past.lanes(roomId, failedMs, failedMs + PastRooms.LANES_MS + 1)).status());
    }

    @Test
    void shouldHandOutALogThatRuns() throws HttpError
    {
        final ByteBuffer end = view(Map.of("at", Long.toString(number(json(past.range(roomId).toString()), "end"))));
        final byte[] log = past.log(roomId, PastRooms.move(Map.of("turn", Long.toString(end.getLong(0)))));
        final Replay replay = new Replay(LogFile.open(new UnsafeBuffer(log), 0, log.length),
            new HostContext().outputs(new CapturedOutputs()).roomType(type())
                .roomType(RoomType.of(ConsoleTest.TYPE, ConsoleTest.HOSTILE, 1, Counted::new))).run();
        assertTrue(replay.isSame(), replay::difference);
        assertEquals(end.getLong(17), ((Counted)replay.host().logic(roomId)).frames);
    }

    @Test
    void shouldRefuseWhatItCannotShow() throws HttpError
    {
        assertEquals(404, status(() -> past.range(roomId + (1L << 62))));
        assertEquals(404, status(() -> past.view(roomId, PastRooms.move(Map.of("turn", "1", "move", "failure")))));
        assertEquals(400, status(() -> PastRooms.move(Map.of("turn", "1", "move", "sideways"))));
        assertEquals(400, status(() -> PastRooms.move(Map.of("at", "noon"))));
        assertEquals(0, past.view(roomId + 1_024, PastRooms.move(Map.of("turn", "0"))).length - 16, "not open");
        try (Engine forgetful = ConsoleTest.launch(new MonitorContext());
            PastRooms none = new PastRooms(forgetful.operator(), past.views()))
        {
            final HttpError error = assertThrows(HttpError.class, () -> none.range(roomId));
            assertEquals(404, error.status());
            assertTrue(error.getMessage().contains("NO_LOG"), error.getMessage());
        }
    }

    /** A journal in use deletes what it needs no more. */
    @Test
    void shouldReopenThePastOnceWhenItCannotBeRead() throws HttpError
    {
        past.range(roomId);
        final AtomicInteger moves = new AtomicInteger();
        assertTrue(past.view(roomId, (opened) ->
        {
            if (0 == moves.getAndIncrement())
            {
                throw new IllegalStateException("deleted");
            }
            opened.seekEnd();
        }).length > 16);
        assertEquals(2, moves.get());
        assertEquals(404, status(() -> past.view(roomId, (opened) ->
        {
            moves.getAndIncrement();
            throw new IllegalStateException("deleted");
        })));
        assertEquals(4, moves.get());
    }

    /** Pages that look back do not hold all threads of the server. */
    @Test
    void shouldRefuseMoreThanWaitInItsQueue() throws InterruptedException
    {
        final CountDownLatch isHeld = new CountDownLatch(1);
        final CountDownLatch ends = new CountDownLatch(1);
        final Thread[] asking = new Thread[PastRooms.QUEUE_LIMIT + 1];
        for (int i = 0; i < asking.length; i++)
        {
            asking[i] = new Thread(() -> assertEquals(404, status(() -> past.view(roomId, (opened) ->
            {
                isHeld.countDown();
                try
                {
                    ends.await();
                }
                catch (final InterruptedException ex)
                {
                    Thread.currentThread().interrupt();
                }
                throw new HttpError(404, "done");
            }))));
            asking[i].start();
        }
        isHeld.await();
        Tests.await(() -> HttpError.BUSY == status(() -> past.view(roomId, (opened) ->
        {
            throw new HttpError(404, "done");
        })), "a full queue");
        ends.countDown();
        for (final Thread thread : asking)
        {
            thread.join();
        }
    }

    @FunctionalInterface
    private interface Asked
    {
        Object ask() throws HttpError;
    }

    private static int status(final Asked asked)
    {
        return assertThrows(HttpError.class, asked::ask).status();
    }

    private ByteBuffer view(final Map<String, String> query) throws HttpError
    {
        return ByteBuffer.wrap(past.view(roomId, PastRooms.move(query)));
    }

    /** Where the room failed, or null: the journal's thread may not have written that yet. */
    private ByteBuffer failure()
    {
        try
        {
            past.range(roomId);
            return view(Map.of("turn", "0", "move", "failure"));
        }
        catch (final HttpError ex)
        {
            return null;
        }
    }

    private long frames()
    {
        final Long count = ConsoleTest.await(engine.operator().read(roomId, (logic) -> ((Counted)logic).frames));
        frames = null == count ? frames : count;
        return frames;
    }

    private static Map<?, ?> json(final String text)
    {
        return (Map<?, ?>)JsonReader.parse(text);
    }

    private static long number(final Map<?, ?> object, final String name)
    {
        return ((Number)object.get(name)).longValue();
    }

    private static double sum(final Map<?, ?> lanes, final String name)
    {
        return ((List<?>)lanes.get(name)).stream().mapToDouble((value) -> ((Number)value).doubleValue()).sum();
    }
}
