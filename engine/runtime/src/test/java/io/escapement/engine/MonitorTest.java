package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.config.ConfigException;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.monitor.Stall;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.RealTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Watchdog, governor, metrics, histograms and jobs of a running engine. */
@RealTime("what a monitor measures of an engine with threads")
class MonitorTest
{
    private static final int APPLES = 12;
    private static final int TYPE = 1;
    private static final int HZ = 60;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
    private volatile long frameWorkNs;
    private volatile long messageWorkNs;

    @TempDir
    Path directory;

    @Test
    void shouldNameTheRoomThatHoldsItsLoop()
    {
        final ConcurrentLinkedQueue<Stall> stalls = new ConcurrentLinkedQueue<>();
        final MonitorContext watch = new MonitorContext()
            .stallWarmUp(0).stalls(TimeUnit.MILLISECONDS.toNanos(20), stalls::add);
        try (TestEngine engine = engine(watch); TestTrunk trunk = TestTrunk.over(engine))
        {
            engine.engine().openRoom(TYPE);
            final long roomId = engine.engine().openRoom(TYPE).roomId();
            final ClientSeat seat = trunk.join(engine, roomId, 7);
            messageWorkNs = TimeUnit.MILLISECONDS.toNanos(200);
            engine.await("to send", trunk, () -> SendStatus.SENT == trunk.client().send(seat, message, 0, 8));
            engine.await("the watchdog", trunk, () -> !stalls.isEmpty());
            messageWorkNs = 0;
            final Stall stall = stalls.peek();
            assertEquals(roomId, stall.roomId());
            assertEquals(0, stall.loop());
            assertTrue(List.of(stall.getStackTrace()).toString().contains("MonitorTest.work"), stall::toString);
        }
        assertEquals(1, stalls.size(), "a stalled turn is reported once");
    }

    @Test
    void shouldLowerTheRateOfALoopThatIsBusyAndRaiseItAgain() throws Exception
    {
        try (TestEngine engine = engine(new MonitorContext().metricsPort(0)))
        {
            engine.engine().openRoom(TYPE);
            frameWorkNs = TimeUnit.SECONDS.toNanos(1) / HZ;
            engine.await("a step down", () -> metric(engine, "escapement_loop_steps_down_the_frame_ladder") >= 1);
            frameWorkNs = 0;
            engine.await("steps up", () -> metric(engine, "escapement_loop_steps_down_the_frame_ladder") == 0);
        }
    }

    @Test
    void shouldShowWhatRoomsCount() throws Exception
    {
        try (TestEngine engine = engine(new MonitorContext().metricsPort(0).counter(APPLES, "apples picked")))
        {
            engine.engine().openRoom(TYPE);
            engine.engine().openRoom(TYPE);
            engine.await("both rooms", () -> metric(engine, "escapement_loop_rooms_open") == 2);
            assertEquals(6, metric(engine, "escapement_loop_room_counts_total{counter=\"apples picked\",loop=\"0\"}"));
            assertEquals(8, metric(engine, "escapement_loop_room_counts_total" +
                "{counter=\"counted by rooms under no name\",loop=\"0\"}"));
        }
        final MonitorContext context = new MonitorContext().counter(APPLES, "apples picked");
        assertEquals("counter: 12: named apples picked already, choose another id", assertThrows(ConfigException.class,
            () -> context.counter(APPLES, "pears picked")).getMessage());
    }

