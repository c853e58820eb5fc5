package io.escapement.perf.tool;

import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.Program;
import io.escapement.perf.rig.RunPlan;
import io.escapement.perf.rig.WarmUpParts;
import io.escapement.server.Escapement;
import io.escapement.testsupport.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.agrona.IoUtil;

/**
 * A JVM that plays one role of a run: the program of {@code escapement-server} with the {@link MeasuredGame}, or the
 * same command of this tool with {@code --role}. Both read the options of the run from a file. Closing ends its
 * standard input, on which it exits. It is killed if it does not exit, or if the run takes too long.
 */
final class MeasuredProcess implements AutoCloseable
{
    static final String SERVER = RunPlan.SERVER;
    static final String GATEWAY = RunPlan.GATEWAY;
    static final String PAGES = "pages";
    static final String CLIENT = "client";
    static final String WORKER = "worker";

    /** Before the reason of the program's exit. */
    private static final String FAULT = "escapement: ";
    /** The lines that the program prints of its state. */
    private static final Pattern PROGRAM = Pattern.compile(
        "(serving|journal|ready|console|leading|following|stopped|drained) |https?://");
    /** Longer than the program drains its rooms. */
    private static final long EXIT_SECONDS = 20;
    /** For start, connect and drain. */
    private static final long SPARE_SECONDS = 40;
    private static final long POLL_MS = 200;

    private final String name;
    private final Consumer<String> progress;
    private final Path directory;
    private final Program program;
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final long deadlineNs;
    private final ChildJvm child;

