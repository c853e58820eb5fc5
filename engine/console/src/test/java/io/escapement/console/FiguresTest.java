package io.escapement.console;

import io.escapement.client.TrunkContext;
import io.escapement.codecs.room.KickDecoder;
import io.escapement.driver.guard.GuardCounter;
import io.escapement.engine.Durability;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.spi.Authenticator;
import io.escapement.rooms.output.RoomFigures;
import io.escapement.testsupport.JsonReader;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The figures that a page gets, beside the engine's counters. One engine that records, for all but the journal. */
@RealTime("how long a loop is held and works")
class FiguresTest
{
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long HELD_NS = TimeUnit.MILLISECONDS.toNanos(60);
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final double NS_A_SECOND = TimeUnit.SECONDS.toNanos(1);
    /** Between two events by the sampler's clock, so short that the load has digits. */
    private static final long ELAPSED_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final String LOOP = "escapement loop 0: ";

    private static Engine engine;
    private static ConsoleContext context;
    private static Console console;
    private static Api api;

    @BeforeAll
    static void start()
    {
        final MonitorContext monitor = new MonitorContext().intervalNs(INTERVAL_NS).stalls(STALL_NS, (stall) -> { });
        context = new ConsoleContext().observe(monitor);
        // The edge goes on while a loop is held.
        engine = Engine.launch(ConsoleTest.engineContext(monitor).threadingMode(ThreadingMode.SHARED)
            .roomType(Ordered.type()));
        console = Console.launch(context.engine(engine));
        api = new Api(console);
    }

    @AfterAll
    static void end()
    {
        if (null != console)
        {
            console.close();
            engine.close();
        }
    }

    /** Whatever a test that failed has left held. */
    @AfterEach
    void release()
    {
        Ordered.ENDS.release(Ordered.ENDS.getQueueLength());
    }

    @Test
    void shouldReportFaultsAndStallsWithTheirStacks()
    {
        final long failing = open(Ordered.Order.FAIL);
        final String failure = awaitFault("RoomFailure", "room " + failing + " of type " + Ordered.TYPE).toString();
        assertTrue(failure.contains("Caused by: java.lang.IllegalStateException: " + Ordered.FAILURE), failure);
        assertTrue(failure.contains("Ordered.onFrame(Ordered.java:"), failure);
        final long held = open(Ordered.Order.HOLD_FRAME);
        final String stall = awaitFault("Stall", "room " + held + " has held loop 0 for ").toString();
        Ordered.ENDS.release();
        assertTrue(stall.contains("Ordered.hold(Ordered.java:"), stall);
        assertTrue(engine.counter(LOOP + "stalls") > 0);
        close(held);
    }

    @Test
    void shouldReportTheLoadAndTheRatesOfALoop()
    {
        final long roomId = open(Ordered.Order.NONE);
        Tests.await(() -> !Thread.getAllStackTraces().isEmpty() && engine.counter("escapement jvm: safepoints") > 0,
            "a safepoint");
        final Sampler sampler = new Sampler(engine, context.history());
        final Map<String, Long> beforeFirst = counters();
        sampler.next(ELAPSED_NS);
        final Map<String, Long> afterFirst = counters();
        Tests.await(() -> counters().get(LOOP + "room-frames run") > afterFirst.get(LOOP + "room-frames run") + 5,
            "frames");
        final Map<String, Long> beforeSecond = counters();
        final Map<?, ?> event = event(sampler, 2 * ELAPSED_NS);
        final Map<String, Long> afterSecond = counters();
        final Map<?, ?> loop = Api.loop(event, 0);
        final Map<String, String> counterByFieldMap = Map.of("load", "nanoseconds at work",
            "frameLoad", "nanoseconds in frames", "frames", "room-frames run", "turns", "turns",
            "commands", "commands");
        counterByFieldMap.forEach((field, name) ->
        {
            final String label = LOOP + name;
            final double unit = name.startsWith("nanoseconds") ? ELAPSED_NS : ELAPSED_NS / NS_A_SECOND;
            assertBetween((beforeSecond.get(label) - afterFirst.get(label)) / unit, (Double)loop.get(field),
                (afterSecond.get(label) - beforeFirst.get(label)) / unit, field);
        });
        assertTrue((Double)loop.get("frames") > 2, loop::toString);
        for (final Map.Entry<String, String> gauge : Map.of("rooms", "rooms open", "timers", "timers set",
            "missed", "room-frames that never ran", "stalls", "stalls").entrySet())
        {
            assertBetween(beforeSecond.get(LOOP + gauge.getValue()), (Double)loop.get(gauge.getKey()),
                afterSecond.get(LOOP + gauge.getValue()), gauge.getKey());
        }
        assertTrue((Double)loop.get("timers") >= Ordered.TIMERS, loop::toString);
        final Map<?, ?> jvm = (Map<?, ?>)event.get("jvm");
        assertBetween(beforeSecond.get("escapement jvm: safepoints"), (Double)jvm.get("safepoints"),
            afterSecond.get("escapement jvm: safepoints"), "safepoints");
        assertTrue((Double)jvm.get("safepoints") > 0 && (Double)jvm.get("safepointMs") > 0, jvm::toString);
        close(roomId);
    }

