package io.escapement.engine;

import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.engine.sample.ChatServer;
import io.escapement.engine.sample.EngineServer;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The README's Java is a part of the compiled samples, its links lead somewhere, and its server runs. */
class ReadmeTest
{
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
    private static final Path SAMPLES = Path.of("src/test/java/io/escapement/engine/sample");
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");
    private static final String SECRET = "a secret of sixteen bytes or more";

    @Test
    void shouldShowOnlyJavaThatIsCompiled() throws IOException
    {
        final List<String> samples = new ArrayList<>();
        try (Stream<Path> files = Files.list(SAMPLES))
        {
            for (final Path file : files.toList())
            {
                samples.add(flat(Files.readString(file)));
            }
        }
        final Matcher block = JAVA_BLOCK.matcher(Files.readString(ROOT.resolve("README.md")));
        int blocks = 0;
        while (block.find())
        {
            blocks++;
            final String text = flat(block.group(1));
            assertTrue(samples.stream().anyMatch((sample) -> sample.contains(text)),
                () -> "not in any file of " + SAMPLES + ":\n" + text);
        }
        assertEquals(6, blocks, "a room, its test, a program that waits, a server, a gateway, and a reload");
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
    void shouldRunTheServerAndReportItsDrain()
    {
        try (ChildJvm server =
            new ChildJvm(ChatServer.class, List.of(), List.of(), Map.of("CHAT_TRUNK_SECRET", SECRET));
            TestHost host = new TestHost();
            TrunkClient client = TrunkClient.connect(new TrunkContext()
                .aeron(host.aeron())
                .udp("127.0.0.1:40300", "127.0.0.1:40301")
                .connectTimeoutNs(TimeUnit.MINUTES.toNanos(2))
                .secret(SECRET.getBytes(StandardCharsets.UTF_8))))
        {
            Tests.await(() ->
            {
                host.poll();
                client.poll();
                return TrunkClient.State.UP == client.state();
            }, "the trunk to be up");
            server.terminate();
            assertEquals(0, server.exitStatus(), () -> "the server printed " + server.lines());
            assertTrue(server.lines().stream().anyMatch((line) -> line.startsWith("drained ")),
                () -> "the server printed " + server.lines());
        }
    }

    @Test
    void shouldShowInJavadocOnlyJavaThatIsCompiled() throws IOException
    {
        final String source = Files.readString(Path.of("src/main/java/io/escapement/engine/Engine.java"));
        final String block = source.substring(source.indexOf("<pre>{@code") + "<pre>{@code".length(),
            source.indexOf(" * }</pre>"));
        final String example = flat(block.replaceAll("(?m)^ \\* ?", ""));
        assertTrue(flat(Files.readString(SAMPLES.resolve("EngineServer.java"))).contains(example), example);
    }

    @Test
    void shouldEndTheServerOfTheJavadocWithTheStatusOfItsDrain()
    {
        try (ChildJvm server =
            new ChildJvm(EngineServer.class, List.of(), List.of(), Map.of("CHAT_TRUNK_SECRET", SECRET)))
        {
            Tests.await(() -> server.lines().contains("open"), "the server");
            server.terminate();
            assertEquals(0, server.exitStatus(), () -> "the server printed " + server.lines());
            assertTrue(server.lines().stream().anyMatch((line) -> line.startsWith("drained clean")),
                () -> "the server printed " + server.lines());
        }
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
