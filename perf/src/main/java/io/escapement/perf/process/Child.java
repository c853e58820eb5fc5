package io.escapement.perf.process;

import io.escapement.perf.JvmFlags;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own for one part of a run. It is told to end by the end of its standard input. */
public final class Child implements AutoCloseable
{
    private static final long END_SECONDS = 10;

    /** The same for everything that is compared. */
    private static final List<String> FLAGS = List.of(
        JvmFlags.ADD_OPENS, "-Xms256m", "-Xmx256m", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch",
        "-Dsbe.enable.precedence.checks=false");

    private final String name;
    private final Process process;
    private final BufferedReader out;

    /**
     * Start it.
     *
     * @param name      for messages.
     * @param main      class to run.
     * @param arguments of its command line.
     */
    public Child(final String name, final Class<?> main, final List<String> arguments)
    {
        this.name = name;
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        try
        {
            process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(name + " did not start", ex);
        }
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Wait for a line.
     *
     * @param word that it begins with.
     * @return the rest of it.
     */
    public String await(final String word)
    {
        try
        {
            String line = out.readLine();
            while (null != line)
            {
                if (line.startsWith(word))
                {
                    return line.substring(word.length()).trim();
                }
                line = out.readLine();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(name, ex);
        }
        throw new IllegalStateException(name + " ended without a word of " + word);
    }

    @Override
    public void close()
    {
        try
        {
            process.getOutputStream().close();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
                throw new IllegalStateException(name + " did not end within " + END_SECONDS + " s");
            }
        }
        catch (final IOException ex)
        {
            process.destroyForcibly();
        }
        catch (final InterruptedException ex)
        {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
