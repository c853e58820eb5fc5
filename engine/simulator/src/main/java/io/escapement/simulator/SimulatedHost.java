package io.escapement.simulator;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.driver.guard.GuardLimits;
import io.escapement.driver.guard.GuardedEndpoints;
import java.nio.file.Path;
import java.util.List;
import org.agrona.CloseHelper;

/** A client's host: a driver and an Aeron client, which trunks share. */
final class SimulatedHost implements AutoCloseable
{
    private static final int DUTY_CYCLES = 8;

    private final List<String> violations;
    private final String address;
    private final SimulatedClock clock;
    private final MediaDriver driver;
    private final Aeron aeron;
    private boolean isDead;
    private long pausedUntilNs;

    SimulatedHost(
        final String address,
        final SimulatedClock clock,
        final Network network,
        final List<String> violations,
        final Path directory)
    {
        this.address = address;
        this.clock = clock;
        this.violations = violations;
        final MediaDriver.Context context = Node.driverContext(directory)
            .nanoClock(clock)
            .epochClock(clock::epochMs)
            .errorHandler(this::onError);
        GuardedEndpoints.install(context, GuardLimits.DEFAULTS, () -> network.open(address));
        driver = MediaDriver.launch(context);
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(driver.aeronDirectoryName())
            .useConductorAgentInvoker(true)
            .driverAgentInvoker(driver.sharedAgentInvoker())
            .nanoClock(clock)
            .epochClock(clock::epochMs)
            .errorHandler(this::onError));
    }

    Aeron aeron()
    {
        return aeron;
    }

    String address()
    {
        return address;
    }

    /** Whether its processes run now. */
    boolean isRunning()
    {
        return !isDead && clock.nanoTime() >= pausedUntilNs;
    }

    boolean isDead()
    {
        return isDead;
    }

    /** Its processes are killed. */
    void die()
    {
        isDead = true;
    }

    void pause(final long untilNs)
    {
        pausedUntilNs = untilNs;
    }

    void step()
    {
        // A step takes milliseconds, a duty cycle microseconds. With one control frame per step, a driver would fall
        // behind clients that ask for lost data each millisecond.
        int cycles = 0;
        while (driver.sharedAgentInvoker().invoke() > 0 && cycles < DUTY_CYCLES)
        {
            cycles++;
        }
        aeron.conductorAgentInvoker().invoke();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
    }

    private void onError(final Throwable ex)
    {
        if (!isDead)
        {
            violations.add("host " + address + ": " + Node.trace(ex));
        }
    }
}