    @Test
    void shouldServeMetricsAndHealth() throws Exception
    {
        try (TestEngine engine = engine(new MonitorContext().metricsPort(0).intervalNs(100_000_000)))
        {
            engine.engine().openRoom(TYPE);
            engine.await("frames", () -> metric(engine, "escapement_loop_frame_lateness_seconds_count") > 10);
            assertEquals(1, metric(engine, "escapement_loop_rooms_open"));
            assertTrue(metric(engine, "escapement_loop_turns_total") > 10);
            engine.await("commands of turns", () -> metric(engine, "escapement_loop_turn_commands_sum") ==
                metric(engine, "escapement_loop_commands_total"));
            assertTrue(metric(engine, "escapement_loop_turn_commands_count") >= 1);
            final double safepoints = metric(engine, "escapement_jvm_safepoints_total");
            final double safepointSeconds = metric(engine, "escapement_jvm_safepoints_seconds_total");
            System.gc();
            engine.await("a safepoint", () -> metric(engine, "escapement_jvm_safepoints_total") > safepoints &&
                metric(engine, "escapement_jvm_safepoints_seconds_total") > safepointSeconds);
            assertEquals(0, metric(engine, "escapement_service_requests_total{service=\"4 a name: of it\"}"));
            assertEquals(0, metric(engine, "escapement_edge_trunks_up"));
            assertEquals(0, metric(engine, "escapement_edge_refusals_total{code=\"BAD_CREDENTIALS\"}"));
            assertEquals(0, metric(engine, "escapement_loop_refusals_total{code=\"ROOM_FULL\",loop=\"0\"}"));
            assertEquals(200, get(engine, "/health").statusCode());
            assertEquals(200, get(engine, "/ready").statusCode());
            assertEquals(404, get(engine, "/other").statusCode());
        }
    }

