package io.escapement.testsupport;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A main class in another JVM, with this JVM's class path and the flags that the engine needs. A thread reads its
 * output. Standard error is merged into it. Closing kills the process.
 */
public final class ChildJvm implements AutoCloseable
{
    /** Only what hangs takes longer, on any host. */
    private static final long HANG_SECONDS = 100;
    private static final Path HERE = Path.of("").toAbsolutePath();
    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    /** As in this JVM: for a process that lives for seconds, the second compiler costs more than it gains. */
    public static final List<String> COMPILER = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter((flag) -> flag.startsWith("-XX:TieredStopAtLevel=")).toList();

    /** As escapement.jvm.flags of the build. */
    public static final List<String> FLAGS = List.of("--enable-native-access=ALL-UNNAMED",
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "--add-opens=java.base/java.util.zip=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");

    private record Java(String launcher, String classPath)
    {
    }

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Consumer<String> onLine;
    private final Process process;
    private final Thread reader;

    /**
     * Start a process and keep the lines it prints.
     *
     * @param main      class to run.
     * @param flags     of the JVM, in addition to {@link #FLAGS}.
     * @param arguments of the program.
     */
    public ChildJvm(final Class<?> main, final List<String> flags, final List<String> arguments)
    {
        this(main, flags, arguments, Map.of(), (line) -> { }, HERE);
    }

    /**
     * Start a process that loads its classes from an archive, or writes the archive when it exits by itself.
     *
     * @param main      class to run.
     * @param flags     of the JVM, in addition to {@link #FLAGS}.
     * @param arguments of the program.
     * @param archive   of the classes.
     */
    public ChildJvm(
        final Class<?> main, final List<String> flags, final List<String> arguments, final ClassArchive archive)
    {
        this(new Java(JAVA, archive.classPath()), main, flags(flags, archive.flag()), arguments, Map.of(),
            (line) -> { }, HERE);
    }

    /**
     * Start a process of another JDK.
     *
     * @param java      its launcher.
     * @param main      class to run.
     * @param flags     of the JVM, in addition to {@link #FLAGS}.
     * @param arguments of the program.
     */
    public ChildJvm(
        final String java, final Class<?> main, final List<String> flags, final List<String> arguments)
    {
        this(new Java(java, CLASS_PATH), main, flags, arguments, Map.of(), (line) -> { }, HERE);
    }

    /**
     * Start a process with variables in its environment, in addition to this process's variables.
     *
     * @param main        class to run.
     * @param flags       of the JVM, in addition to {@link #FLAGS}.
     * @param arguments   of the program.
     * @param environment values by name.
     */
    public ChildJvm(
        final Class<?> main,
        final List<String> flags,
        final List<String> arguments,
        final Map<String, String> environment)
    {
        this(main, flags, arguments, environment, (line) -> { }, HERE);
    }

    /**
     * Start a process in a directory.
     *
     * @param main      class to run.
     * @param flags     of the JVM, in addition to {@link #FLAGS}.
     * @param arguments of the program.
     * @param directory that the process works in.
     */
    public ChildJvm(
        final Class<?> main, final List<String> flags, final List<String> arguments, final Path directory)
    {
        this(main, flags, arguments, Map.of(), (line) -> { }, directory);
    }

    /**
     * Start a process.
     *
     * @param main      class to run.
     * @param flags     of the JVM, in addition to {@link #FLAGS}.
     * @param arguments of the program.
     * @param onLine    receives each line of output, in the reader's thread. {@link #lines()} also keeps them.
     */
    public ChildJvm(
        final Class<?> main, final List<String> flags, final List<String> arguments, final Consumer<String> onLine)
    {
        this(main, flags, arguments, Map.of(), onLine, HERE);
    }

    private ChildJvm(
        final Class<?> main,
        final List<String> flags,
        final List<String> arguments,
        final Map<String, String> environment,
        final Consumer<String> onLine,
        final Path directory)
    {
        this(new Java(JAVA, CLASS_PATH), main, flags, arguments, environment, onLine, directory);
    }