    MeasuredProcess(
        final String command,
        final String role,
        final RunPlan plan,
        final long limitSeconds,
        final Consumer<String> progress)
    {
        name = command + " " + role;
        this.progress = progress;
        deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
        try
        {
            directory = Files.createTempDirectory("escapement-perf-");
            program = plan.program(role);
            final List<String> options = new ArrayList<>(List.of(command));
            options.addAll(plan.arguments());
            options.add("--role=" + role);
            options.add("--results=" + results());
            final String ofRun = write("options", options);
            final List<String> flags = flags(CLIENT.equals(role) ? plan.clientHeapMb() : plan.heapMb());
            flags.add("-D" + MeasuredGame.OPTIONS_PROPERTY + "=" + ofRun);
            final List<String> arguments = new ArrayList<>();
            for (final List<String> ofNode : program.commands())
            {
                arguments.add(write("node-" + arguments.size(), ofNode));
            }
            child = arguments.isEmpty() ? new ChildJvm(Perf.class, flags, List.of(ofRun), this::onLine) :
                new ChildJvm(1 == arguments.size() ? Escapement.class : ClusterNodes.class, flags, arguments,
                    this::onLine);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        pin(CLIENT.equals(role) ? plan.botsCpu : SERVER.equals(role) ? plan.serverCpu : null);
    }

    /** Write a file of arguments, and return the argument that names it. */
    private String write(final String file, final List<String> arguments) throws IOException
    {
        return "@" + Files.write(
            directory.resolve(file), arguments.stream().map((argument) -> "\"" + argument + "\"").toList());
    }

    /** Leave the cores to the other processes, as a process on another host would. */
    void yieldToOthers()
    {
        child.yieldToOthers();
    }

    /** Run a server and a client, and do something to the server once the client records. */
    static List<Measurements> runPair(final String command, final RunPlan plan, final LongConsumer atRecording)
    {
        try (MeasuredProcess server = new MeasuredProcess(command, SERVER, plan))
        {
            server.awaitReady(plan);
            try (MeasuredProcess client = new MeasuredProcess(command, CLIENT, plan))
            {
                warmUp(plan, server, client);
                return List.of(part(Control.GO, server, client, atRecording));
            }
        }
    }

    /** Take a server and a client that reports through their warm-up. */
    static void warmUp(final RunPlan plan, final MeasuredProcess server, final MeasuredProcess client)
    {
        client.await(Control.READY);
        warmUp(plan, () -> part(Control.PART, server, client, (serverPid) -> { }), server, client);
    }

    /** Run parts of a warm-up: while the processes park first, and then while they wait as in the measured part. */
    static void warmUp(
        final RunPlan plan, final Supplier<Measurements> part, final MeasuredProcess... processes)
    {
        warmUpHalf(plan, part);
        for (final MeasuredProcess process : processes)
        {
            process.send(Control.WARM);
            process.await(Control.WARM);
        }
        warmUpHalf(plan, part);
    }

    private static void warmUpHalf(final RunPlan plan, final Supplier<Measurements> part)
    {
        final WarmUpParts warmUp = new WarmUpParts(plan, 0.5, System.nanoTime());
        boolean isOver = false;
        while (!isOver)
        {
            final Measurements run = part.get();
            isOver = warmUp.isOver(ProcessUse.compiledMs(run), ProcessUse.ns(run, CLIENT), System.nanoTime());
        }
    }

    /** Run a part of which both processes have results. */
    private static Measurements part(
        final String what, final MeasuredProcess server, final MeasuredProcess client, final LongConsumer atRecording)
    {
        server.begin();
        final Bystanders bystanders = new Bystanders();
        client.send(what);
        client.await(Control.RECORDING);
        atRecording.accept(server.pid());
        final Measurements measurements = client.measurements().addAll(bystanders.stop());
        server.send(Control.REPORT);
        return measurements.addAll(server.measurements());
    }

    /** Start to count. */
    void begin()
    {
        send(Control.BEGIN);
        await(Control.BEGIN);
    }

    private void pin(final String cores)
    {
        if (null == cores)
        {
            return;
        }
        try
        {
            final Process taskset = new ProcessBuilder("taskset", "-a", "-c", "-p", cores, Long.toString(pid()))
                .redirectErrorStream(true).start();
            final String answer = new String(taskset.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (0 != taskset.waitFor())
            {
                throw new IllegalStateException("cannot pin " + name + " to cores " + cores + ": " + answer.strip());
            }
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException("cannot pin " + name + ", taskset is needed: " + ex.getMessage(), ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Run a process that needs no peer. */
    static List<Measurements> runWorker(
        final String command, final RunPlan plan, final long spareSeconds, final Consumer<String> progress)
    {
        try (MeasuredProcess worker =
            new MeasuredProcess(command, WORKER, plan, spareSeconds + limitSeconds(plan), progress))
        {
            final Bystanders bystanders = new Bystanders();
            return List.of(worker.measurements().addAll(bystanders.stop()));
        }
    }

    MeasuredProcess(final String command, final String role, final RunPlan plan)
    {
        this(command, role, plan, limitSeconds(plan), (line) -> { });
    }

    /** JVM flags of measured processes, the same for everything that is compared. */
    static List<String> flags(final int heapMb)
    {
        return new ArrayList<>(List.of("-XX:+UseParallelGC", "-XX:+AlwaysPreTouch",
            "-Dsbe.enable.precedence.checks=false", "-Xms" + heapMb + "m", "-Xmx" + heapMb + "m"));
    }

    long pid()
    {
        return child.handle().pid();
    }

    /** Send a line. */
    void send(final String line)
    {
        try
        {
            child.send(line);
        }
        catch (final UncheckedIOException ex)
        {
            throw new IllegalStateException(name + " ended before it received " + line, ex);
        }
    }

    /** Wait until a server is ready, and note in the plan of its client which of its nodes leads, if it has several. */
    void awaitReady(final RunPlan plan)
    {
        final String leader = await(Control.READY);
        plan.leader = leader.isEmpty() ? 0 : Integer.parseInt(leader);
    }

    /** Wait for the results of the process. */
    Measurements measurements()
    {
        await(Control.RESULTS);
        return Measurements.read(results());
    }

    /** Wait for a line that starts with a word, and return the rest of it. Reports progress and throws faults. */
    String await(final String word)
    {
        while (true)
        {
            final String line = next(word);
            if (line.startsWith(word))
            {
                return line.substring(word.length()).trim();
            }
            if (line.startsWith(Control.FAULT))
            {
                throw new IllegalStateException(name + ": " + line.substring(Control.FAULT.length()).trim());
            }
            if (line.startsWith(Control.PROGRESS))
            {
                progress.accept(line.substring(Control.PROGRESS.length()).trim());
            }
        }
    }

    @Override
    public void close()
    {
        child.closeInput();
        final boolean hasExited = child.awaitExit(EXIT_SECONDS);
        child.close();
        IoUtil.delete(directory.toFile(), true);
        // Journals, and files of a killed program in shared memory.
        program.directories().forEach((path) -> IoUtil.delete(path.toFile(), true));
        if (!hasExited)
        {
            throw new IllegalStateException(name + " did not exit within " + EXIT_SECONDS + " s");
        }
    }

    private String next(final String word)
    {
        try
        {
            boolean isAlive = true;
            String line = lines.poll(POLL_MS, TimeUnit.MILLISECONDS);
            while (null == line)
            {
                if (!isAlive)
                {
                    throw new IllegalStateException(name + " ended without " + word);
                }
                if (System.nanoTime() - deadlineNs > 0)
                {
                    child.kill();
                    throw new IllegalStateException(name + " timed out before " + word);
                }
                // After its end the lines that are still in the pipe are read.
                isAlive = child.isAlive() || !child.awaitExit(EXIT_SECONDS);
                line = lines.poll(POLL_MS, TimeUnit.MILLISECONDS);
            }
            return line;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(name + ": interrupted", ex);
        }
    }

    private void onLine(final String line)
    {
        if (line.startsWith(Control.PREFIX))
        {
            lines.add(line.substring(Control.PREFIX.length()));
        }
        else if (line.startsWith(FAULT))
        {
            lines.add(Control.FAULT + " " + line.substring(FAULT.length()));
        }
        else if (PROGRAM.matcher(line).lookingAt())
        {
            lines.add(line);
        }
        else
        {
            System.err.println("[" + name + "] " + line);
        }
    }

    private Path results()
    {
        return directory.resolve("results");
    }

    private static long limitSeconds(final RunPlan plan)
    {
        return TimeUnit.MILLISECONDS.toSeconds(
            (long)Math.max(plan.warmUpMs, plan.warmUpLimitMs) + plan.measureMs) + SPARE_SECONDS;
    }
}
