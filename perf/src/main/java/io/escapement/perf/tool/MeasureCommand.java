package io.escapement.perf.tool;

import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Environment;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Report;
import io.escapement.perf.report.Table;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.DurablePlan;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.ProcessMeter;
import io.escapement.perf.rig.RunPlan;
import io.escapement.server.Game;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The common part of all commands: options, report, the table on standard output, progress on standard error, and the
 * marks of a failed run. With {@code --role} the command is a measured process instead.
 */
@Command(mixinStandardHelpOptions = true, sortOptions = false, defaultValueProvider = MeasureCommand.Defaults.class)
abstract class MeasureCommand<P extends RunPlan> implements Callable<Integer>
{
    static final List<String> IDLE_STRATEGIES = List.of("busy", "yield", "backoff", "park");
    static final int OK = 0;
    static final int FAILED = 1;
    static final int REFUSED = 2;

    /** Runs a plan, and returns the measurements of each of its parts. Replaced by tests. */
    interface Runner<P> extends BiFunction<P, Consumer<String>, List<Measurements>>
    {
    }

    /** Defaults of options that differ by command. */
    static final class Defaults implements IDefaultValueProvider
    {
        @Override
        public String defaultValue(final ArgSpec argument)
        {
            final Object command = argument.command().userObject();
            return argument instanceof OptionSpec option && command instanceof MeasureCommand<?> measured ?
                measured.defaults.get(option.longestName()) : null;
        }
    }

    private static final String VERDICT = "Verdict: ";
    /** The directory above {@code bin}, set by its script. */
    private static final String HOME_PROPERTY = "escapement.perf.home";
    private static final Pattern CORE_LIST = Pattern.compile("[0-9]+([-,][0-9]+)*");
    private static final Chart HICCUPS = new Chart("hiccups of processes", "ms", 1e6);
    private static final Chart CORES = Chart.overTime("processor time of processes", "cores", ProcessMeter.CORE);
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    @Option(names = "--seconds", defaultValue = "30",
        description = "measured time of all runs together (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--report", paramLabel = "DIR",
        description = "directory of the report (default: perf/reports/<command>-<time>)")
    private Path directory;

    @Option(names = "--json", description = "print a JSON object on the last line")
    private boolean isJson;

    @Mixin
    final P plan;

    @Spec
    private CommandSpec spec;

    Runner<P> runner;
    private final Map<String, BiConsumer<P, Control>> roles;
    private final Map<String, String> defaults;
    private int cores = Runtime.getRuntime().availableProcessors();
    private final List<Json> whoseTime = new ArrayList<>();
    private final List<String[]> processRows = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private Report report;
    private int faultsInRows;

    /**
     * @param roles    of measured processes, by name.
     * @param defaults of options by name, where they are not the common ones.
     */
    MeasureCommand(
        final P plan,
        final Map<String, BiConsumer<P, Control>> roles,
        final Runner<P> runner,
        final Map<String, String> defaults)
    {
        this.plan = plan;
        this.roles = roles;
        this.runner = runner;
        this.defaults = defaults;
    }

