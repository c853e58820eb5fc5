package io.escapement.engine;

import io.escapement.driver.guard.GuardCounter;
import io.escapement.engine.internal.monitor.EngineCounters;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class GuardWarningsTest
{
    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(new byte[16 * 1_024]), new UnsafeBuffer(new byte[4 * 1_024]));
    private final EngineCounters engineCounters = new EngineCounters();
    private final List<String> lines = new ArrayList<>();
    private final GuardWarnings warnings = new GuardWarnings(lines::add);

    @Test
    void shouldNameWhatWasRefusedOnceInTenSeconds()
    {
        final AtomicCounter refused =
            counters.newCounter("escapement-guard: setups outside limits", GuardCounter.SETUP_REFUSED.typeId());
        refused.setRelease(3);
        warnings.find(counters, engineCounters);
        assertTrue(warnings.isGuarded());
        warnings.check(1);
        assertEquals(List.of(), lines, "before the engine began");
        refused.setRelease(5);
        warnings.check(2);
        refused.setRelease(105);
        warnings.check(3);
        assertEquals(1, lines.size(), lines::toString);
        assertTrue(lines.get(0).startsWith("escapement-guard: setups outside limits: 2: a client's termLength"),
            lines::toString);
        warnings.check(2 + GuardWarnings.INTERVAL_NS);
        assertEquals(2, lines.size(), lines::toString);
        assertTrue(lines.get(1).contains(": 100: "), lines::toString);
    }

    @Test
    void shouldNotNameWhatOnlyStrangersCause()
    {
        final AtomicCounter malformed =
            counters.newCounter("escapement-guard: malformed", GuardCounter.DATA_MALFORMED.typeId());
        warnings.find(counters, engineCounters);
        malformed.setRelease(1);
        warnings.check(1);
        assertEquals(List.of(), lines);
        assertFalse(new GuardWarnings(lines::add).isGuarded());
    }

    @Test
    void shouldCopyTheCountsOfFeeds()
    {
        final AtomicCounter ignored = counters.newCounter("ignored", GuardCounter.FEED_IGNORED.typeId());
        final AtomicCounter missed = counters.newCounter("missed", GuardCounter.FEED_MISSED.typeId());
        missed.setRelease(3);
        warnings.find(counters, engineCounters);
        ignored.setRelease(5);
        warnings.check(1);
        assertEquals(3, engineCounters.value("escapement driver: feed datagrams missed"));
        assertEquals(5, engineCounters.value("escapement driver: feed NAKs and errors ignored"));
        missed.setRelease(4);
        warnings.check(2);
        assertEquals(4, engineCounters.value("escapement driver: feed datagrams missed"));
        assertEquals(List.of(), lines, "the metrics have them");
    }

    @Test
    void shouldCountNothingOfFeedsWithoutGuards()
    {
        warnings.find(counters, engineCounters);
        warnings.check(1);
        assertEquals(List.of(), engineCounters.all());
    }
}
