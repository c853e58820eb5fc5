package io.escapement.engine;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.driver.Cores;
import io.escapement.driver.DriverDirectory;
import io.escapement.driver.DriverLauncher;
import io.escapement.driver.DriverProfile;
import io.escapement.driver.guard.GuardLimits;

/** The options of the driver that an engine embeds: context, guards, cores and clock. */
final class EmbeddedDriver
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");

    private final TurnClock clock = new TurnClock();
    private MediaDriver.Context context;
    private String profile;
    private int[] cores = {};
    private GuardLimits guardLimits;

    void context(final MediaDriver.Context value)
    {
        context = value;
    }

    boolean hasContext()
    {
        return null != context;
    }

    void profile(final String nameOrPath)
    {
        profile = nameOrPath;
    }

    void cores(final int[] value)
    {
        cores = value;
    }

    int[] cores()
    {
        return cores;
    }

    String directory()
    {
        return context.aeronDirectoryName();
    }

    /** Whether closing the driver deletes its directory. */
    boolean isDirectoryDeleted()
    {
        return context.dirDeleteOnShutdown();
    }

    boolean isConfigured()
    {
        return null != context || null != profile || 0 != cores.length;
    }

    void conclude(final boolean isDedicated)
    {
        if (null == profile)
        {
            profile = isDedicated ? "dedicated" : "solo";
        }
        final DriverProfile settings = DriverProfile.load("driverProfile", profile);
        guardLimits = settings.guardLimits();
        if (null == context)
        {
            context = settings.newContext()
                .aeronDirectoryName(DriverDirectory.temporary())
                .dirDeleteOnShutdown(true);
        }
        context.threadingMode(isDedicated ? ThreadingMode.DEDICATED : ThreadingMode.INVOKER);
        if (!isDedicated && null == context.nanoClock())
        {
            context.nanoClock(clock);
        }
    }

    void pin()
    {
        Cores.pinDriver("driverCores", cores, context);
    }

    /** Launch the driver, with guards unless its context has channel endpoints already. */
    MediaDriver launch()
    {
        if (null == context.receiveChannelEndpointSupplier() && null == context.sendChannelEndpointSupplier())
        {
            return DriverLauncher.launch(context, guardLimits);
        }
        LOGGER.log(System.Logger.Level.WARNING,
            "driverContext: it has channel endpoints, so the driver runs without guards against hostile packets");
        return MediaDriver.launch(context);
    }

    /** The clock of a driver that a thread of the engine invokes, which updates it in each duty cycle. */
    TurnClock clock()
    {
        return clock;
    }
}
