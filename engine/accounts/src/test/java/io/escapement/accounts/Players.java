package io.escapement.accounts;

import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Several players, with a worker and a thread each. */
final class Players
{
    private static final int COUNT = 3;

    private final List<Player> all = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final World world;

    Players(final World world, final long seed)
    {
        this.world = world;
        for (int i = 0; i < COUNT; i++)
        {
            final Player player =
                new Player(new ServiceClient(world.accounts()), world.account("player" + i), seed + i);
            all.add(player);
            threads.add(new Thread(player, "player-" + i));
        }
        threads.forEach(Thread::start);
    }

    void awaitSteps(final int more)
    {
        final int[] from = all.stream().mapToInt((player) -> player.steps).toArray();
        Tests.await(() ->
        {
            for (int i = 0; i < COUNT; i++)
            {
                if (null == all.get(i).failure && all.get(i).steps < from[i] + more)
                {
                    return false;
                }
            }
            return true;
        }, "players to make progress");
    }

    int held()
    {
        return all.stream().mapToInt((player) -> player.held).sum();
    }

    int refused()
    {
        return all.stream().mapToInt((player) -> player.refused).sum();
    }

    /** Stops the players and compares their expectations with the database. */
    void end(final String message) throws InterruptedException
    {
        all.forEach((player) -> player.isStopped = true);
        for (final Thread thread : threads)
        {
            thread.join();
        }
        for (final Player player : all)
        {
            if (null != player.failure)
            {
                throw new AssertionError(message, player.failure);
            }
        }
        assertTrue(world.accounts().flush(TimeUnit.SECONDS.toNanos(20)), message + ": saves are pending");
        for (final Player player : all)
        {
            player.check();
        }
        assertEquals(COUNT + all.stream().mapToInt(Player::keys).sum(),
            world.number("SELECT COUNT(*) FROM idempotency_key"), message + ": one key per create, delete and sign-up");
    }
}
