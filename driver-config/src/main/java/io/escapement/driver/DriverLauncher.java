package io.escapement.driver;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.exceptions.ConfigurationException;
import io.escapement.config.ConfigException;
import io.escapement.driver.guard.GuardLimits;
import io.escapement.driver.guard.GuardedEndpoints;
import io.escapement.driver.internal.SteadyClocks;
import io.escapement.driver.internal.Umask;
import io.escapement.driver.internal.UntilSignal;
import java.io.File;
import java.net.BindException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Starts media drivers with guarded endpoints, embedded in an application or as a separate process.
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
 * <p>This is threading mode INVOKER: the driver works only while its owner's thread invokes it. In the other modes
 * {@code sharedAgentInvoker()} is null and the driver runs its threads.
 */
public final class DriverLauncher
{
    /** Bytes of the counters metadata buffer for each byte of the values buffer. */
    private static final long METADATA_PER_COUNTER_BYTE = 4;
    private static final System.Logger LOGGER = System.getLogger("io.escapement.driver");
    private static final AtomicBoolean IS_REPORTED = new AtomicBoolean();

    private DriverLauncher()
    {
    }

    /**
     * Length of the files that a driver maps whether anything connects or not: cnc.dat and the loss report.
     *
     * @param context of a driver, launched or not.
     * @return bytes.
     */
    public static long filesLength(final MediaDriver.Context context)
    {
        return context.conductorBufferLength() + context.toClientsBufferLength() + context.errorBufferLength() +
            (1 + METADATA_PER_COUNTER_BYTE) * context.counterValuesBufferLength() + context.lossReportBufferLength();
    }

    /**
     * Start a driver with a profile's settings and limits.
     *
     * @param profile supplies settings that neither a setter nor a system property has set.
     * @param context for this driver only.
     * @return the running driver, which the caller closes.
     */
    public static MediaDriver launch(final DriverProfile profile, final MediaDriver.Context context)
    {
        return launch(profile.applyTo(context), profile.guardLimits(), profile.isOffloaded());
    }

    /**
     * Start a driver with the settings of its context. Its sockets use the kernel's segmentation offload where they
     * can, unless the system property {@link DriverProfile#GSO_KEY} is off.
     *
     * @param context for this driver only, for example from {@link DriverProfile#newContext()}.
     * @param limits  for unauthenticated peers.
     * @return the running driver, which the caller closes.
     */
    public static MediaDriver launch(final MediaDriver.Context context, final GuardLimits limits)
    {
        return launch(context, limits, DriverProfile.isOffloadedByDefault());
    }

    /**
     * Start a driver with the settings of its context.
     *
     * @param context     for this driver only, for example from {@link DriverProfile#newContext()}.
     * @param limits      for unauthenticated peers.
     * @param isOffloaded whether its sockets use the kernel's segmentation offload, as
     *                    {@link DriverProfile#isOffloaded()} says.
     * @return the running driver, which the caller closes.
     */
    public static MediaDriver launch(
        final MediaDriver.Context context, final GuardLimits limits, final boolean isOffloaded)
    {
        reportObstacle(isOffloaded);
        return launch(context, limits, isOffloaded, "aeronDirectoryName");
    }

    static MediaDriver launch(
        final MediaDriver.Context context,
        final GuardLimits limits,
        final boolean isOffloaded,
        final String directoryOption)
    {
        refuseOtherEndpoints(context);
        if (!GuardedEndpoints.areInstalled(context))
        {
            GuardedEndpoints.install(context, limits, isOffloaded);
        }
        context.concludeAeronDirectory();
        DriverDirectory.check(directoryOption, Path.of(context.aeronDirectoryName()));
        requireUnused(context, directoryOption);
        // It would also delete the directory of an active driver.
        context.dirDeleteOnStart(false);
        new SteadyClocks().applyTo(context);
        try
        {
            return MediaDriver.launch(context);
        }
        catch (final RuntimeException ex)
        {
            throw explain(context, directoryOption, ex);
        }
    }

