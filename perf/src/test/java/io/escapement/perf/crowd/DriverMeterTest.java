package io.escapement.perf.crowd;

import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DriverMeterTest
{
    private static final int LARGE = 100_000;
    private static final int SMALL = 10_000;

    private final DriverMeter meter = new DriverMeter();
    private byte[] kept;

    @Test
    void shouldSeparateTheDriversBytesFromTheEngines()
    {
        meter.carrier = Thread.currentThread();
        turn();
        final long driverBytes = meter.bytes.get();
        final long engineBytes = meter.engineBytes.get();
        turn();
        turn();
        final long ofDriver = meter.bytes.get() - driverBytes;
        final long ofEngine = meter.engineBytes.get() - engineBytes;
        assertTrue(ofDriver >= 2 * LARGE && ofDriver < 2 * LARGE + SMALL, "driver: " + ofDriver);
        assertTrue(ofEngine >= 2 * SMALL && ofEngine < 3 * SMALL, "engine: " + ofEngine);
        assertTrue(meter.ns.get() > 0);
        assertEquals(SMALL, kept.length);
    }

    @Test
    void shouldIgnoreOtherThreads() throws InterruptedException
    {
        meter.carrier = Thread.currentThread();
        final Thread other = new Thread(this::turn);
        other.start();
        other.join();
        assertEquals(0, meter.bytes.get());
        assertEquals(0, meter.engineBytes.get());
        assertEquals(0, meter.ns.get());
    }

    /** The driver reads its clock several times, and the engine its own. */
    private void turn()
    {
        meter.driverTime();
        kept = new byte[LARGE / 2];
        meter.driverTime();
        kept = new byte[LARGE / 2];
        meter.engineTime();
        kept = new byte[SMALL];
        meter.engineTime();
    }
}
