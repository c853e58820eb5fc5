package io.escapement.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.JarFile;

/** Runs another command of this program in a child process and receives the lines that it prints. */
final class ChildCommand implements AutoCloseable
{
    private static final long END_SECONDS = 30;
    /** Properties that switch native code off, including in children. */
    private static final List<String> NATIVE = List.of(
        "escapement.gso", "io.netty.transport.noNative", "jna.nosys", "jna.nounpack", "jna.boot.library.path");
    /** Property of a child. */
    private static final String WITH_PARENT = "escapement.with.parent";

    private final Process process;
    private final Thread reader;
    /** A signal stops only this process. */
    private final Thread atShutdown;

    ChildCommand(
        final String name, final List<String> flags, final List<String> arguments, final Consumer<String> lines)
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (final String key : NATIVE)
        {
            if (null != System.getProperty(key))
            {
                command.add("-D" + key + "=" + System.getProperty(key));
            }
        }
        command.addAll(flags);
        command.add("-D" + WITH_PARENT + "=" + ProcessHandle.current().pid());
        command.addAll(program());
        command.addAll(arguments);
        try
        {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(name + " cannot be started: " + ex.getMessage(), ex);
        }
        atShutdown = new Thread(() -> process.toHandle().destroy(), name + "-shutdown");
        try
        {
            Runtime.getRuntime().addShutdownHook(atShutdown);
        }
        catch (final IllegalStateException ex)
        {
            // A signal already stops this process, and would leave the other running.
            process.destroyForcibly();
            throw ex;
        }
        reader = new Thread(() -> read(lines), name + "-lines");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * The arguments of java that restart this program in the way it was started: by its jar, or on its class path with
     * the flags that open packages. The manifest of the jar opens them.
     */
    static List<String> program()
    {
        final String classPath = System.getProperty("java.class.path");
        if (null != jar())
        {
            return List.of("-jar", classPath);
        }
        final List<String> arguments = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
        arguments.removeIf((flag) ->
            !flag.startsWith("--add-opens=") && !flag.startsWith("--enable-native-access="));
        arguments.addAll(List.of("-cp", classPath, Escapement.class.getName()));
        return arguments;
    }

    /** The jar of this program, or null if it is on a class path of several jars. */
    static Path jar()
    {
        try (JarFile jar = new JarFile(System.getProperty("java.class.path")))
        {
            return Escapement.class.getName().equals(
                jar.getManifest().getMainAttributes().getValue(Attributes.Name.MAIN_CLASS)) ?
                Path.of(jar.getName()) : null;
        }
        catch (final IOException ex)
        {
            return null;
        }
    }

    /** In a child: exit when the parent is gone. A parent killed by kill -9 cannot stop its children. */
    static void endWithParent()
    {
        final Long parent = Long.getLong(WITH_PARENT);
        if (null != parent)
        {
            final ProcessHandle handle = ProcessHandle.of(parent).orElse(null);
            if (null == handle)
            {
                Runtime.getRuntime().halt(1);
            }
            handle.onExit().thenRun(() -> Runtime.getRuntime().halt(1));
        }
    }

    long pid()
    {
        return process.pid();
    }

    /** Write a line to its standard input. If it has exited, its status says how. */
    void tell(final String line)
    {
        try
        {
            final OutputStream in = process.getOutputStream();
            in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        }
        catch (final IOException ex)
        {
            process.destroy();
        }
    }

    boolean isAlive()
    {
        return process.isAlive();
    }

    /** Terminate the process gracefully and wait for its exit. */
    int end()
    {
        signalEnd();
        return awaitEnd();
    }

    /** Terminate the process gracefully, without waiting. */
    void signalEnd()
    {
        // Process.destroy would close the pipe before its last lines are read.
        process.toHandle().destroy();
    }

    /** Wait for an orderly exit, which takes less than this at most. */
    int awaitEnd()
    {
        return awaitEnd(END_SECONDS);
    }

    int awaitEnd(final long seconds)
    {
        try
        {
            if (!process.waitFor(seconds, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
                process.waitFor();
            }
            reader.join(TimeUnit.SECONDS.toMillis(1));
            return process.exitValue();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    @Override
    public void close()
    {
        process.destroyForcibly();
        removeShutdownHook(atShutdown);
    }

    /**
     * Wait without end if this process was signalled. Its hooks have then stopped the others, and delete their files.
     * Its status is the signal's.
     */
    static void awaitShutdown()
    {
        final Thread hook = new Thread(() -> { });
        try
        {
            Runtime.getRuntime().addShutdownHook(hook);
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException ex)
        {
            while (true)
            {
                LockSupport.park();
            }
        }
    }

    static void removeShutdownHook(final Thread hook)
    {
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException ex)
        {
            // The JVM is shutting down, and the hook runs.
            Thread.yield();
        }
    }

    private void read(final Consumer<String> lines)
    {
        try (BufferedReader in = new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)))
        {
            for (String line = in.readLine(); null != line; line = in.readLine())
            {
                lines.accept(line);
            }
        }
        catch (final IOException ex)
        {
            // The process is gone, and its status says how.
            lines.accept("");
        }
    }
}
