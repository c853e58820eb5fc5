package io.escapement.server;

import io.escapement.accounts.Accounts;
import java.nio.file.Path;
import java.sql.SQLException;
import org.h2.tools.Server;

/** A database of accounts for several servers on this machine: H2 in this process, on the loopback interface. */
final class ClusterDatabase implements AutoCloseable
{
    private final Server server;

    /**
     * Start it.
     *
     * @param directory of its files.
     */
    ClusterDatabase(final Path directory)
    {
        System.setProperty("h2.bindAddress", "127.0.0.1");
        try
        {
            server = Server.createTcpServer(
                "-tcpPort", "0", "-ifNotExists", "-baseDir", directory.toAbsolutePath().toString()).start();
        }
        catch (final SQLException ex)
        {
            throw new IllegalStateException("the database in " + directory + " cannot start: " + ex.getMessage(), ex);
        }
        makeTables();
    }

    /** Servers that start at once would make the same tables, and one server would fail. */
    private void makeTables()
    {
        Quiet.libraries();
        try
        {
            Accounts.launch(DatabaseAccounts.context(url(), null)).close();
        }
        catch (final RuntimeException ex)
        {
            server.stop();
            throw ex;
        }
    }

    /** For connections of other processes. */
    String url()
    {
        return "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/./accounts";
    }

    @Override
    public void close()
    {
        server.stop();
    }
}
