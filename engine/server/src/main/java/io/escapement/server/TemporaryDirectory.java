package io.escapement.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.IoUtil;

/** A directory of this process that is deleted on its exit, even on its exit by a signal. */
final class TemporaryDirectory implements AutoCloseable
{
    private final Path path;
    private final List<Runnable> users = new CopyOnWriteArrayList<>();
    private final Thread atShutdown = new Thread(this::deleteWhenUnused, "temporary-directory-shutdown");

    /**
     * Make a directory.
     *
     * @param option that names the parent, for the message if it cannot be made there.
     * @param parent of the directory, or null for that of temporary files.
     */
    TemporaryDirectory(final String option, final Path parent) throws IOException
    {
        try
        {
            path = null == parent ? Files.createTempDirectory("escapement-demo") :
                Files.createTempDirectory(parent, "escapement-demo");
        }
        catch (final IOException ex)
        {
            throw new IOException(option + ": " + parent + ": no directory can be made there: " + ex, ex);
        }
        Runtime.getRuntime().addShutdownHook(atShutdown);
    }

    Path path()
    {
        return path;
    }

    /**
     * After a signal, delete the directory only when its users have exited.
     *
     * @param awaitEnd waits until a process that writes to the directory has exited.
     */
    void usedBy(final Runnable awaitEnd)
    {
        users.add(awaitEnd);
    }

    @Override
    public void close()
    {
        delete();
        ChildCommand.removeShutdownHook(atShutdown);
    }

    private void deleteWhenUnused()
    {
        users.forEach(Runnable::run);
        delete();
    }

    private void delete()
    {
        IoUtil.delete(path.toFile(), true);
    }
}
