package io.escapement.engine.internal.durable;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

class ReplicaLogTest
{
    /** A loop without rooms, seats and timers parks until somebody wakes it. */
    @Test
    void shouldWakeALoopThatIsParkedWhenTheLogFails()
    {
        final AtomicInteger wakeups = new AtomicInteger();
        final ReplicaLog log = new ReplicaLog(wakeups::incrementAndGet);
        final Throwable cause = new IllegalStateException("the log of other settings");
        log.fail(cause);
        assertEquals(1, wakeups.get());
        log.fail(new IllegalStateException("a consequence"));
        assertSame(cause, log.failure());
    }
}