    /** The governor takes a rate away from rooms that have no room, and lets no more of them in. */
    @Test
    void shouldReportTheStepsOfAnOverloadedLoopThatHasRoomForNoMore()
    {
        final Sampler sampler = new Sampler(engine, context.history());
        final long roomId = open(Ordered.Order.BURN);
        sampler.next(System.nanoTime());
        Tests.await(() -> engine.counter(LOOP + "steps down the frame ladder") > 0, "a step down");
        final long before = engine.counter(LOOP + "steps down the frame ladder");
        final Map<?, ?> loop = Api.loop(event(sampler, System.nanoTime()), 0);
        assertBetween(before, (Double)loop.get("step"), before + 1, "step");
        final double load = (Double)loop.get("load");
        final double rooms = (Double)loop.get("rooms");
        assertEquals(Math.floor(Math.max(0, (0.85 - load) * rooms / load)), (Double)loop.get("fit"), 1,
            loop::toString);
        assertTrue((Double)loop.get("fit") < rooms, loop::toString);
        close(roomId);
    }

    /** While it is held, commands of players and of programs wait, and the next intervals have how long. */
    @Test
    void shouldReportTheQueuesOfALoopAndHowLongItWorkedAndTheyWaited()
    {
        final Sampler sampler = new Sampler(engine, context.history());
        final long seated = open(Ordered.Order.NONE);
        final long free = open(Ordered.Order.NONE);
        try (Player player = new Player(engine, "queues"))
        {
            player.join(engine, seated, 1);
            final long held = open(Ordered.Order.HOLD_FRAME);
            awaitHold();
            player.ask(free, 2);
            Tests.await(() -> player.poll() && engine.operator().ringSize(0) > 0, "a join in the ring");
            final long sinceNs = System.nanoTime();
            for (int i = 0; i < 3; i++)
            {
                assertTrue(engine.operator().lockRoom(free, false));
            }
            Tests.await(() -> System.nanoTime() - sinceNs > HELD_NS, "some time");
            final long waiting = engine.operator().inboxSize(0);
            final Map<?, ?> loop = Api.loop(event(sampler, System.nanoTime()), 0);
            assertEquals(engine.operator().ringSize(0), ((Double)loop.get("ring")).longValue());
            assertBetween(waiting, (Double)loop.get("inbox"), engine.operator().inboxSize(0), "inbox");
            assertTrue((Double)loop.get("ring") > 0 && (Double)loop.get("inbox") >= 3, loop::toString);
            Ordered.ENDS.release();
            awaitMost(sampler, "ringWait");
            awaitMost(sampler, "frameWork");
            close(held);
        }
        final long opening = open(Ordered.Order.HOLD_OPEN);
        awaitHold();
        final long sinceNs = System.nanoTime();
        Tests.await(() -> System.nanoTime() - sinceNs > HELD_NS, "some time");
        Ordered.ENDS.release();
        // The mean of the commands of its turn, in which the closes of the player and its room may be.
        Tests.await(() -> most(sampler, "commandWork") >= us(HELD_NS / 8), "commandWork");
        Tests.await(() -> (Double)Api.loop(event(sampler, System.nanoTime()), 0).get("longest") >= us(HELD_NS),
            "the longest turn");
        List.of(seated, free, opening).forEach(FiguresTest::close);
    }

