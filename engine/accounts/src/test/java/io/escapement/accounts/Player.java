package io.escapement.accounts;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Sends random requests for the characters of one account, as a room would, and tracks the expected state. A request
 * refused because of an outage is retried with the same key until it succeeds.
 */
final class Player implements Runnable
{
    private final Map<Long, Integer> killsByIdMap = new TreeMap<>();
    private final ServiceClient client;
    private final long accountId;
    private final long room;
    private final Random random;
    private final String name;
    volatile boolean isStopped;
    volatile int steps;
    volatile int refused;
    volatile int held;
    volatile Throwable failure;
    private long key;
    private int kills;
    private int made;
    private int keys;

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
            while (!isStopped)
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

    /** Successful creates and deletes. */
    int keys()
    {
        return keys;
    }

    void check()
    {
        list();
    }

    private void step()
    {
        final int action = random.nextInt(20);
        final Object[] ids = killsByIdMap.keySet().toArray();
        final long id = 0 == ids.length ? 0 : (Long)ids[random.nextInt(ids.length)];
        if (action < 2 && ids.length < AccountMessages.CHARACTER_LIMIT || 0 == ids.length)
        {
            create();
        }
        else if (2 == action)
        {
            final long keyLow = ++key;
            int result = client.delete(accountId, room, keyLow, id);
            while (isDown(result))
            {
                result = client.delete(accountId, room, keyLow, id);
            }
            assertEquals(0, result, "a delete");
            killsByIdMap.remove(id);
            keys++;
        }
        else if (action < 6)
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
        final long keyLow = ++key;
        final String newName = name + ++made;
        long result = client.create(accountId, room, keyLow, newName);
        while (isDown(result))
        {
            result = client.create(accountId, room, keyLow, newName);
        }
        assertTrue(result > 0, "a create: " + ~result);
        killsByIdMap.put(result, 0);
        keys++;
    }

    private void list()
    {
        var found = client.list(accountId);
        while (null == found)
        {
            isDown(~AccountCode.DATABASE_DOWN.value());
            found = client.list(accountId);
        }
        final Map<Long, Integer> actual = new TreeMap<>();
        found.forEach((listed) -> actual.put(listed.id(), listed.kills()));
        assertEquals(killsByIdMap, actual, "exactly the acknowledged changes");
    }

    private boolean isDown(final long result)
    {
        if (~AccountCode.DATABASE_DOWN.value() != result)
        {
            return false;
        }
        refused++;
        Thread.yield();
        return true;
    }
}
