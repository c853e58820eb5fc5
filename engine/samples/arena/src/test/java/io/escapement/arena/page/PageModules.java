package io.escapement.arena.page;

import io.escapement.testsupport.JavaScriptModules;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.graalvm.polyglot.Value;

/** The modules of the page as they are served, with those of the tests beside them. */
public final class PageModules implements AutoCloseable
{
    static final Path PAGE = Path.of("target", "classes", "META-INF", "resources", "arena");

    public final JavaScriptModules scripts = new JavaScriptModules();
    private final Path directory;

    public PageModules() throws IOException
    {
        directory = Files.createDirectories(Tests.newDirectory());
        try (Stream<Path> files = Files.list(PAGE))
        {
            for (final Path file : files.filter((path) -> path.toString().endsWith(".js")).toList())
            {
                Files.copy(file, directory.resolve(file.getFileName()));
            }
        }
    }

    /** The exports of a module among the resources of the tests. */
    public Value load(final String name) throws IOException
    {
        try (InputStream in = PageModules.class.getResourceAsStream(name))
        {
            Files.copy(in, directory.resolve(name));
        }
        return scripts.load(directory.resolve(name));
    }

    public static String map(final String name) throws IOException
    {
        return Files.readString(PAGE.resolve("maps").resolve(name + ".map"));
    }

    @Override
    public void close()
    {
        scripts.close();
        IoUtil.delete(directory.toFile(), true);
    }
}
