package io.escapement.server;

import io.escapement.engine.Engine;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Rebuilds a project when its sources change, and reloads the rooms, in a thread. */
final class ProjectWatch implements AutoCloseable
{
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CLOSE_MS = TimeUnit.SECONDS.toMillis(30);

    private final ProjectBuild project;
    private final Types types;
    private final Engine engine;
    private final Consumer<String> out;
    private final TemporaryDirectory directory;
    private final Thread thread;
    private volatile boolean isClosed;

    private ProjectWatch(
        final ProjectBuild project, final Types types, final Engine engine, final Consumer<String> out)
        throws IOException
    {
        this.project = project;
        this.types = types;
        this.engine = engine;
        this.out = out;
        directory = new TemporaryDirectory("--watch", null);
        thread = new Thread(this::run, "project-watch");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Watch a project.
     *
     * @param project to watch, or null.
     * @param types   of the engine.
     * @param engine  that runs.
     * @param out     receives the result of each build, in the thread.
     * @return the watch, or null.
     */
    static ProjectWatch launch(
        final ProjectBuild project, final Types types, final Engine engine, final Consumer<String> out)
        throws IOException
    {
        return null == project ? null : new ProjectWatch(project, types, engine, out);
    }

    private void run()
    {
        final SourceWatch sources = new SourceWatch(project.sources(), this::build);
        while (!isClosed)
        {
            sources.step(System.nanoTime());
            LockSupport.parkNanos(POLL_NS);
        }
    }

    private void build()
    {
        try
        {
            out.accept(types.rebuild(project.jar(directory.path()), engine));
        }
        catch (final IOException | RuntimeException ex)
        {
            out.accept("not built, the rooms stay as they are: " + ex.getMessage());
        }
    }

    /** A build that runs is completed, because it needs the engine. */
    @Override
    public void close()
    {
        isClosed = true;
        LockSupport.unpark(thread);
        try
        {
            thread.join(CLOSE_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        directory.close();
    }
}
