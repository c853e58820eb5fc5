package io.escapement.perf.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The host and the software of a run, without which figures mean nothing. */
public final class Environment
{
    private static final String UNKNOWN = "unknown";
    /** The commit that was built, set by the script in {@code bin}. */
    private static final String COMMIT_PROPERTY = "escapement.perf.commit";
    private static final String VERSION = "version";
    private static final Path GOVERNOR = Path.of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    private static final Path CPU = Path.of("/proc/cpuinfo");
    private static final Path TIMES = Path.of("/proc/stat");
    private static final String ALL_CORES = "cpu ";
    private static final int STOLEN_FIELD = 8;
    /** The unit of {@code /proc/stat}. */
    private static final long TICK_MS = 10;
    /** Load per core above which the host is not idle. */
    private static final double BUSY = 0.5;

    private Environment()
    {
    }

    /**
     * The environment by name, in order.
     *
     * @param childFlags  flags of the measured JVMs.
     * @param commandLine words of the command.
     */
    public static Map<String, String> describe(final List<String> childFlags, final List<String> commandLine)
    {
        final Map<String, String> lines = new LinkedHashMap<>();
        final Properties versions = versions();
        final OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        lines.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        lines.put(VERSION, versions.getProperty(VERSION));
        lines.put("commit", System.getProperty(COMMIT_PROPERTY, UNKNOWN));
        lines.put("command line", String.join(" ", commandLine));
        lines.put("jdk", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") +
            ", " + System.getProperty("java.vendor"));
        lines.put("flags", String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
        lines.put("flags of measured processes", String.join(" ", childFlags));
        lines.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        lines.put("load average at the start", Double.toString(system.getSystemLoadAverage()));
        lines.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version") + " " +
            System.getProperty("os.arch"));
        lines.put("cpu", lineOf(CPU, "model name"));
        lines.put("cpu family", lineOf(CPU, "cpu family"));
        lines.put("cpu model", lineOf(CPU, "model"));
        lines.put("stepping", lineOf(CPU, "stepping"));
        lines.put("governor", firstLine(GOVERNOR));
        lines.put("memory", lineOf(Path.of("/proc/meminfo"), "MemTotal"));
        lines.put("transparent huge pages", firstLine(Path.of("/sys/kernel/mm/transparent_hugepage/enabled")));
        lines.put("clock source",
            firstLine(Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource")));
        new TreeMap<>(versions).forEach((library, version) -> lines.put(library.toString(), version.toString()));
        return lines;
    }

    /** Conditions of this host that make figures worth less, one line each. */
    public static List<String> warnings()
    {
        final List<String> warnings = new ArrayList<>();
        final double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        final int cores = Runtime.getRuntime().availableProcessors();
        if (load > cores * BUSY)
        {
            warnings.add(String.format(
                Locale.ROOT, "this host is not idle: load average %.2f on %d cores", load, cores));
        }
        final String governor = firstLine(GOVERNOR);
        if (!UNKNOWN.equals(governor) && !"performance".equals(governor))
        {
            warnings.add("the cores change their frequency: governor " + governor);
        }
        return warnings;
    }

    /** Milliseconds since boot that the hypervisor took from runnable virtual cores; empty if unknown. */
    public static OptionalLong stolenMs()
    {
        final String times = firstLine(TIMES);
        final String[] fields = times.split(" +");
        return times.startsWith(ALL_CORES) && fields.length > STOLEN_FIELD ?
            OptionalLong.of(Long.parseLong(fields[STOLEN_FIELD]) * TICK_MS) : OptionalLong.empty();
    }

    private static Properties versions()
    {
        final Properties versions = new Properties();
        try (InputStream in = Environment.class.getResourceAsStream("versions.properties"))
        {
            versions.load(in);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return versions;
    }

    /** The value of a line, unknown where a system has no such file, or a container hides it. */
    private static String lineOf(final Path file, final String name)
    {
        try (Stream<String> lines = Files.lines(file))
        {
            return lines.filter((line) -> name.equals(line.split(":", 2)[0].trim())).findFirst()
                .map((line) -> line.substring(line.indexOf(':') + 1).trim()).orElse(UNKNOWN);
        }
        catch (final IOException ex)
        {
            return UNKNOWN;
        }
    }

    private static String firstLine(final Path file)
    {
        try
        {
            return Files.readString(file, StandardCharsets.UTF_8).lines().findFirst().orElse(UNKNOWN);
        }
        catch (final IOException ex)
        {
            return UNKNOWN;
        }
    }
}
