package io.escapement.accounts;

import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An embedded PostgreSQL server that can be killed, restarted, frozen and thawed. */
@RealTime("PostgreSQL")
final class PostgresDatabase implements TestDatabase
{
    private final AtomicInteger next = new AtomicInteger();
    private final Path data;
    private final int port;
    private EmbeddedPostgres server;

    PostgresDatabase(final Path folder)
    {
        data = folder.resolve("data");
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            port = socket.getLocalPort();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
        start();
    }

    @Override
    public String newUrl()
    {
        final String name = "accounts" + next.incrementAndGet();
        try (Connection connection = server.getPostgresDatabase().getConnection();
            Statement statement = connection.createStatement())
        {
            statement.execute("CREATE DATABASE " + name);
        }
        catch (final SQLException ex)
        {
            throw new IllegalStateException(ex);
        }
        return "jdbc:postgresql://127.0.0.1:" + port + '/' + name + "?user=postgres&password=s3cret-postgres";
    }

    void start()
    {
        try
        {
            // A leftover of the killed server; PostgreSQL itself detects that the owner is dead.
            Files.deleteIfExists(data.resolve("epg-lock"));
            server = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPort(port)
                // The server's defaults: acknowledged commits survive a crash.
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

    /** Simulates a power failure. */
    void kill()
    {
        final List<ProcessHandle> processes = processes();
        signal("KILL", processes);
        Tests.await(() -> processes.stream().noneMatch(ProcessHandle::isAlive), "the server to be dead");
    }

    void freeze()
    {
        signal("STOP", processes());
    }

    void thaw()
    {
        signal("CONT", processes());
    }

    @Override
    public void close()
    {
        try
        {
            server.close();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** The postmaster first, so that it starts no new process. */
    private List<ProcessHandle> processes()
    {
        try
        {
            final long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0).trim());
            final ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
            return Stream.concat(Stream.of(postmaster), postmaster.descendants()).collect(Collectors.toList());
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static void signal(final String name, final List<ProcessHandle> processes)
    {
        for (final ProcessHandle process : processes)
        {
            try
            {
                // The process may have ended already.
                new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start().waitFor();
            }
            catch (final IOException | InterruptedException ex)
            {
                throw new IllegalStateException(ex);
            }
        }
    }
}
