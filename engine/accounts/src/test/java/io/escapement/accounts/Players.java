package io.escapement.accounts;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Several players, each with a worker and a thread of its own. */
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
        }, "players to get on");
    }

    int held()
    {
        return all.stream().mapToInt((player) -> player.held).sum();
    }

    int refused()
    {
        return all.stream().mapToInt((player) -> player.refused).sum();
    }

    /** Ends them, and holds what they know against what is there. */
    void end(final String what) throws InterruptedException
    {
        all.forEach((player) -> player.isToEnd = true);
        for (final Thread thread : threads)
        {
            thread.join(TimeUnit.SECONDS.toMillis(20));
        }
        for (final Player player : all)
        {
            if (null != player.failure)
            {
                throw new AssertionError(what, player.failure);
            }
        }
        assertTrue(world.accounts().flush(TimeUnit.SECONDS.toNanos(20)), what + ": saves are held");
        for (final Player player : all)
        {
            player.check();
        }
        assertEquals(COUNT + all.stream().mapToInt(Player::effects).sum(),
            world.number("SELECT COUNT(*) FROM effect"), what + ": each effect once, sign-ups counted in");
    }
}
