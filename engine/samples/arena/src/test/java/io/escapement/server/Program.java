package io.escapement.server;

import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import static org.junit.jupiter.api.Assertions.fail;

/** The program as a user runs it: a process with arguments, its output and its status. */
final class Program implements AutoCloseable
{
    private static final List<String> FLAGS = List.of(
        "-XX:+UseSerialGC", "-Xmx512m",
        // They live for seconds, in which the optimising compiler costs more than it gains.
        "-XX:TieredStopAtLevel=1");

    final List<String> lines = new CopyOnWriteArrayList<>();
    private final ChildCommand process;

    Program(final String... arguments)
    {
        this(List.of(), arguments);
    }

    /** With more flags for its JVM. A server keeps its rooms in memory unless the test names a journal. */
    Program(final List<String> flags, final String... arguments)
    {
        this(flags, inMemory(arguments));
    }

    private Program(final List<String> flags, final List<String> arguments)
    {
        final List<String> all = new ArrayList<>(FLAGS);
        all.addAll(io.escapement.testsupport.ChildJvm.COMPILER);
        all.addAll(flags);
        process = new ChildCommand(arguments.get(0), all, arguments, lines::add);
    }

    /** As in this working directory. */
    static Program in(final Path directory, final String... arguments)
    {
        return new Program(List.of("-Duser.dir=" + directory), List.of(arguments));
    }

    private static List<String> inMemory(final String... arguments)
    {
        final List<String> options = new ArrayList<>(Arrays.asList(arguments));
        if ("serve".equals(arguments[0]) && !options.contains("--journal"))
        {
            options.addAll(List.of("--journal", JournalOptions.NONE));
        }
        return options;
    }

    long pid()
    {
        return process.pid();
    }

    /** Send a signal, such as INT. */
    void signal(final String name)
    {
        try
        {
            if (0 != new ProcessBuilder("kill", "-" + name, Long.toString(pid())).inheritIO().start().waitFor())
            {
                fail("kill -" + name);
            }
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    static String freeEndpoint()
    {
        try
        {
            return DemoCommand.freeEndpoint();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    boolean isAlive()
    {
        return process.isAlive();
    }

    int awaitEnd(final int seconds)
    {
        return process.awaitEnd(seconds);
    }

    /** As a service manager does. */
    int end()
    {
        return process.end();
    }

    /** As kill -9 does. */
    void kill()
    {
        process.close();
        process.awaitEnd(10);
    }

    void awaitLine(final String start)
    {
        Tests.await(() -> null != line(start), () -> "'" + start + "' in " + lines);
    }

    /** Wait until a gateway has its trunk. */
    static void awaitReady(final String url)
    {
        Tests.await(() -> isReady(url), () -> url + "ready");
    }

    /** The answer is read, so that the connection serves the next question too: an address may open a few a second. */
    private static boolean isReady(final String url)
    {
        try
        {
            final HttpURLConnection request = (HttpURLConnection)URI.create(url + "ready").toURL().openConnection();
            final boolean isReady = HttpURLConnection.HTTP_OK == request.getResponseCode();
            try (InputStream answer = isReady ? request.getInputStream() : request.getErrorStream())
            {
                answer.readAllBytes();
            }
            return isReady;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    /** The last line with this prefix, or null. */
    String line(final String start)
    {
        final List<String> found = new ArrayList<>(lines);
        for (int i = found.size() - 1; i >= 0; i--)
        {
            if (found.get(i).startsWith(start))
            {
                return found.get(i);
            }
        }
        return null;
    }

    @Override
    public void close()
    {
        process.close();
    }

    /** Runs a command in this process and returns its standard error. */
    static String complaint(final int status, final String... arguments)
    {
        final StringWriter err = new StringWriter();
        final int found = Escapement.commandLine().setErr(new PrintWriter(err)).execute(arguments);
        if (status != found)
        {
            fail("status " + found + ": " + err);
        }
        return err.toString();
    }
}
