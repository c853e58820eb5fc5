package io.escapement.accounts;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Idempotency keys. The key is stored in the transaction it guards and looked up before a retry. A retry after a lost
 * commit acknowledgement thus has no effect. Refused requests do not change the database and store no key.
 */
final class IdempotencyKeys
{
    static final int SIGN_UP = 1;
    static final int CREATE_CHARACTER = 2;
    static final int DELETE_CHARACTER = 3;
    static final int CHANGE_PASSWORD = 4;
    static final int DELETE_ACCOUNT = 5;

    private static final String FIND =
        "SELECT account_id, kind, result FROM idempotency_key WHERE key_high = ? AND key_low = ?";
    private static final String ADD =
        "INSERT INTO idempotency_key (key_high, key_low, account_id, kind, result, made_at_ms) " +
        "VALUES (?, ?, ?, ?, ?, ?)";
    private static final String PRUNE = "DELETE FROM idempotency_key WHERE made_at_ms < ?";

    private IdempotencyKeys()
    {
    }

    /** The result of the earlier request with this key, or null without an earlier request. */
    static Result find(
        final Connection connection, final long keyHigh, final long keyLow, final long accountId, final int kind)
        throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(FIND))
        {
            statement.setLong(1, keyHigh);
            statement.setLong(2, keyLow);
            try (ResultSet rows = statement.executeQuery())
            {
                if (!rows.next())
                {
                    return null;
                }
                return accountId == rows.getLong(1) && kind == rows.getInt(2) ?
                    Result.success(rows.getLong(3)) : Result.refused(AccountCode.KEY_IN_USE);
            }
        }
    }

    static void add(
        final Connection connection,
        final long keyHigh,
        final long keyLow,
        final long accountId,
        final int kind,
        final long result,
        final long nowMs) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(ADD))
        {
            statement.setLong(1, keyHigh);
            statement.setLong(2, keyLow);
            statement.setLong(3, accountId);
            statement.setInt(4, kind);
            statement.setLong(5, result);
            statement.setLong(6, nowMs);
            statement.executeUpdate();
        }
    }

    static int prune(final Connection connection, final long olderThanMs) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(PRUNE))
        {
            statement.setLong(1, olderThanMs);
            return statement.executeUpdate();
        }
    }
}
