package io.escapement.accounts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Saves that wait for the database: of each character the latest, of so many characters at most. Not safe by itself:
 * its owner has a lock.
 */
final class WriteBehindSaves
{
    private final Map<Long, Save> saveByCharacterIdMap = new LinkedHashMap<>();
    private final int limit;
    private final AtomicInteger heldByAll;

    WriteBehindSaves(final int limit, final AtomicInteger heldByAll)
    {
        this.limit = limit;
        this.heldByAll = heldByAll;
    }

    /** Whether it is held from now on, itself or a later one of the same room. */
    boolean hold(final Save save)
    {
        final Save before = saveByCharacterIdMap.get(save.characterId());
        if (null == before)
        {
            if (saveByCharacterIdMap.size() == limit)
            {
                return false;
            }
            heldByAll.incrementAndGet();
        }
        else if (before.accountId() != save.accountId())
        {
            // One of the two names a character that is not its own, and must not push the other out.
            return false;
        }
        else if (before.isAfter(save))
        {
            return true;
        }
        saveByCharacterIdMap.put(save.characterId(), save);
        return true;
    }

    boolean isEmpty()
    {
        return saveByCharacterIdMap.isEmpty();
    }

    int size()
    {
        return saveByCharacterIdMap.size();
    }

    /** The next few, that stay until they are removed. */
    List<Save> next(final int most)
    {
        final List<Save> saves = new ArrayList<>(Math.min(most, saveByCharacterIdMap.size()));
        for (final Save save : saveByCharacterIdMap.values())
        {
            if (saves.size() == most)
            {
                break;
            }
            saves.add(save);
        }
        return saves;
    }

    void remove(final List<Save> saves)
    {
        for (final Save save : saves)
        {
            if (saveByCharacterIdMap.remove(save.characterId(), save))
            {
                heldByAll.decrementAndGet();
            }
        }
    }
}
