package io.escapement.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Runs a build after Java sources have changed and then stayed as they are for a moment, because an editor or a version
 * control writes several files. It also runs a build at its start. A step takes the time as a parameter, so that tests
 * need no clock.
 */
final class SourceWatch
{
    static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final String SOURCES = ".java";

    private final Path root;
    private final Runnable build;
    /** Time and length of each source. */
    private TreeMap<Path, String> last = new TreeMap<>();
    private long changedNs;
    private boolean isChanged;

    /**
     * Watch a directory.
     *
     * @param root  of the sources.
     * @param build is run in a step.
     */
    SourceWatch(final Path root, final Runnable build)
    {
        this.root = root;
        this.build = build;
    }

    /**
     * Look for changes, and run the build if it is due.
     *
     * @param nowNs the time.
     * @return whether the build ran.
     */
    boolean step(final long nowNs)
    {
        final TreeMap<Path, String> found = sources();
        if (!found.equals(last))
        {
            last = found;
            changedNs = nowNs;
            isChanged = true;
        }
        if (!isChanged || nowNs - changedNs < QUIET_NS)
        {
            return false;
        }
        isChanged = false;
        build.run();
        return true;
    }

    private TreeMap<Path, String> sources()
    {
        final TreeMap<Path, String> found = new TreeMap<>();
        try
        {
            Files.walkFileTree(root, new SimpleFileVisitor<>()
            {
                @Override
                public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes)
                {
                    if (file.toString().endsWith(SOURCES))
                    {
                        found.put(file, attributes.lastModifiedTime() + " " + attributes.size());
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(final Path file, final IOException ex)
                {
                    // It was deleted during the walk, and the next step sees that.
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(final Path directory, final IOException ex)
                {
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return found;
    }
}
