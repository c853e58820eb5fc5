package io.escapement.gateway;

import io.escapement.gateway.sample.ChatServer;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Pages that show a gateway: their Java is in the samples, the README's links lead to files, and its server serves. */
class ReadmeTest
{
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
    private static final Path SAMPLES = Path.of("src/test/java/io/escapement/gateway/sample");
    private static final String GUIDE = "engine/guide/browsers.md";
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");
    private static final Pattern ID_IN_SCRIPT = Pattern.compile("byId\\('([a-z]+)'\\)");
    private static final Pattern ID_IN_HTML = Pattern.compile(" id=\"([a-z]+)\"");

    @ParameterizedTest
    @CsvSource({"README.md, 3", "engine/gateway/README.md, 1", GUIDE + ", 1"})
    void shouldShowOnlyJavaThatIsCompiled(final String page, final int expected) throws IOException
    {
        final List<String> samples = new ArrayList<>();
        try (Stream<Path> files = Files.list(SAMPLES))
        {
            for (final Path file : files.toList())
            {
                samples.add(flat(Files.readString(file)));
            }
        }
        final Matcher block = JAVA_BLOCK.matcher(Files.readString(ROOT.resolve(page)));
        int blocks = 0;
        while (block.find())
        {
            blocks++;
            final String text = flat(block.group(1));
            assertTrue(samples.stream().anyMatch((sample) -> sample.contains(text)),
                () -> "not in any file of " + SAMPLES + ":\n" + text);
        }
        assertEquals(expected, blocks);
    }

    @Test
    void shouldLinkToFilesThatExist() throws IOException
    {
        final Matcher link = LINK.matcher(Files.readString(ROOT.resolve("README.md")));
        int links = 0;
        while (link.find())
        {
            links++;
            assertTrue(Files.exists(ROOT.resolve(link.group(1))), link.group(1));
        }
        assertTrue(links > 5, "found only " + links + " links");
    }

    @Test
    void shouldServeAsItsServerDoes()
    {
        try (ChildJvm server = new ChildJvm(ChatServer.class, List.of("-Dport=0"), List.of()))
        {
            Tests.await(() -> null != server.valueOf("room "), () -> "the address: " + server.lines());
            final String[] line = server.valueOf("room ").split(" at ");
            final long roomId = Long.parseLong(line[0]);
            final HttpClient http = HttpClient.newHttpClient();
            Tests.await(() -> isReady(http, line[1].replace("ws:", "http:") + "ready"), "the gateway's trunk");
            final BrowserClient ann = player(http, line[1], "the random key of Ann", roomId);
            final BrowserClient ben = player(http, line[1], "the random key of Ben", roomId);
            ann.message(roomId, "hello");
            Tests.await(() -> ben.has("event hello"), () -> "the message: " + ben.all() + server.lines());
            server.terminate();
            assertEquals(0, server.exitStatus(), () -> "the server printed " + server.lines());
        }
    }

    /** The script runs in the tests of client.js. */
    @Test
    void shouldShowAPageThatKeepsThePolicyAndHasItsElements() throws IOException
    {
        final String html = block(GUIDE, "html");
        assertFalse(PagesTest.isInline(html), html);
        assertEquals(ids(ID_IN_HTML, html), ids(ID_IN_SCRIPT, block(GUIDE, "js")));
    }

    /** The first block of a language. */
    private static String block(final String page, final String language) throws IOException
    {
        final String text = Files.readString(ROOT.resolve(page));
        final String start = "```" + language + "\n";
        final int at = text.indexOf(start) + start.length();
        return text.substring(at, text.indexOf("```", at));
    }

    private static Set<String> ids(final Pattern pattern, final String text)
    {
        return pattern.matcher(text).results().map((id) -> id.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isReady(final HttpClient http, final String uri)
    {
        try
        {
            return 200 == http.send(HttpRequest.newBuilder(URI.create(uri)).build(),
                HttpResponse.BodyHandlers.discarding()).statusCode();
        }
        catch (final IOException ex)
        {
            return false;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static BrowserClient player(
        final HttpClient http, final String uri, final String key, final long roomId)
    {
        final BrowserClient player = new BrowserClient(http, uri);
        player.hello(new byte[16]);
        player.logIn(1, key);
        Tests.await(() -> player.all().stream().anyMatch((line) -> line.startsWith("loggedIn ")),
            () -> "the log-in: " + player.all());
        player.join(2, roomId);
        Tests.await(() -> player.all().stream().anyMatch((line) -> line.startsWith("joined ")),
            () -> "the seat: " + player.all());
        return player;
    }

    /** Without indentation, so that a statement of a method can stand alone on the page. */
    private static String flat(final String text)
    {
        final StringBuilder flat = new StringBuilder();
        text.lines().map(String::strip).filter((line) -> !line.isEmpty())
            .forEach((line) -> flat.append(line).append('\n'));
        return flat.toString();
    }
}
