package io.escapement.server;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A PostgreSQL server that a test can freeze (SIGSTOP) and thaw. */
final class PostgresServer implements AutoCloseable
{
    private final Path data;
    private final EmbeddedPostgres server;

    PostgresServer(final Path directory)
    {
        data = directory.resolve("data");
        try
        {
            server = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                // As a server comes: what it has said is done survives its death.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
                .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
                .start();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** With patience for the first connection: the host may have much to do besides. */
    String url()
    {
        return "jdbc:postgresql://127.0.0.1:" + server.getPort() +
            "/postgres?user=postgres&connectTimeout=30&loginTimeout=30";
    }

    void freeze()
    {
        signal("STOP");
    }

    void thaw()
    {
        signal("CONT");
    }

    /** A column of one row. */
    long number(final String sql)
    {
        try (Connection connection = server.getPostgresDatabase().getConnection();
            Statement statement = connection.createStatement();
            ResultSet rows = statement.executeQuery(sql))
        {
            rows.next();
            return rows.getLong(1);
        }
        catch (final SQLException ex)
        {
            throw new IllegalStateException(sql, ex);
        }
    }

    /** One that is stopped would not end. */
    @Override
    public void close()
    {
        thaw();
        try
        {
            server.close();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** To the server first, so that it starts nobody new. */
    private void signal(final String name)
    {
        try
        {
            final long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0).trim());
            final ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
            kill(name, postmaster);
            final List<ProcessHandle> others = postmaster.descendants().toList();
            for (final ProcessHandle other : others)
            {
                kill(name, other);
            }
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** A process that has exited already is no error. */
    private static void kill(final String name, final ProcessHandle process) throws IOException, InterruptedException
    {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
            .redirectError(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    }
}
