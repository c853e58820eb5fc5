package io.escapement.engine;

import io.escapement.engine.sample.EngineServer;
import io.escapement.engine.sample.LinesClient;
import io.escapement.engine.sample.LinesServer;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Java that pages and Javadoc show is a part of the samples, and their server runs. */
class SamplesTest
{
    private static final Path SAMPLES = Path.of("src/test/java/io/escapement/engine/sample");
    private static final List<Path> SOURCES = List.of(SAMPLES,
        Path.of("../samples/examples/src/main/java/io/escapement/examples/exchange"),
        Path.of("../rooms/src/test/java/io/escapement/rooms/host"),
        Path.of("../lobby/src/test/java/io/escapement/lobby"));
    private static final String SECRET = "a secret of sixteen bytes or more";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "runtime, engine/Engine.java, runtime, engine/sample/EngineServer.java",
        "runtime, engine/EngineContext.java, runtime, engine/sample/LinesServer.java",
        "rooms, rooms/Room.java, runtime, engine/sample/QuietRoom.java",
        "rooms, rooms/RoomType.java, runtime, engine/sample/QuietRoom.java",
        "rooms, rooms/steps/Steps.java, runtime, engine/sample/RoundRoom.java",
        "client, client/TrunkClient.java, runtime, engine/sample/LinesClient.java",
        "gateway, gateway/Gateway.java, gateway, gateway/sample/ChatServer.java"})
    void shouldShowInJavadocOnlyJavaThatIsCompiled(
        final String module, final String source, final String sampleModule, final String sample) throws IOException
    {
        final String compiled = flat(Files.readString(
            Path.of("..", sampleModule, "src/test/java/io/escapement").resolve(sample)));
        final String[] blocks = Files.readString(
            Path.of("..", module, "src/main/java/io/escapement").resolve(source)).split("<pre>\\{@code\n");
        assertTrue(blocks.length > 1, source);
        for (int i = 1; i < blocks.length; i++)
        {
            final String block = blocks[i].substring(0, blocks[i].indexOf("}</pre>"));
            final String example = flat(block.replaceAll("(?m)^ *\\* ?", ""));
            assertTrue(!example.isEmpty() && compiled.contains(example), example);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "java-client.md, LinesClient.java OrderClient.java",
        "netcode.md, RunRoom.java",
        "time-and-steps.md, BidRoom.java RoundRoom.java",
        "rooms-together.md, Door.java ExchangeGame.java LobbyGuideTest.java ShopRoom.java " +
            "StockRoom.java TeamRoom.java",
        "new-versions.md, NewRules.java BidRoom.java BidRoomTest.java",
        "../rooms/README.md, Door.java"})
    void shouldShowInTheGuideOnlyJavaThatIsCompiled(final String page, final String samples) throws IOException
    {
        final StringBuilder compiled = new StringBuilder();
        for (final String sample : samples.split(" "))
        {
            final Path source = SOURCES.stream().map((directory) -> directory.resolve(sample)).filter(Files::exists)
                .findFirst().orElseThrow(() -> new IllegalStateException("no source is named " + sample));
            compiled.append(flat(Files.readString(source)));
        }
        final String[] blocks = Files.readString(Path.of("..", "guide", page)).split("```java\n");
        assertTrue(blocks.length > 1, page);
        for (int i = 1; i < blocks.length; i++)
        {
            final String block = flat(blocks[i].substring(0, blocks[i].indexOf("```")));
            assertTrue(compiled.indexOf(block) >= 0, block);
        }
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

    @Test
    void shouldHaveEachLineOfTheGuidesClientAccepted()
    {
        final int port = Tests.freePorts(2);
        final String[] endpoints = {"127.0.0.1:" + port, "127.0.0.1:" + (port + 1)};
        final EngineContext context = LinesServer.context(
            directory, endpoints[0], endpoints[1], SECRET.getBytes(StandardCharsets.UTF_8));
        try (Engine engine = Engine.launch(context))
        {
            final String roomId = Long.toString(engine.openRoom(EngineServer.chat().id()).roomId());
            try (ChildJvm client = new ChildJvm(LinesClient.class, List.of(),
                List.of(endpoints[0], endpoints[1], roomId), Map.of("CHAT_TRUNK_SECRET", SECRET)))
            {
                assertEquals(0, client.exitStatus(), () -> "the client printed " + client.lines());
                assertTrue(client.lines().contains("accepted 1000 of 1000, UP "), () -> client.lines().toString());
            }
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
