package io.escapement.engine;

import io.escapement.engine.DurableEngineTest.Effects;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A durable engine is killed while its rooms work. */
@RealTime("a process is killed while it writes its journal")
class DurableEngineKillTest
{
    private static final long ACKED_BEFORE_KILL = 300;
    private static final String ACKED = "acked ";

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(value = Durability.Level.class, names = {"RECORDED", "SYNCED"})
    void shouldLoseNothingThatWasAcknowledgedWhenTheProcessIsKilled(final Durability.Level level)
    {
        final long acked;
        try (ChildJvm child = new ChildJvm(Server.class, List.of(), List.of(directory.toString(), level.name())))
        {
            Tests.await(() -> lastAcked(child) >= ACKED_BEFORE_KILL, "acknowledgements");
            child.kill();
            acked = lastAcked(child);
        }
        final Effects effects = new Effects();
        try (TestEngine engine = new TestEngine(DurableEngineTest.context(directory, level, effects)))
        {
            final List<RoomHandle> rooms = engine.engine().recoveredRooms(LedgerRoom.TYPE);
            assertEquals(1, rooms.size());
            final UnsafeBuffer report = new UnsafeBuffer(new byte[8]);
            report.putLong(0, LedgerRoom.REPORT);
            assertTrue(rooms.get(0).signal(report, 0, 8));
            engine.await("the report", () -> effects.reports.get() > 0);
            assertTrue(effects.count.get() >= acked, effects.count + " numbers, acknowledged were " + acked);
            assertEquals(0, effects.violations.get(), "a number is missing or ran twice");
            assertEquals(List.of(), engine.errors());
        }
    }

    private static long lastAcked(final ChildJvm child)
    {
        final List<String> lines = child.lines();
        for (int i = lines.size() - 1; i >= 0; i--)
        {
            if (lines.get(i).startsWith(ACKED))
            {
                return Long.parseLong(lines.get(i).substring(ACKED.length()));
            }
        }
        return 0;
    }

    /** An engine whose program sends numbers until it is killed. */
    static final class Server
    {
        private Server()
        {
        }

        public static void main(final String[] args)
        {
            final Effects printing = new Effects()
            {
                @Override
                void onNumber(final long number)
                {
                    System.out.println(ACKED + number);
                }
            };
            final EngineContext context =
                DurableEngineTest.context(Path.of(args[0]), Durability.Level.valueOf(args[1]), printing);
            final TestEngine engine = new TestEngine(context, ThreadingMode.SOLO);
            final RoomHandle room = engine.engine().openRoom(LedgerRoom.TYPE);
            final UnsafeBuffer number = new UnsafeBuffer(new byte[8]);
            for (long i = 1; engine.errors().isEmpty(); i++)
            {
                number.putLong(0, i);
                while (!room.signal(number, 0, 8))
                {
                    LockSupport.parkNanos(100_000);
                }
                LockSupport.parkNanos(50_000);
            }
            System.out.println("failed " + engine.errors());
        }
    }
}
