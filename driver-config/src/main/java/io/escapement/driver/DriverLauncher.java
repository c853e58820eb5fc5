package io.escapement.driver;

import io.aeron.CommonContext;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.escapement.driver.guard.GuardLimits;
import io.escapement.driver.guard.GuardedEndpoints;
import java.io.File;
import java.net.BindException;
import org.agrona.concurrent.ShutdownSignalBarrier;

/**
 * Starts media drivers whose endpoints are guarded: inside a program, or as a process of its own.
 *
 * <pre>{@code
 *   final DriverProfile profile = DriverProfile.load("solo");
 *   final MediaDriver.Context context = profile.newContext().aeronDirectoryName(directory);
 *   try (MediaDriver driver = DriverLauncher.launch(context, profile.guardLimits()))
 *   {
 *       while (isRunning)
 *       {
 *           driver.sharedAgentInvoker().invoke();
 *           ...
 *       }
 *   }
 * }</pre>
 *
 * <p>So with the threading mode INVOKER, in which nothing happens unless the one thread that owns the driver invokes
 * it. With others {@code sharedAgentInvoker()} is null and the driver's own threads run it.
 */
public final class DriverLauncher
{
    private DriverLauncher()
    {
    }

    /**
     * Start a driver with a profile's settings and limits.
     *
     * @param profile sets what neither a setter nor a system property has set.
     * @param context made by the program, and used for this one driver.
     * @return the driver, started. Closing it is up to the caller.
     */
    public static MediaDriver launch(final DriverProfile profile, final MediaDriver.Context context)
    {
        return launch(profile.applyTo(context), profile.guardLimits());
    }

    /**
     * Start a driver with the settings of its context alone.
     *
     * @param context for instance from {@link DriverProfile#newContext()}; used for this one driver.
     * @param limits  of what strangers may ask.
     * @return the driver, started. Closing it is up to the caller.
     */
    public static MediaDriver launch(final MediaDriver.Context context, final GuardLimits limits)
    {
        return launch(context, limits, "aeronDirectoryName=" + context.aeronDirectoryName());
    }

    /**
     * Start a driver whose directory complaints are to call by the option it was named with.
     */
    static MediaDriver launch(final MediaDriver.Context context, final GuardLimits limits, final String origin)
    {
        refuseOtherEndpoints(context);
        if (!GuardedEndpoints.areInstalled(context))
        {
            GuardedEndpoints.install(context, limits);
        }
        context.concludeAeronDirectory();
        requireUnused(context, origin);
        try
        {
            return MediaDriver.launch(context);
        }
        catch (final RuntimeException ex)
        {
            throw explain(context, origin, ex);
        }
    }

    /**
     * Run a driver until the process is told to end. Prints how to use it when asked with {@code --help}.
     *
     * @param args of the command line.
     */
    public static void main(final String[] args)
    {
        final int status;
        try (ShutdownSignalBarrier barrier = new ShutdownSignalBarrier())
        {
            final DriverCommand command = new DriverCommand(barrier, HostFacts::read);
            status = command.commandLine().execute(args);
            if (command.isEndedBySignal())
            {
                // A JVM that a signal ends would say 143, as if it had failed. Said here, with the barrier still open:
                // once it is closed the JVM goes its way.
                Runtime.getRuntime().halt(status);
            }
        }
        System.exit(status);
    }

    /**
     * Refuse a directory that a driver works in. Aeron itself deletes it from under that driver when a context says to
     * delete on start.
     */
    static void requireUnused(final MediaDriver.Context context, final String origin)
    {
        final File directory = new File(context.aeronDirectoryName());
        final boolean isActive;
        try
        {
            isActive = CommonContext.isDriverActive(directory, context.driverTimeoutMs(), (text) -> {});
        }
        catch (final RuntimeException ex)
        {
            throw new DriverConfigException(origin + ": " + ex.getMessage(), ex);
        }
        if (isActive)
        {
            throw new DriverConfigException(origin + ": in use by an active media driver, or by one that was killed " +
                "less than " + context.driverTimeoutMs() + " ms ago");
        }
    }

    private static void refuseOtherEndpoints(final MediaDriver.Context context)
    {
        if (GuardedEndpoints.areInstalled(context))
        {
            return;
        }
        if (null != context.sendChannelEndpointSupplier() || null != context.receiveChannelEndpointSupplier())
        {
            throw new DriverConfigException("sendChannelEndpointSupplier, receiveChannelEndpointSupplier: " +
                "set to others than the guards, which would go unheard here");
        }
        refuseProperty(Configuration.SEND_CHANNEL_ENDPOINT_SUPPLIER_PROP_NAME);
        refuseProperty(Configuration.RECEIVE_CHANNEL_ENDPOINT_SUPPLIER_PROP_NAME);
    }

    private static void refuseProperty(final String property)
    {
        final String value = System.getProperty(property);
        if (null != value)
        {
            throw new DriverConfigException(property + "=" + value + ": guards take its place, it would go unheard");
        }
    }

    private static DriverConfigException explain(
        final MediaDriver.Context context, final String origin, final RuntimeException ex)
    {
        for (Throwable cause = ex; null != cause; cause = cause.getCause())
        {
            if (cause instanceof BindException && null != context.resolverInterface())
            {
                return new DriverConfigException(Configuration.RESOLVER_INTERFACE_PROP_NAME + "=" +
                    context.resolverInterface() + ": " + cause.getMessage(), ex);
            }
        }
        return new DriverConfigException(origin + ": no driver there: " + ex.getMessage(), ex);
    }
}
