package io.escapement.web;

import io.escapement.codecs.Codes;
import io.escapement.codecs.player.GatewayCode;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.testsupport.JavaScriptModules;
import io.escapement.testsupport.JsonReader;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.graalvm.polyglot.TypeLiteral;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs the tests of client-test.js, beside the files that a browser gets. */
class ClientTest
{
    private static final Path RESOURCES = Path.of("target", "classes", "META-INF", "resources", "escapement");
    private static final String TESTS = "client-test.js";
    private static final List<String> BROWSER = List.of("guide-test.js", "readme-test.js");
    private static final String PAGE = "page.js";
    private static final List<String> MODULES = List.of(
        "client.js", "player.js", "clock.js", "codes.js", "code-names.js", "requests.js", "resume-token.js", "room.js",
        "messages/player.js", "sync.js", "lobby.js", "messages/lobby.js", "matchmaking.js", "messages/matchmaking.js");
    private static final List<String> TYPED_MODULES = List.of("client.js", "player.js", "lobby.js", "matchmaking.js");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)]+)\\)");
    private static final TypeLiteral<List<String>> LINES = new TypeLiteral<>()
    {
    };

    /** Values only: interfaces and type aliases have none. */
    private static final Pattern DECLARED =
        Pattern.compile("^export (?:\\{|(?:function|class|const) )(\\w+)",
            Pattern.MULTILINE);

    private static JavaScriptModules scripts;
    private static Path directory;
    private static Value tests;
    private static Value outcome;

    @BeforeAll
    static void load() throws IOException
    {
        scripts = new JavaScriptModules();
        directory = Files.createDirectories(Tests.newDirectory());
        Files.createDirectory(directory.resolve("messages"));
        for (final String name : MODULES)
        {
            Files.copy(RESOURCES.resolve(name), directory.resolve(name));
        }
        try (InputStream in = ClientTest.class.getResourceAsStream(TESTS))
        {
            Files.copy(in, directory.resolve(TESTS));
        }
        tests = scripts.load(directory.resolve(TESTS)).getMember("tests");
        // No test waits for real time, so its promise is settled when the call returns.
        outcome = scripts.eval(
            "(test) => { const result = {text: 'never settled'}; test().then(() => { result.text = ''; }, " +
            "(error) => { result.text = error.stack; }); return result; }");
    }

    @AfterAll
    static void close()
    {
        if (null != scripts)
        {
            scripts.close();
            IoUtil.delete(directory.toFile(), false);
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldBehaveAsItsTestsSay()
    {
        return tests.getMemberKeys().stream().map((name) -> DynamicTest.dynamicTest(name, () ->
        {
            final String failure = outcome.execute(tests.getMember(name)).getMember("text").asString();
            assertTrue(failure.isEmpty(), failure);
        }));
    }

    @ParameterizedTest
    @CsvSource({
        "../../README.md, ./escapement/client.js, ws://game.example/",
        "README.md, @escapement/client, wss://play.example.com/"})
    void shouldRunTheScriptOfAReadme(final String page, final String module, final String url) throws IOException
    {
        assertEquals(List.of(url, "hello"), linesOf(Path.of(page), module));
    }

    @Test
    void shouldRunThePageOfTheGuide() throws IOException
    {
        assertEquals(List.of("ws://game.example/", "notice: Connected.", "lines: hi", "lines: hi"),
            linesOf(Path.of("..", "guide", "browsers.md"), "./escapement/client.js", "hi"));
    }

    /** npm shows the page without the other pages of the repository. */
    @Test
    void shouldHaveNoLinkThatNeedsTheRepository() throws IOException
    {
        final Matcher link = LINK.matcher(Files.readString(RESOURCES.resolve("README.md")));
        while (link.find())
        {
            assertTrue(link.group(1).startsWith("https://"), link.group(1));
        }
    }

    /**
     * Run the first script of a page in a separate context, because it has the globals of a browser.
     *
     * @param module that the script imports the client from.
     * @param said   by the player, after the script has run.
     * @return the lines that the script printed and showed.
     */
    private static List<String> linesOf(final Path page, final String module, final String... said) throws IOException
    {
        final String text = Files.readString(page);
        final int start = text.indexOf("```js\n") + "```js\n".length();
        final String script = text.substring(start, text.indexOf("```", start));
        assertTrue(script.contains("'" + module + "'"), script);
        try (JavaScriptModules browser = new JavaScriptModules())
        {
            for (final String name : BROWSER)
            {
                try (InputStream in = ClientTest.class.getResourceAsStream(name))
                {
                    Files.copy(in, directory.resolve(name));
                }
            }
            final Value tab = browser.load(directory.resolve(BROWSER.get(0)));
            browser.load(Files.writeString(directory.resolve(PAGE), script.replace(module, "./client.js")));
            for (final String line : said)
            {
                tab.getMember("say").execute(line);
            }
            return List.copyOf(tab.getMember("lines").as(LINES));
        }
        finally
        {
            for (final String name : BROWSER)
            {
                Files.deleteIfExists(directory.resolve(name));
            }
            Files.deleteIfExists(directory.resolve(PAGE));
        }
    }

    @Test
    void shouldNameCodesAsJavaDoes() throws IOException
    {
        final Value codeName = scripts.load(directory.resolve("client.js")).getMember("codeName");
        for (int code = 0; code <= 2 * Codes.FIRST_APPLICATION_CODE; code++)
        {
            assertEquals(Codes.nameOf(code), codeName.execute(code).asString());
        }
        for (final int code : new int[]{-1, Codes.LAST_CODE, Codes.LAST_CODE + 1})
        {
            assertEquals(Codes.nameOf(code), codeName.execute(code).asString());
        }
        assertEquals("ROOM_FULL", codeName.execute(RefusalCode.ROOM_FULL.value()).asString());
    }

    @Test
    void shouldHaveEveryFileThatThePackageNames() throws IOException
    {
        final String description = Files.readString(RESOURCES.resolve("package.json"));
        final Value files = scripts.eval("(text) => JSON.parse(text).files").execute(description);
        for (int i = 0; i < files.getArraySize(); i++)
        {
            final String name = files.getArrayElement(i).asString();
            assertTrue(Files.size(RESOURCES.resolve(name)) > 0, name);
        }
        assertTrue(files.getArraySize() >= 5, description);
    }

    /** npm pack leaves out whatever the list of files does not name. */
    @Test
    void shouldPackEveryFileThatTheExportsName() throws IOException
    {
        final Map<?, ?> description = (Map<?, ?>)JsonReader.parse(Files.readString(RESOURCES.resolve("package.json")));
        final List<?> files = (List<?>)description.get("files");
        for (final Object export : ((Map<?, ?>)description.get("exports")).values())
        {
            for (final Object path : ((Map<?, ?>)export).values())
            {
                assertTrue(files.contains(path.toString().replace("./", "")), path::toString);
            }
        }
        for (final String name : List.of("name", "version", "description", "license", "type", "types"))
        {
            assertTrue(description.get(name) instanceof String, name);
        }
    }

    @Test
    void shouldCallTheCodesAsTheWireDoes()
    {
        final Map<Integer, String> nameByCode = new HashMap<>();
        Stream.of(GatewayCode.values()).forEach((code) -> nameByCode.put(code.value(), code.name()));
        Stream.of(TrunkCode.values()).forEach((code) -> nameByCode.put(code.value(), code.name()));
        Stream.of(RefusalCode.values()).forEach((code) -> nameByCode.put(code.value(), code.name()));
        final Value codes = scripts.load(directory.resolve("codes.js"));
        final Value names = scripts.eval("(codes) => [...codes].flat()").execute(codes.getMember("TRANSIENT_CODES"));
        assertEquals(26, names.getArraySize());
        for (int i = 0; i < names.getArraySize(); i += 2)
        {
            assertEquals(nameByCode.get(names.getArrayElement(i).asInt()), names.getArrayElement(i + 1).asString());
        }
    }

    @Test
    void shouldDeclareATypeForEachExport() throws IOException
    {
        for (final String name : TYPED_MODULES)
        {
            final String declarations = Files.readString(RESOURCES.resolve(name.replace(".js", ".d.ts")));
            final Set<String> declared = new TreeSet<>();
            final Matcher matcher = DECLARED.matcher(declarations);
            while (matcher.find())
            {
                declared.add(matcher.group(1));
            }
            final Set<String> exported = scripts.load(directory.resolve(name)).getMemberKeys();
            assertEquals(new TreeSet<>(exported), declared, name);
        }
    }
}
