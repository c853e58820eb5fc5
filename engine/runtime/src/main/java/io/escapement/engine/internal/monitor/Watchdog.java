package io.escapement.engine.internal.monitor;

import io.escapement.engine.monitor.Stall;
import java.util.function.Consumer;
import org.agrona.concurrent.status.AtomicCounter;

/** Sees that a loop is in one turn for too long, and says which room holds it. It can only watch. */
final class Watchdog
{
    private final MonitoredLoop loop;
    private final long limitNs;
    private final Consumer<Stall> hook;
    private final AtomicCounter stalls;
    private long toldSinceNs = -1;

    Watchdog(final MonitoredLoop loop, final long limitNs, final Consumer<Stall> hook, final AtomicCounter stalls)
    {
        this.loop = loop;
        this.limitNs = limitNs;
        this.hook = hook;
        this.stalls = stalls;
    }

    int poll(final long nowNs)
    {
        final long sinceNs = loop.agent().turnSinceNs();
        if (sinceNs < 0 || sinceNs == toldSinceNs || nowNs - sinceNs < limitNs)
        {
            return 0;
        }
        final Stall stall = new Stall(
            loop.number(), loop.agent().host().runningRoomId(), nowNs - sinceNs, loop.thread().get());
        if (loop.agent().turnSinceNs() != sinceNs)
        {
            // It went on while it was looked at: the room and the stack may be another turn's.
            return 0;
        }
        toldSinceNs = sinceNs;
        stalls.incrementRelease();
        hook.accept(stall);
        return 1;
    }
}
