package io.escapement.accounts;

import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The database is killed and started again, or made to stand still and let go on, while rooms ask. */
@EnabledIfSystemProperty(named = "escapement.tests", matches = "full")
@Timeout(120)
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
    void shouldLoseNothingWhenTheServerIsKilledAndStartedAgain() throws InterruptedException
    {
        try (World world = world())
        {
            final Players players = new Players(world, 1);
            for (int i = 0; i < 3; i++)
            {
                players.awaitSteps(200);
                final int before = players.held() + players.refused();
                database.kill();
                Tests.await(() -> players.held() + players.refused() > before + 100, "players to feel it");
                database.start();
            }
            players.awaitSteps(200);
            players.end("killed");
            assertTrue(players.held() > 0 && players.refused() > 0, "both was met");
            assertEquals(0, world.logIn("player0", World.PASSWORD).status());
        }
    }

    @Test
    void shouldLoseNothingWhenTheServerStandsStill() throws InterruptedException
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
                    world.ask(Credentials.logIn("player0", World.bytes(World.PASSWORD), "10.0.0.9"));
                Tests.await(() -> players.held() + players.refused() > before + 100, "players to feel it");
                database.thaw();
                final int status = World.await(late).status();
                assertTrue(0 == status || AccountCode.DATABASE_DOWN.value() == status, () -> "status " + status);
            }
            players.awaitSteps(200);
            players.end("stood still");
            assertTrue(players.held() > 0 && players.refused() > 0, "both was met");
        }
        finally
        {
            database.thaw();
        }
    }

    private static World world()
    {
        return new World(database.newUrl(), (context) -> context.serviceWorkers(4)
            .waitForDatabaseNs(World.SHORT_WAIT_NS)
            .connectTimeoutMs(500).answerTimeoutMs(1_000)
            .minRetryNs(TimeUnit.MILLISECONDS.toNanos(10)).maxRetryNs(TimeUnit.MILLISECONDS.toNanos(200)));
    }
}
