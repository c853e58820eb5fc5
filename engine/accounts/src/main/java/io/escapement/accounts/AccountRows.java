package io.escapement.accounts;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** SQL of the account table. */
final class AccountRows
{
    /** The fields of an account that a log-in reads. */
    record Stored(long accountId, String passwordHash, long bannedUntilMs, long sessionEpoch)
    {
        boolean isBanned(final long nowMs)
        {
            return nowMs < bannedUntilMs;
        }

        @Override
        public String toString()
        {
            return "account " + accountId;
        }
    }

    private static final String FIND =
        "SELECT id, password_hash, banned_until_ms, session_epoch FROM account WHERE name_key = ?";
    private static final String ADD =
        "INSERT INTO account (name, name_key, password_hash, log_out_key, logged_in, created_at_ms) " +
        "VALUES (?, ?, ?, 0, TRUE, ?)";
    private static final String LOG_IN = "UPDATE account SET logged_in = TRUE WHERE id = ?";
    private static final String LOG_IN_BY_PASSWORD =
        "UPDATE account SET logged_in = TRUE, " +
        "session_epoch = session_epoch + CASE WHEN one_session THEN 1 ELSE 0 END WHERE id = ?";
    private static final String SESSION_EPOCH = "SELECT session_epoch FROM account WHERE id = ?";
    private static final String LOG_OUT =
        "UPDATE account SET logged_in = FALSE, log_out_key = ?, session_epoch = session_epoch + 1 " +
        "WHERE id = ? AND (logged_in OR log_out_key = ?)";
    private static final String CHANGE_PASSWORD =
        "UPDATE account SET password_hash = ?, session_epoch = session_epoch + 1 WHERE id = ? AND password_hash = ?";
    private static final String REHASH = "UPDATE account SET password_hash = ? WHERE id = ? AND password_hash = ?";
    private static final String LOCK = "SELECT id FROM account WHERE id = ? FOR UPDATE";
    private static final String DELETE_CHARACTERS = "DELETE FROM player_character WHERE account_id = ?";
    private static final String DELETE = "DELETE FROM account WHERE id = ?";
    private static final String BAN = "UPDATE account SET banned_until_ms = ? WHERE name_key = ?";
    private static final String ONE_SESSION = "UPDATE account SET one_session = ? WHERE name_key = ?";

    private static final String LIST =
        "SELECT id, name, created_at_ms, banned_until_ms FROM account WHERE name_key LIKE ? ESCAPE '!' AND " +
        "name_key > ? ORDER BY name_key LIMIT ?";

    private AccountRows()
    {
    }

