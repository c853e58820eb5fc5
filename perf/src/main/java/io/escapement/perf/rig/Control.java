package io.escapement.perf.rig;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The control channel of a measured process: lines from the tool on standard input, lines to the tool on standard
 * output. End of input means that the process must exit, which it also sees when the tool dies.
 */
public final class Control
{
    /** Starts every line to the tool; other output of a process is diagnostics. */
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
    /** In the results of a part that {@link #serve} reports: how long the compilers worked, in milliseconds. */
    public static final String SERVER_COMPILED_MS = "serverCompiledMs";
    /** Returned by {@link #poll} from the end of standard input on. */
    public static final String END_OF_INPUT = "";

    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    /** Start to read standard input. */
    public Control()
    {
        final Thread reader = new Thread(this::read, "control");
        reader.setDaemon(true);
        reader.start();
    }

    /** Send a line to the tool. */
    public void send(final String line)
    {
        out.println(PREFIX + line);
    }

    /** Write the results of this process, and announce them. */
    public void send(final Measurements measurements, final Path file)
    {
        measurements.write(file);
        send(RESULTS);
    }

    /** The next line, null if there is none. */
    public String poll()
    {
        return poll(0);
    }

    /** Wait for the next line, null if none arrives in time. */
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
     * Report parts as the tool asks for them, until the end of input.
     *
     * @param onBegin starts to count.
     * @param results of the part since then.
     * @param file    of results.
     */
    public void serve(final Runnable onBegin, final Supplier<Measurements> results, final Path file)
    {
        long compiledMs = 0;
        String line = poll(Long.MAX_VALUE);
        while (!END_OF_INPUT.equals(line))
        {
            if (BEGIN.equals(line))
            {
                onBegin.run();
                compiledMs = compiledMs();
                send(BEGIN);
            }
            else if (REPORT.equals(line))
            {
                send(results.get().put(SERVER_COMPILED_MS, compiledMs() - compiledMs), file);
            }
            line = poll(Long.MAX_VALUE);
        }
    }

    /**
     * Time that the compilers of this JVM worked so far, 0 if the JVM does not report it. While they work, measured
     * code runs interpreted and spinning threads share their cores.
     */
    public static long compiledMs()
    {
        final CompilationMXBean bean = ManagementFactory.getCompilationMXBean();
        return null == bean || !bean.isCompilationTimeMonitoringSupported() ? 0 : bean.getTotalCompilationTime();
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
