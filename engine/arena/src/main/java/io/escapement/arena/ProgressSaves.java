package io.escapement.arena;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/**
 * Progress on its way to the service: one place a character, the latest wins. What the service refuses is kept and
 * tried again; what changed while it was under way is sent once more.
 */
final class ProgressSaves
{
    /** The seats' characters, and three times as many who left while the service was away. */
    static final int LIMIT = 64;
    static final long NOBODY = 0;

    private static final int FREE = 0;
    private static final int WAITING = 1;
    private static final int SENT = 2;
    private static final int CHANGED = 3;

    private final CharacterRequests requests;
    private final CharacterProgress progress = new CharacterProgress();
    private final int[] states = new int[LIMIT];
    private final long[] accountIds = new long[LIMIT];
    private final long[] characterIds = new long[LIMIT];
    private final long[] kills = new long[LIMIT];
    private final long[] deaths = new long[LIMIT];
    private final int[] xs = new int[LIMIT];
    private final int[] ys = new int[LIMIT];
    private final long[] serials = new long[LIMIT];
    private final long[] correlationIds = new long[LIMIT];
    private long lastSerial;
    private int used;

    ProgressSaves(final CharacterRequests requests)
    {
        this.requests = requests;
    }

    boolean isIdle()
    {
        return 0 == used;
    }

    /** Keep it in mind. False if there is no place: the progress since the last save is lost. */
    boolean put(
        final long accountId,
        final long characterId,
        final long newKills,
        final long newDeaths,
        final int x,
        final int y)
    {
        int place = placeOf(characterId);
        for (int i = 0; i < LIMIT && place < 0; i++)
        {
            place = FREE == states[i] ? i : -1;
        }
        if (place < 0)
        {
            return false;
        }

        used += FREE == states[place] ? 1 : 0;
        states[place] = FREE == states[place] || WAITING == states[place] ? WAITING : CHANGED;
        accountIds[place] = accountId;
        characterIds[place] = characterId;
        kills[place] = newKills;
        deaths[place] = newDeaths;
        xs[place] = x;
        ys[place] = y;
        serials[place] = ++lastSerial;
        return true;
    }

    /** Send what waits. */
    void send()
    {
        for (int place = 0; place < LIMIT && used > 0; place++)
        {
            if (WAITING == states[place])
            {
                progress.set(characterIds[place], kills[place], deaths[place], xs[place], ys[place]);
                progress.key(requests.keyHigh(), serials[place]);
                correlationIds[place] = requests.save(accountIds[place], progress);
                states[place] = SENT;
            }
        }
    }

    /** Whether something of an account has not been saved yet. */
    boolean isSaving(final long accountId)
    {
        for (int place = 0; place < LIMIT && used > 0; place++)
        {
            if (FREE != states[place] && accountIds[place] == accountId)
            {
                return true;
            }
        }
        return false;
    }

    /** An answer came. The account that was saved, or could not be now, or {@link #NOBODY} if it was none of these. */
    long answered(final long correlationId, final int code)
    {
        // A character that was deleted meanwhile will not be there at the next try either.
        final boolean isSettled = 0 == code || ArenaCode.UNKNOWN_CHARACTER.value() == code;
        for (int place = 0; place < LIMIT; place++)
        {
            if (states[place] >= SENT && correlationIds[place] == correlationId)
            {
                final boolean isOver = isSettled && SENT == states[place];
                states[place] = isOver ? FREE : WAITING;
                used -= isOver ? 1 : 0;
                return accountIds[place];
            }
        }
        return NOBODY;
    }

    void write(final StateWriter writer)
    {
        writer.putLong(lastSerial);
        for (int place = 0; place < LIMIT; place++)
        {
            writer.putInt(states[place]);
            writer.putLong(accountIds[place]);
            writer.putLong(characterIds[place]);
            writer.putLong(kills[place]);
            writer.putLong(deaths[place]);
            writer.putInt(xs[place]);
            writer.putInt(ys[place]);
            writer.putLong(serials[place]);
            writer.putLong(correlationIds[place]);
        }
    }

    void read(final StateReader reader)
    {
        lastSerial = reader.getLong();
        used = 0;
        for (int place = 0; place < LIMIT; place++)
        {
            states[place] = reader.getInt();
            accountIds[place] = reader.getLong();
            characterIds[place] = reader.getLong();
            kills[place] = reader.getLong();
            deaths[place] = reader.getLong();
            xs[place] = reader.getInt();
            ys[place] = reader.getInt();
            serials[place] = reader.getLong();
            correlationIds[place] = reader.getLong();
            used += FREE == states[place] ? 0 : 1;
        }
    }

    private int placeOf(final long characterId)
    {
        for (int place = 0; place < LIMIT; place++)
        {
            if (FREE != states[place] && characterIds[place] == characterId)
            {
                return place;
            }
        }
        return -1;
    }
}
