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
    public Integer warmUpMs;

    @Option(names = "--role", hidden = true)
    public String role;

    @Option(names = "--subject", hidden = true)
    public String subject;

    @Option(names = "--measure-ms", hidden = true)
    public int measureMs;

    @Option(names = "--port", hidden = true)
    private int port;

    @Option(names = "--driver-directory", hidden = true)
    public String directory;

    @Option(names = "--results", hidden = true)
    public Path results;

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
