package io.escapement.accounts;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Characters and their progress, on any database. */
abstract class CharacterCases extends DatabaseCases
{
    private static final String SAVES = "SELECT saves FROM player_character WHERE id = ?";
    private static final String KILLS = "SELECT kills FROM player_character WHERE id = ?";
    private static final long ROOM = 0x1234_5678_9ABC_DEF0L;

    private final AtomicLong time = new AtomicLong();
    private World currentWorld;
    private int pauses;
    private int recoversAfterPauses;

    @Test
    void shouldListCreatedAndSavedCharacters()
    {
        final long id;
        try (World world = new World(url))
        {
            final long account = world.account("Ann");
            assertEquals(List.of(), world.list(account));
            id = world.create(account, ROOM, 1, "Knight");
            assertEquals(0, world.save(account, ROOM, 2, id, 17));
            assertEquals(List.of(new ServiceClient.Listed(id, 17, 1, 3, 17.5, -17, "Knight")), world.list(account));
            assertEquals(List.of(), world.list(account + 1));
            assertEquals(List.of(), world.faults);
        }
        try (World world = new World(url))
        {
            assertEquals(17, world.number(KILLS, id), "after a restart");
        }
    }

    @Test
    void shouldListTheLeadersAndThePlaceOfAnAccount()
    {
        try (World world = new World(url))
        {
            final long ann = world.account("Ann");
            final long ben = world.account("Ben");
            final List<Long> ids = new ArrayList<>();
            for (int i = 0; i < 12; i++)
            {
                ids.add(world.create(i < 6 ? ann : ben, ROOM, i, "Knight" + (char)('A' + i)));
            }
            assertEquals(List.of("place 0"), world.client().leaders(ann), "nobody has a kill");
            for (int i = 0; i < 11; i++)
            {
                assertEquals(0, world.save(i < 6 ? ann : ben, ROOM, 100 + i, ids.get(i), 1 + i / 2));
            }
            final List<String> leaders = List.of("KnightK 6", "KnightI 5", "KnightJ 5", "KnightG 4", "KnightH 4",
                "KnightE 3", "KnightF 3", "KnightC 2", "KnightD 2", "KnightA 1");
            assertEquals("place 1", world.client().leaders(ben).get(0));
            // Five of Ben's characters have more kills than the two best of Ann, which tie.
            assertEquals("place 6", world.client().leaders(ann).get(0));
            assertEquals(leaders, world.client().leaders(ann).subList(1, 11));
            assertEquals("place 0", world.client().leaders(999).get(0));
            assertEquals(List.of(), world.faults);
            world.database.isDown = true;
            assertEquals(~AccountCode.SAVE_HELD.value(), world.save(ann, ROOM, 200, ids.get(0), 7));
            world.database.isDown = false;
            assertEquals(List.of("place 1", "KnightA 7"), world.client().leaders(ann).subList(0, 2), "a held save");
        }
    }

    @Test
    void shouldEnforceUniqueNamesAndEightCharactersPerAccount()
    {
        try (World world = new World(url))
        {
            final long ann = world.account("Ann");
            final long ben = world.account("Ben");
            for (int i = 1; i <= 8; i++)
            {
                assertTrue(world.create(ann, ROOM, i, "Knight" + i) > 0);
            }
            assertEquals(~AccountCode.CHARACTER_LIMIT.value(), world.create(ann, ROOM, 9, "Knight9"));
            assertEquals(8, world.list(ann).size());
            assertEquals(~AccountCode.NAME_TAKEN.value(), world.create(ben, ROOM, 10, "kNIGHT1"));
            assertEquals(~AccountCode.BAD_NAME.value(), world.create(ben, ROOM, 11, "x"));
            assertEquals(~AccountCode.BAD_NAME.value(), world.create(ben, ROOM, 12, "1234"));
            assertEquals(~AccountCode.UNKNOWN_ACCOUNT.value(), world.create(999, ROOM, 13, "Stranger"));
            assertEquals(0, world.delete(ann, ROOM, 14, world.list(ann).get(3).id()));
            assertEquals(7, world.list(ann).size());
            assertTrue(world.create(ann, ROOM, 15, "Knight4") > 0);
            assertEquals(List.of(), world.faults);
        }
    }

