package io.escapement.accounts;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** SQL of the account table. */
final class AccountRows
{
    /** The id, the password hash and the ban of an account. */
    record Stored(long accountId, String passwordHash, long bannedUntilMs)
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
        "SELECT id, password_hash, banned_until_ms FROM account WHERE name_key = ?";
    private static final String ADD =
        "INSERT INTO account (name, name_key, password_hash, log_out_key, logged_in, created_at_ms) " +
        "VALUES (?, ?, ?, 0, TRUE, ?)";
    private static final String LOG_IN = "UPDATE account SET logged_in = TRUE WHERE id = ?";
    private static final String LOG_OUT =
        "UPDATE account SET logged_in = FALSE, log_out_key = ? WHERE id = ? AND (logged_in OR log_out_key = ?)";
    private static final String REHASH = "UPDATE account SET password_hash = ? WHERE id = ? AND password_hash = ?";
    private static final String LOCK = "SELECT id FROM account WHERE id = ? FOR UPDATE";
    private static final String DELETE_CHARACTERS = "DELETE FROM player_character WHERE account_id = ?";
    private static final String DELETE = "DELETE FROM account WHERE id = ?";
    private static final String BAN = "UPDATE account SET banned_until_ms = ? WHERE name_key = ?";

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
                return rows.next() ? new Stored(rows.getLong(1), rows.getString(2), rows.getLong(3)) : null;
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
            // An earlier attempt, whose acknowledgement was lost, may have been committed between the two queries.
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
        if (1 != rehash(connection, stored, hash))
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
        // Locked first: a character that is being created holds the lock, and is deleted too.
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
        try (PreparedStatement statement = connection.prepareStatement(REHASH))
        {
            statement.setString(1, hash);
            statement.setLong(2, stored.accountId());
            statement.setString(3, stored.passwordHash());
            return statement.executeUpdate();
        }
    }
}
