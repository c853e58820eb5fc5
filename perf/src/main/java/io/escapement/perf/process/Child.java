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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A JVM of its own for one part of a run. It is told to end by the end of its standard input, and ended by force when
 * it has been there for longer than it should.
 */
public final class Child implements AutoCloseable
{
    private static final long END_SECONDS = 10;
    private static final int HEAP_MB = 256;

    /** The same for everything that is compared. */
    private static final List<String> FLAGS = List.of(
        JvmFlags.ADD_OPENS, "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch", "-Dsbe.enable.precedence.checks=false");

    private final String name;
    private final Process process;
    private final BufferedReader out;

    /**
     * Start it.
     *
     * @param name         for messages.
     * @param main         class to run.
     * @param arguments    of its command line.
     * @param limitSeconds after which it is ended by force.
     */
    public Child(final String name, final Class<?> main, final List<String> arguments, final long limitSeconds)
    {
        this(name, main, arguments, limitSeconds, HEAP_MB);
    }

    /**
     * Start it with a heap of a size of its own.
     *
     * @param name         for messages.
     * @param main         class to run.
     * @param arguments    of its command line.
     * @param limitSeconds after which it is ended by force.
     * @param heapMb       least and most heap, in megabytes.
     */
    public Child(
        final String name,
        final Class<?> main,
        final List<String> arguments,
        final long limitSeconds,
        final int heapMb)
    {
        this.name = name;
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags(heapMb));
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
        CompletableFuture.delayedExecutor(limitSeconds, TimeUnit.SECONDS).execute(process::destroyForcibly);
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * The flags of such a JVM.
     *
     * @return them, as on its command line.
     */
    public static List<String> flags()
    {
        return flags(HEAP_MB);
    }

    /**
     * The flags of such a JVM with a heap of a size of its own.
     *
     * @param heapMb least and most heap, in megabytes.
     * @return them, as on its command line.
     */
    public static List<String> flags(final int heapMb)
    {
        final List<String> flags = new ArrayList<>(FLAGS);
        flags.add("-Xms" + heapMb + "m");
        flags.add("-Xmx" + heapMb + "m");
        return flags;
    }

    /**
     * The id of the process.
     *
     * @return the id.
     */
    public long pid()
    {
        return process.pid();
    }

    /**
     * Tell it something, on its standard input.
     *
     * @param line of text.
     */
    public void tell(final String line)
    {
        try
        {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(name + " ended before it was told " + line, ex);
        }
    }

    /**
     * Ask a process that awaits its end how long its compilers have worked.
     *
     * @return {@link CompilerTime#ms()} over there.
     */
    public long compiledMs()
    {
        tell(Parent.COMPILED_MS);
        return Long.parseLong(await(Parent.COMPILED_MS));
    }

    /**
     * Wait for a line.
     *
     * @param word that it begins with.
     * @return the rest of it.
     */
    public String await(final String word)
    {
        return await(word, (line) -> { });
    }

    /**
     * Wait for a line.
     *
     * @param word   that it begins with.
     * @param others hears the lines before it.
     * @return the rest of it.
     */
    public String await(final String word, final Consumer<String> others)
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
                others.accept(line);
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
