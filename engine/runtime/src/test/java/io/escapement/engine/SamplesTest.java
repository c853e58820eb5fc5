package io.escapement.engine;

import io.escapement.engine.sample.EngineServer;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Java that pages and Javadoc show is a part of the samples, and their server runs. */
class SamplesTest
{
    private static final Path SAMPLES = Path.of("src/test/java/io/escapement/engine/sample");
    private static final String SECRET = "a secret of sixteen bytes or more";

    @Test
    void shouldShowInJavadocOnlyJavaThatIsCompiled() throws IOException
    {
        final String source = Files.readString(Path.of("src/main/java/io/escapement/engine/Engine.java"));
        final String block = source.substring(source.indexOf("<pre>{@code") + "<pre>{@code".length(),
            source.indexOf(" * }</pre>"));
        final String example = flat(block.replaceAll("(?m)^ \\* ?", ""));
        assertTrue(flat(Files.readString(SAMPLES.resolve("EngineServer.java"))).contains(example), example);
    }

    @ParameterizedTest
    @CsvSource({"engine/rooms/README.md, NewRules.java", "engine/rooms/README.md, RoundRoom.java"})
    void shouldShowInAPageOnlyJavaThatIsCompiled(final String page, final String sample) throws IOException
    {
        final String compiled = flat(Files.readString(SAMPLES.resolve(sample)));
        final String[] blocks = Files.readString(Path.of("..", "..").resolve(page)).split("```java\n");
        assertTrue(Arrays.stream(blocks).skip(1)
            .anyMatch((block) -> compiled.contains(flat(block.substring(0, block.indexOf("```"))))), sample);
    }

    @Test
    void shouldEndTheServerOfTheJavadocInOrder()
    {
        try (ChildJvm server =
            new ChildJvm(EngineServer.class, List.of(), List.of(), Map.of("CHAT_TRUNK_SECRET", SECRET)))
        {
            Tests.await(() -> server.lines().contains("open"), "the server");
            server.terminate();
            assertEquals(0, server.exitStatus(), () -> "the server printed " + server.lines());
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