    @Test
    void shouldNotChangeCharactersOfOtherAccounts()
    {
        try (World world = new World(url))
        {
            final long ann = world.account("Ann");
            final long ben = world.account("Ben");
            final long id = world.create(ann, ROOM, 1, "Knight");
            assertEquals(~AccountCode.UNKNOWN_CHARACTER.value(), world.delete(ben, ROOM, 2, id));
            assertEquals(~AccountCode.UNKNOWN_CHARACTER.value(), world.save(ben, ROOM, 3, id, 99));
            assertEquals(0, world.number(KILLS, id));
            world.database.isDown = true;
            assertEquals(~AccountCode.SAVE_HELD.value(), world.save(ann, ROOM, 4, id, 5));
            assertEquals(~AccountCode.DATABASE_DOWN.value(), world.save(ben, ROOM, 5, id, 99), "nor a pending save");
            world.database.isDown = false;
            assertTrue(world.accounts().flush(TimeUnit.SECONDS.toNanos(10)));
            assertEquals(5, world.number(KILLS, id));
        }
    }

    @Test
    void shouldHaveNoEffectWithTheSameKey()
    {
        try (World world = new World(url))
        {
            final long account = world.account("Ann");
            final long id = world.create(account, ROOM, 1, "Knight");
            assertEquals(id, world.create(account, ROOM, 1, "Knight"));
            assertEquals(1, world.list(account).size());
            assertEquals(0, world.save(account, ROOM, 2, id, 10));
            assertEquals(0, world.save(account, ROOM, 2, id, 10));
            assertEquals(1, world.number(SAVES, id));
            assertEquals(0, world.save(account, ROOM, 4, id, 12));
            assertEquals(0, world.save(account, ROOM, 3, id, 11), "an older save has no effect");
            assertEquals(12, world.number(KILLS, id));
            assertEquals(2, world.number(SAVES, id));
            assertEquals(0, world.save(account, ROOM + 1, 1, id, 13), "another room has its own sequence");
            assertEquals(13, world.number(KILLS, id));
            assertEquals(0, world.delete(account, ROOM, 5, id));
            assertEquals(0, world.delete(account, ROOM, 5, id));
            assertEquals(~AccountCode.UNKNOWN_CHARACTER.value(), world.delete(account, ROOM, 6, id));
            assertEquals(~AccountCode.KEY_IN_USE.value(), world.create(account, ROOM, 5, "Other"));
        }
    }

    @Test
    void shouldHaveOneEffectWhenTheAcknowledgementIsLost()
    {
        try (World world = new World(url))
        {
            final long account = world.account("Ann");
            world.database.lostAnswers.set(1);
            final long id = world.create(account, ROOM, 1, "Knight");
            assertTrue(id > 0);
            assertEquals(List.of(id), world.list(account).stream().map(ServiceClient.Listed::id).toList());
            world.database.lostAnswers.set(1);
            assertEquals(~AccountCode.SAVE_HELD.value(), world.save(account, ROOM, 2, id, 10));
            assertTrue(world.accounts().flush(TimeUnit.SECONDS.toNanos(10)));
            assertEquals(1, world.number(SAVES, id));
            world.database.lostAnswers.set(1);
            assertEquals(0, world.delete(account, ROOM, 3, id));
            world.database.lostCommits.set(2);
            assertTrue(world.create(account, ROOM, 4, "Knight") > 0, "after two failed commits");
            assertEquals(1, world.list(account).size());
        }
    }

    @Test
    void shouldHaveOneEffectWhenTheCommitOverlapsTheRetry()
    {
        try (World world = new World(url))
        {
            final long account = world.account("Ann");
            world.database.lateCommits.set(1);
            final long id = world.create(account, ROOM, 1, "Knight");
            assertTrue(id > 0, () -> "status " + ~id);
            world.database.lateCommits.set(1);
            assertEquals(~AccountCode.SAVE_HELD.value(), world.save(account, ROOM, 2, id, 10));
            assertTrue(world.accounts().flush(TimeUnit.SECONDS.toNanos(10)));
            assertEquals(1, world.number(SAVES, id));
            world.database.lateCommits.set(1);
            assertEquals(0, world.delete(account, ROOM, 3, id));
            assertEquals(List.of(), world.list(account));
        }
    }

