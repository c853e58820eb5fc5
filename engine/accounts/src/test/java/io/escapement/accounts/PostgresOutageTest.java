package io.escapement.accounts;

import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The database is killed and restarted, or frozen and thawed, under load. */
@RealTime("PostgreSQL, which is stopped and killed")
class PostgresOutageTest
{
    private static PostgresDatabase database;

    @BeforeAll
    static void start(@TempDir final Path folder)
    {
        database = new PostgresDatabase(folder);
    }

    @AfterAll
    static void stop()
    {
        database.close();
    }

    @Test
    void shouldLoseNothingWhenTheServerIsKilledAndRestarted() throws InterruptedException
    {
        try (World world = world())
        {
            final Players players = new Players(world, 1);
            for (int i = 0; i < 3; i++)
            {
                players.awaitSteps(200);
                final int before = players.held() + players.refused();
                database.kill();
                Tests.await(() -> players.held() + players.refused() > before + 100, "players to notice");
                database.start();
            }
            players.awaitSteps(200);
            players.end("killed");
            assertTrue(players.held() > 0 && players.refused() > 0, "both held and refused requests");
            assertEquals(0, world.logIn("player0", World.PASSWORD).status());
        }
    }

    @Test
    void shouldLoseNothingWhenTheServerFreezes() throws InterruptedException
    {
        try (World world = world())
        {
            final Players players = new Players(world, 2);
            for (int i = 0; i < 3; i++)
            {
                players.awaitSteps(200);
                final int before = players.held() + players.refused();
                database.freeze();
                final BlockingQueue<World.Answer> late =
                    world.submit(Credentials.logIn("player0", World.bytes(World.PASSWORD), "10.0.0.9"));
                Tests.await(() -> players.held() + players.refused() > before + 100, "players to notice");
                database.thaw();
                final int status = World.await(late).status();
                assertTrue(0 == status || AccountCode.DATABASE_DOWN.value() == status, () -> "status " + status);
            }
            players.awaitSteps(200);
            players.end("frozen");
            assertTrue(players.held() > 0 && players.refused() > 0, "both held and refused requests");
        }
        finally
        {
            database.thaw();
        }
    }

    private static World world()
    {
        return new World(database.newUrl(), (context) -> context.serviceWorkers(4)
            .databaseTimeoutNs(World.SHORT_TIMEOUT_NS)
            .connectTimeoutMs(500).responseTimeoutMs(1_000)
            .minRetryNs(TimeUnit.MILLISECONDS.toNanos(10)).maxRetryNs(TimeUnit.MILLISECONDS.toNanos(200)));
    }
}
