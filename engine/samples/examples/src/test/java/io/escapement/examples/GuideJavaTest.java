package io.escapement.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The code on pages of the guide is code that is compiled, or run in a page, elsewhere. */
class GuideJavaTest
{
    private static final Path ENGINE = Path.of("..", "..");
    private static final String EXAMPLES = "samples/examples/src/main/";
    private static final String EXAMPLES_TEST = "samples/examples/src/test/java/io/escapement/examples/";
    private static final String ROOMS_TEST = "rooms/src/test/java/io/escapement/rooms/";
    private static final String SAMPLES = "runtime/src/test/java/io/escapement/engine/sample/";
    private static final String MATCHMAKING_TEST = "matchmaking/src/test/java/io/escapement/matchmaking/";
    private static final List<String> SOURCES = List.of(
        EXAMPLES + "java/io/escapement/examples/exchange/BookRoom.java",
        EXAMPLES + "resources/META-INF/resources/examples/exchange/page.js",
        EXAMPLES_TEST + "exchange/BookRoomTest.java",
        EXAMPLES_TEST + "exchange/BookSimulationTest.java",
        EXAMPLES_TEST + "game/DotsRoomTest.java",
        ROOMS_TEST + "bench/OtherJvmsTest.java",
        ROOMS_TEST + "host/JoinBenchTest.java",
        ROOMS_TEST + "host/LongMessagesTest.java",
        SAMPLES + "ChatRoom.java",
        SAMPLES + "InvitedPlayers.java",
        SAMPLES + "RoundRoomTest.java",
        MATCHMAKING_TEST + "GuideTypesTest.java",
        MATCHMAKING_TEST + "MatchmakerSimulationTest.java");

    /** Each paragraph of a block, because a block may leave out what is between two of them. */
    @ParameterizedTest
    @CsvSource({
        "messages.md, java, 4", "messages.md, js, 1", "testing.md, java, 6", "matchmaking.md, java, 2",
        "accounts.md, java, 1"})
    void shouldShowCodeThatIsCompiled(final String page, final String language, final int least) throws IOException
    {
        final StringBuilder sources = new StringBuilder();
        for (final String source : SOURCES)
        {
            sources.append(flat(Files.readString(ENGINE.resolve(source))));
        }
        final String compiled = sources.toString();
        final String[] blocks = Files.readString(ENGINE.resolve("guide").resolve(page)).split("```" + language + "\n");
        int found = 0;
        for (int i = 1; i < blocks.length; i++)
        {
            for (final String paragraph : blocks[i].substring(0, blocks[i].indexOf("```")).split("\n\n"))
            {
                final String code = flat(paragraph);
                assertFalse(code.isEmpty(), page);
                if (!code.startsWith("try (Accounts "))
                {
                    assertTrue(compiled.contains(code), () -> page + " has code that no source has:\n" + code);
                    found++;
                }
            }
        }
        assertTrue(found >= least, page + " has " + found + " paragraphs of code");
    }

    private static String flat(final String text)
    {
        return text.lines().map(String::strip).filter((line) -> !line.isEmpty())
            .collect(Collectors.joining("\n", "", "\n"));
    }
}
