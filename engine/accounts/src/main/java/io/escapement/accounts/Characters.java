package io.escapement.accounts;

import io.escapement.accounts.codec.AccountsEncoder;
import io.escapement.accounts.codec.AccountsLayout;
import io.escapement.accounts.codec.CharacterListEncoder;
import io.escapement.accounts.codec.LeaderListEncoder;
import io.escapement.accounts.codec.MessageHeaderEncoder;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.agrona.MutableDirectBuffer;

/** SQL of the character table. */
final class Characters
{
    private static final String LIST =
        "SELECT id, x, y, kills, deaths, map_id, name FROM player_character WHERE account_id = ? ORDER BY id";
    private static final String LEADERS =
        "SELECT id, kills, deaths, name FROM player_character WHERE kills > 0 ORDER BY kills DESC, id";
    private static final String MOST_KILLS = "SELECT MAX(kills) FROM player_character WHERE account_id = ?";
    private static final String MORE_KILLS = "SELECT COUNT(*) FROM player_character WHERE kills > ?";
    private static final String LOCK_ACCOUNT = "SELECT id FROM account WHERE id = ? FOR UPDATE";
    private static final String COUNT = "SELECT COUNT(*) FROM player_character WHERE account_id = ?";
    private static final String NAME_EXISTS = "SELECT 1 FROM player_character WHERE name_key = ? OR look_key = ?";
    private static final String CREATE =
        "INSERT INTO player_character (account_id, name, name_key, look_key, kills, deaths, map_id, x, y, " +
        "save_high, save_low, saves, created_at_ms) VALUES (?, ?, ?, ?, 0, 0, 0, 0, 0, 0, " + Long.MIN_VALUE +
        ", 0, ?)";
    private static final String DELETE = "DELETE FROM player_character WHERE id = ? AND account_id = ?";
    private static final String SAVE =
        "UPDATE player_character SET kills = ?, deaths = ?, map_id = ?, x = ?, y = ?, save_high = ?, save_low = ?, " +
        "saves = saves + 1 WHERE id = ? AND account_id = ? AND (save_high <> ? OR save_low < ?)";
    private static final String EXISTS = "SELECT 1 FROM player_character WHERE id = ? AND account_id = ?";

    private Characters()
    {
    }

