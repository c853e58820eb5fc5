package io.escapement.accounts;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.escapement.config.ConfigException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * A connection pool over tables migrated to the version of this build.
 *
 * <p>The pool has a connection for each worker, so that no worker waits for another's. It replaces broken connections,
 * so that the database may restart. A worker usually borrows the same connection for each transaction.
 */
final class Database implements AutoCloseable
{
    private static final String MIGRATIONS = "classpath:io/escapement/accounts/migrations";
    private static final String HISTORY_TABLE = "accounts_history";
    /** Log-ins by session token have a separate worker. */
    private static final int TOKEN_WORKERS = 1;
    private static final int REMOVAL_WATCHES = 1;
    /** SQL states: no connection (H2: 90067), starting, too many connections, and an H2 file of another process. */
    private static final Set<String> OUTAGES =
        Set.of("08000", "08001", "08003", "08006", "90067", "57P03", "53300", "90020");

    private final HikariDataSource pool;
    private final DataSource dataSource;

    private Database(final HikariDataSource pool, final DataSource dataSource)
    {
        this.pool = pool;
        this.dataSource = dataSource;
    }

    /**
     * Connect and migrate the tables. Blocking.
     *
     * @throws ConfigException   without a cause, because its text might contain the password.
     * @throws DatabaseException if it may answer later.
     */
    static Database open(final AccountsContext context)
    {
        final DatabaseUrl url =
            DatabaseUrl.parse(context.databaseUrl(), context.databaseUser(), context.databasePassword());
        final Properties properties = properties(url, context);
        try (Connection connection = DriverManager.getConnection(url.url(), properties))
        {
            connection.isValid((int)TimeUnit.MILLISECONDS.toSeconds(context.responseTimeoutMs()));
            if (context.isForcingCommits())
            {
                checkForcing(connection, url);
            }
        }
        catch (final SQLException ex)
        {
            // A connection error quotes no table values, and the password is masked.
            if (OUTAGES.contains(String.valueOf(ex.getSQLState())))
            {
                throw new DatabaseException("databaseUrl: " + url + ": " + url.masked(ex));
            }
            throw new ConfigException("databaseUrl", url, url.masked(ex));
        }
        final HikariDataSource pool = new HikariDataSource(config(url, properties, context));
        try
        {
            migrate(pool, url);
            return new Database(pool, context.dataSourceWrapper().apply(pool));
        }
        catch (final RuntimeException ex)
        {
            pool.close();
            throw ex;
        }
    }

    /** It would fail with each commit, as if the database were down. */
    private static void checkForcing(final Connection connection, final DatabaseUrl url)
    {
        try (PreparedStatement statement = connection.prepareStatement(RetryingDatabase.FORCE_H2))
        {
            statement.execute();
        }
        catch (final SQLException ex)
        {
            throw new ConfigException("databaseUser", url.user(), RetryingDatabase.FORCE_H2 +
                " fails, which needs admin rights: GRANT them, or set forceCommits to false: " + url.masked(ex));
        }
    }

    DataSource dataSource()
    {
        return dataSource;
    }

    /** Closes every connection. Transactions in progress fail. */
    @Override
    public void close()
    {
        pool.close();
    }

    private static Properties properties(final DatabaseUrl url, final AccountsContext context)
    {
        final Properties properties = new Properties();
        if (null != url.user())
        {
            properties.setProperty("user", url.user());
        }
        if (null != url.password())
        {
            properties.setProperty("password", url.password());
        }
        if (!url.isH2())
        {
            final long connectS = Math.max(1, TimeUnit.MILLISECONDS.toSeconds(context.connectTimeoutMs()));
            final long responseS = Math.max(1, TimeUnit.MILLISECONDS.toSeconds(context.responseTimeoutMs()));
            // A frozen server keeps its sockets open without answering.
            setDefault(properties, url, "connectTimeout", Long.toString(connectS));
            setDefault(properties, url, "loginTimeout", Long.toString(connectS));
            setDefault(properties, url, "socketTimeout", Long.toString(responseS));
            setDefault(properties, url, "tcpKeepAlive", "true");
            setDefault(properties, url, "ApplicationName", "escapement");
        }
        return properties;
    }

    private static void setDefault(
        final Properties properties, final DatabaseUrl url, final String name, final String value)
    {
        if (!url.has(name))
        {
            properties.setProperty(name, value);
        }
    }

    private static HikariConfig config(
        final DatabaseUrl url, final Properties properties, final AccountsContext context)
    {
        final HikariConfig config = new HikariConfig();
        config.setPoolName("escapement-accounts");
        config.setJdbcUrl(url.url());
        config.setDataSourceProperties(properties);
        config.setAutoCommit(false);
        config.setMaximumPoolSize(
            context.serviceWorkers() + context.logInWorkers() + TOKEN_WORKERS + REMOVAL_WATCHES);
        config.setConnectionTimeout(context.connectTimeoutMs());
        config.setValidationTimeout(Math.max(250, context.connectTimeoutMs() / 2));
        // It answered just now. An outage since then is handled like a later one.
        config.setInitializationFailTimeout(-1);
        return config;
    }

    private static void migrate(final DataSource pool, final DatabaseUrl url)
    {
        try
        {
            Flyway.configure(Database.class.getClassLoader())
                .dataSource(pool)
                .locations(MIGRATIONS)
                .table(HISTORY_TABLE)
                // The database may contain tables of other applications.
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();
        }
        catch (final FlywayException ex)
        {
            throw new ConfigException("databaseUrl", url, "its tables cannot be migrated: " + url.masked(ex));
        }
    }
}
