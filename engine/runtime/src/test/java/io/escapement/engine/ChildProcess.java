package io.escapement.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A main class of the tests in a process of its own, with the lines that it prints. */
final class ChildProcess implements AutoCloseable
{
    final List<String> lines = new CopyOnWriteArrayList<>();
    private final Process process;

    ChildProcess(final Class<?> main, final String... arguments)
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED",
            "-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        try
        {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
        final Thread reader = new Thread(this::read, "child-reader");
        reader.setDaemon(true);
        reader.start();
    }

    /** The rest of the first line that begins so, or null. */
    String said(final String start)
    {
        for (final String line : lines)
        {
            if (line.startsWith(start))
            {
                return line.substring(start.length());
            }
        }
        return null;
    }

    boolean isAlive()
    {
        return process.isAlive();
    }

    /** As kill -9 does. */
    void kill()
    {
        process.destroyForcibly();
        try
        {
            process.waitFor(10, TimeUnit.SECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close()
    {
        kill();
    }

    private void read()
    {
        try (BufferedReader reader = new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)))
        {
            for (String line = reader.readLine(); null != line; line = reader.readLine())
            {
                lines.add(line);
            }
        }
        catch (final IOException ex)
        {
            lines.add("the pipe broke: " + ex);
        }
    }
}
