package io.escapement.perf.tool;

import io.escapement.perf.process.Child;
import io.escapement.perf.process.Findings;
import io.escapement.perf.process.ReceivedBlocks;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Environment;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Report;
import io.escapement.perf.report.Table;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What all commands have in common: their options, the report, the table on standard output, progress on standard
 * error, and what becomes of a run that failed.
 */
abstract class MeasureCommand implements Callable<Integer>
{
    static final int OK = 0;
    static final int FAILED = 1;
    static final int REFUSED = 2;

    static final int WARM_UP_MS = 3_000;

    /** The folder that {@code bin} is in, told by its script. */
    private static final String HOME_PROPERTY = "escapement.perf.home";
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
    private static final double THOUSAND = 1_000;
    private static final double SECOND_NS = 1e9;

    @Option(names = "--seconds", defaultValue = "30",
        description = "measured time of all runs together (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--report", paramLabel = "DIR",
        description = "folder of the report (default: perf/reports/<command>-<time>)")
    private Path directory;

    @Option(names = "--json", description = "end with one line that holds one JSON object")
    private boolean isJson;

    @Option(names = {"--warm-up", "--warm-up-ms"}, paramLabel = "MS",
        description = "before each run, not counted as measured (default: " + WARM_UP_MS +
            ", more for some commands, as the title of a run says)")
    private Integer warmUpMs;

    @Spec
    private CommandSpec spec;

    private int cores = Runtime.getRuntime().availableProcessors();
    private Report report;

    @Override
    public final Integer call()
    {
        check(seconds > 0, "--seconds", seconds);
        check(warmUpMs() >= 0, "--warm-up-ms", warmUpMs());
        checkOptions();
        final String refusal = refusal();
        if (null != refusal)
        {
            spec.commandLine().getErr().println("perf " + spec.name() + ": " + refusal);
            spec.commandLine().getErr().flush();
            return REFUSED;
        }
        report = new Report(spec.name(), reportDirectory(), Environment.describe(childFlags()));
        for (final OptionSpec option : spec.options())
        {
            if (!option.usageHelp() && !option.versionHelp())
            {
                report.option(option.longestName(), option.getValue());
            }
        }
        say(spec.name() + ": " + title());
        Environment.warnings().forEach(this::note);
        final String reservation = reservation();
        if (null != reservation)
        {
            say(reservation);
        }
        final OptionalLong stolenMs = Environment.stolenMs();
        try
        {
            measure();
        }
        catch (final IllegalStateException | UncheckedIOException ex)
        {
            fault(ex.getMessage());
        }
        stolenMs.ifPresent((before) -> note(String.format(Locale.ROOT,
            "the hypervisor took %,d ms of the cores meanwhile", Environment.stolenMs().orElse(before) - before)));
        return conclude();
    }

    /** What the run does, in a line. */
    abstract String title();

    /** Throw by {@link #check} when an option is wrong. */
    abstract void checkOptions();

    /** Why this host cannot do it, in a line; null when it can. */
    String refusal()
    {
        return null;
    }

    /** Why what comes out is worth less than it could be, in a line; null when it is not. */
    String reservation()
    {
        return null;
    }

    /** Flags of the processes that are measured. */
    List<String> childFlags()
    {
        return Child.flags();
    }

    /** Run everything. An {@link IllegalStateException} is a fault of the run. */
    abstract void measure();

    /** What was found. Figures that are missing are no numbers. */
    abstract Json result();

    final void cores(final int count)
    {
        cores = count;
    }

    final int cores()
    {
        return cores;
    }

    final int warmUpMs()
    {
        return null == warmUpMs ? usualWarmUpMs() : warmUpMs;
    }

    /** What is taken when nothing else is said. */
    int usualWarmUpMs()
    {
        return WARM_UP_MS;
    }

    /** Share of the measured time that one of so many equal parts has, in milliseconds. */
    final int shareMs(final int parts)
    {
        return Math.max(1, (int)Math.min(Integer.MAX_VALUE, seconds * 1_000L / parts));
    }

    final void check(final boolean isRight, final String option, final Object value)
    {
        if (!isRight)
        {
            throw new ParameterException(spec.commandLine(), "Invalid value for option '" + option + "': " + value);
        }
    }

    final Table table(final String... heads)
    {
        final Table table = new Table(out(), heads);
        report.table(table);
        return table;
    }

    final void series(final Chart chart, final String name, final List<Histogram> intervals)
    {
        report.series(chart, name, intervals);
    }

    /** A line below the table, here and on the page. */
    final void note(final String line)
    {
        report.note(line);
        say("  " + line);
    }

    /** The run cannot be relied on. */
    final void fault(final String reason)
    {
        report.fault(reason);
    }

    /** Whether everything that was sent was received, and nothing else. */
    final void checkDelivery(final String what, final Findings received, final long sent, final long sentSum)
    {
        final long count = received.value(ReceivedBlocks.RECEIVED);
        if (sent != count)
        {
            fault(what + ": " + (sent - count) + " of " + sent + " messages were lost");
        }
        else if (sentSum != received.value(ReceivedBlocks.RECEIVED_SUM))
        {
            fault(what + ": the checksum over what was received is not that over what was sent");
        }
        if (received.value(ReceivedBlocks.TOOK_NS) <= 0)
        {
            fault(what + ": too short to measure anything");
        }
    }

    /** Messages that count by the time that they took. */
    static double perSecond(final Findings received)
    {
        return received.value(ReceivedBlocks.COUNTED) * SECOND_NS / received.value(ReceivedBlocks.TOOK_NS);
    }

    /** How many faults there are, to see whether a run added to them. */
    final int faults()
    {
        return report.faults().size();
    }

    /** Tell whoever waits how far it has come. */
    final void progress(final String line)
    {
        spec.commandLine().getErr().println("[perf " + spec.name() + "] " + line);
        spec.commandLine().getErr().flush();
    }

    static String us(final double ns)
    {
        return String.format(Locale.ROOT, "%.1f", ns / THOUSAND);
    }

    static String number(final double value)
    {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    static String whole(final double value)
    {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private int conclude()
    {
        for (final String fault : report.faults())
        {
            say("  " + Table.FAILED + ": " + fault);
        }
        final Json result = result();
        report.write(result);
        say("report: " + report.directory().resolve("index.html"));
        if (isJson)
        {
            say(result.toString());
        }
        return report.faults().isEmpty() ? OK : FAILED;
    }

    private Path reportDirectory()
    {
        if (null != directory)
        {
            return directory;
        }
        final String stamp = STAMP.format(ZonedDateTime.now(ZoneOffset.UTC));
        return Path.of(System.getProperty(HOME_PROPERTY, "perf"), "reports", spec.name() + "-" + stamp);
    }

    private void say(final String line)
    {
        out().println(line);
        out().flush();
    }

    private PrintWriter out()
    {
        return spec.commandLine().getOut();
    }
}
