package io.escapement.accounts;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The accounts themselves and their sessions, in the database. */
final class AccountRows
{
    /** Whose password is asked for. */
    record Stored(long accountId, String passwordHash)
    {
        @Override
        public String toString()
        {
            return "account " + accountId;
        }
    }

    /** A session that has begun, and the one it took the place of, or 0. */
    record Session(long accountId, long number, long replaced)
    {
    }

    private static final String FIND = "SELECT id, password_hash FROM account WHERE name_key = ?";
    private static final String ADD =
        "INSERT INTO account (name, name_key, password_hash, session_number, replaced_session, session_key, " +
        "logged_in, created_at_ms) VALUES (?, ?, ?, 1, 0, ?, TRUE, ?)";
    private static final String SESSION =
        "SELECT session_number, replaced_session, session_key, logged_in FROM account WHERE id = ? FOR UPDATE";
    private static final String BEGIN =
        "UPDATE account SET session_number = ?, replaced_session = ?, session_key = ?, logged_in = TRUE WHERE id = ?";
    private static final String END = "UPDATE account SET session_key = ?, logged_in = FALSE WHERE id = ?";
    private static final String REHASH = "UPDATE account SET password_hash = ? WHERE id = ? AND password_hash = ?";

    private static final int FIRST_SESSION = 1;

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
                return rows.next() ? new Stored(rows.getLong(1), rows.getString(2)) : null;
            }
        }
    }

    /** Makes an account that is logged in. The attempt is known by its key, so that it may be tried again. */
    static Outcome signUp(
        final Connection connection,
        final String name,
        final String passwordHash,
        final long keyHigh,
        final long keyLow,
        final long nowMs) throws SQLException
    {
        final Outcome before = Effects.find(connection, keyHigh, keyLow, 0, Effects.SIGN_UP);
        if (null != before)
        {
            return before;
        }
        if (null != find(connection, Names.key(name)))
        {
            // Perhaps by a try before, whose answer was lost and that was committed a moment ago.
            final Outcome late = Effects.find(connection, keyHigh, keyLow, 0, Effects.SIGN_UP);
            return null == late ? Outcome.refused(AccountCode.NAME_TAKEN) : late;
        }
        try (PreparedStatement statement = connection.prepareStatement(ADD, Statement.RETURN_GENERATED_KEYS))
        {
            statement.setString(1, name);
            statement.setString(2, Names.key(name));
            statement.setString(3, passwordHash);
            statement.setLong(4, keyLow);
            statement.setLong(5, nowMs);
            statement.executeUpdate();
            final long id = Characters.generatedId(statement);
            Effects.add(connection, keyHigh, keyLow, 0, Effects.SIGN_UP, id, nowMs);
            return Outcome.done(id);
        }
    }

    /** The session that a sign-up begins with. */
    static Session firstSession(final long accountId)
    {
        return new Session(accountId, FIRST_SESSION, 0);
    }

    /** Begins a session, or finds that this attempt has begun it before. Null when the account is gone. */
    static Session begin(final Connection connection, final long accountId, final long sessionKey) throws SQLException
    {
        final Session session;
        try (PreparedStatement statement = connection.prepareStatement(SESSION))
        {
            statement.setLong(1, accountId);
            try (ResultSet rows = statement.executeQuery())
            {
                if (!rows.next())
                {
                    return null;
                }
                if (sessionKey == rows.getLong(3))
                {
                    return new Session(accountId, rows.getLong(1), rows.getLong(2));
                }
                session = new Session(accountId, rows.getLong(1) + 1, rows.getBoolean(4) ? rows.getLong(1) : 0);
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(BEGIN))
        {
            statement.setLong(1, session.number());
            statement.setLong(2, session.replaced());
            statement.setLong(3, sessionKey);
            statement.setLong(4, accountId);
            statement.executeUpdate();
        }
        return session;
    }

    /** Ends the session, or finds that this attempt has ended it before. Null when none was there to end. */
    static Session end(final Connection connection, final long accountId, final long sessionKey) throws SQLException
    {
        final Session session;
        try (PreparedStatement statement = connection.prepareStatement(SESSION))
        {
            statement.setLong(1, accountId);
            try (ResultSet rows = statement.executeQuery())
            {
                if (!rows.next())
                {
                    return null;
                }
                session = new Session(accountId, rows.getLong(1), 0);
                if (!rows.getBoolean(4))
                {
                    return sessionKey == rows.getLong(3) ? session : null;
                }
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(END))
        {
            statement.setLong(1, sessionKey);
            statement.setLong(2, accountId);
            statement.executeUpdate();
        }
        return session;
    }

    /** Changes nothing when the hash was changed in the meantime. */
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
