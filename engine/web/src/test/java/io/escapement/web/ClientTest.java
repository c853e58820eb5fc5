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
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs the tests of client-test.js, beside the files that a browser gets. */
class ClientTest
{
    private static final Path RESOURCES = Path.of("target", "classes", "META-INF", "resources", "escapement");
    private static final String TESTS = "client-test.js";
    private static final String README_TEST = "readme-test.js";
    private static final String README_PAGE = "readme.js";
    private static final List<String> MODULES = List.of(
        "client.js", "player.js", "clock.js", "codes.js", "code-names.js", "requests.js", "resume-token.js", "room.js",
        "sync.js", "lobby.js", "messages/lobby.js", "matchmaking.js", "messages/matchmaking.js");
    private static final List<String> TYPED_MODULES = List.of("client.js", "player.js", "lobby.js", "matchmaking.js");

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

    /** In a separate context, because the page has the globals of a browser. */
    @Test
    void shouldRunThePageOfTheReadme() throws IOException
    {
        final String page = Files.readString(Path.of("..", "..", "README.md"));
        final int start = page.indexOf("```js\n") + "```js\n".length();
        final String script = page.substring(start, page.indexOf("```", start));
        assertTrue(script.contains("'./escapement/client.js'"), script);
        try (JavaScriptModules browser = new JavaScriptModules();
            InputStream in = ClientTest.class.getResourceAsStream(README_TEST))
        {
            Files.copy(in, directory.resolve(README_TEST));
            final Value lines = browser.load(directory.resolve(README_TEST)).getMember("lines");
            browser.load(Files.writeString(
                directory.resolve(README_PAGE), script.replace("./escapement/client.js", "./client.js")));
            assertEquals(List.of("ws://game.example/", "hello"), lines.as(List.class));
        }
        finally
        {
            Files.deleteIfExists(directory.resolve(README_TEST));
            Files.deleteIfExists(directory.resolve(README_PAGE));
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
