package io.escapement.accounts;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bounded write-behind buffer: the latest save of each character that the database has not stored yet. Not thread
 * safe. The owner's lock guards it.
 */
final class WriteBehindSaves
{
    private final Map<Long, Save> saveByCharacterIdMap = new LinkedHashMap<>();
    private final int limit;
    private final AtomicInteger totalCount;

    /** The total counts the pending saves of all workers. */
    WriteBehindSaves(final int limit, final AtomicInteger totalCount)
    {
        this.limit = limit;
        this.totalCount = totalCount;
    }

    /** False if the buffer is full. True if it contains this save or a newer save of the same room. */
    boolean put(final Save save)
    {
        final Save before = saveByCharacterIdMap.get(save.characterId());
        if (null == before)
        {
            if (saveByCharacterIdMap.size() == limit)
            {
                return false;
            }
            totalCount.incrementAndGet();
        }
        else if (before.accountId() != save.accountId())
        {
            // One of the two accounts does not own the character, and its save must not replace the other.
            return false;
        }
        else if (before.supersedes(save))
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

    /** The oldest saves, which stay in the buffer until they are removed. */
    List<Save> peek(final int maxCount)
    {
        return saveByCharacterIdMap.values().stream().limit(maxCount).toList();
    }

    void remove(final List<Save> saves)
    {
        for (final Save save : saves)
        {
            if (saveByCharacterIdMap.remove(save.characterId(), save))
            {
                totalCount.decrementAndGet();
            }
        }
    }
}