    @Test
    void shouldReportARoomWithItsTimersOutputAndRefusals()
    {
        final long roomId = open(Ordered.Order.NONE);
        try (Player player = new Player(engine, "figures"))
        {
            player.join(engine, roomId, 5);
            assertTrue(engine.operator().kick(roomId, 99));
            Tests.await(() -> player.poll() && figures(roomId).refusals() > 0 && figures(roomId).sentBytes() > 1_000,
                "a refusal, and output");
            final RoomFigures before = figures(roomId);
            final Map<?, ?> room = api.data("/api/room?id=" + roomId);
            final RoomFigures after = figures(roomId);
            assertEquals((double)Ordered.TIMERS, room.get("timers"));
            assertEquals((double)before.rateHz(), room.get("rate"));
            assertBetween(before.sentBytes(), (Double)room.get("sentBytes"), after.sentBytes(), "sentBytes");
            assertBetween(before.callbacks(), (Double)room.get("callbacks"), after.callbacks(), "callbacks");
            assertEquals(1.0, room.get("refusals"));
            assertEquals(List.of(Map.of("seat", -1.0, "template", (double)KickDecoder.TEMPLATE_ID,
                "code", "NOT_JOINED")), room.get("lastRefusals"));
            assertEquals(List.of(Map.of("index", 0.0, "player", "5", "isPresent", true, "sequence", 0.0)),
                room.get("seats"));
        }
        close(roomId);
    }

    @Test
    void shouldReportTheSnapshotsOfAJournal(@TempDir final Path directory)
    {
        final MonitorContext monitor = new MonitorContext().intervalNs(INTERVAL_NS);
        final ConsoleContext observing = new ConsoleContext().observe(monitor);
        final int tailLength = 1 << 22;
        // A turn waits for the disk, not for memory alone.
        final EngineContext options = ConsoleTest.engineContext(monitor).roomType(Ordered.type())
            .durability(Durability.journal(directory).acknowledge(Durability.Level.SYNCED).tailLength(tailLength)
                .segmentLength(2 * tailLength).tailDirectory(directory).snapshotIntervalNs(INTERVAL_NS));
        try (Engine durable = Engine.launch(options))
        {
            final UnsafeBuffer none = Ordered.arguments(Ordered.Order.NONE);
            durable.openRoom(Ordered.TYPE, none, 0, none.capacity());
            Tests.await(() -> durable.counter(LOOP + "snapshots") >= 2, "two snapshots");
            final long before = durable.counter(LOOP + "snapshots");
            final Map<?, ?> loop = storage(durable, observing);
            assertBetween(before, (Double)loop.get("snapshots"), durable.counter(LOOP + "snapshots"), "snapshots");
            assertEquals(0.0, loop.get("snapshotsFailed"));
            assertEquals(0.0, loop.get("blocked"));
            Tests.await(() -> most((List<?>)storage(durable, observing).get("commitWait")) > 0, "a wait for the log");
            Tests.await(() -> (Double)storage(durable, observing).get("replayMs") > 0, "work behind a snapshot");
        }
    }

    /** Its trunk leaves the feed when the loop is held for longer than a feed is silent. */
    @Test
    void shouldReportTheFeedOfALoop()
    {
        final MonitorContext monitor = new MonitorContext();
        final ConsoleContext observing = new ConsoleContext().observe(monitor);
        final EngineContext options =
            ConsoleTest.engineContext(monitor).threadingMode(ThreadingMode.SHARED).roomType(Ordered.type());
        // A driver with an endpoint has guards.
        options.trunks().udp("127.0.0.1:" + Tests.freePort(), "127.0.0.1:" + Tests.freePort())
            .secret(ConsoleTest.SECRET, Authenticator.Verdict.TRUSTED.feed(true));
        try (Engine fed = Engine.launch(options);
            Player player = new Player(fed, new TrunkContext().feed("127.0.0.1:0")))
        {
            final Sampler sampler = new Sampler(fed, observing.history());
            assertNull(Api.loop(event(sampler, ELAPSED_NS), 0).get("feedReceivers"), "none yet");
            player.join(fed, open(fed, Ordered.Order.NONE), 1);
            final String packets = LOOP + "packets of its feed";
            final String receivers = LOOP + "trunks that receive its feed";
            final String left = "escapement edge: feeds that trunks left";
            Tests.await(() -> player.poll() && fed.counter(packets) > 0, "the feed");
            sampler.next(2 * ELAPSED_NS);
            final long before = fed.counter(packets);
            Tests.await(() -> player.poll() && fed.counter(packets) >= before + 3, "packets");
            player.guard(GuardCounter.FEED_MISSED).setRelease(3);
            player.guard(GuardCounter.FEED_IGNORED).setRelease(5);
            Tests.await(() -> player.poll() && 3 == fed.counter("escapement driver: feed datagrams missed") &&
                5 == fed.counter("escapement driver: feed NAKs and errors ignored"), "copies of the driver's");
            final Map<?, ?> event = event(sampler, 3 * ELAPSED_NS);
            assertEquals(1.0, Api.loop(event, 0).get("feedReceivers"));
            assertBetween(3 / (ELAPSED_NS / NS_A_SECOND), (Double)Api.loop(event, 0).get("feedPackets"),
                fed.counter(packets) / (ELAPSED_NS / NS_A_SECOND), "feedPackets");
            assertEquals(Map.of("missed", 3.0, "ignored", 5.0, "left", (double)fed.counter(left)), event.get("feeds"));

            final long leftBefore = fed.counter(left);
            open(fed, Ordered.Order.HOLD_FRAME);
            awaitHold();
            Tests.await(() -> player.poll() && fed.counter(left) > leftBefore, "the trunk to leave");
            Ordered.ENDS.release();
            Tests.await(() -> 0 == fed.counter(receivers), "the loop to hear of it");
            final Map<?, ?> last = event(sampler, 4 * ELAPSED_NS);
            assertEquals(0.0, Api.loop(last, 0).get("feedReceivers"));
            assertEquals((double)fed.counter(left), ((Map<?, ?>)last.get("feeds")).get("left"));
        }
        final Map<?, ?> unguarded = (Map<?, ?>)event(new Sampler(engine, context.history()), ELAPSED_NS).get("feeds");
        assertNull(unguarded.get("missed"));
        assertNull(unguarded.get("ignored"));
    }

