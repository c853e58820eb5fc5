package io.escapement.gateway;

import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Plants a leak, because a watch that sees none would pass every test. */
class LeakWatchTest
{
    @Test
    void shouldReportOneLeakAndWhereItWasTouched()
    {
        PooledByteBufAllocator.DEFAULT.directBuffer(8).touch("planted");
        PooledByteBufAllocator.DEFAULT.directBuffer(8).touch("released").release();
        final List<String> leaks = LeakWatch.collect();
        assertEquals(1, leaks.size(), leaks::toString);
        assertTrue(leaks.get(0).contains("planted"), leaks::toString);
        assertEquals(List.of(), LeakWatch.collect());
    }

    @Test
    void shouldReportOneLeakWhereAccessesAreNotRecorded()
    {
        LeakWatch.recordCreationOnly();
        PooledByteBufAllocator.DEFAULT.directBuffer(8).touch("not recorded");
        PooledByteBufAllocator.DEFAULT.directBuffer(8).release();
        final List<String> leaks = LeakWatch.collect();
        assertEquals(1, leaks.size(), leaks::toString);
        assertTrue(leaks.get(0).contains(LeakWatchTest.class.getName()), leaks::toString);
        assertFalse(leaks.get(0).contains("not recorded"), leaks::toString);
    }
}
