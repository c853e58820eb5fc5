package io.escapement.engine;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.config.ConfigException;
import io.escapement.driver.Cores;
import io.escapement.driver.DriverDirectory;
import io.escapement.driver.DriverLauncher;
import io.escapement.driver.DriverProfile;
import io.escapement.driver.guard.GuardLimits;

/** The driver that an engine brings: its settings, its guards, its cores, and the clock that it goes by. */
final class EmbeddedDriver
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");

    MediaDriver.Context context;
    String profile;
    int[] cores = {};
    private GuardLimits guardLimits;
    private final TurnClock clock = new TurnClock();

    /** Whether anything was said about it. */
    boolean isWanted()
    {
        return null != context || null != profile || 0 != cores.length;
    }

    void conclude(final boolean isDedicated)
    {
        if (null == profile)
        {
            profile = isDedicated ? "dedicated" : "solo";
        }
        final DriverProfile settings = settings(profile);
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

    void tie()
    {
        Cores.pinDriver("driverCores", cores, context);
    }

    /** With guards, unless the program has put in endpoints of its own. */
    MediaDriver launch()
    {
        if (null == context.receiveChannelEndpointSupplier() && null == context.sendChannelEndpointSupplier())
        {
            try
            {
                return DriverLauncher.launch(context, guardLimits);
            }
            catch (final ConfigException ex)
            {
                throw new EngineException(ex.getMessage(), ex);
            }
        }
        LOGGER.log(System.Logger.Level.WARNING, "driverContext has endpoints of its own: the driver is not guarded");
        return MediaDriver.launch(context);
    }

    /** To be read at the beginning of each turn of the thread that invokes the driver. */
    TurnClock clock()
    {
        return clock;
    }

    private static DriverProfile settings(final String nameOrPath)
    {
        try
        {
            return DriverProfile.load("driverProfile", nameOrPath);
        }
        catch (final ConfigException ex)
        {
            throw new EngineException(ex.getMessage(), ex);
        }
    }
}
