package io.escapement.arena.common;

import io.escapement.arena.protocol.ArenaMessages;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An answer of the service: the characters of an account, a new character, or the leaders. Valid until the next answer.
 */
public final class CharacterAnswer
{
    private final long[] ids = new long[ArenaMessages.MAX_LEADERS];
    private final long[] kills = new long[ArenaMessages.MAX_LEADERS];
    private final long[] deaths = new long[ArenaMessages.MAX_LEADERS];
    private final int[] nameLengths = new int[ArenaMessages.MAX_LEADERS];
    private final UnsafeBuffer names =
        new UnsafeBuffer(new byte[ArenaMessages.MAX_LEADERS * ArenaMessages.NAME_LIMIT]);
    private int count;
    private int place;

    /** Remove all characters. */
    public void clear()
    {
        count = 0;
        place = 0;
    }

    /** Set the place of the account's best character among all characters. */
    public void place(final int newPlace)
    {
        place = newPlace;
    }

    /** The place of the account's best character, or 0. */
    public int place()
    {
        return place;
    }

    /** Add a character, unless there are {@link ArenaMessages#MAX_LEADERS}. A name that is too long is cut. */
    public void add(
        final long characterId,
        final long killed,
        final long died,
        final DirectBuffer name,
        final int offset,
        final int length)
    {
        if (count < ArenaMessages.MAX_LEADERS)
        {
            ids[count] = characterId;
            kills[count] = killed;
            deaths[count] = died;
            nameLengths[count] = Math.min(length, ArenaMessages.NAME_LIMIT);
            names.putBytes(count * ArenaMessages.NAME_LIMIT, name, offset, nameLengths[count]);
            count++;
        }
    }

    /** Number of characters. */
    public int count()
    {
        return count;
    }

    /** The index of a character, or -1. */
    public int indexOf(final long characterId)
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

    /** Id of a character. */
    public long characterId(final int index)
    {
        return ids[index];
    }

    /** Players that a character killed. */
    public long kills(final int index)
    {
        return kills[index];
    }

    /** Deaths of a character. */
    public long deaths(final int index)
    {
        return deaths[index];
    }

    /** The buffer with all names. */
    public UnsafeBuffer names()
    {
        return names;
    }

    /** Where a name starts in {@link #names()}. */
    public int nameOffset(final int index)
    {
        return index * ArenaMessages.NAME_LIMIT;
    }

    /** Length of a name in bytes. */
    public int nameLength(final int index)
    {
        return nameLengths[index];
    }
}