    @Test
    void shouldNameAPortThatIsTaken() throws IOException
    {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final ConfigException refused = assertThrows(ConfigException.class,
                () -> engine(new MonitorContext().metricsPort(taken.getLocalPort())));
            assertTrue(refused.getMessage().startsWith("metricsPort: " + taken.getLocalPort()), refused::toString);
        }
    }

    /** The address is another of the loopback interface: others are the firewall's affair. */
    @Test
    void shouldServeMetricsOnAnotherAddress() throws Exception
    {
        try (TestEngine engine = engine(new MonitorContext().metricsHost("127.0.0.9").metricsPort(0)))
        {
            final URI uri = URI.create("http://127.0.0.9:" + engine.engine().metricsPort() + "/health");
            final HttpResponse<String> health = HttpClient.newHttpClient().send(
                HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
            assertEquals(200, health.statusCode());
        }
        assertEquals("metricsHost: no such host: use a name or an address of this host",
            assertThrows(ConfigException.class, () -> new MonitorContext().metricsHost("no such host")).getMessage());
    }

    @Test
    void shouldWriteHistogramsOfEveryInterval() throws Exception
    {
        final Path file = directory.resolve("engine.hlog");
        try (TestEngine engine = engine(new MonitorContext().histogramLog(file).intervalNs(100_000_000)))
        {
            engine.engine().openRoom(TYPE);
            engine.await("intervals", () -> file.toFile().length() > 3_000);
        }
        final Set<String> tags = new TreeSet<>();
        long frames = 0;
        long openingTurns = 0;
        try (HistogramLogReader reader = new HistogramLogReader(file.toFile()))
        {
            for (EncodableHistogram one = reader.nextIntervalHistogram(); null != one;
                one = reader.nextIntervalHistogram())
            {
                tags.add(one.getTag());
                openingTurns += "loop-0.turnCommands".equals(one.getTag()) ? ((Histogram)one).getTotalCount() : 0;
                frames += "loop-0.frameLateness".equals(one.getTag()) ? ((Histogram)one).getTotalCount() : 0;
            }
        }
        assertTrue(tags.containsAll(Set.of("loop-0.frameLateness", "loop-0.frameWork", "loop-0.commandWork")),
            tags::toString);
        assertTrue(frames > 10, "frames: " + frames);
        assertTrue(openingTurns >= 1, "the turn that opened the room ran a command");
    }

    @Test
    void shouldRunPeriodicJobsWhateverTheyThrow() throws Exception
    {
        try (TestEngine engine = engine(new MonitorContext()))
        {
            final AtomicInteger runs = new AtomicInteger();
            final AtomicInteger throwing = new AtomicInteger();
            final AutoCloseable job = engine.engine().every(10_000_000, runs::incrementAndGet);
            final AutoCloseable other = engine.engine().every(10_000_000, () ->
            {
                throwing.incrementAndGet();
                throw new IllegalStateException("on purpose");
            });
            engine.await("runs", () -> runs.get() > 5 && throwing.get() > 5);
            other.close();
            job.close();
            final int last = runs.get();
            final AtomicInteger later = new AtomicInteger();
            engine.engine().every(10_000_000, later::incrementAndGet);
            engine.await("a while", () -> later.get() > 3);
            assertTrue(runs.get() <= last + 1, "a closed job runs at most once more");
            engine.errors().removeIf((ex) -> "on purpose".equals(ex.getMessage()));
        }
    }

    @Test
    void shouldDetectAStallWhileAJobBlocks() throws Exception
    {
        final ConcurrentLinkedQueue<Stall> stalls = new ConcurrentLinkedQueue<>();
        final CountDownLatch isBlocked = new CountDownLatch(1);
        final CountDownLatch release = new CountDownLatch(1);
        final MonitorContext monitor = new MonitorContext()
            .stallWarmUp(0).stalls(TimeUnit.MILLISECONDS.toNanos(20), stalls::add);
        try (TestEngine engine = engine(monitor); TestTrunk trunk = TestTrunk.over(engine))
        {
            final ClientSeat seat = trunk.join(engine, engine.engine().openRoom(TYPE).roomId(), 7);
            stalls.clear();
            engine.engine().every(1_000_000, () ->
            {
                isBlocked.countDown();
                try
                {
                    release.await();
                }
                catch (final InterruptedException ex)
                {
                    Thread.currentThread().interrupt();
                }
            });
            try
            {
                assertTrue(isBlocked.await(10, TimeUnit.SECONDS), "the job runs");
                messageWorkNs = TimeUnit.MILLISECONDS.toNanos(200);
                engine.await("to send", trunk, () -> SendStatus.SENT == trunk.client().send(seat, message, 0, 8));
                engine.await("the watchdog", trunk, () -> !stalls.isEmpty());
            }
            finally
            {
                messageWorkNs = 0;
                release.countDown();
            }
        }
    }

    @Test
    void shouldNameAWrongOption()
    {
        final MonitorContext watch = new MonitorContext();
        assertEquals("metricsPort: 70000: use 0 to 65535",
            assertThrows(ConfigException.class, () -> watch.metricsPort(70_000)).getMessage());
        assertEquals("ladder of type 3: 60: use descending rates from 1 to 1000 Hz",
            assertThrows(ConfigException.class, () -> watch.ladder(3, 30, 60)).getMessage());
    }

    private TestEngine engine(final MonitorContext watch)
    {
        return new TestEngine(new EngineContext().loops(1).service(4, "a name: of it", 1, () -> (request) -> 0)
            .roomType(RoomType.of(TYPE, "working", 1, Working::new)).monitor(watch), ThreadingMode.SOLO);
    }

    private double metric(final TestEngine engine, final String name)
    {
        final HttpResponse<String> metrics = get(engine, "/metrics");
        assertEquals(200, metrics.statusCode(), metrics.body());
        for (final String line : metrics.body().split("\n"))
        {
            if (line.startsWith(name + " ") || line.startsWith(name + "{"))
            {
                return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
            }
        }
        return -1;
    }

    private HttpResponse<String> get(final TestEngine engine, final String path)
    {
        try
        {
            return HttpClient.newHttpClient().send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + engine.engine().metricsPort() + path)).build(),
                HttpResponse.BodyHandlers.ofString());
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private void work(final long ns)
    {
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < ns)
        {
            Thread.onSpinWait();
        }
    }

    private final class Working implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            room.frameRate(HZ);
            room.count(APPLES, 3);
            room.count(APPLES + 1, 4);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            work(messageWorkNs);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            work(frameWorkNs);
        }
    }
}