    @Override
    public final Integer call()
    {
        if (null != plan.role)
        {
            return callRole();
        }
        check(seconds > 0, "--seconds", seconds);
        check(plan.pairs > 0, "--pairs", plan.pairs);
        check(plan.warmUpMs >= 0, "--warm-up-ms", plan.warmUpMs);
        check(plan.warmUpLimitMs >= 0, "--warm-up-limit-ms", plan.warmUpLimitMs);
        checkCores("--server-cpu", plan.serverCpu);
        checkCores("--bots-cpu", plan.botsCpu);
        checkOptions();
        final String refusal = refusal();
        if (null != refusal)
        {
            spec.commandLine().getErr().println("perf " + spec.name() + ": " + refusal);
            spec.commandLine().getErr().flush();
            return REFUSED;
        }
        report = new Report(spec.name(), reportDirectory(), Environment.describe(
            MeasuredProcess.flags(plan.heapMb()), spec.root().commandLine().getParseResult().originalArgs()));
        spec.options().stream()
            .filter((option) -> !option.usageHelp() && !option.versionHelp() && !option.hidden())
            .forEach((option) -> report.option(option.longestName(), option.getValue()));
        print(spec.name() + ": " + title());
        Environment.warnings().forEach(this::note);
        final String reservation = reservation();
        if (null != reservation)
        {
            print(reservation);
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
            "the hypervisor took %,d ms of the cores during the run", Environment.stolenMs().orElse(before) - before)));
        return conclude();
    }

    /** The run in one line. */
    abstract String title();

    /** Reject wrong options with {@link #check}. */
    abstract void checkOptions();

    /** Run everything. An {@link IllegalStateException} is a fault of the run. */
    abstract void measure();

    /** Put the figures. Missing figures are NaN. */
    abstract void putResult(Json json);

    /** The game of the measured server. */
    Game game()
    {
        throw new IllegalStateException(spec.name() + " has no server of a game");
    }

    /** How the engine compares with its peer, or null without a peer. */
    String verdict()
    {
        return null;
    }

    /** Why this host cannot run the command, null if it can. */
    String refusal()
    {
        return null;
    }

    /** Why the figures are worth less than they could be, null if they are not. */
    String reservation()
    {
        return null;
    }

    /** Runs of each kind. */
    final int pairs()
    {
        return plan.pairs;
    }

    final void cores(final int count)
    {
        cores = count;
    }

    final int cores()
    {
        return cores;
    }

    /** The measured time divided into equal parts, in milliseconds. */
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

    final void checkRange(final String option, final long value, final long least, final long most)
    {
        check(value >= least && value <= most, option, value);
    }

    final void checkChannel(final String channel)
    {
        check(DurablePlan.CHANNELS.contains(channel), "--channel", channel);
    }

    final void checkDurability(final DurablePlan options)
    {
        check(DurablePlan.DURABILITIES.contains(options.durability), "--durability", options.durability);
        check(!options.isDurable() || Files.isDirectory(options.journal), "--journal", options.journal);
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

    /** Add a line below the table, on standard output and on the page. */
    final void note(final String line)
    {
        report.note(line);
        print("  " + line);
    }

    /** Mark the run as unreliable. */
    final void fault(final String reason)
    {
        report.fault(reason);
    }

    final void faultIf(final boolean isFault, final String reason)
    {
        if (isFault)
        {
            fault(reason);
        }
    }

    /** Add a row, marked as failed if there was a fault since the row before. */
    final void row(final Table table, final String... cells)
    {
        final int faults = report.faults().size();
        table.row(faults != faultsInRows, cells);
        faultsInRows = faults;
    }

    final void progress(final String line)
    {
        spec.commandLine().getErr().println("[perf " + spec.name() + "] " + line);
        spec.commandLine().getErr().flush();
    }

    /**
     * Run a plan. If that fails, its row has the reason, and the command ends without further runs.
     *
     * @param failed adds the row.
     * @return the measurements of the parts, null if the run failed.
     */
    final List<Measurements> attempt(final String name, final Supplier<List<Measurements>> run, final Runnable failed)
    {
        try
        {
            final List<Measurements> parts = run.get();
            parts.forEach((part) -> account(name, part));
            return parts;
        }
        catch (final IllegalStateException ex)
        {
            fault((name.isEmpty() ? "" : name + ": ") + ex.getMessage());
            failed.run();
            return null;
        }
    }

    /** Whether the figures of a run are a result. If not, a line below the table says why. */
    static boolean isResult(final Measurements run)
    {
        return ProcessUse.isWarm(run) && !ProcessUse.isLoadBound(run);
    }

    /** Account for the time of a run, below the table, on the page and in the JSON object. */
    final void account(final String name, final Measurements run)
    {
        for (final ProcessUse process : ProcessUse.of(run))
        {
            processRows.add(Figure.cells(ProcessUse.FIGURES, process, name, process.role()));
            series(HICCUPS, name + " " + process.role() + " hiccups", process.intervals(ProcessMeter.HICCUPS));
            series(CORES, name + " " + process.role() + " cores", process.intervals(ProcessMeter.CPU));
        }
        whoseTime.add(ProcessUse.json(run).put("run", name));
        remarks.addAll(ProcessUse.remarks(run).stream().map((remark) -> name + ": " + remark).toList());
    }

    private void checkCores(final String option, final String cores)
    {
        check(null == cores || CORE_LIST.matcher(cores).matches(), option, cores);
    }

    private int callRole()
    {
        final Control control = new Control(plan.role);
        try
        {
            roles.get(plan.role).accept(plan, control);
            return OK;
        }
        catch (final RuntimeException ex)
        {
            control.send(Control.FAULT + " " + ex.getMessage());
            if (ex instanceof IllegalStateException)
            {
                return FAILED;
            }
            throw ex;
        }
    }

    private int conclude()
    {
        if (!processRows.isEmpty())
        {
            final Table processes = table(Figure.heads(ProcessUse.FIGURES, "run                 ", "process "));
            processRows.forEach((cells) -> processes.row(false, cells));
            note("cores: processor time; waited: threads that were ready and had no core; compiled: JIT" +
                " compilers at work; hiccup: how much too late a sleeping thread woke up");
        }
        remarks.forEach(this::note);
        report.faults().forEach((fault) -> print("  " + Table.FAILED + ": " + fault));
        final Json result = new Json().put("bench", spec.name());
        putResult(result);
        String verdict = verdict();
        if (null != verdict)
        {
            verdict = report.faults().isEmpty() ? verdict : "none, because the run failed";
            result.put("verdict", verdict);
            report.note(VERDICT + verdict);
        }
        result.put("whoseTime", whoseTime);
        report.write(result);
        print("report: " + report.directory().resolve("index.html"));
        if (null != verdict)
        {
            print(VERDICT + verdict);
        }
        if (isJson)
        {
            print(result.toString());
        }
        return report.faults().isEmpty() ? OK : FAILED;
    }

    private Path reportDirectory()
    {
        return null != directory ? directory : Path.of(System.getProperty(HOME_PROPERTY, "perf"), "reports",
            spec.name() + "-" + STAMP.format(ZonedDateTime.now(ZoneOffset.UTC)));
    }

    private void print(final String line)
    {
        out().println(line);
        out().flush();
    }

    private PrintWriter out()
    {
        return spec.commandLine().getOut();
    }
}
