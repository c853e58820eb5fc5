package io.escapement.perf.rig;

import io.escapement.engine.WarmUp;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The control channel of a measured process: lines from the tool on standard input, lines to the tool on standard
 * output. At the end of input the process must exit. Input also stops when the tool dies.
 */
public final class Control
{
    /** Starts every line to the tool. Other output of a process is diagnostics. */
    public static final String PREFIX = "@perf ";
    /** Sent when a process is ready for its peer, or for the next part of a run. */
    public static final String READY = "READY";
    /** Sent when the measured part starts. */
    public static final String RECORDING = "RECORDING";
    /** Sent when the file of results is complete. */
    public static final String RESULTS = "RESULTS";
    /** Sent with the reason when a process fails. */
    public static final String FAULT = "FAULT";
    /** Sent with a line for the user. */
    public static final String PROGRESS = "PROGRESS";
    /** Tool to server and back: start to count. */
    public static final String BEGIN = "BEGIN";
    /** Tool to a process: write the results of the part. */
    public static final String REPORT = "REPORT";
    /** Tool to client: run a part of the warm-up. */
    public static final String PART = "PART";
    /** Tool to a process and back: wait for work as the plan says, and do not park any more. */
    public static final String WARM = "WARM";
    /** Tool to client: run the next measured part. */
    public static final String GO = "GO";
    /** Returned by {@link #poll} from the end of standard input on. */
    public static final String END_OF_INPUT = "";

    private static final PrintStream OUT =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final WarmUp warmUp = new WarmUp().byApplication();
    private final ProcessMeter meter;

    /** Start to read standard input. */
    public Control(final String role)
    {
        meter = new ProcessMeter(role);
        final Thread reader = new Thread(this::read, "control");
        reader.setDaemon(true);
        reader.start();
    }

    /** Measures this process. */
    public ProcessMeter meter()
    {
        return meter;
    }

    /** The warm-up of this process, which the tool stops. */
    public WarmUp warmUp()
    {
        return warmUp;
    }

    /** Send a line to the tool. */
    public void send(final String line)
    {
        line(line);
    }

    /** Send a line to the tool from a part of a process that follows no lines. */
    static void line(final String text)
    {
        OUT.println(PREFIX + text);
    }

    /** Write the results of this process, and announce them. */
    public void send(final Measurements measurements, final Path file)
    {
        measurements.write(file);
        send(RESULTS);
    }

    /** The next line, or null. */
    public String poll()
    {
        return poll(0);
    }

    /** Wait for the next line. Returns null if no line arrives in time. */
    public String poll(final long ms)
    {
        try
        {
            final String line = lines.poll(ms, TimeUnit.MILLISECONDS);
            if (END_OF_INPUT.equals(line))
            {
                lines.add(END_OF_INPUT);
            }
            return line;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return END_OF_INPUT;
        }
    }

    /**
     * Follow the lines of the tool until the end of input: they stop the warm-up, and start and stop the measured part.
     *
     * @param plan    of the run.
     * @param onBegin starts to count.
     * @param results of the part since then.
     */
    public void serve(final RunPlan plan, final Runnable onBegin, final Supplier<Measurements> results)
    {
        String line = poll(Long.MAX_VALUE);
        while (!END_OF_INPUT.equals(line))
        {
            if (BEGIN.equals(line))
            {
                onBegin.run();
                meter.start(plan.measureMs);
                send(BEGIN);
            }
            else if (REPORT.equals(line))
            {
                final Measurements ofProcess = meter.stop();
                send(results.get().addAll(ofProcess), plan.results);
            }
            else
            {
                warm(line);
            }
            line = poll(Long.MAX_VALUE);
        }
    }

    /** Follow a line of the tool that may stop the warm-up. */
    public void warm(final String line)
    {
        if (WARM.equals(line))
        {
            warmUp.end();
            send(WARM);
        }
    }

    private void read()
    {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)))
        {
            for (String line = in.readLine(); null != line; line = in.readLine())
            {
                lines.add(line);
            }
        }
        catch (final IOException ex)
        {
            send(FAULT + " standard input failed: " + ex.getMessage());
        }
        lines.add(END_OF_INPUT);
    }
}
