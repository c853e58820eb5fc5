package io.escapement.engine;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.exceptions.DriverTimeoutException;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.LangUtil;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.EpochClock;

/** A driver and an Aeron client, invoked by the test, that several trunks share as on one host. */
final class TestHost implements AutoCloseable
{
    /** A cycle of the driver receives one datagram per socket. With many trunks a host must not fall behind. */
    private static final int MAX_CYCLES = 64;
    private static final int DRIVER_TIMEOUT_MS = 60_000;

    private final MediaDriver driver;
    private final Aeron aeron;

    TestHost()
    {
        this(TestTrunk.driverContext());
    }

    TestHost(final MediaDriver.Context context)
    {
        driver = MediaDriver.launch(context);
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(driver.aeronDirectoryName())
            // The test may launch an engine between two polls.
            .driverTimeoutMs(DRIVER_TIMEOUT_MS)
            .useConductorAgentInvoker(true)
            .driverAgentInvoker(driver.sharedAgentInvoker()));
    }

    private TestHost(final String directory, final Aeron.Context context)
    {
        driver = null;
        aeron = Aeron.connect(context.aeronDirectoryName(directory).useConductorAgentInvoker(true)
            .errorHandler(TestHost::onError));
    }

    /** For a driver that ends before its clients: Aeron's default handler would exit the process. */
    private static void onError(final Throwable ex)
    {
        if (!(ex instanceof DriverTimeoutException))
        {
            LangUtil.rethrowUnchecked(ex);
        }
    }

    /** Use an existing driver. */
    static TestHost joining(final String directory)
    {
        return new TestHost(directory, new Aeron.Context());
    }

    /** Use an existing driver, with a clock that heartbeats are compared with. */
    static TestHost joining(final String directory, final EpochClock wall)
    {
        return new TestHost(directory, new Aeron.Context().epochClock(wall));
    }

    Aeron aeron()
    {
        return aeron;
    }

    int poll()
    {
        int work = invokeClient();
        for (int i = 0; null != driver && i < MAX_CYCLES; i++)
        {
            final int cycleWork = driver.sharedAgentInvoker().invoke();
            work += cycleWork;
            if (0 == cycleWork)
            {
                break;
            }
        }
        return work;
    }

    private int invokeClient()
    {
        try
        {
            return aeron.conductorAgentInvoker().invoke();
        }
        catch (final AgentTerminationException ex)
        {
            if (null != driver)
            {
                throw ex;
            }
            // The engine has drained, and its driver with it.
            return 0;
        }
    }

    /** Invoke the driver and the client, and poll every trunk. */
    int poll(final List<TestTrunk> trunks)
    {
        int work = poll();
        for (final TestTrunk trunk : trunks)
        {
            work += trunk.poll();
        }
        return work;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
    }
}
