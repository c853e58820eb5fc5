package io.escapement.driver;

import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
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
import java.util.stream.Stream;
import org.agrona.SystemUtil;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

/**
 * Settings of a media driver for one kind of host, read from a properties file in which the keys are Aeron's own, and
 * some of ours.
 *
 * <p>A setter of the context beats a system property, which beats the profile. A file that is missing, a key that is
 * not known or stands there twice, and a value that cannot be read are refused by name: a setting that is silently
 * ignored is worse than none. The flags for the JVM are the one key that a system property does not beat, since they
 * come before any.
 */
public final class DriverProfile
{
    /** The profiles that come with the library. */
    public static final List<String> NAMES = List.of("dedicated", "shared", "solo", "cloud");
    /** What a Java process with a driver of this profile is best started with. */
    public static final String JVM_FLAGS_KEY = "escapement.jvm.flags";
    /** Cores that the profile is made for. A host check counts with it. */
    public static final String CORES_KEY = "escapement.cores";
    /** Trunks that come in through one socket. A host check counts with it. */
    public static final String TRUNKS_KEY = "escapement.trunks";
    /** The longest term that a stranger may set up, in bytes. */
    public static final String GUARD_MAX_TERM_LENGTH_KEY = "escapement.guard.max.term.length";
    /** The shortest MTU that a stranger may set up, in bytes. */
    public static final String GUARD_MIN_MTU_KEY = "escapement.guard.min.mtu";
    /** The longest MTU that a stranger may set up, in bytes. */
    public static final String GUARD_MAX_MTU_KEY = "escapement.guard.max.mtu";
    /** New sessions a second and endpoint. */
    public static final String GUARD_SETUP_RATE_KEY = "escapement.guard.setup.rate";
    /** New sessions at once and endpoint. */
    public static final String GUARD_SETUP_BURST_KEY = "escapement.guard.setup.burst";
    /** Sessions an endpoint. */
    public static final String GUARD_SESSION_LIMIT_KEY = "escapement.guard.session.limit";

    /**
     * Between two looks of the thread that makes the buffers of streams for the driver. By itself it looks every
     * millisecond: 3 % of a core, and taken from a loop where loops have all the cores.
     */
    public static final long ASYNC_SLEEP_MS = 10;

    private static final List<String> NUMBER_KEYS = List.of(CORES_KEY, TRUNKS_KEY, GUARD_MAX_TERM_LENGTH_KEY,
        GUARD_MIN_MTU_KEY, GUARD_MAX_MTU_KEY, GUARD_SETUP_RATE_KEY, GUARD_SETUP_BURST_KEY, GUARD_SESSION_LIMIT_KEY);
    private static final int TRUNKS_DEFAULT = 8;

    private final String name;
    private final String origin;
    private final Map<String, String> textByKeyMap;
    private final GuardLimits guardLimits;
    private final int cores;
    private final int trunks;

    private DriverProfile(final String name, final String origin, final Map<String, String> textByKeyMap)
    {
        this.name = name;
        this.origin = origin;
        this.textByKeyMap = textByKeyMap;
        textByKeyMap.forEach(this::check);
        cores = number(CORES_KEY, 1);
        trunks = number(TRUNKS_KEY, TRUNKS_DEFAULT);
        guardLimits = readGuardLimits();
    }

    /**
     * Read a profile.
     *
     * @param nameOrPath one of {@link #NAMES}, or the path of a file.
     * @return the profile, every value of which could be read.
     */
    public static DriverProfile load(final String nameOrPath)
    {
        return load(nameOrPath, "profile " + nameOrPath);
    }

