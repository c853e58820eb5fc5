package io.escapement.accounts;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A transaction that sees one row of another sees all of them, also where it has looked for one before. */
class CommittedRowsTest
{
    /** With H2's own settings about 1 of 60 is not seen. */
    private static final int ROUNDS = 1_000;

    @Test
    void shouldSeeAllThatWasCommittedTogether() throws SQLException
    {
        final String url = DatabaseUrl.parse("jdbc:h2:mem:committed", null, null).url();
        try (Connection writer = DriverManager.getConnection(url); Connection reader = DriverManager.getConnection(url))
        {
            update(writer, "CREATE TABLE first_row (id INT PRIMARY KEY)");
            update(writer, "CREATE TABLE second_row (id INT PRIMARY KEY)");
            writer.setAutoCommit(false);
            reader.setAutoCommit(false);
            for (int i = 0; i < ROUNDS; i++)
            {
                update(writer, "INSERT INTO second_row VALUES (" + i + ")");
                update(writer, "INSERT INTO first_row VALUES (" + i + ")");
                assertFalse(isThere(reader, "first_row", i), "not committed yet");
                final CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> commit(writer));
                boolean isFirst;
                boolean isSecond;
                do
                {
                    isFirst = isThere(reader, "first_row", i);
                    isSecond = isThere(reader, "second_row", i);
                }
                while (!isSecond);
                assertTrue(isFirst || isThere(reader, "first_row", i), "round " + i);
                commit.join();
                reader.commit();
            }
        }
    }

    private static void commit(final Connection connection)
    {
        try
        {
            connection.commit();
        }
        catch (final SQLException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static void update(final Connection connection, final String text) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(text))
        {
            statement.executeUpdate();
        }
    }

    private static boolean isThere(final Connection connection, final String table, final int id) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement("SELECT id FROM " + table + " WHERE id = ?"))
        {
            statement.setInt(1, id);
            try (ResultSet rows = statement.executeQuery())
            {
                return rows.next();
            }
        }
    }
}