    /** Encodes the list as a message. */
    static int list(
        final Connection connection,
        final long accountId,
        final AccountsEncoder replies,
        final MutableDirectBuffer buffer) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(
            LIST, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY))
        {
            statement.setLong(1, accountId);
            // Bounds the reply, although no account has more characters.
            statement.setMaxRows(AccountMessages.CHARACTER_LIMIT);
            try (ResultSet rows = statement.executeQuery())
            {
                rows.last();
                final int count = rows.getRow();
                rows.beforeFirst();
                final CharacterListEncoder list = replies.characterList(buffer, 0);
                final CharacterListEncoder.CharactersEncoder characters = list.charactersCount(count);
                while (rows.next())
                {
                    characters.next()
                        .characterId(rows.getLong(1))
                        .x(rows.getDouble(2))
                        .y(rows.getDouble(3))
                        .kills(rows.getInt(4))
                        .deaths(rows.getInt(5))
                        .mapId(rows.getInt(6))
                        .name(rows.getString(7));
                }
                return MessageHeaderEncoder.ENCODED_LENGTH + list.encodedLength();
            }
        }
    }

    /** Encodes the characters with most kills, and the place of the account's best, as a message. */
    static int leaders(
        final Connection connection,
        final long accountId,
        final AccountsEncoder replies,
        final MutableDirectBuffer buffer) throws SQLException
    {
        final long most = number(connection, MOST_KILLS, accountId);
        final int place = 0 == most ? 0 : 1 + (int)number(connection, MORE_KILLS, most);
        try (PreparedStatement statement = connection.prepareStatement(
            LEADERS, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY))
        {
            statement.setMaxRows(AccountsLayout.LEADER_LIST_LEADERS_MAX_COUNT);
            try (ResultSet rows = statement.executeQuery())
            {
                rows.last();
                final int count = rows.getRow();
                rows.beforeFirst();
                final LeaderListEncoder list = replies.leaderList(buffer, 0, place);
                final LeaderListEncoder.LeadersEncoder leaders = list.leadersCount(count);
                while (rows.next())
                {
                    leaders.next()
                        .characterId(rows.getLong(1))
                        .kills(rows.getInt(2))
                        .deaths(rows.getInt(3))
                        .name(rows.getString(4));
                }
                return MessageHeaderEncoder.ENCODED_LENGTH + list.encodedLength();
            }
        }
    }

    static Result create(
        final Connection connection,
        final long accountId,
        final long keyHigh,
        final long keyLow,
        final String name,
        final long nowMs) throws SQLException
    {
        // Lock first. An earlier attempt with a lost acknowledgement may still be committing: it holds this lock, and
        // its key is visible once it releases it. The lock also serialises the count across servers.
        if (!exists(connection, LOCK_ACCOUNT, accountId))
        {
            return Result.refused(AccountCode.UNKNOWN_ACCOUNT);
        }
        final Result before = IdempotencyKeys.find(
            connection, keyHigh, keyLow, accountId, IdempotencyKeys.CREATE_CHARACTER);
        if (null != before)
        {
            return before;
        }
        if (number(connection, COUNT, accountId) >= AccountMessages.CHARACTER_LIMIT)
        {
            return Result.refused(AccountCode.CHARACTER_LIMIT);
        }
        final NameKeys keys = NameKeys.of(name);
        if (exists(connection, NAME_EXISTS, keys.meaning(), keys.look()))
        {
            return Result.refused(AccountCode.NAME_TAKEN);
        }
        final long id = insert(connection, accountId, name, keys, nowMs);
        IdempotencyKeys.add(connection, keyHigh, keyLow, accountId, IdempotencyKeys.CREATE_CHARACTER, id, nowMs);
        return Result.success(id);
    }

    static Result delete(
        final Connection connection,
        final long accountId,
        final long keyHigh,
        final long keyLow,
        final long characterId,
        final long nowMs) throws SQLException
    {
        // Lock first, as in create.
        if (!exists(connection, LOCK_ACCOUNT, accountId))
        {
            return Result.refused(AccountCode.UNKNOWN_ACCOUNT);
        }
        final Result before = IdempotencyKeys.find(
            connection, keyHigh, keyLow, accountId, IdempotencyKeys.DELETE_CHARACTER);
        if (null != before)
        {
            return before;
        }
        try (PreparedStatement statement = connection.prepareStatement(DELETE))
        {
            statement.setLong(1, characterId);
            statement.setLong(2, accountId);
            if (0 == statement.executeUpdate())
            {
                return Result.refused(AccountCode.UNKNOWN_CHARACTER);
            }
        }
        IdempotencyKeys.add(
            connection, keyHigh, keyLow, accountId, IdempotencyKeys.DELETE_CHARACTER, characterId, nowMs);
        return Result.success(characterId);
    }

    /** Because the row stores the key of its last save, a duplicate or an older save has no effect. */
    static Result save(final Connection connection, final Save save) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(SAVE))
        {
            statement.setInt(1, save.kills());
            statement.setInt(2, save.deaths());
            statement.setInt(3, save.mapId());
            statement.setDouble(4, save.x());
            statement.setDouble(5, save.y());
            statement.setLong(6, save.keyHigh());
            statement.setLong(7, save.keyLow());
            statement.setLong(8, save.characterId());
            statement.setLong(9, save.accountId());
            statement.setLong(10, save.keyHigh());
            statement.setLong(11, save.keyLow());
            if (1 == statement.executeUpdate())
            {
                return Result.success(save.characterId());
            }
        }
        return exists(connection, EXISTS, save.characterId(), save.accountId()) ?
            Result.success(save.characterId()) : Result.refused(AccountCode.UNKNOWN_CHARACTER);
    }

    private static long insert(
        final Connection connection, final long accountId, final String name, final NameKeys keys, final long nowMs)
        throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(CREATE, Statement.RETURN_GENERATED_KEYS))
        {
            statement.setLong(1, accountId);
            statement.setString(2, name);
            statement.setString(3, keys.meaning());
            statement.setString(4, keys.look());
            statement.setLong(5, nowMs);
            statement.executeUpdate();
            return generatedId(statement);
        }
    }

    static long generatedId(final PreparedStatement statement) throws SQLException
    {
        try (ResultSet keys = statement.getGeneratedKeys())
        {
            if (!keys.next())
            {
                throw new SQLException("no generated id", "02000");
            }
            return keys.getLong("id");
        }
    }

    /** The only number of the only row, 0 for null. */
    private static long number(final Connection connection, final String sql, final long parameter) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(sql))
        {
            statement.setLong(1, parameter);
            try (ResultSet rows = statement.executeQuery())
            {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    private static boolean exists(final Connection connection, final String sql, final Object... parameters)
        throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(sql))
        {
            for (int i = 0; i < parameters.length; i++)
            {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet rows = statement.executeQuery())
            {
                return rows.next();
            }
        }
    }
}