    /**
     * Read a profile that complaints are to call by the option it was named with.
     */
    static DriverProfile load(final String nameOrPath, final String origin)
    {
        final UniqueProperties properties = new UniqueProperties();
        try (InputStream in = open(nameOrPath, origin);
            Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8))
        {
            properties.load(reader);
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new DriverConfigException(origin + ": cannot be read: " + ex.getMessage(), ex);
        }
        final Map<String, String> textByKeyMap = new TreeMap<>();
        for (final String key : properties.stringPropertyNames())
        {
            textByKeyMap.put(key, properties.getProperty(key).strip());
        }
        return new DriverProfile(nameOrPath, origin, textByKeyMap);
    }

    /**
     * Every key that a profile may hold.
     *
     * @return Aeron's and ours, sorted.
     */
    public static List<String> keys()
    {
        return Stream.of(ProfileKeys.BY_NAME_MAP.keySet().stream(), NUMBER_KEYS.stream(), Stream.of(JVM_FLAGS_KEY))
            .flatMap((keys) -> keys).sorted().toList();
    }

    /**
     * A context with this profile's settings, and system properties over them. A setter called on it has the last word,
     * whatever its value; launch it with {@link DriverLauncher#launch(MediaDriver.Context, GuardLimits)}.
     *
     * @return a new context.
     */
    public MediaDriver.Context newContext()
    {
        return applyTo(untouchedContext());
    }

    /**
     * Set what neither a setter nor a system property has set.
     *
     * <p>A setter that was called before with Aeron's own default cannot be told from one that was not called, so the
     * profile wins over it; see {@link #newContext()}.
     *
     * @param context of a driver that is not launched yet.
     * @return the same context.
     */
    public MediaDriver.Context applyTo(final MediaDriver.Context context)
    {
        final MediaDriver.Context untouched = untouchedContext();
        for (final Map.Entry<String, String> entry : textByKeyMap.entrySet())
        {
            final ProfileKey<?> key = ProfileKeys.BY_NAME_MAP.get(entry.getKey());
            if (null != key)
            {
                key.apply(entry.getValue(), context, untouched);
            }
        }
        if (null == context.threadingMode())
        {
            // Aeron reads this one when the driver starts; who asks before is to see what will be.
            context.threadingMode(threadingModeProperty());
        }
        if (null == context.asyncExecutorIdleStrategy() &&
            null == System.getProperty(Configuration.ASYNC_EXECUTOR_IDLE_STRATEGY_PROP_NAME))
        {
            context.asyncExecutorIdleStrategy(new SleepingMillisIdleStrategy(ASYNC_SLEEP_MS));
        }
        return context;
    }

    /**
     * What guards allow.
     *
     * @return the limits.
     */
    public GuardLimits guardLimits()
    {
        return guardLimits;
    }

    /**
     * What a Java process with a driver of this profile is best started with.
     *
     * @return the flags, apart by spaces.
     */
    public String jvmFlags()
    {
        return textByKeyMap.getOrDefault(JVM_FLAGS_KEY, "");
    }

    /**
     * Cores that the profile is made for.
     *
     * @return at least 1.
     */
    public int cores()
    {
        return cores;
    }

    /**
     * Trunks that the profile has room for on one socket.
     *
     * @return at least 1.
     */
    public int trunks()
    {
        return trunks;
    }

    /**
     * The name or path that it was loaded by.
     *
     * @return the name.
     */
    public String name()
    {
        return name;
    }

    @Override
    public String toString()
    {
        return origin;
    }

    private static MediaDriver.Context untouchedContext()
    {
        try
        {
            return new MediaDriver.Context();
        }
        catch (final ArithmeticException | IllegalArgumentException ex)
        {
            throw unreadableProperty(ex);
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
            throw unreadableProperty(ex);
        }
    }

    /** Aeron has read the system properties into a context and failed, often without saying at which. */
    private static DriverConfigException unreadableProperty(final RuntimeException failure)
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
                return unreadable("system property", key.name(), text, failure);
            }
        }
        return new DriverConfigException("a system property cannot be read: " + failure.getMessage(), failure);
    }

    private static InputStream open(final String nameOrPath, final String origin) throws IOException
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
            throw new DriverConfigException(origin + ": neither one of " + NAMES + " nor a path", ex);
        }
        throw new DriverConfigException(origin + ": neither one of " + NAMES + " nor a file");
    }

    private void check(final String key, final String text)
    {
        final ProfileKey<?> aeronKey = ProfileKeys.BY_NAME_MAP.get(key);
        if (text.isEmpty())
        {
            throw new DriverConfigException(origin + ": " + key + " has no value");
        }
        try
        {
            if (null != aeronKey)
            {
                aeronKey.parser().apply(text);
            }
            else if (NUMBER_KEYS.contains(key))
            {
                parseNumber(key, text);
            }
            else if (!JVM_FLAGS_KEY.equals(key))
            {
                throw new DriverConfigException(origin + ": unknown key " + key);
            }
        }
        catch (final ArithmeticException | IllegalArgumentException | IllegalStateException ex)
        {
            throw unreadable(origin, key, text, ex);
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
        catch (final IllegalArgumentException ex)
        {
            throw new DriverConfigException(origin + ": escapement.guard: " + ex.getMessage(), ex);
        }
    }

    private int number(final String key, final int otherwise)
    {
        final String property = System.getProperty(key);
        final String text = null == property ? textByKeyMap.get(key) : property;
        try
        {
            return null == text ? otherwise : parseNumber(key, text);
        }
        catch (final ArithmeticException | IllegalArgumentException ex)
        {
            throw unreadable(null == property ? origin : "system property", key, text, ex);
        }
    }

    private static int parseNumber(final String key, final String text)
    {
        if (text.isEmpty())
        {
            throw new IllegalArgumentException("empty");
        }
        final int value = Math.toIntExact(SystemUtil.parseSize(key, text));
        if (value < 1)
        {
            throw new IllegalArgumentException("less than 1");
        }
        return value;
    }

    private static DriverConfigException unreadable(
        final String origin, final String key, final String text, final RuntimeException cause)
    {
        return new DriverConfigException(
            origin + ": " + key + "=" + text + " cannot be read: " + cause.getMessage(), cause);
    }

    /**
     * Java's own takes the last of two lines with one key.
     */
    private static final class UniqueProperties extends Properties
    {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Object put(final Object key, final Object value)
        {
            if (containsKey(key))
            {
                throw new IllegalArgumentException(key + " stands there twice");
            }
            return super.put(key, value);
        }
    }
}
