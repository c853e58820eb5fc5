package io.escapement.rooms.host;

import io.escapement.rooms.RoomType;
import io.escapement.testsupport.Tests;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class ThreadGuardTest
{
    private static final int COMPILED_READS = 50_000_000;

    private final ThreadGuard guard = new ThreadGuard();
    private final CountDownLatch isCompiled = new CountDownLatch(1);
    private final CountDownLatch isSeen = new CountDownLatch(1);

    @Test
    void shouldShowTheRunningRoomToAThreadThatPollsForIt() throws InterruptedException
    {
        final Thread watchdog = new Thread(this::poll, "watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
        isCompiled.await();
        guard.beginTurn();
        guard.enter(new RoomIdentity(RoomType.of(1, "any", 1, () -> null), 1, 7, 1, 0, new RoomLimits(1, 0, 1, 1, 1)));
        Tests.await(() -> 0 == isSeen.getCount(), "a compiled loop to see the running room");
        assertEquals(7, guard.runningRoomId());
        guard.exit();
        assertEquals(0, guard.runningRoomId());
    }

    /** The loop is compiled before the room runs, so that a plain read would have been hoisted out of it. */
    private void poll()
    {
        pollFor(COMPILED_READS);
        pollFor(COMPILED_READS);
        isCompiled.countDown();
        pollFor(Long.MAX_VALUE);
        isSeen.countDown();
    }

    private void pollFor(final long reads)
    {
        long count = 0;
        while (count < reads && 0 == guard.runningRoomId())
        {
            count++;
        }
    }
}
