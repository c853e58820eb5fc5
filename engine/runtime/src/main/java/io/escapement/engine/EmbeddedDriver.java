package io.escapement.engine;

import io.aeron.Aeron;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.config.ConfigException;
import io.escapement.driver.Cores;
import io.escapement.driver.DriverDirectory;
import io.escapement.driver.DriverLauncher;
import io.escapement.driver.DriverProfile;
import io.escapement.driver.guard.GuardLimits;
import io.escapement.driver.internal.SteadyClocks;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/** The options of the driver that an engine embeds: context, guards, cores and clock. */
final class EmbeddedDriver
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");

    private NanoClock time = SystemNanoClock.INSTANCE;
    private EpochClock wall = SystemEpochClock.INSTANCE;
    private SteadyClocks clocks = new SteadyClocks();
    private TurnClock clock = new TurnClock(clocks.nanoClock());
    private boolean hasOwnEpochClock;
    private MediaDriver.Context context;
    private String fixedName;
    private String group;
    private FixedDirectory fixed;
    private String profile;
    private int[] cores = {};
    private GuardLimits guardLimits;
    private boolean isOffloaded;

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

    void fixedDirectory(final String value)
    {
        fixedName = value;
    }

    void group(final String value)
    {
        group = value;
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
        return null != context || null != profile || null != fixedName || null != group || 0 != cores.length;
    }

    /** The client's side of a trunk may have terms of the same length as the engine's. */
    void conclude(final boolean isDedicated, final int sessions, final int termLength)
    {
        if (null == profile)
        {
            profile = isDedicated ? "dedicated" : "solo";
        }
        final DriverProfile settings = DriverProfile.load("driverProfile", profile);
        guardLimits = settings.guardLimits().forSessions(Math.max(1, sessions)).admitting(termLength);
        ConfigException.check(!settings.hasOwnSessionLimit() ||
            settings.guardLimits().sessionLimit() >= guardLimits.sessionLimit(),
            DriverProfile.GUARD_SESSION_LIMIT_KEY, settings.guardLimits().sessionLimit(),
            "trunks.limit and loops need " + guardLimits.sessionLimit() + ": remove it, or lower trunks.limit");
        isOffloaded = settings.isOffloaded();
        final boolean isOwnContext = null == context;
        if (isOwnContext)
        {
            context = settings.newContext()
                .aeronDirectoryName(DriverDirectory.temporary())
                .dirDeleteOnShutdown(true);
        }
        fixDirectory();
        if (context.streamSessionLimit() < guardLimits.sessionLimit())
        {
            ConfigException.check(isOwnContext && null == System.getProperty(
                Configuration.STREAM_SESSION_LIMIT_PROP_NAME), Configuration.STREAM_SESSION_LIMIT_PROP_NAME,
                context.streamSessionLimit(), "trunks.limit and loops need " + guardLimits.sessionLimit());
            context.streamSessionLimit(guardLimits.sessionLimit());
        }
        context.threadingMode(isDedicated ? ThreadingMode.DEDICATED : ThreadingMode.INVOKER);
        if (null == context.nanoClock() && !isDedicated)
        {
            context.nanoClock(clock);
        }
        hasOwnEpochClock = null == context.epochClock();
        clocks.applyTo(context);
    }

    private void fixDirectory()
    {
        ConfigException.check(null == group || null != fixedName, "driverGroup", group,
            "set driverDirectory, so that the group knows what to join");
        if (null != fixedName)
        {
            fixed = new FixedDirectory(fixedName, group);
            // Aeron would warn of the files of a dead driver, which are no surprise where the name does not change.
            context.aeronDirectoryName(fixed.name()).warnIfDirectoryExists(false);
            fixed.check();
            DriverLauncher.requireUnused(context, "driverDirectory");
        }
    }

    /** For tests: the monotonic clock, instead of the system's. */
    void time(final NanoClock value)
    {
        time = value;
        setClocks();
    }

    /** For tests: the wall clock. */
    void wall(final EpochClock value)
    {
        wall = value;
        setClocks();
    }

    private void setClocks()
    {
        clocks = new SteadyClocks(time, wall);
        clock = new TurnClock(clocks.nanoClock());
    }

    /** Give the driver's client the clocks that agree with the driver's. */
    void configure(final Aeron.Context client)
    {
        if (hasOwnEpochClock)
        {
            clocks.applyTo(client);
        }
        else
        {
            client.nanoClock(clocks.nanoClock());
        }
    }

    /**
     * Keeps the driver's heartbeat at the wall-clock time while the driver's clock lags. Other processes compare the
     * heartbeat with the wall clock.
     *
     * @param client of the driver. The heartbeat is in its memory.
     */
    Runnable heartbeat(final Aeron client)
    {
        if (!hasOwnEpochClock)
        {
            return () -> { };
        }
        final RingBuffer toDriver = client.context().toDriverBuffer();
        return () ->
        {
            if (clocks.isBehind() && !client.isClosed())
            {
                toDriver.consumerHeartbeatTime(clocks.wallMs());
            }
        };
    }

    /** Bytes of the driver's own files: counters, queues, and the logs of errors and losses. */
    long filesLength()
    {
        return DriverLauncher.filesLength(context);
    }

    /** Longest term of a session that guards admit. */
    int maxTermLength()
    {
        return guardLimits.maxTermLength();
    }

    void pin()
    {
        Cores.pinDriver("driverCores", cores, context);
    }

    /** Launch the driver, with guards unless its context has channel endpoints already. */
    MediaDriver launch(final ErrorHandler errorHandler)
    {
        final ErrorHandler other = context.errorHandler();
        context.errorHandler(null == other ? errorHandler : (ex) ->
        {
            other.onError(ex);
            errorHandler.onError(ex);
        });
        final MediaDriver driver = launch();
        if (null != fixed)
        {
            try
            {
                fixed.permit();
            }
            catch (final RuntimeException ex)
            {
                driver.close();
                throw ex;
            }
        }
        return driver;
    }

    private MediaDriver launch()
    {
        if (null == context.receiveChannelEndpointSupplier() && null == context.sendChannelEndpointSupplier())
        {
            return DriverLauncher.launch(context, guardLimits, isOffloaded);
        }
        LOGGER.log(System.Logger.Level.WARNING,
            "driverContext: it has channel endpoints, so the driver runs without guards against hostile packets");
        return MediaDriver.launch(context);
    }

    /** The clock of a driver that a thread of the engine invokes. The driver updates the clock in each duty cycle. */
    TurnClock clock()
    {
        return clock;
    }
}
