package io.escapement.testsupport;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A jar of classes that a test compiles, against its own class path, from sources or changed sources. */
public final class SourceJar
{
    private final Map<String, String> sourceByPathMap = new TreeMap<>();
    private final Map<String, String> resourceByPathMap = new TreeMap<>();

    /**
     * Add the sources of a package.
     *
     * @param root     directory of sources.
     * @param packages name of the package.
     */
    public SourceJar sources(final Path root, final String packages)
    {
        final Path directory = root.resolve(packages.replace('.', '/'));
        try (Stream<Path> files = Files.list(directory))
        {
            for (final Path file : files.filter((path) -> path.toString().endsWith(".java")).toList())
            {
                sourceByPathMap.put(root.relativize(file).toString(), Files.readString(file));
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return this;
    }

    /**
     * Add a source.
     *
     * @param path of the file, below the root.
     * @param text of the file.
     */
    public SourceJar source(final String path, final String text)
    {
        sourceByPathMap.put(path, text);
        return this;
    }

    /**
     * Change a source.
     *
     * @param path of the file, below the root.
     * @param from text that it has.
     * @param to   text in its place.
     */
    public SourceJar replace(final String path, final String from, final String to)
    {
        final String text = sourceByPathMap.get(path);
        if (null == text || !text.contains(from))
        {
            throw new IllegalArgumentException(path + " has no " + from);
        }
        sourceByPathMap.put(path, text.replace(from, to));
        return this;
    }

    /**
     * Name the provider of a service.
     *
     * @param service  name of the interface.
     * @param provider name of a class of the jar.
     */
    public SourceJar provider(final String service, final String provider)
    {
        resourceByPathMap.put("META-INF/services/" + service, provider + "\n");
        return this;
    }

    /**
     * Add a text file.
     *
     * @param path of the file, below the root.
     * @param text of the file.
     */
    public SourceJar resource(final String path, final String text)
    {
        resourceByPathMap.put(path, text);
        return this;
    }

    /**
     * Compile, and replace a file by the jar in one step.
     *
     * @param jar file to write.
     * @return the file.
     */
    public Path writeTo(final Path jar)
    {
        try
        {
            final Path work = Files.createTempDirectory(jar.toAbsolutePath().getParent(), "source-jar");
            final Path classes = Files.createDirectory(work.resolve("classes"));
            if (!sourceByPathMap.isEmpty())
            {
                compile(work, classes);
            }
            final Path unfinished = work.resolve("unfinished.jar");
            try (OutputStream file = Files.newOutputStream(unfinished);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> walk = Files.walk(classes))
            {
                for (final Path path : walk.filter(Files::isRegularFile).sorted().toList())
                {
                    put(out, classes.relativize(path).toString(), Files.readAllBytes(path));
                }
                for (final Map.Entry<String, String> resource : resourceByPathMap.entrySet())
                {
                    put(out, resource.getKey(), resource.getValue().getBytes(StandardCharsets.UTF_8));
                }
            }
            return Files.move(
                unfinished, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void compile(final Path work, final Path classes) throws IOException
    {
        final List<Path> sources = new ArrayList<>();
        for (final Map.Entry<String, String> source : sourceByPathMap.entrySet())
        {
            final Path file = work.resolve("sources").resolve(source.getKey());
            Files.createDirectories(file.getParent());
            sources.add(Files.writeString(file, source.getValue()));
        }
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files =
            compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8))
        {
            final List<String> options = List.of("-proc:none", "-nowarn", "-d", classes.toString(),
                "-classpath", System.getProperty("java.class.path"));
            if (!compiler.getTask(
                messages, files, null, options, null, files.getJavaFileObjectsFromPaths(sources)).call())
            {
                throw new IllegalStateException(messages.toString());
            }
        }
    }

    private static void put(final JarOutputStream out, final String name, final byte[] bytes) throws IOException
    {
        out.putNextEntry(new JarEntry(name));
        out.write(bytes);
        out.closeEntry();
    }
}