    /**
     * Give a client clocks for which a driver stays alive after a pause of the process or a step of the wall clock.
     * Launched drivers also have such clocks.
     *
     * @param client of a driver.
     * @return the client.
     */
    public static Aeron.Context steady(final Aeron.Context client)
    {
        return new SteadyClocks().applyTo(client);
    }

    /**
     * Set the umask of the process, so that others cannot use the files of the driver and of other libraries. An
     * application calls this before anything else.
     *
     * @param isForGroup whether processes of its group may join the driver.
     */
    public static void setUmask(final boolean isForGroup)
    {
        Umask.set(isForGroup ? Umask.GROUP : Umask.PRIVATE);
    }

    /**
     * Run a driver until SIGINT or SIGTERM.
     *
     * @param args see {@code --help}.
     */
    public static void main(final String[] args)
    {
        setUmask(false);
        UntilSignal.run((until) -> new DriverCommand(until, HostFacts::read).commandLine().execute(args));
    }

    /**
     * Refuse the directory of an active driver.
     *
     * @param context         of the driver to start there.
     * @param directoryOption that names the directory.
     * @throws IllegalStateException if it is active. A killed driver is not after a while: the same options may work
     *                               then.
     */
    public static void requireUnused(final MediaDriver.Context context, final String directoryOption)
    {
        final File directory = new File(context.aeronDirectoryName());
        final boolean isActive;
        try
        {
            isActive = CommonContext.isDriverActive(directory, context.driverTimeoutMs(), (text) -> {});
        }
        catch (final RuntimeException ex)
        {
            throw new ConfigException(directoryOption, directory, ex.getMessage(), ex);
        }
        if (isActive)
        {
            throw new IllegalStateException(directoryOption + ": " + directory +
                ": in use by an active media driver, or one killed less than " + context.driverTimeoutMs() + " ms ago");
        }
    }

    /**
     * Refuse a directory without an active media driver.
     *
     * @param directory       that a driver shall have.
     * @param directoryOption that names the directory.
     * @throws IllegalStateException if there is no active driver. A driver may start later: the same options may work
     *                               then.
     */
    public static void requireActive(final String directory, final String directoryOption)
    {
        if (!DriverDirectory.isActive(new File(directory)))
        {
            throw new IllegalStateException(directoryOption + ": " + directory +
                ": no media driver is active there: start one, or name another directory");
        }
    }

    private static void reportObstacle(final boolean isOffloaded)
    {
        final String reason =
            isOffloaded ? GuardedEndpoints.offloadObstacle().orElse(null) : DriverProfile.GSO_KEY + " is off";
        if (null != reason && IS_REPORTED.compareAndSet(false, true))
        {
            LOGGER.log(System.Logger.Level.INFO,
                "UDP: one system call per datagram, without segmentation offload: " + reason);
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
            throw new ConfigException("sendChannelEndpointSupplier, receiveChannelEndpointSupplier", "set",
                "leave both unset, the guards replace them");
        }
        refuseProperty(Configuration.SEND_CHANNEL_ENDPOINT_SUPPLIER_PROP_NAME);
        refuseProperty(Configuration.RECEIVE_CHANNEL_ENDPOINT_SUPPLIER_PROP_NAME);
    }

    private static void refuseProperty(final String property)
    {
        final String value = System.getProperty(property);
        if (null != value)
        {
            throw new ConfigException(property, value, "leave it unset, the guards replace it");
        }
    }

    private static RuntimeException explain(
        final MediaDriver.Context context, final String directoryOption, final RuntimeException ex)
    {
        for (Throwable cause = ex; null != cause; cause = cause.getCause())
        {
            if (cause instanceof BindException && null != context.resolverInterface())
            {
                return new ConfigException(Configuration.RESOLVER_INTERFACE_PROP_NAME, context.resolverInterface(),
                    cause.getMessage(), ex);
            }
        }
        final String reason = "the media driver cannot start: " + ex.getMessage();
        return ex instanceof ConfigurationException ?
            new ConfigException(directoryOption, context.aeronDirectoryName(), reason, ex) :
            new IllegalStateException(directoryOption + ": " + context.aeronDirectoryName() + ": " + reason, ex);
    }
}