    @Test
    void shouldBufferTheLatestSaveOfEachCharacterInAnOutage()
    {
        try (World world = new World(url, (context) -> context.pendingSaveLimit(2)))
        {
            final long account = world.account("Ann");
            final long first = world.create(account, ROOM, 1, "Knight1");
            final long second = world.create(account, ROOM, 2, "Knight2");
            final long third = world.create(account, ROOM, 3, "Knight3");
            world.database.isDown = true;
            for (int i = 0; i < 100; i++)
            {
                assertEquals(~AccountCode.SAVE_HELD.value(), world.save(account, ROOM, 10 + i, first, i));
                assertEquals(~AccountCode.SAVE_HELD.value(), world.save(account, ROOM, 10 + i, second, 1_000 + i));
            }
            assertEquals(~AccountCode.SAVE_HELD.value(), world.save(account, ROOM, 20, second, 1), "an older save");
            assertEquals(~AccountCode.DATABASE_DOWN.value(), world.save(account, ROOM, 200, third, 5), "limit reached");
            assertEquals(2, world.accounts().pendingSaves());
            world.database.isDown = false;
            // Without a request, the saver thread writes them.
            assertTrue(world.accounts().flush(TimeUnit.SECONDS.toNanos(10)));
            assertEquals(99, world.number(KILLS, first));
            assertEquals(1, world.number(SAVES, first));
            assertEquals(1_099, world.number(KILLS, second));
            assertEquals(1, world.number(SAVES, second));
            assertEquals(0, world.number(SAVES, third));
            assertEquals(1, world.faults.size(), "an outage is reported once: " + world.faults);
        }
    }

    @Test
    void shouldWritePendingSavesBeforeTheNextRequest()
    {
        // The saver's next attempt is later than the end of the test.
        try (World world = new World(url, (context) -> context.minRetryNs(TimeUnit.HOURS.toNanos(1))
            .maxRetryNs(TimeUnit.HOURS.toNanos(1)).databaseTimeoutNs(TimeUnit.HOURS.toNanos(2))
            .nanoClock(time::get).pause(time::addAndGet)))
        {
            final long account = world.account("Ann");
            final long id = world.create(account, ROOM, 1, "Knight");
            world.database.isDown = true;
            assertEquals(~AccountCode.SAVE_HELD.value(), world.save(account, ROOM, 2, id, 7));
            world.database.isDown = false;
            assertEquals(~AccountCode.SAVE_HELD.value(), world.save(account, ROOM, 3, id, 8), "not detected yet");
            assertEquals(8, world.list(account).get(0).kills());
            assertEquals(0, world.accounts().pendingSaves());
            assertEquals(1, world.number(SAVES, id));

            world.database.isDown = true;
            assertEquals(~AccountCode.SAVE_HELD.value(), world.save(account, ROOM, 4, id, 9));
            world.database.isDown = false;
            time.addAndGet(TimeUnit.HOURS.toNanos(1));
            assertEquals(0, world.save(account, ROOM + 1, 1, id, 10), "a save of the next room");
            assertEquals(0, world.accounts().pendingSaves());
            assertEquals(10, world.number(KILLS, id));
            assertEquals(3, world.number(SAVES, id));
        }
    }

    @Test
    void shouldWaitForTheDatabaseAndRefuseAfterTheTimeout()
    {
        try (World world = new World(url, (context) -> context
            .databaseTimeoutNs(World.SHORT_TIMEOUT_NS).nanoClock(time::get).pause((ns) ->
        {
            // Pauses grow from 1 ms to 10 ms.
            time.addAndGet(ns);
            pauses++;
            if (pauses == recoversAfterPauses)
            {
                currentWorld.database.isDown = false;
            }
        })))
        {
            currentWorld = world;
            final long account = world.account("Ann");
            world.database.isDown = true;
            recoversAfterPauses = 4;
            assertTrue(world.create(account, ROOM, 1, "Knight") > 0);
            assertEquals(4, pauses);

            world.database.isDown = true;
            recoversAfterPauses = Integer.MAX_VALUE;
            assertEquals(~AccountCode.DATABASE_DOWN.value(), world.create(account, ROOM, 2, "Queen"));
            final int attempts = world.database.refusals.get();
            for (int i = 0; i < 100; i++)
            {
                assertNull(world.list(account));
            }
            assertEquals(attempts, world.database.refusals.get(), "one timeout per outage, not per request");
            world.database.isDown = false;
            time.addAndGet(TimeUnit.SECONDS.toNanos(1));
            assertEquals(1, world.list(account).size());
        }
    }