    static Stored find(final Connection connection, final String nameKey) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(FIND))
        {
            statement.setString(1, nameKey);
            try (ResultSet rows = statement.executeQuery())
            {
                return rows.next() ?
                    new Stored(rows.getLong(1), rows.getString(2), rows.getLong(3), rows.getLong(4)) : null;
            }
        }
    }

    /** Inserts an account that is logged in. The key makes a retry idempotent. */
    static Result signUp(
        final Connection connection,
        final String name,
        final String passwordHash,
        final long keyHigh,
        final long keyLow,
        final long nowMs) throws SQLException
    {
        final Result before = IdempotencyKeys.find(connection, keyHigh, keyLow, 0, IdempotencyKeys.SIGN_UP);
        if (null != before)
        {
            return before;
        }
        if (null != find(connection, Names.key(name)))
        {
            // An earlier attempt with a lost acknowledgement may have been committed between the two queries.
            final Result late = IdempotencyKeys.find(connection, keyHigh, keyLow, 0, IdempotencyKeys.SIGN_UP);
            return null == late ? Result.refused(AccountCode.NAME_TAKEN) : late;
        }
        try (PreparedStatement statement = connection.prepareStatement(ADD, Statement.RETURN_GENERATED_KEYS))
        {
            statement.setString(1, name);
            statement.setString(2, Names.key(name));
            statement.setString(3, passwordHash);
            statement.setLong(4, nowMs);
            statement.executeUpdate();
            final long id = Characters.generatedId(statement);
            IdempotencyKeys.add(connection, keyHigh, keyLow, 0, IdempotencyKeys.SIGN_UP, id, nowMs);
            return Result.success(id);
        }
    }

    /** False if the account does not exist. */
    static boolean logIn(final Connection connection, final long accountId) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(LOG_IN))
        {
            statement.setLong(1, accountId);
            return 1 == statement.executeUpdate();
        }
    }

    /**
     * Log in by password, which ends earlier sessions if the account has only one. A retry after a lost
     * acknowledgement may end them twice.
     *
     * @return the session epoch from now on, or -1 if the account does not exist.
     */
    static long logInByPassword(final Connection connection, final long accountId) throws SQLException
    {
        try (PreparedStatement update = connection.prepareStatement(LOG_IN_BY_PASSWORD);
            PreparedStatement select = connection.prepareStatement(SESSION_EPOCH))
        {
            update.setLong(1, accountId);
            if (1 != update.executeUpdate())
            {
                return -1;
            }
            select.setLong(1, accountId);
            try (ResultSet rows = select.executeQuery())
            {
                return rows.next() ? rows.getLong(1) : -1;
            }
        }
    }

    /** False if it was not logged in. The key makes a retry of the same attempt return true. */
    static boolean logOut(final Connection connection, final long accountId, final long key) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(LOG_OUT))
        {
            statement.setLong(1, key);
            statement.setLong(2, accountId);
            statement.setLong(3, key);
            return 1 == statement.executeUpdate();
        }
    }

    /** Replace the hash. The key makes a retry of the same attempt succeed. */
    static Result changePassword(
        final Connection connection,
        final Stored stored,
        final String hash,
        final long keyHigh,
        final long keyLow,
        final long nowMs) throws SQLException
    {
        final Result before =
            IdempotencyKeys.find(connection, keyHigh, keyLow, stored.accountId(), IdempotencyKeys.CHANGE_PASSWORD);
        if (null != before)
        {
            return before;
        }
        if (1 != replaceHash(connection, CHANGE_PASSWORD, stored, hash))
        {
            // Changed or deleted by another log-in with the old password.
            return Result.refused(AccountCode.WRONG_CREDENTIALS);
        }
        IdempotencyKeys.add(connection, keyHigh, keyLow, stored.accountId(), IdempotencyKeys.CHANGE_PASSWORD,
            stored.accountId(), nowMs);
        return Result.success(stored.accountId());
    }

    /** Delete an account and its characters. The key makes a retry of the same attempt succeed. */
    static Result delete(
        final Connection connection, final long accountId, final long keyHigh, final long keyLow, final long nowMs)
        throws SQLException
    {
        // Locked first: a character that is being created holds the lock, and is also deleted.
        update(connection, LOCK, accountId);
        final Result before =
            IdempotencyKeys.find(connection, keyHigh, keyLow, accountId, IdempotencyKeys.DELETE_ACCOUNT);
        if (null != before)
        {
            return before;
        }
        update(connection, DELETE_CHARACTERS, accountId);
        if (0 == update(connection, DELETE, accountId))
        {
            return Result.refused(AccountCode.UNKNOWN_ACCOUNT);
        }
        IdempotencyKeys.add(
            connection, keyHigh, keyLow, accountId, IdempotencyKeys.DELETE_ACCOUNT, accountId, nowMs);
        return Result.success(accountId);
    }

    /** Ban until a time, or lift a ban by 0. False if the account does not exist. */
    static boolean ban(final Connection connection, final String nameKey, final long untilMs) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(BAN))
        {
            statement.setLong(1, untilMs);
            statement.setString(2, nameKey);
            return 1 == statement.executeUpdate();
        }
    }

    /** Accounts by name, from the first name after another. */
    static List<Accounts.Listed> list(
        final Connection connection, final String prefix, final String after, final int limit) throws SQLException
    {
        final List<Accounts.Listed> accounts = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(LIST))
        {
            // Names have underscores, which are patterns in SQL.
            statement.setString(1, prefix.replaceAll("[!_%]", "!$0") + '%');
            statement.setString(2, after);
            statement.setInt(3, limit);
            try (ResultSet rows = statement.executeQuery())
            {
                while (rows.next())
                {
                    accounts.add(new Accounts.Listed(
                        rows.getLong(1), rows.getString(2), rows.getLong(3), rows.getLong(4)));
                }
            }
        }
        return accounts;
    }

    /** Whether a log-in with the password ends earlier sessions. False if the account does not exist. */
    static boolean oneSession(final Connection connection, final String nameKey, final boolean isOne)
        throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(ONE_SESSION))
        {
            statement.setBoolean(1, isOne);
            statement.setString(2, nameKey);
            return 1 == statement.executeUpdate();
        }
    }

    private static int update(final Connection connection, final String sql, final long accountId) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(sql))
        {
            statement.setLong(1, accountId);
            statement.execute();
            return statement.getUpdateCount();
        }
    }

    /** No effect if the hash has changed since it was read. */
    static int rehash(final Connection connection, final Stored stored, final String hash) throws SQLException
    {
        return replaceHash(connection, REHASH, stored, hash);
    }

    private static int replaceHash(
        final Connection connection, final String sql, final Stored stored, final String hash) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(sql))
        {
            statement.setString(1, hash);
            statement.setLong(2, stored.accountId());
            statement.setString(3, stored.passwordHash());
            return statement.executeUpdate();
        }
    }
}
