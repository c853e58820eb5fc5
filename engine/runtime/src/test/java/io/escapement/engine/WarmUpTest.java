package io.escapement.engine;

import io.escapement.config.ConfigException;
import io.escapement.engine.internal.queue.WarmUpIdleStrategy;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The warm-up of an engine, with compilers and a clock that the test moves. */
class WarmUpTest
{
    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(100);

    @TempDir
    private Path directory;

    private final AtomicInteger opened = new AtomicInteger();
    private long nowNs;
    private long compiledMs;

    @Test
    void shouldSeeCompilersRestInAWindowInWhichTheyHardlyWork()
    {
        final Compilers compilers = new Compilers(WINDOW_NS, () -> compiledMs);
        assertFalse(compilers.rest(0), "no window has ended");
        compiledMs = 6;
        assertFalse(compilers.rest(WINDOW_NS - 1));
        assertFalse(compilers.rest(WINDOW_NS), "6 of 500 ms");
        compiledMs += 5;
        assertFalse(compilers.rest(2 * WINDOW_NS - 1));
        assertTrue(compilers.rest(2 * WINDOW_NS), "5 of 500 ms");
        compiledMs += 500;
        assertFalse(compilers.rest(3 * WINDOW_NS));
    }

    @Test
    void shouldParkUntilTheWarmUpIsOver()
    {
        final WarmUp warmUp = new WarmUp().byApplication();
        final AtomicInteger spins = new AtomicInteger();
        final WarmUpIdleStrategy strategy = new WarmUpIdleStrategy(warmUp::isOver, new Spins(spins));
        strategy.idle(0);
        strategy.idle(1);
        strategy.idle();
        assertEquals(0, spins.get(), "parked");
        warmUp.end();
        strategy.idle(0);
        strategy.idle(1);
        strategy.idle();
        assertEquals(3, spins.get());
    }

    @Test
    void shouldWaitUntilTheCompilersRest()
    {
        // They work for a second.
        final WarmUp warmUp =
            new WarmUp().compilers(() -> TimeUnit.NANOSECONDS.toMillis(Math.min(nowNs, 10 * STEP_NS)));
        warmUp.await(true, steps());
        assertTrue(warmUp.isOver());
        assertTrue(nowNs >= 2 * WINDOW_NS + 10 * STEP_NS && nowNs < WarmUp.LIMIT_NS_DEFAULT, "waited ns: " + nowNs);
    }

    @Test
    void shouldWaitNoLongerThanItsLimit()
    {
        final WarmUp warmUp = new WarmUp().limitNs(20 * STEP_NS).compilers(() -> ++compiledMs * 100);
        warmUp.await(true, steps());
        assertTrue(warmUp.isOver());
        assertEquals(20 * STEP_NS, nowNs, 3 * STEP_NS);

        nowNs = 0;
        new WarmUp().limitNs(0).compilers(() -> ++compiledMs * 100).await(true, steps());
        assertTrue(nowNs <= 2 * STEP_NS, "it waited without a warm-up");
    }

    @Test
    void shouldWaitForNothingWhereThreadsParkOrTheProgramDecides()
    {
        final WarmUp parked = new WarmUp();
        parked.await(false, steps());
        assertTrue(parked.isOver() && nowNs <= 2 * STEP_NS);

        final WarmUp byApplication = new WarmUp().byApplication();
        byApplication.await(true, steps());
        assertFalse(byApplication.isOver());
    }

    @Test
    void shouldRunALogAgainAndAgain()
    {
        try (TestEngine engine = new TestEngine(context().recordTo(directory)))
        {
            engine.engine().openRoom(1);
            engine.await("the room", () -> 1 == opened.get());
        }
        // The third window is the first one without work.
        new WarmUp().log(directory).compilers(() -> nowNs < 2 * WINDOW_NS ? nowNs : 2 * WINDOW_NS)
            .runLog(context(), steps());
        assertTrue(opened.get() > 3, "rooms opened in the log's runs: " + opened);

        final int before = opened.get();
        new WarmUp().log(directory).limitNs(0).runLog(context(), steps());
        assertEquals(before, opened.get(), "it ran without a warm-up");
    }

    @Test
    void shouldRefuseALogThatDoesNotFit() throws Exception
    {
        final Path none = directory.resolve("none");
        assertEquals("warmUp.log: " + none + ": name the directory of a recording or a journal",
            assertThrows(ConfigException.class, () -> new WarmUp().log(none)).getMessage());
        final Path rubbish = Files.createDirectory(directory.resolve("rubbish"));
        final EngineContext context =
            context().threadingMode(ThreadingMode.INVOKER).warmUp(new WarmUp().log(rubbish));
        context.trunks().ipc(true).secret(TestTrunk.SECRET, true);
        final ConfigException refused = assertThrows(ConfigException.class, () -> Engine.launch(context));
        assertTrue(refused.getMessage().startsWith("warmUp.log: " + rubbish + ": "), refused.getMessage());
    }

    private NanoClock steps()
    {
        return () -> nowNs += STEP_NS;
    }

    private EngineContext context()
    {
        return new EngineContext().roomType(RoomType.of(1, "counted", 1, Counted::new).seats(1)).loops(1);
    }

    /** Counts how often it is opened, in replays too. */
    private final class Counted implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            opened.incrementAndGet();
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException("nobody is seated");
        }
    }

    private record Spins(AtomicInteger count) implements IdleStrategy
    {
        @Override
        public void idle(final int workCount)
        {
            count.incrementAndGet();
        }

        @Override
        public void idle()
        {
            count.incrementAndGet();
        }

        @Override
        public void reset()
        {
            count.set(0);
        }
    }
}
