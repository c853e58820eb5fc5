package io.escapement.perf.crowd;

import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(10)
class DriverMeterTest
{
    private static final int LARGE = 100_000;
    private static final int SMALL = 10_000;

    private final DriverMeter meter = new DriverMeter();
    private final NanoClock driver = meter.driverClock();
    private final NanoClock engine = meter.engineClock();
    private byte[] kept;

    @Test
    void shouldSeparateTheDriversBytesFromTheEngines()
    {
        meter.carrier(Thread.currentThread());
        turn();
        final long driverBytes = meter.bytes();
        final long engineBytes = meter.engineBytes();
        turn();
        turn();
        final long ofDriver = meter.bytes() - driverBytes;
        final long ofEngine = meter.engineBytes() - engineBytes;
        assertTrue(ofDriver >= 2 * LARGE && ofDriver < 2 * LARGE + SMALL, "driver: " + ofDriver);
        assertTrue(ofEngine >= 2 * SMALL && ofEngine < 3 * SMALL, "engine: " + ofEngine);
        assertTrue(meter.ns() > 0);
        assertEquals(SMALL, kept.length);
    }

    @Test
    void shouldIgnoreOtherThreads() throws InterruptedException
    {
        meter.carrier(Thread.currentThread());
        final Thread other = new Thread(this::turn);
        other.start();
        other.join();
        assertEquals(0, meter.bytes());
        assertEquals(0, meter.engineBytes());
        assertEquals(0, meter.ns());
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
