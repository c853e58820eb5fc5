package io.escapement.perf.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
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
import java.util.ResourceBundle;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The host and the software of a run. Figures are meaningless without them. */
public final class Environment
{
    private static final String UNKNOWN = "unknown";
    private static final String GOVERNOR = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    /** Read from files of the host: name, file and field, without which it is the first line. */
    private static final String[][] HOST = {
        {"cpu", "/proc/cpuinfo", "model name"},
        {"cpu family", "/proc/cpuinfo", "cpu family"},
        {"cpu model", "/proc/cpuinfo", "model"},
        {"stepping", "/proc/cpuinfo", "stepping"},
        {"governor", GOVERNOR, ""},
        {"memory", "/proc/meminfo", "MemTotal"},
        {"transparent huge pages", "/sys/kernel/mm/transparent_hugepage/enabled", ""},
        {"clock source", "/sys/devices/system/clocksource/clocksource0/current_clocksource", ""}};
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
        final ResourceBundle versions = ResourceBundle.getBundle(Environment.class.getPackageName() + ".versions");
        lines.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        lines.put("version", versions.getString("version"));
        // Of the built version, set by the script in bin.
        lines.put("commit", System.getProperty("escapement.perf.commit", UNKNOWN));
        lines.put("command line", String.join(" ", commandLine));
        lines.put("jdk", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") +
            ", " + System.getProperty("java.vendor"));
        lines.put("flags", ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter((flag) -> !flag.startsWith("-Descapement.perf.")).collect(Collectors.joining(" ")));
        lines.put("flags of measured processes", String.join(" ", childFlags));
        lines.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        lines.put("load average at the start",
            Double.toString(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
        lines.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version") + " " +
            System.getProperty("os.arch"));
        for (final String[] line : HOST)
        {
            lines.put(line[0], read(line[1], line[2]));
        }
        new TreeSet<>(versions.keySet()).forEach((library) -> lines.put(library, versions.getString(library)));
        return lines;
    }

    /** Conditions of this host that make figures worth less, one line each. */
    public static List<String> warnings()
    {
        final List<String> warnings = new ArrayList<>();
        final int cores = Runtime.getRuntime().availableProcessors();
        final double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        if (load > cores * BUSY)
        {
            warnings.add(String.format(
                Locale.ROOT, "this host is not idle: load average %.2f on %d cores", load, cores));
        }
        final String governor = read(GOVERNOR, "");
        if (!UNKNOWN.equals(governor) && !"performance".equals(governor))
        {
            warnings.add("the cores change their frequency: governor " + governor);
        }
        return warnings;
    }

    /** Milliseconds since boot that the hypervisor took from runnable virtual cores. Empty if unknown. */
    public static OptionalLong stolenMs()
    {
        final String[] fields = read("/proc/stat", "").split(" +");
        return "cpu".equals(fields[0]) && fields.length > STOLEN_FIELD ?
            OptionalLong.of(Long.parseLong(fields[STOLEN_FIELD]) * TICK_MS) : OptionalLong.empty();
    }

    /** The value of a field or the first line. Unknown if a system has no such file, or a container hides it. */
    private static String read(final String file, final String field)
    {
        try
        {
            return Files.readAllLines(Path.of(file)).stream()
                .filter((line) -> field.isEmpty() || field.equals(line.split(":", 2)[0].trim())).findFirst()
                .map((line) -> field.isEmpty() ? line : line.substring(line.indexOf(':') + 1).trim()).orElse(UNKNOWN);
        }
        catch (final IOException ex)
        {
            return UNKNOWN;
        }
    }
}
