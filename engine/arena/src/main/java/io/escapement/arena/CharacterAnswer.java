package io.escapement.arena;

import io.escapement.arena.protocol.ArenaMessages;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** What the service answered: all characters of an account, or a new one alone. Valid until the next answer. */
public final class CharacterAnswer
{
    private final long[] ids = new long[ArenaMessages.MAX_CHARACTERS];
    private final long[] kills = new long[ArenaMessages.MAX_CHARACTERS];
    private final long[] deaths = new long[ArenaMessages.MAX_CHARACTERS];
    private final int[] nameLengths = new int[ArenaMessages.MAX_CHARACTERS];
    private final UnsafeBuffer names =
        new UnsafeBuffer(new byte[ArenaMessages.MAX_CHARACTERS * ArenaMessages.NAME_LIMIT]);
    private int count;

    /** Without characters. */
    public CharacterAnswer()
    {
    }

    /** Forget what was answered before. */
    public void clear()
    {
        count = 0;
    }

    /**
     * Add a character. Those beyond {@link ArenaMessages#MAX_CHARACTERS} are left out, longer names are cut.
     *
     * @param characterId the character.
     * @param killed      players it killed.
     * @param died        times it died.
     * @param name        buffer with its name.
     * @param offset      of the name.
     * @param length      of the name.
     */
    public void add(
        final long characterId,
        final long killed,
        final long died,
        final DirectBuffer name,
        final int offset,
        final int length)
    {
        if (count < ArenaMessages.MAX_CHARACTERS)
        {
            ids[count] = characterId;
            kills[count] = killed;
            deaths[count] = died;
            nameLengths[count] = Math.min(length, ArenaMessages.NAME_LIMIT);
            names.putBytes(count * ArenaMessages.NAME_LIMIT, name, offset, nameLengths[count]);
            count++;
        }
    }

    int count()
    {
        return count;
    }

    /** The place of a character, or -1. */
    int indexOf(final long characterId)
    {
        for (int i = 0; i < count; i++)
        {
            if (ids[i] == characterId)
            {
                return i;
            }
        }
        return -1;
    }

    long characterId(final int index)
    {
        return ids[index];
    }

    long kills(final int index)
    {
        return kills[index];
    }

    long deaths(final int index)
    {
        return deaths[index];
    }

    UnsafeBuffer names()
    {
        return names;
    }

    int nameOffset(final int index)
    {
        return index * ArenaMessages.NAME_LIMIT;
    }

    int nameLength(final int index)
    {
        return nameLengths[index];
    }
}
