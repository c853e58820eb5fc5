package io.escapement.engine;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class EngineThreadsTest
{
    private final List<Boolean> aliveBeforeStart = new ArrayList<>();
    private EngineThreads threads;

    /** The monitor's thread runs before the others are started, and must not take that for a fault. */
    @Test
    void shouldBeAliveWhileAThreadStarts()
    {
        threads = new EngineThreads(Starting::new, new int[0], (ex) -> { });
        threads.start(new Idle(), NoOpIdleStrategy.INSTANCE);
        assertEquals(List.of(true), aliveBeforeStart);
        assertTrue(threads.areAlive());
        threads.close();
        assertFalse(threads.areAlive());
    }

    private final class Starting extends Thread
    {
        Starting(final Runnable task)
        {
            super(task);
        }

        @Override
        public void start()
        {
            aliveBeforeStart.add(threads.areAlive());
            super.start();
        }
    }

    private static final class Idle implements Agent
    {
        @Override
        public int doWork()
        {
            Thread.onSpinWait();
            return 0;
        }

        @Override
        public String roleName()
        {
            return "idle";
        }
    }
}
