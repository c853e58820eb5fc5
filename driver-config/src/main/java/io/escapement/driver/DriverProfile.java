package io.escapement.driver;

import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.config.ConfigException;
import io.escapement.driver.guard.GuardLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.agrona.SystemUtil;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

/**
 * Settings of a media driver for one kind of host, read from a properties file. Its keys are Aeron's system properties
 * and the {@code escapement.} keys below.
 *
 * <p>A setter of the context overrides a system property, which overrides the profile. A missing file, an unknown or
 * duplicate key, and an invalid value are errors, because a silently ignored setting is worse than no setting. Only
 * {@link #JVM_FLAGS_KEY} cannot be overridden by a system property, because it is needed before the JVM starts.
 */
public final class DriverProfile
{
    /** The built-in profiles. */
    public static final List<String> NAMES = List.of("dedicated", "shared", "solo", "cloud");
    /** Recommended JVM flags for the process that runs the driver. */
    public static final String JVM_FLAGS_KEY = "escapement.jvm.flags";
    /** Cores that the profile needs. The host check compares it with the host. */
    public static final String CORES_KEY = "escapement.cores";
    /** Trunks that share one socket. The host check sizes buffers by it. */
    public static final String TRUNKS_KEY = "escapement.trunks";
    /** Whether sockets use the kernel's segmentation offload where they can: on, the default, or off. */
    public static final String GSO_KEY = "escapement.gso";
    /** See {@link GuardLimits#maxTermLength()}. */
    public static final String GUARD_MAX_TERM_LENGTH_KEY = "escapement.guard.max.term.length";
    /** See {@link GuardLimits#minMtu()}. */
    public static final String GUARD_MIN_MTU_KEY = "escapement.guard.min.mtu";
    /** See {@link GuardLimits#maxMtu()}. */
    public static final String GUARD_MAX_MTU_KEY = "escapement.guard.max.mtu";
    /** See {@link GuardLimits#setupRate()}. */
    public static final String GUARD_SETUP_RATE_KEY = "escapement.guard.setup.rate";
    /** See {@link GuardLimits#setupBurst()}. */
    public static final String GUARD_SETUP_BURST_KEY = "escapement.guard.setup.burst";
    /** See {@link GuardLimits#sessionLimit()}. */
    public static final String GUARD_SESSION_LIMIT_KEY = "escapement.guard.session.limit";

    /**
     * Poll interval of the driver thread that allocates log buffers. Aeron's default of 1 ms costs 3 % of a core, which
     * a loop loses when loops own all cores.
     */
    public static final long ASYNC_SLEEP_MS = 10;

    private static final String ON = "on";
    private static final List<String> NUMBER_KEYS = List.of(CORES_KEY, TRUNKS_KEY, GUARD_MAX_TERM_LENGTH_KEY,
        GUARD_MIN_MTU_KEY, GUARD_MAX_MTU_KEY, GUARD_SETUP_RATE_KEY, GUARD_SETUP_BURST_KEY, GUARD_SESSION_LIMIT_KEY);
    private static final int TRUNKS_DEFAULT = 8;

    private final String option;
    private final String name;
    private final Map<String, String> textByKeyMap = new TreeMap<>();
    private final GuardLimits guardLimits;
    private final int cores;
    private final int trunks;
    private final boolean isOffloaded;

    private DriverProfile(final String option, final String name, final Properties properties)
    {
        this.option = option;
        this.name = name;
        properties.forEach((key, text) -> textByKeyMap.put((String)key, ((String)text).strip()));
        textByKeyMap.forEach(this::check);
        cores = number(CORES_KEY, 1);
        trunks = number(TRUNKS_KEY, TRUNKS_DEFAULT);
        guardLimits = readGuardLimits();
        isOffloaded = readOffload();
    }

    /**
     * Load a profile.
     *
     * @param nameOrPath of {@link #NAMES}, or the path of a file.
     * @return the profile, with every value validated.
     */
    public static DriverProfile load(final String nameOrPath)
    {
        return load("profile", nameOrPath);
    }

