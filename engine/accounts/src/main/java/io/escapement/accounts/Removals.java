package io.escapement.accounts;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** SQL of the removal table. */
final class Removals
{
    private static final String ADD =
        "INSERT INTO removal (account_id, made_at_ms) SELECT id, ? FROM account WHERE name_key = ?";
    private static final String FIND =
        "SELECT removal.id, removal.account_id FROM removal LEFT JOIN account ON account.id = removal.account_id " +
        "WHERE account.id IS NULL OR account.banned_until_ms > ?";
    private static final String PRUNE = "DELETE FROM removal WHERE made_at_ms < ?";

    private Removals()
    {
    }

    /** Have servers remove the players of an account. */
    static void add(final Connection connection, final String nameKey, final long nowMs) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(ADD))
        {
            statement.setLong(1, nowMs);
            statement.setString(2, nameKey);
            statement.executeUpdate();
        }
    }

    /** The account ids by row. All rows, because an earlier row may be committed later. */
    static Map<Long, Long> find(final Connection connection, final long nowMs) throws SQLException
    {
        final Map<Long, Long> accountByRowMap = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(FIND))
        {
            statement.setLong(1, nowMs);
            try (ResultSet rows = statement.executeQuery())
            {
                while (rows.next())
                {
                    accountByRowMap.put(rows.getLong(1), rows.getLong(2));
                }
            }
        }
        return accountByRowMap;
    }

    static int prune(final Connection connection, final long beforeMs) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(PRUNE))
        {
            statement.setLong(1, beforeMs);
            return statement.executeUpdate();
        }
    }
}
