package io.escapement.perf.rig;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.driver.DriverLauncher;
import io.escapement.driver.guard.GuardLimits;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentInvoker;

/**
 * The Aeron client of a process. The process's thread invokes the client's conductor, and also the process's driver.
 * With {@code --channel ipc} the client uses the server's driver instead.
 */
public final class ClientHost implements AutoCloseable
{
    private final MediaDriver driver;
    private final Aeron aeron;

    /**
     * Connect.
     *
     * @param context   of the process's driver, if it has one.
     * @param isGuarded whether that driver has the guards of a gateway's driver. Bare Aeron has no guards.
     */
    public ClientHost(
        final DurablePlan plan, final Supplier<MediaDriver.Context> context, final boolean isGuarded)
    {
        driver = plan.isIpc() ? null : isGuarded ? DriverLauncher.launch(context.get(), GuardLimits.DEFAULTS) :
            MediaDriver.launch(context.get());
        aeron = PerfDriver.connect(
            null == driver ? plan.nodeDirectory(plan.leader) : driver.aeronDirectoryName(), driver());
    }

    /** The client. */
    public Aeron aeron()
    {
        return aeron;
    }

    /** The invoker of the driver, null on the server's driver. */
    public AgentInvoker driver()
    {
        return null == driver ? null : driver.sharedAgentInvoker();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
    }
}
