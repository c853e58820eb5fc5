package io.escapement.perf.players;

import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(10)
class DriverShareTest
{
    private static final int LARGE = 100_000;
    private static final int SMALL = 10_000;

    private final DriverShare share = new DriverShare();
    private final NanoClock driver = share.driverClock();
    private final NanoClock engine = share.engineClock();
    private byte[] kept;

    @Test
    void shouldTellTheDriversBytesFromTheEngines()
    {
        share.carrier(Thread.currentThread());
        turn();
        final long driverBytes = share.bytes();
        final long othersBytes = share.othersBytes();
        turn();
        turn();
        final long ofDriver = share.bytes() - driverBytes;
        final long ofOthers = share.othersBytes() - othersBytes;
        assertTrue(ofDriver >= 2 * LARGE && ofDriver < 2 * LARGE + SMALL, "driver: " + ofDriver);
        assertTrue(ofOthers >= 2 * SMALL && ofOthers < 3 * SMALL, "others: " + ofOthers);
        assertTrue(share.ns() > 0);
        assertEquals(SMALL, kept.length);
    }

    @Test
    void shouldLeaveOtherThreadsAlone() throws InterruptedException
    {
        share.carrier(Thread.currentThread());
        final Thread other = new Thread(this::turn);
        other.start();
        other.join();
        assertEquals(0, share.bytes());
        assertEquals(0, share.othersBytes());
        assertEquals(0, share.ns());
    }

    /** The driver reads its clock several times, and the engine its own. */
    private void turn()
    {
        driver.nanoTime();
        kept = new byte[LARGE / 2];
        driver.nanoTime();
        kept = new byte[LARGE / 2];
        engine.nanoTime();
        kept = new byte[SMALL];
        engine.nanoTime();
    }
}