    private ChildJvm(
        final Java java,
        final Class<?> main,
        final List<String> flags,
        final List<String> arguments,
        final Map<String, String> environment,
        final Consumer<String> onLine,
        final Path directory)
    {
        this.onLine = onLine;
        final List<String> command = new ArrayList<>(List.of(java.launcher));
        command.addAll(FLAGS);
        command.addAll(COMPILER);
        command.addAll(flags);
        command.addAll(List.of("-cp", java.classPath, main.getName()));
        command.addAll(arguments);
        try
        {
            final ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).directory(directory.toFile());
            builder.environment().putAll(environment);
            process = builder.start();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(main.getSimpleName() + " cannot be started", ex);
        }
        reader = new Thread(this::read, "output of " + main.getSimpleName());
        reader.setDaemon(true);
        reader.start();
    }

    private static List<String> flags(final List<String> flags, final String added)
    {
        final List<String> all = new ArrayList<>(flags);
        all.add(added);
        return all;
    }

    /**
     * The output so far.
     *
     * @return lines, in the order they were printed.
     */
    public List<String> lines()
    {
        return List.copyOf(lines);
    }

    /**
     * The rest of the first line that has a prefix.
     *
     * @param prefix of the line.
     * @return what follows the prefix, or null while there is no such line.
     */
    public String valueOf(final String prefix)
    {
        for (final String line : lines)
        {
            if (line.startsWith(prefix))
            {
                return line.substring(prefix.length());
            }
        }
        return null;
    }

    /**
     * Give this process only the time that no other process wants, as if it ran on another machine.
     *
     * @throws IllegalStateException if the operating system does not.
     */
    public void yieldToOthers()
    {
        final List<String> renice = new ArrayList<>(List.of("renice", "-n", "19", "-p"));
        // Each thread has a priority. The threads that it starts inherit the priority.
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task")))
        {
            threads.forEach((thread) -> renice.add(thread.getFileName().toString()));
            final int status = new ProcessBuilder(renice).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
            if (0 != status)
            {
                throw new IllegalStateException("renice ended with " + status);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("renice was interrupted");
        }
    }

    /**
     * The process.
     *
     * @return its handle, for signals.
     */
    public ProcessHandle handle()
    {
        return process.toHandle();
    }

    /**
     * Whether the process runs.
     *
     * @return false after it has exited.
     */
    public boolean isAlive()
    {
        return process.isAlive();
    }

    /** Write a line to the process's standard input. */
    public void send(final String line)
    {
        try
        {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Send SIGTERM. The pipe stays open, so that the last lines arrive. */
    public void terminate()
    {
        process.toHandle().destroy();
    }

    /**
     * Send a signal.
     *
     * @param name without SIG, such as STOP or CONT.
     */
    public void signal(final String name)
    {
        try
        {
            final int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
            if (0 != status)
            {
                throw new IllegalStateException("kill -" + name + ": status " + status);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** Send SIGKILL and wait for the end. */
    public void kill()
    {
        process.destroyForcibly();
        exitStatus();
    }

    /**
     * Wait for the process to exit by itself, and for its last line. If it hangs, kill it.
     *
     * @return its exit status.
     */
    public int exitStatus()
    {
        if (!awaitExit(HANG_SECONDS))
        {
            process.destroyForcibly();
            awaitExit(HANG_SECONDS);
        }
        return process.exitValue();
    }

    /** Close the process's standard input. */
    public void closeInput()
    {
        try
        {
            process.getOutputStream().close();
        }
        catch (final IOException ex)
        {
            // The process has exited, and would not have read more.
        }
    }

    /** Wait for the process to exit, and for its last line. False if it does not exit in time. */
    public boolean awaitExit(final long seconds)
    {
        try
        {
            final boolean hasExited = process.waitFor(seconds, TimeUnit.SECONDS);
            if (hasExited)
            {
                reader.join(TimeUnit.SECONDS.toMillis(HANG_SECONDS));
            }
            return hasExited;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close()
    {
        if (process.isAlive())
        {
            kill();
        }
    }

    private void read()
    {
        try (BufferedReader in = new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)))
        {
            for (String line = in.readLine(); null != line; line = in.readLine())
            {
                lines.add(line);
                onLine.accept(line);
            }
        }
        catch (final IOException ex)
        {
            lines.add("output lost: " + ex.getMessage());
        }
    }
}
