package io.escapement.server;

import io.escapement.config.ConfigException;
import io.escapement.rooms.RoomType;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.agrona.IoUtil;

/**
 * Compiles the sources of a project against the class path of this program, which has the project's last package and
 * its libraries, into a jar with the project's resources. Files that a Maven plugin generates, such as codecs, are
 * taken from the class path.
 */
final class ProjectBuild
{
    private static final String OPTION = "--watch";
    private static final String PROVIDERS = "META-INF/services/" + RoomType.Provider.class.getName();
    /** The server has them from {@code --pages} or from the class path. */
    private static final String PAGES = "META-INF/resources/";

    private final Path sources;
    private final Path resources;
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

    /**
     * Check that there is a project.
     *
     * @param project directory, as Maven lays it out.
     */
    ProjectBuild(final Path project)
    {
        sources = project.resolve("src/main/java");
        resources = project.resolve("src/main/resources");
        ConfigException.check(
            Files.isDirectory(sources), OPTION, project, "name a project's directory, which has src/main/java");
        ConfigException.check(Files.isRegularFile(resources.resolve(PROVIDERS)), OPTION, project,
            "src/main/resources/" + PROVIDERS + " is missing: name the game's class in it");
        ConfigException.check(null != compiler, OPTION, project, "this Java has no compiler: use a JDK");
    }

    /** The directory of Java sources. */
    Path sources()
    {
        return sources;
    }

    /**
     * Compile all sources.
     *
     * @param directory for the jar.
     * @return the jar.
     * @throws IllegalArgumentException with the compiler's messages if it refuses the sources.
     */
    Path jar(final Path directory) throws IOException
    {
        final Path classes = Files.createTempDirectory(directory, "classes");
        try
        {
            compile(classes);
            final Path jar = directory.resolve("project.jar");
            try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file))
            {
                copy(classes, (name) -> true, out);
                copy(resources, (name) -> !name.startsWith(PAGES), out);
            }
            return jar;
        }
        finally
        {
            IoUtil.delete(classes.toFile(), true);
        }
    }

    private void compile(final Path classes) throws IOException
    {
        final StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
            Stream<Path> walk = Files.walk(sources))
        {
            final List<Path> java = walk.filter((file) -> file.toString().endsWith(".java")).sorted().toList();
            final List<String> options = List.of("-proc:none", "-nowarn", "-g", "-d", classes.toString(),
                "-classpath", System.getProperty("java.class.path"));
            if (!compiler.getTask(
                messages, files, null, options, null, files.getJavaFileObjectsFromPaths(java)).call())
            {
                throw new IllegalArgumentException(messages.toString().strip());
            }
        }
    }

    private static void copy(final Path root, final Predicate<String> filter, final JarOutputStream out)
        throws IOException
    {
        try (Stream<Path> files = Files.walk(root))
        {
            for (final Path file : files.filter(Files::isRegularFile).sorted().toList())
            {
                final String name = root.relativize(file).toString();
                if (filter.test(name))
                {
                    out.putNextEntry(new JarEntry(name));
                    Files.copy(file, out);
                    out.closeEntry();
                }
            }
        }
    }
}