    /**
     * Load a profile that an option names.
     *
     * @param option     named in error messages.
     * @param nameOrPath of {@link #NAMES}, or the path of a file.
     * @return the profile, with every value validated.
     */
    public static DriverProfile load(final String option, final String nameOrPath)
    {
        final UniqueProperties properties = new UniqueProperties();
        try (InputStream in = open(option, nameOrPath);
            Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8))
        {
            properties.load(reader);
        }
        catch (final ConfigException ex)
        {
            throw ex;
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new ConfigException(option, nameOrPath, "cannot be read: " + ex.getMessage(), ex);
        }
        return new DriverProfile(option, nameOrPath, properties);
    }

    /**
     * A new context with this profile's settings, overridden by system properties. Setters called on it override both.
     * Launch it with {@link DriverLauncher#launch(MediaDriver.Context, GuardLimits)}.
     */
    public MediaDriver.Context newContext()
    {
        return applyTo(defaultContext());
    }

    /**
     * Set each setting that neither a setter nor a system property has set. An earlier setter call with Aeron's default
     * value cannot be detected: the profile overrides it. {@link #newContext()} avoids that.
     *
     * @param context of a driver that is not launched yet.
     * @return the same context.
     */
    public MediaDriver.Context applyTo(final MediaDriver.Context context)
    {
        final MediaDriver.Context defaults = defaultContext();
        for (final Map.Entry<String, String> entry : textByKeyMap.entrySet())
        {
            final ProfileKey<?> key = ProfileKeys.BY_NAME_MAP.get(entry.getKey());
            if (null != key)
            {
                key.apply(entry.getValue(), context, defaults);
            }
        }
        if (null == context.threadingMode())
        {
            // Aeron reads this property when the driver starts, but the host check and core pinning need it before.
            context.threadingMode(threadingModeProperty());
        }
        if (null == context.asyncExecutorIdleStrategy() &&
            null == System.getProperty(Configuration.ASYNC_EXECUTOR_IDLE_STRATEGY_PROP_NAME))
        {
            context.asyncExecutorIdleStrategy(new SleepingMillisIdleStrategy(ASYNC_SLEEP_MS));
        }
        return context;
    }

    /** Limits for unauthenticated peers. */
    public GuardLimits guardLimits()
    {
        return guardLimits;
    }

    /** Whether a system property, or a profile that is not built in, sets {@link #GUARD_SESSION_LIMIT_KEY}. */
    public boolean hasOwnSessionLimit()
    {
        return null != System.getProperty(GUARD_SESSION_LIMIT_KEY) ||
            (!NAMES.contains(name) && textByKeyMap.containsKey(GUARD_SESSION_LIMIT_KEY));
    }

    /** Recommended JVM flags, separated by spaces. */
    public String jvmFlags()
    {
        return textByKeyMap.getOrDefault(JVM_FLAGS_KEY, "");
    }

    /** Cores that the profile needs, at least 1. */
    public int cores()
    {
        return cores;
    }

    /** Trunks that the profile's buffers allow on one socket, at least 1. */
    public int trunks()
    {
        return trunks;
    }

    /** Whether sockets use the kernel's segmentation offload where they can. */
    public boolean isOffloaded()
    {
        return isOffloaded;
    }

    /** The name or path that it was loaded by. */
    public String name()
    {
        return name;
    }

    private static MediaDriver.Context defaultContext()
    {
        try
        {
            return new MediaDriver.Context();
        }
        catch (final ArithmeticException | IllegalArgumentException ex)
        {
            throw invalidProperty(ex);
        }
    }

    private static ThreadingMode threadingModeProperty()
    {
        try
        {
            return Configuration.threadingMode();
        }
        catch (final IllegalArgumentException ex)
        {
            throw invalidProperty(ex);
        }
    }

    /** Find the system property that Aeron failed to parse, because its exception often omits the name. */
    private static ConfigException invalidProperty(final RuntimeException failure)
    {
        for (final ProfileKey<?> key : ProfileKeys.BY_NAME_MAP.values())
        {
            final String text = System.getProperty(key.name());
            try
            {
                if (null != text)
                {
                    key.parser().apply(text);
                }
            }
            catch (final RuntimeException ex)
            {
                return invalid("a system property", key.name(), text, failure);
            }
        }
        return new ConfigException("aeron.*", "a system property", failure.getMessage(), failure);
    }

    private static InputStream open(final String option, final String nameOrPath) throws IOException
    {
        if (NAMES.contains(nameOrPath))
        {
            return DriverProfile.class.getResourceAsStream("profiles/" + nameOrPath + ".properties");
        }
        try
        {
            final Path path = Path.of(nameOrPath);
            if (Files.isRegularFile(path))
            {
                return Files.newInputStream(path);
            }
        }
        catch (final InvalidPathException ex)
        {
            throw new ConfigException(option, nameOrPath, "expected one of " + NAMES + " or a path", ex);
        }
        throw new ConfigException(option, nameOrPath, "expected one of " + NAMES + " or an existing file");
    }

    private void check(final String key, final String text)
    {
        final ProfileKey<?> aeronKey = ProfileKeys.BY_NAME_MAP.get(key);
        final boolean isNumber = NUMBER_KEYS.contains(key);
        ConfigException.check(null != aeronKey || isNumber || JVM_FLAGS_KEY.equals(key) || GSO_KEY.equals(key),
            option, name, "unknown key " + key);
        ConfigException.check(!text.isEmpty(), option, name, key + " has no value");
        try
        {
            if (null != aeronKey)
            {
                aeronKey.parser().apply(text);
            }
            else if (isNumber)
            {
                parseNumber(key, text);
            }
        }
        catch (final ArithmeticException | IllegalArgumentException | IllegalStateException ex)
        {
            throw invalid("profile " + name, key, text, ex);
        }
    }

    private GuardLimits readGuardLimits()
    {
        final GuardLimits defaults = GuardLimits.DEFAULTS;
        try
        {
            return new GuardLimits(
                number(GUARD_MAX_TERM_LENGTH_KEY, defaults.maxTermLength()),
                number(GUARD_MIN_MTU_KEY, defaults.minMtu()),
                number(GUARD_MAX_MTU_KEY, defaults.maxMtu()),
                number(GUARD_SETUP_RATE_KEY, defaults.setupRate()),
                number(GUARD_SETUP_BURST_KEY, defaults.setupBurst()),
                number(GUARD_SESSION_LIMIT_KEY, defaults.sessionLimit()));
        }
        catch (final ConfigException ex)
        {
            throw ex.option().startsWith("escapement.") ? ex :
                new ConfigException(option, name, "escapement.guard: " + ex.getMessage(), ex);
        }
    }

    private boolean readOffload()
    {
        return null == System.getProperty(GSO_KEY) && textByKeyMap.containsKey(GSO_KEY) ?
            isOn("profile " + name, textByKeyMap.get(GSO_KEY)) : isOffloadedByDefault();
    }

    /** Whether sockets of a driver without a profile use the kernel's segmentation offload where they can. */
    static boolean isOffloadedByDefault()
    {
        return isOn("a system property", System.getProperty(GSO_KEY, ON));
    }

    private static boolean isOn(final String source, final String text)
    {
        if (!ON.equals(text) && !"off".equals(text))
        {
            throw invalid(source, GSO_KEY, text, new IllegalArgumentException("expected on or off"));
        }
        return ON.equals(text);
    }

    private int number(final String key, final int defaultValue)
    {
        final String property = System.getProperty(key);
        final String text = null == property ? textByKeyMap.get(key) : property;
        try
        {
            return null == text ? defaultValue : parseNumber(key, text);
        }
        catch (final ArithmeticException | IllegalArgumentException ex)
        {
            throw invalid(null == property ? "profile " + name : "a system property", key, text, ex);
        }
    }

    private static int parseNumber(final String key, final String text)
    {
        if (text.isEmpty())
        {
            throw new IllegalArgumentException("expected a number");
        }
        final int value = Math.toIntExact(SystemUtil.parseSize(key, text));
        if (value < 1)
        {
            throw new IllegalArgumentException("must be at least 1");
        }
        return value;
    }

    private static ConfigException invalid(
        final String source, final String key, final String text, final RuntimeException cause)
    {
        return new ConfigException(key, text, "invalid in " + source + ": " + cause.getMessage(), cause);
    }

    /** Refuses a duplicate key, where Properties would silently keep the last value. */
    private static final class UniqueProperties extends Properties
    {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Object put(final Object key, final Object value)
        {
            if (containsKey(key))
            {
                throw new IllegalArgumentException("duplicate key " + key);
            }
            return super.put(key, value);
        }
    }
}
