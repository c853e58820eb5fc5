package io.escapement.testsupport;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * The class path of this JVM as jars, with an archive of the classes that a program has loaded (class-data sharing). A
 * process that is restarted often starts in a fraction of the time with it.
 *
 * <p>The first process writes the archive when it exits by itself.
 */
public final class ClassArchive
{
    private final String classPath;
    private final Path file;

    /**
     * Make jars of the directories of the class path. Only classes of jars are archived.
     *
     * @param directory of the jars and the archive. It must exist.
     */
    public ClassArchive(final Path directory)
    {
        file = directory.resolve("classes.jsa");
        final List<String> jars = new ArrayList<>();
        for (final String entry : System.getProperty("java.class.path").split(File.pathSeparator))
        {
            final Path path = Path.of(entry);
            if (!Files.isDirectory(path))
            {
                jars.add(entry);
                continue;
            }
            final Path jar = directory.resolve("classes-" + jars.size() + ".jar");
            try (OutputStream out = Files.newOutputStream(jar))
            {
                write(path, out);
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
            jars.add(jar.toString());
        }
        classPath = String.join(File.pathSeparator, jars);
    }

    /** The class path for all processes. */
    String classPath()
    {
        return classPath;
    }

    /** The flag for the next process: to use the archive, or to write it when the process exits by itself. */
    String flag()
    {
        return (Files.exists(file) ? "-XX:SharedArchiveFile=" : "-XX:ArchiveClassesAtExit=") + file;
    }

    /** Whether a process has written the archive. */
    public boolean isWritten()
    {
        return Files.exists(file);
    }

    private static void write(final Path directory, final OutputStream out) throws IOException
    {
        try (JarOutputStream jar = new JarOutputStream(out); Stream<Path> files = Files.walk(directory))
        {
            // Stored, because deflating takes longer than reading saves.
            jar.setLevel(0);
            for (final Path path : files.filter(Files::isRegularFile).sorted().toList())
            {
                jar.putNextEntry(new JarEntry(directory.relativize(path).toString().replace(File.separatorChar, '/')));
                Files.copy(path, jar);
                jar.closeEntry();
            }
        }
    }
}