    @Test
    void shouldWritePendingSavesOnClose()
    {
        final long id;
        try (World world = new World(url, (context) -> context.minRetryNs(TimeUnit.MILLISECONDS.toNanos(200))
            .maxRetryNs(TimeUnit.SECONDS.toNanos(1)).databaseTimeoutNs(TimeUnit.SECONDS.toNanos(10))))
        {
            final long account = world.account("Ann");
            id = world.create(account, ROOM, 1, "Knight");
            world.database.isDown = true;
            assertEquals(~AccountCode.SAVE_HELD.value(), world.save(account, ROOM, 2, id, 7));
            world.database.isDown = false;
        }
        try (World world = new World(url))
        {
            assertEquals(7, world.number(KILLS, id));
        }
    }

    @Test
    void shouldReportLostSavesOnCloseInAnOutage()
    {
        try (World world = new World(url, (context) -> context.databaseTimeoutNs(World.SHORT_TIMEOUT_NS)))
        {
            final long account = world.account("Ann");
            final long id = world.create(account, ROOM, 1, "Knight");
            world.database.isDown = true;
            assertEquals(~AccountCode.SAVE_HELD.value(), world.save(account, ROOM, 2, id, 7));
            world.accounts().close();
            assertEquals("1 pending saves are lost: the database is down", world.faults.get(1).getMessage());
        }
    }

    @Test
    void shouldPruneKeysAfterTheRetentionTime()
    {
        try (World world = new World(url, (context) -> context.keyRetentionNs(TimeUnit.HOURS.toNanos(1))))
        {
            final long account = world.account("Ann");
            world.create(account, ROOM, 1, "Knight");
            world.nowMs.addAndGet(TimeUnit.MINUTES.toMillis(59));
            world.create(account, ROOM, 2, "Queen");
            assertEquals(3, world.number("SELECT COUNT(*) FROM idempotency_key"), "including the sign-up");
            assertEquals(0, world.client().prune());
            world.nowMs.addAndGet(TimeUnit.MINUTES.toMillis(2));
            assertEquals(2, world.client().prune());
            assertEquals(2, world.number("SELECT key_low FROM idempotency_key"));
        }
    }

    @Test
    void shouldRefuseRandomBytes()
    {
        try (World world = new World(url))
        {
            final long account = world.account("Ann");
            final long id = world.create(account, ROOM, 1, "Knight");
            assertEquals(~RefusalCode.BAD_VALUE.value(), world.save(account, ROOM, 2, id, -1));
            final long seed = 42;
            final Random random = new Random(seed);
            final byte[] bytes = new byte[64];
            for (int i = 0; i < 10_000; i++)
            {
                final int length = random.nextInt(bytes.length);
                random.nextBytes(bytes);
                if (random.nextBoolean())
                {
                    // Half of the messages have a valid header except for the block length.
                    bytes[2] = (byte)random.nextInt(6);
                    bytes[3] = 0;
                    bytes[4] = (byte)710;
                    bytes[5] = (byte)(710 >> 8);
                    bytes[6] = 0;
                    bytes[7] = 0;
                }
                final int result = world.client().request(bytes, length);
                assertTrue(result < 0 && ~result < 1_024, "seed " + seed + ", message " + i + ": " + result);
            }
            assertEquals(List.of(), world.faults);
            assertEquals(1, world.list(account).size());
        }
    }

    @Test
    void shouldHaveEachEffectOnceUnderRandomFaults() throws InterruptedException
    {
        final long seed = Tests.isFull() ? Tests.seed() : 7;
        final Random random = new Random(seed);
        try (World world = new World(url, (context) -> context.serviceWorkers(4)
            .databaseTimeoutNs(World.SHORT_TIMEOUT_NS)))
        {
            final Players players = new Players(world, seed);
            for (int i = 0; i < (Tests.isFull() ? 200 : 25); i++)
            {
                world.database.isDown = 0 == random.nextInt(3);
                world.database.lostAnswers.set(random.nextInt(4));
                world.database.lostCommits.set(random.nextInt(4));
                final int connections = world.database.connections.get() + random.nextInt(50);
                Tests.await(() -> world.database.connections.get() >= connections, "workers to connect");
            }
            world.database.isDown = false;
            world.database.lostAnswers.set(0);
            world.database.lostCommits.set(0);
            players.awaitSteps(20);
            players.end("seed " + seed);
            assertTrue(players.held() > 0 && players.refused() > 0, "outages had an effect");
        }
    }
}
