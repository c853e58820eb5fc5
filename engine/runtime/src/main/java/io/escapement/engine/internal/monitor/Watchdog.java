package io.escapement.engine.internal.monitor;

import io.escapement.engine.monitor.Stall;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.status.AtomicCounter;

/** Reports turns that exceed the stall limit, with the running room. It cannot stop them. */
final class Watchdog
{
    /** A room that never returns is also reported in the first turns, only later. */
    static final long WARM_UP_LIMIT_NS = TimeUnit.SECONDS.toNanos(1);

    private final MonitoredLoop loop;
    private final long limitNs;
    private final long warmUpTurns;
    private final Consumer<Stall> hook;
    private final AtomicCounter stalls;
    private long reportedSinceNs = -1;

    Watchdog(
        final MonitoredLoop loop,
        final long limitNs,
        final long warmUpTurns,
        final Consumer<Stall> hook,
        final AtomicCounter stalls)
    {
        this.loop = loop;
        this.limitNs = limitNs;
        this.warmUpTurns = warmUpTurns;
        this.hook = hook;
        this.stalls = stalls;
    }

    int poll(final long nowNs)
    {
        final long sinceNs = loop.agent().turnSinceNs();
        if (sinceNs < 0 || sinceNs == reportedSinceNs || nowNs - sinceNs < limitNs(loop.counters().turns()))
        {
            return 0;
        }
        final Stall stall = new Stall(
            loop.number(), loop.agent().host().runningRoomId(), nowNs - sinceNs, loop.thread().get());
        if (loop.agent().turnSinceNs() != sinceNs)
        {
            // The turn ended during the check: the room and the stack may be of a later turn.
            return 0;
        }
        reportedSinceNs = sinceNs;
        stalls.incrementRelease();
        hook.accept(stall);
        return 1;
    }

    /** How long a turn may take after this number of others. */
    long limitNs(final long turns)
    {
        return turns < warmUpTurns ? Math.max(limitNs, WARM_UP_LIMIT_NS) : limitNs;
    }
}
