package io.escapement.engine.internal.edge;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.monitor.CounterTypes;
import org.agrona.concurrent.status.AtomicCounter;

/** The edge's counters. Only the edge writes them. */
public final class EdgeCounters
{
    private static final int CODES = 256;
    private static final int FIRST_ROOM_CODE = 32;

    final AtomicCounter trunks;
    final AtomicCounter accepted;
    final AtomicCounter shed;
    final AtomicCounter ringFull;
    final AtomicCounter repliesDropped;
    final AtomicCounter refusalsDropped;
    final AtomicCounter feedsLeft;
    private final AtomicCounter[] byCode = new AtomicCounter[CODES];

    /**
     * Allocate the counters.
     *
     * @param factory of counters.
     */
    public EdgeCounters(final LoopCounters.Factory factory)
    {
        final String prefix = "escapement edge: ";
        trunks = factory.gauge(CounterTypes.EDGE, prefix + "trunks up");
        accepted = factory.counter(CounterTypes.EDGE + 1, prefix + "entries accepted");
        shed = factory.counter(CounterTypes.EDGE + 2, prefix + "entries refused");
        ringFull = factory.counter(CounterTypes.EDGE + 3, prefix + "batches sent back because a ring was full");
        repliesDropped = factory.counter(CounterTypes.EDGE + 4, prefix + "replies dropped");
        refusalsDropped = factory.counter(CounterTypes.EDGE + 5, prefix + "refusals dropped");
        feedsLeft = factory.counter(CounterTypes.EDGE + 6, prefix + "feeds that trunks left");
        for (final RefusalCode code : RefusalCode.values())
        {
            // The edge refuses by the validator's codes, and rooms that are not on the loop they were sent to.
            final boolean isOfEdge = code.value() < FIRST_ROOM_CODE || RefusalCode.UNKNOWN_ROOM == code;
            if (code.value() > 0 && code.value() < CODES && isOfEdge)
            {
                byCode[code.value()] =
                    factory.counter(CounterTypes.EDGE_CODES + code.value(), prefix + "refused " + code);
            }
        }
        for (final TrunkCode code : TrunkCode.values())
        {
            if (code.value() > 0 && code.value() < CODES)
            {
                byCode[code.value()] =
                    factory.counter(CounterTypes.EDGE_CODES + code.value(), prefix + "refused " + code);
            }
        }
    }

    void refused(final int code)
    {
        byCode[code].incrementRelease();
    }

    /** Count a reply that did not fit its connection's queue. */
    void countIfDropped(final boolean isQueued)
    {
        if (!isQueued)
        {
            repliesDropped.incrementRelease();
        }
    }
}
