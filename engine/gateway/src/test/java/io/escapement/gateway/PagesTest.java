package io.escapement.gateway;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The pages of all modules keep the content security policy, which only a browser would enforce, and use no cookie. */
class PagesTest
{
    private static final Path MODULES = Path.of("..");
    private static final Path RESOURCES = Path.of("src", "main", "resources");
    private static final Path SERVED = RESOURCES.resolve(Path.of("META-INF", "resources"));
    private static final Pattern COOKIE_OR_QUERY =
        Pattern.compile("document\\.cookie|location\\.(search|hash|href)|URLSearchParams|[?&][\\w-]*token=");
    private static final Pattern INLINE = Pattern.compile(
        "<style\\b|<script\\b(?![^>]*\\ssrc=)|<script\\b[^>]*>\\s*[^<\\s]|<[^>]*\\s(style|on[a-z]+)\\s*=|" +
            "(src|href)\\s*=\\s*[\"']?\\s*(javascript:|data:|https?:|//)",
        Pattern.CASE_INSENSITIVE);

    static boolean isInline(final String html)
    {
        return INLINE.matcher(html).find();
    }

    @Test
    void shouldHaveNothingInline() throws IOException
    {
        final Map<String, Integer> pagesByModuleMap = new TreeMap<>();
        for (final Path directory : List.of(MODULES, MODULES.resolve("samples")))
        {
            try (DirectoryStream<Path> modules = Files.newDirectoryStream(directory))
            {
                for (final Path module : modules)
                {
                    final List<Path> pages = files(module.resolve(RESOURCES), ".html");
                    pagesByModuleMap.put(module.getFileName().toString(), pages.size());
                    for (final Path page : pages)
                    {
                        assertFalse(isInline(Files.readString(page)), page::toString);
                    }
                }
            }
        }
        pagesByModuleMap.values().removeIf((count) -> 0 == count);
        assertEquals(Map.of("arena", 2, "console", 1, "examples", 4), pagesByModuleMap);
    }

    /** Those that a gateway serves. A token in a URL would be in the logs of proxies and the history of browsers. */
    @ParameterizedTest
    @ValueSource(strings = {"samples/arena", "samples/examples", "web"})
    void shouldUseNeitherCookiesNorQueries(final String module) throws IOException
    {
        final List<Path> scripts = files(MODULES.resolve(module).resolve(SERVED), ".js");
        assertFalse(scripts.isEmpty());
        for (final Path script : scripts)
        {
            // The link to a film has no token: everybody may have it.
            final boolean isFilm = script.endsWith("arena/film.js");
            final Matcher used = COOKIE_OR_QUERY.matcher(isFilm ?
                Files.readString(script).replace("location.hash", "") : Files.readString(script));
            assertFalse(used.find(), () -> script + ": " + used.group());
        }
    }

    private static List<Path> files(final Path directory, final String suffix) throws IOException
    {
        if (!Files.isDirectory(directory))
        {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(directory))
        {
            return files.filter((file) -> file.toString().endsWith(suffix)).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "<style>p {}</style>",
        "<script>x();</script>",
        "<script type=\"module\">import '/x.js';</script>",
        "<script src=\"/x.js\">x();</script>",
        "<p style=\"color: red\">",
        "<button\n  onClick = 'x()'>",
        "<a href=\"javascript:x()\">",
        "<script src=\"https://other.example/x.js\"></script>",
        "<img src='//other.example/x.png'>"})
    void shouldFindEachWayToHaveSomethingInline(final String html)
    {
        assertTrue(isInline(html), html);
    }

    @Test
    void shouldFindNothingInAPageOfFiles()
    {
        assertEquals(List.of(), Stream.of("<link rel=\"stylesheet\" href=\"/x.css\">",
            "<script type=\"module\" src=\"/x.js\"></script>", "<p>style = on</p>")
            .filter(PagesTest::isInline).toList());
    }
}
