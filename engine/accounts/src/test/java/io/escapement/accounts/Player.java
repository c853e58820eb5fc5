package io.escapement.accounts;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Does this and that with the characters of one account, as a room would, and knows what must be there: what was
 * refused because the database was away is asked for again with the same key, until it is answered otherwise.
 */
final class Player implements Runnable
{
    private final Map<Long, Integer> killsByIdMap = new TreeMap<>();
    private final ServiceClient client;
    private final long accountId;
    private final long room;
    private final Random random;
    private final String name;
    volatile boolean isToEnd;
    volatile int steps;
    volatile int refused;
    volatile int held;
    volatile Throwable failure;
    private long key;
    private int kills;
    private int made;
    private int effects;

    Player(final ServiceClient client, final long accountId, final long seed)
    {
        this.client = client;
        this.accountId = accountId;
        random = new Random(seed);
        room = random.nextLong();
        name = "Hero" + accountId + '-';
    }

    @Override
    public void run()
    {
        try
        {
            while (!isToEnd)
            {
                step();
                steps++;
            }
        }
        catch (final Throwable ex)
        {
            failure = ex;
        }
    }

    /** Creates and deletes that were answered with done. */
    int effects()
    {
        return effects;
    }

    void check()
    {
        list();
    }

    private void step()
    {
        final int what = random.nextInt(20);
        final Object[] ids = killsByIdMap.keySet().toArray();
        final long id = 0 == ids.length ? 0 : (Long)ids[random.nextInt(ids.length)];
        if (what < 2 && ids.length < AccountMessages.CHARACTER_LIMIT || 0 == ids.length)
        {
            create();
        }
        else if (2 == what)
        {
            final long once = ++key;
            int result = client.delete(accountId, room, once, id);
            while (isAway(result))
            {
                result = client.delete(accountId, room, once, id);
            }
            assertEquals(0, result, "a delete");
            killsByIdMap.remove(id);
            effects++;
        }
        else if (what < 6)
        {
            list();
        }
        else
        {
            final int result = client.save(accountId, room, ++key, id, ++kills);
            held += ~AccountCode.SAVE_HELD.value() == result ? 1 : 0;
            assertTrue(0 == result || ~AccountCode.SAVE_HELD.value() == result, () -> "a save: " + ~result);
            killsByIdMap.put(id, kills);
        }
    }

    private void create()
    {
        final long once = ++key;
        final String called = name + ++made;
        long result = client.create(accountId, room, once, called);
        while (isAway(result))
        {
            result = client.create(accountId, room, once, called);
        }
        assertTrue(result > 0, "a create: " + ~result);
        killsByIdMap.put(result, 0);
        effects++;
    }

    private void list()
    {
        var found = client.list(accountId);
        while (null == found)
        {
            isAway(~AccountCode.DATABASE_DOWN.value());
            found = client.list(accountId);
        }
        final Map<Long, Integer> there = new TreeMap<>();
        found.forEach((listed) -> there.put(listed.id(), listed.kills()));
        assertEquals(killsByIdMap, there, "what was acknowledged is there, and nothing else");
    }

    private boolean isAway(final long result)
    {
        if (~AccountCode.DATABASE_DOWN.value() != result)
        {
            return false;
        }
        refused++;
        LockSupport.parkNanos(100_000);
        return true;
    }
}
