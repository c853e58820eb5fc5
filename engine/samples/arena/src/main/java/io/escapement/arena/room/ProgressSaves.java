package io.escapement.arena.room;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.common.CharacterProgress;
import io.escapement.arena.common.CharacterRequests;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/**
 * The queue of saves to the character service, with one slot for each character: a newer save replaces an older save. A
 * save that the service refuses stays queued and is resent. A save that was replaced while it was in flight is also
 * resent.
 */
final class ProgressSaves
{
    /** The characters of all seats, and three times as many that left while the service was unavailable. */
    static final int LIMIT = 64;
    static final long NOBODY = 0;

    private static final int FREE = 0;
    private static final int QUEUED = 1;
    private static final int IN_FLIGHT = 2;
    private static final int REPLACED = 3;

    private final CharacterRequests requests;
    private final CharacterProgress progress = new CharacterProgress();
    private final int[] states = new int[LIMIT];
    private final long[] accountIds = new long[LIMIT];
    private final long[] characterIds = new long[LIMIT];
    private final long[] kills = new long[LIMIT];
    private final long[] deaths = new long[LIMIT];
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

    /** Queue a save. False if no slot is free. The progress since the last save is then lost. */
    boolean put(final long accountId, final long characterId, final long newKills, final long newDeaths)
    {
        int slot = slotOf(characterId);
        for (int i = 0; i < LIMIT && slot < 0; i++)
        {
            slot = FREE == states[i] ? i : -1;
        }
        if (slot < 0)
        {
            return false;
        }

        used += FREE == states[slot] ? 1 : 0;
        states[slot] = FREE == states[slot] || QUEUED == states[slot] ? QUEUED : REPLACED;
        accountIds[slot] = accountId;
        characterIds[slot] = characterId;
        kills[slot] = newKills;
        deaths[slot] = newDeaths;
        serials[slot] = ++lastSerial;
        return true;
    }

    void sendQueued()
    {
        for (int slot = 0; slot < LIMIT && used > 0; slot++)
        {
            if (QUEUED == states[slot])
            {
                progress.set(characterIds[slot], kills[slot], deaths[slot]);
                progress.key(requests.keyHigh(), serials[slot]);
                correlationIds[slot] = requests.save(accountIds[slot], progress);
                states[slot] = IN_FLIGHT;
            }
        }
    }

    /** Whether the account has a save that the service has not confirmed. */
    boolean isSaving(final long accountId)
    {
        for (int slot = 0; slot < LIMIT && used > 0; slot++)
        {
            if (FREE != states[slot] && accountIds[slot] == accountId)
            {
                return true;
            }
        }
        return false;
    }

    /** The account of the answered save, successful or not, or {@link #NOBODY} if the answer belongs to no save. */
    long onAnswer(final long correlationId, final int code)
    {
        // A deleted character will not exist at the next attempt either.
        final boolean isFinal = 0 == code || ArenaCode.UNKNOWN_CHARACTER.value() == code;
        for (int slot = 0; slot < LIMIT; slot++)
        {
            if (states[slot] >= IN_FLIGHT && correlationIds[slot] == correlationId)
            {
                final boolean isDone = isFinal && IN_FLIGHT == states[slot];
                states[slot] = isDone ? FREE : QUEUED;
                used -= isDone ? 1 : 0;
                return accountIds[slot];
            }
        }
        return NOBODY;
    }

    void write(final StateWriter writer)
    {
        writer.putLong(lastSerial);
        for (int slot = 0; slot < LIMIT; slot++)
        {
            writer.putInt(states[slot]);
            writer.putLong(accountIds[slot]);
            writer.putLong(characterIds[slot]);
            writer.putLong(kills[slot]);
            writer.putLong(deaths[slot]);
            writer.putLong(serials[slot]);
            writer.putLong(correlationIds[slot]);
        }
    }

    void read(final StateReader reader)
    {
        lastSerial = reader.getLong();
        used = 0;
        for (int slot = 0; slot < LIMIT; slot++)
        {
            states[slot] = reader.getInt();
            accountIds[slot] = reader.getLong();
            characterIds[slot] = reader.getLong();
            kills[slot] = reader.getLong();
            deaths[slot] = reader.getLong();
            serials[slot] = reader.getLong();
            correlationIds[slot] = reader.getLong();
            used += FREE == states[slot] ? 0 : 1;
        }
    }

    private int slotOf(final long characterId)
    {
        for (int slot = 0; slot < LIMIT; slot++)
        {
            if (FREE != states[slot] && characterIds[slot] == characterId)
            {
                return slot;
            }
        }
        return -1;
    }
}
