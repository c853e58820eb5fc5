package io.escapement.accounts;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * The database: a pool with one connection for each worker, and the tables at the version that this build wants.
 *
 * <p>The pool opens connections again that broke, so a database may go and come back. A worker borrows one for a
 * transaction, as a rule the one it had before, and never waits for another worker's.
 */
final class Database implements AutoCloseable
{
    private static final String MIGRATIONS = "classpath:io/escapement/accounts/migrations";
    private static final String HISTORY_TABLE = "accounts_history";

    private final HikariDataSource pool;
    private final DataSource dataSource;

    private Database(final HikariDataSource pool, final DataSource dataSource)
    {
        this.pool = pool;
        this.dataSource = dataSource;
    }

    /**
     * Connect, and bring the tables up to date. Blocks until both is done.
     *
     * @param context says where and how.
     * @return the database.
     * @throws DatabaseException with one line that says what is wrong, naming the option.
     */
    static Database open(final AccountsContext context)
    {
        final DatabaseUrl url =
            DatabaseUrl.parse(context.databaseUrl(), context.databaseUser(), context.databasePassword());
        final Properties properties = properties(url, context);
        try (Connection connection = DriverManager.getConnection(url.url(), properties))
        {
            connection.isValid((int)TimeUnit.MILLISECONDS.toSeconds(context.answerTimeoutMs()));
        }
        catch (final SQLException ex)
        {
            // The text is for the one who set the option. It is no value of a table's, and the password is taken out.
            throw new DatabaseException("databaseUrl: " + url + ": " + url.safe(ex.getMessage()));
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

    DataSource dataSource()
    {
        return dataSource;
    }

    /** Give up every connection. What workers do at that moment fails. */
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
            final long answerS = Math.max(1, TimeUnit.MILLISECONDS.toSeconds(context.answerTimeoutMs()));
            // A server that is stopped in its tracks keeps its sockets open and says nothing.
            setUnlessSaid(properties, url, "connectTimeout", Long.toString(connectS));
            setUnlessSaid(properties, url, "loginTimeout", Long.toString(connectS));
            setUnlessSaid(properties, url, "socketTimeout", Long.toString(answerS));
            setUnlessSaid(properties, url, "tcpKeepAlive", "true");
            setUnlessSaid(properties, url, "ApplicationName", "escapement");
        }
        return properties;
    }

    private static void setUnlessSaid(
        final Properties properties, final DatabaseUrl url, final String name, final String value)
    {
        if (!url.says(name))
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
        config.setMaximumPoolSize(context.serviceWorkers() + context.logInWorkers());
        config.setConnectionTimeout(context.connectTimeoutMs());
        config.setValidationTimeout(Math.max(250, context.connectTimeoutMs() / 2));
        // It answered a moment ago; if it has gone since, that is as if it goes later.
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
                // A database may hold tables of others.
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();
        }
        catch (final FlywayException ex)
        {
            throw new DatabaseException(
                "databaseUrl: " + url + ": the tables cannot be brought up to date: " + url.safe(ex.getMessage()));
        }
    }
}
