package io.escapement.engine.watch;

import io.escapement.engine.loop.EngineTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** How often a keeper looks. */
class KeeperTest
{
    @Test
    void shouldLookSeveralTimesInAStallAndNoMoreOftenThanThat()
    {
        assertEquals(ms(20), periodNs(new WatchContext().stallLimitNs()), "unless set");
        assertEquals(ms(4), periodNs(ms(20)));
        assertEquals(ms(20), periodNs(ms(1_000)), "periodic jobs wait for it");
        assertEquals(ms(1), periodNs(1), "it would take a core");
    }

    private static long periodNs(final long stallLimitNs)
    {
        final Keeper keeper = new Keeper(new WatchContext().stalls(stallLimitNs, (stall) -> { }), List.of(), List.of(),
            new NamedCounters(), new EngineTime(SystemNanoClock.INSTANCE), (ex) -> { });
        try
        {
            return keeper.periodNs();
        }
        finally
        {
            keeper.onClose();
        }
    }

    private static long ms(final long ms)
    {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
