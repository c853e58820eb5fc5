package io.escapement.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A headless Chromium with an empty profile, driven over its DevTools protocol. It is found by the system property
 * {@code escapement.browser}, or under its usual names on the path.
 */
public final class Browser implements AutoCloseable
{
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final List<String> FLAGS = List.of(
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
        "--remote-debugging-port=0");

    private final Process process;
    private final Path profile;
    private final HttpClient http = HttpClient.newHttpClient();
    private final int port;

    /**
     * Start a browser.
     *
     * @param program of it, see {@link #find}.
     */
    public Browser(final Path program)
    {
        this(program, List.of());
    }

    /**
     * Start a browser with more flags.
     *
     * @param program of it, see {@link #find}.
     * @param flags   of its command line.
     */
    public Browser(final Path program, final List<String> flags)
    {
        try
        {
            profile = Files.createTempDirectory("escapement-browser");
            final List<String> command = Stream.of(List.of(program.toString()), FLAGS, flags,
                List.of("--user-data-dir=" + profile, "about:blank")).flatMap(List::stream).toList();
            process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(profile.resolve("output.txt").toFile()).start();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        port = awaitPort();
    }

    /**
     * Find a browser.
     *
     * @return its program, or null without a Chromium.
     */
    public static Path find()
    {
        final String named = System.getProperty("escapement.browser");
        if (null != named)
        {
            return Path.of(named);
        }
        for (final String directory : System.getenv().getOrDefault("PATH", "").split(":"))
        {
            for (final String name : NAMES)
            {
                final Path program = Path.of(directory, name);
                if (!directory.isEmpty() && Files.isExecutable(program))
                {
                    return program;
                }
            }
        }
        return null;
    }

    /** Whether a build must fail where no browser is found, {@code -Descapement.browser.required=true}. */
    public static boolean isRequired()
    {
        return Boolean.getBoolean("escapement.browser.required");
    }

    /** Open another page, without content. */
    public BrowserPage newPage()
    {
        final HttpRequest.Builder request =
            HttpRequest.newBuilder(uri("/json/new?about:blank")).method("PUT", HttpRequest.BodyPublishers.noBody());
        final Map<?, ?> target = (Map<?, ?>)JsonReader.parse(get(request));
        return new BrowserPage(http, URI.create((String)target.get("webSocketDebuggerUrl")));
    }

    @Override
    public void close()
    {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try
        {
            process.waitFor(10, TimeUnit.SECONDS);
            deleteProfile();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private int awaitPort()
    {
        final Path file = profile.resolve("DevToolsActivePort");
        Tests.await(() -> !process.isAlive() || lines(file) >= 2, "the browser's port");
        if (!process.isAlive())
        {
            throw new IllegalStateException("the browser ended with status " + process.exitValue());
        }
        try
        {
            return Integer.parseInt(Files.readAllLines(file).get(0));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static int lines(final Path file)
    {
        try
        {
            return Files.exists(file) ? Files.readAllLines(file).size() : 0;
        }
        catch (final IOException ex)
        {
            return 0;
        }
    }

    private URI uri(final String path)
    {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private String get(final HttpRequest.Builder request)
    {
        try
        {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(ex);
        }
    }

    /** A process of the browser may write a last file while its profile is deleted. */
    private void deleteProfile()
    {
        Tests.await(() ->
        {
            try (Stream<Path> files = Files.walk(profile))
            {
                for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
                {
                    Files.deleteIfExists(file);
                }
                return true;
            }
            catch (final IOException | UncheckedIOException ex)
            {
                return !Files.exists(profile);
            }
        }, "the profile to be deleted");
    }
}
