package io.escapement.perf.rig;

import io.escapement.driver.DriverDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/**
 * The options of one run. Picocli reads them twice: in the tool from the command line, and in a measured process from
 * an options file, where the hidden ones say which part of the run the process plays.
 */
public class RunPlan
{
    @Option(names = {"--warm-up", "--warm-up-ms"}, paramLabel = "MS",
        description = "warm-up before each run, not counted as measured (default: see the title of a run)")
    private Integer warmUpMs;

    @Option(names = "--role", hidden = true)
    private String role;

    @Option(names = "--subject", hidden = true)
    private String subject;

    @Option(names = "--measure-ms", hidden = true)
    private int measureMs;

    @Option(names = "--port", hidden = true)
    private int port;

    @Option(names = "--driver-directory", hidden = true)
    private String directory;

    @Option(names = "--results", hidden = true)
    private Path results;

    /** The part that this process plays, null in the tool itself. */
    public final String role()
    {
        return role;
    }

    /** The thing under test: the engine, or a peer that it is compared with. */
    public final String subject()
    {
        return subject;
    }

    /** Warm-up before the measured time, null for the command's default. */
    public final Integer warmUpMs()
    {
        return warmUpMs;
    }

    /** Measured time of this run. */
    public final int measureMs()
    {
        return measureMs;
    }

    /** Directory of the server's media driver. */
    public final String directory()
    {
        return directory;
    }

    /** File that a measured process writes its {@link Measurements} to. */
    public final Path results()
    {
        return results;
    }

    /** Address that the server receives at. */
    public final String serverEndpoint()
    {
        return endpoint(0);
    }

    /** Address that a trunk receives responses at. */
    public final String responseEndpoint()
    {
        return endpoint(1);
    }

    /** Address that a bare Aeron client receives at. */
    public final String clientEndpoint()
    {
        return endpoint(2);
    }

    /**
     * Copy this plan for one run, with free ports and a driver directory.
     *
     * @param blank a new plan of the same class, which becomes the copy.
     */
    public final <P extends RunPlan> P forRun(
        final P blank, final String runSubject, final int runWarmUpMs, final int runMeasureMs)
    {
        CommandLine.populateCommand(blank, arguments().toArray(new String[0]));
        final RunPlan copy = blank;
        copy.subject = runSubject;
        copy.warmUpMs = runWarmUpMs;
        copy.measureMs = runMeasureMs;
        copy.port = Ports.free();
        copy.directory = DriverDirectory.temporary();
        return blank;
    }

    /** All options that have a value, as picocli parses them back. */
    public final List<String> arguments()
    {
        final List<String> arguments = new ArrayList<>();
        for (final OptionSpec option : CommandSpec.forAnnotatedObject(this).options())
        {
            if (null != option.getValue())
            {
                arguments.add(option.longestName() + "=" + option.getValue());
            }
        }
        return arguments;
    }

    private String endpoint(final int offset)
    {
        return "127.0.0.1:" + (port + offset);
    }
}