    private static long open(final Ordered.Order order)
    {
        return open(engine, order);
    }

    private static long open(final Engine in, final Ordered.Order order)
    {
        final UnsafeBuffer arguments = Ordered.arguments(order);
        return in.openRoom(Ordered.TYPE, arguments, 0, arguments.capacity()).roomId();
    }

    private static void close(final long roomId)
    {
        assertTrue(engine.operator().closeRoom(roomId));
        Tests.await(() -> null == ConsoleTest.await(engine.operator().room(roomId)), "the close");
    }

    private static void awaitHold()
    {
        Tests.await(Ordered.ENDS::hasQueuedThreads, "a callback that holds the loop");
    }

    private static RoomFigures figures(final long roomId)
    {
        return ConsoleTest.await(engine.operator().figures(roomId));
    }

    private static Map<String, Long> counters()
    {
        final Map<String, Long> valueByLabelMap = new HashMap<>();
        engine.operator().forEachCounter((typeId, label, isGauge, value) -> valueByLabelMap.put(label, value));
        return valueByLabelMap;
    }

    private static Map<?, ?> event(final Sampler sampler, final long nowNs)
    {
        return (Map<?, ?>)JsonReader.parse(new String(sampler.next(nowNs), StandardCharsets.US_ASCII));
    }

    private static Map<?, ?> storage(final Engine of, final ConsoleContext observing)
    {
        final RoomCosts costs = new RoomCosts(of.operator()::runningRoom, of.loops(), 0);
        final Reports reports = new Reports(of, observing.history(), costs);
        return Api.loop((Map<?, ?>)JsonReader.parse(reports.storage().toString()), 0);
    }

    private static Map<?, ?> awaitFault(final String kind, final String start)
    {
        final Map<?, ?>[] found = new Map<?, ?>[1];
        Tests.await(() ->
        {
            for (final Object one : (List<?>)api.data("/api/faults").get("faults"))
            {
                final Map<?, ?> fault = (Map<?, ?>)one;
                found[0] = kind.equals(fault.get("kind")) && fault.get("text").toString().startsWith(start) ?
                    fault : found[0];
            }
            return null != found[0];
        }, kind + ": " + start);
        return found[0];
    }

    /** Until the histograms of the last interval have as much as the loop was held. */
    private static void awaitMost(final Sampler sampler, final String field)
    {
        Tests.await(() -> most(sampler, field) >= us(HELD_NS), field);
    }

    private static double most(final Sampler sampler, final String field)
    {
        return most((List<?>)Api.loop(event(sampler, System.nanoTime()), 0).get(field));
    }

    /** The last of p50, p99 and the most, in us, which are in this order. */
    private static double most(final List<?> summary)
    {
        assertTrue((Double)summary.get(0) <= (Double)summary.get(1) && (Double)summary.get(1) <= (Double)summary.get(2),
            summary::toString);
        return (Double)summary.get(2);
    }

    private static double us(final long ns)
    {
        return ns / 1e3;
    }

    /** Numbers of an answer have three decimals. */
    private static void assertBetween(
        final double least, final double value, final double most, final String name)
    {
        assertTrue(value >= least - 0.001 && value <= most + 0.001,
            () -> name + ": " + value + ", not from " + least + " to " + most);
    }
}
