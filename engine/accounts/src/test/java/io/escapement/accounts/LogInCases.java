package io.escapement.accounts;

import io.escapement.config.ConfigException;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Sign-up, log-in and log-out, on any database. */
abstract class LogInCases extends DatabaseCases
{
    private static final String KEY = "the first key, 32 bytes or longer";
    private static final String NEXT_KEY = "the second key, 32 bytes or longer";
    private static final String HASH = "SELECT password_hash FROM account WHERE id = ?";

    @Test
    void shouldSignUpLogInAndLogOut()
    {
        try (World world = new World(url))
        {
            final long id = world.account("Ann");
            assertEquals(new World.Answer(0, id), world.logIn("aNN", World.PASSWORD), "case insensitive");
            assertEquals(AccountCode.LOGGED_OUT.value(), logOut(world, "ann").status());
            assertEquals(AccountCode.NOT_LOGGED_IN.value(), logOut(world, "ann").status());
            assertEquals(new World.Answer(0, id), world.logIn("ann", World.PASSWORD));
            assertEquals("Ann", world.text("SELECT name FROM account WHERE id = ?", id));
            assertTrue(world.text(HASH, id).startsWith("$argon2id$v=19$m=1024,t=1,p=1$"), world.text(HASH, id));
            assertEquals(List.of(), world.faults);
        }
        try (World world = new World(url))
        {
            assertEquals(0, world.logIn("ann", World.PASSWORD).status(), "after a restart");
        }
    }

    @Test
    void shouldChangeAPassword()
    {
        final byte[] next = World.bytes("an0ther-s3cret");
        try (World world = new World(url))
        {
            final long id = world.account("Ann");
            assertEquals(AccountCode.WRONG_CREDENTIALS.value(), world.logIn(Credentials.changePassword(
                "ann", World.bytes("s3cret-of-none"), next, "")).status());
            assertEquals(AccountCode.BAD_PASSWORD.value(), world.logIn(Credentials.changePassword(
                "ann", World.bytes(World.PASSWORD), World.bytes("short"), "")).status());
            assertEquals(new World.Answer(0, id), world.logIn("ann", World.PASSWORD));
            assertEquals(new World.Answer(AccountCode.PASSWORD_CHANGED.value(), 0), world.logIn(
                Credentials.changePassword("ann", World.bytes(World.PASSWORD), next, "")));
            assertEquals(AccountCode.WRONG_CREDENTIALS.value(), world.logIn("ann", World.PASSWORD).status());
            assertEquals(new World.Answer(0, id), world.logIn("ann", "an0ther-s3cret"));
            assertTrue(world.accounts().password("ANN", World.bytes("third-s3cret")));
            assertEquals(new World.Answer(0, id), world.logIn("ann", "third-s3cret"));
            assertFalse(world.accounts().password("nobody", World.bytes("third-s3cret")));
        }
    }

    @Test
    void shouldLogInByASessionUntilItEnds()
    {
        try (World world = new World(url, (context) -> context.addressAttempts(100, TimeUnit.HOURS.toNanos(1))))
        {
            final World.Answer ann = new World.Answer(0, world.account("Ann"));
            final byte[] signedUp = world.session();
            assertEquals(ann, world.logIn(signedUp.clone()));
            assertArrayEquals(signedUp, world.session(), "the same end");
            assertEquals(ann, world.logIn("ann", World.PASSWORD));
            final byte[] second = world.session();
            assertEquals(ann, world.logIn(signedUp.clone()), "several sessions");
            assertEquals(AccountCode.WRONG_CREDENTIALS.value(), world.logIn("ann", "s3cret-of-none").status());
            assertEquals(0, world.session().length);

            world.account("Ben");
            assertEquals(AccountCode.SESSION_ENDED.value(),
                world.logIn(Credentials.logInByToken("Ben", Credentials.parse(second).password())).status());
            for (int i = 0; i < SessionTokens.LENGTH; i++)
            {
                final byte[] token = Credentials.parse(second).password();
                token[i] ^= 1;
                assertEquals(AccountCode.SESSION_ENDED.value(),
                    world.logIn(Credentials.logInByToken("Ann", token)).status(), "byte " + i);
            }
            assertEquals(ann, world.logIn("ann", World.PASSWORD), "wrong tokens are no guesses of the password");

            world.nowMs.addAndGet(TimeUnit.HOURS.toMillis(24) - 1);
            assertEquals(ann, world.logIn(second.clone()));
            world.nowMs.incrementAndGet();
            assertEquals(AccountCode.SESSION_ENDED.value(), world.logIn(second.clone()).status());
            assertEquals(List.of(), world.faults);
        }
    }

    @Test
    void shouldEndSessionsAtALogOutAChangedPasswordABanAndADeletion()
    {
        try (World world = new World(url))
        {
            final World.Answer ann = new World.Answer(0, world.account("Ann"));
            final byte[] first = world.session();
            assertEquals(AccountCode.LOGGED_OUT.value(), logOut(world, "ann").status());
            assertEquals(AccountCode.SESSION_ENDED.value(), world.logIn(first.clone()).status());

            assertEquals(ann, world.logIn("ann", World.PASSWORD));
            final byte[] second = world.session();
            assertTrue(world.accounts().password("ann", World.bytes("third-s3cret")));
            assertEquals(AccountCode.SESSION_ENDED.value(), world.logIn(second.clone()).status());

            assertEquals(ann, world.logIn("ann", "third-s3cret"));
            final byte[] third = world.session();
            assertTrue(world.accounts().ban("ann", Long.MAX_VALUE));
            assertEquals(AccountCode.BANNED.value(), world.logIn(third.clone()).status());
            assertTrue(world.accounts().ban("ann", 0));
            assertEquals(ann, world.logIn(third.clone()));

            assertTrue(world.accounts().delete("ann"));
            assertEquals(AccountCode.SESSION_ENDED.value(), world.logIn(third.clone()).status());
            world.account("Ann");
            assertEquals(AccountCode.SESSION_ENDED.value(), world.logIn(third.clone()).status(), "another account");
        }
    }

    @Test
    void shouldKeepSessionsOverARestartAndAReplacedKey()
    {
        final byte[] session;
        final World.Answer ann;
        try (World world = new World(url, sessionKeys(KEY)))
        {
            ann = new World.Answer(0, world.account("Ann"));
            session = world.session();
        }
        try (World world = new World(url, sessionKeys(NEXT_KEY, KEY)))
        {
            assertEquals(ann, world.logIn(session.clone()));
            assertFalse(Arrays.equals(session, world.session()), "signed with the new key");
        }
        try (World world = new World(url, sessionKeys(NEXT_KEY)))
        {
            assertEquals(AccountCode.SESSION_ENDED.value(), world.logIn(session.clone()).status());
        }
        try (World world = new World(url))
        {
            assertEquals(AccountCode.SESSION_ENDED.value(), world.logIn(session.clone()).status(), "a random key");
        }
        for (final String[] wrong : new String[][]{{"short"}, {KEY, KEY, KEY}})
        {
            final ConfigException ex =
                assertThrows(ConfigException.class, () -> new World(url, sessionKeys(wrong)).close());
            assertTrue(ex.getMessage().startsWith("sessionKeys"), ex.getMessage());
        }
    }

    private static UnaryOperator<AccountsContext> sessionKeys(final String... keys)
    {
        return (context) -> context.sessionKeys(Stream.of(keys).map(World::bytes).toList());
    }

    @Test
    void shouldHaveOneSessionOfAnAccountThatSaysSo()
    {
        try (World world = new World(url))
        {
            final World.Answer ann = new World.Answer(0, world.account("Ann"));
            final byte[] first = world.session();
            assertFalse(world.accounts().oneSession("nobody", true));
            assertTrue(world.accounts().oneSession("ANN", true));
            assertEquals(ann, world.logIn(first.clone()), "none is ended by it");
            assertEquals(ann, world.logIn("ann", World.PASSWORD));
            final byte[] second = world.session();
            assertEquals(AccountCode.SESSION_ENDED.value(), world.logIn(first.clone()).status());
            assertEquals(ann, world.logIn(second.clone()));
            assertEquals(ann, world.logIn(second.clone()), "a session may return as often as it likes");
        }
    }

    @Test
    void shouldDeleteAnAccountWithItsCharacters()
    {
        try (World world = new World(url))
        {
            final long id = world.account("Ann");
            final long other = world.account("Ben");
            final long knight = world.create(id, 1, 1, "Knight");
            world.create(other, 1, 2, "Rook");
            assertEquals(AccountCode.WRONG_CREDENTIALS.value(), world.logIn(
                Credentials.deleteAccount("ann", World.bytes("s3cret-of-none"), "")).status());
            assertEquals(new World.Answer(AccountCode.ACCOUNT_DELETED.value(), 0), world.logIn(
                Credentials.deleteAccount("ann", World.bytes(World.PASSWORD), "")));
            assertEquals(AccountCode.WRONG_CREDENTIALS.value(), world.logIn("ann", World.PASSWORD).status());
            assertEquals(1, world.number("SELECT COUNT(*) FROM player_character"));
            assertEquals(~AccountCode.UNKNOWN_CHARACTER.value(), world.save(id, 1, 3, knight, 9), "a late save");
            assertEquals(~AccountCode.UNKNOWN_ACCOUNT.value(), world.create(id, 1, 4, "Bishop"));
            assertTrue(id != world.account("Ann"), "the name is free");
            assertTrue(world.accounts().delete("Ben"));
            assertFalse(world.accounts().delete("Ben"));
            assertEquals(0, world.number("SELECT COUNT(*) FROM player_character"));
            assertEquals(List.of(), world.faults);
        }
    }

    @Test
    void shouldBanAnAccount()
    {
        try (World world = new World(url))
        {
            final long id = world.account("Ann");
            assertFalse(world.accounts().ban("nobody", Long.MAX_VALUE));
            assertTrue(world.accounts().ban("ANN", world.nowMs.get() + 1_000));
            assertTrue(world.accounts().ban("ann", world.nowMs.get() + 1_000), "again");
            assertEquals(new World.Answer(AccountCode.BANNED.value(), 0), world.logIn("ann", World.PASSWORD));
            assertEquals(AccountCode.WRONG_CREDENTIALS.value(), world.logIn("ann", "s3cret-of-none").status());
            assertEquals(AccountCode.BANNED.value(), world.logIn(
                Credentials.deleteAccount("ann", World.bytes(World.PASSWORD), "")).status(), "no way round");
            world.nowMs.addAndGet(1_000);
            assertEquals(new World.Answer(0, id), world.logIn("ann", World.PASSWORD));
            world.accounts().ban("ann", Long.MAX_VALUE);
            assertEquals(AccountCode.BANNED.value(), world.logIn("ann", World.PASSWORD).status());
            world.accounts().ban("ann", 0);
            assertEquals(new World.Answer(0, id), world.logIn("ann", World.PASSWORD));
        }
    }

    /** The acknowledgement of each commit is lost once: the retry finds its key. */
    @Test
    void shouldChangeAndDeleteOnceWhenAnAcknowledgementIsLost()
    {
        try (World world = new World(url))
        {
            final long id = world.account("Ann");
            // The account is read first.
            world.database.goodCommits.set(1);
            world.database.lostAnswers.set(1);
            assertEquals(AccountCode.PASSWORD_CHANGED.value(), world.logIn(Credentials.changePassword(
                "ann", World.bytes(World.PASSWORD), World.bytes("an0ther-s3cret"), "")).status());
            assertEquals(new World.Answer(0, id), world.logIn("ann", "an0ther-s3cret"));
            // The account is read first.
            world.database.goodCommits.set(1);
            world.database.lostAnswers.set(1);
            assertEquals(AccountCode.ACCOUNT_DELETED.value(), world.logIn(
                Credentials.deleteAccount("ann", World.bytes("an0ther-s3cret"), "")).status());
            assertEquals(0, world.number("SELECT COUNT(*) FROM account"));
        }
    }

    @Test
    void shouldRefuseATakenNameInAnyCase()
    {
        try (World world = new World(url))
        {
            world.account("Ann");
            assertEquals(new World.Answer(AccountCode.NAME_TAKEN.value(), 0), world.signUp("aNN"));
            assertEquals(AccountCode.BAD_NAME.value(), world.signUp("an").status());
            assertEquals(AccountCode.BAD_NAME.value(), world.signUp("ann ann").status());
            assertEquals(AccountCode.BAD_PASSWORD.value(),
                world.logIn(Credentials.signUp("ben", World.bytes("s3cret"), "")).status());
            assertEquals(1, world.number("SELECT COUNT(*) FROM account"));
        }
    }

    @Test
    void shouldCreateOneAccountForConcurrentSignUps()
    {
        try (World world = new World(url, (context) -> context.logInWorkers(4).addressAttempts(100, 1)))
        {
            final List<BlockingQueue<World.Answer>> pending = new ArrayList<>();
            for (int i = 0; i < 20; i++)
            {
                pending.add(world.submit(Credentials.signUp("bea", World.bytes(World.PASSWORD), "")));
            }
            final List<Integer> statuses = pending.stream().map(World::await).map(World.Answer::status).toList();
            assertEquals(1, statuses.stream().filter((status) -> 0 == status).count(), statuses::toString);
            assertEquals(1, world.number("SELECT COUNT(*) FROM account"));
        }
    }

    @Test
    void shouldHashOnceForAnUnknownUserAsForAWrongPassword()
    {
        try (World world = new World(url))
        {
            world.account("Ann");
            final long before = world.accounts().hasher().hashes();
            assertEquals(AccountCode.WRONG_CREDENTIALS.value(), world.logIn("ann", "s3cret-of-none").status());
            final long wrong = world.accounts().hasher().hashes();
            assertEquals(AccountCode.WRONG_CREDENTIALS.value(), world.logIn("nobody", World.PASSWORD).status());
            assertEquals(1, wrong - before);
            assertEquals(1, world.accounts().hasher().hashes() - wrong);
        }
    }

    /** Players return by their sessions all at once when a server is back, and Argon2id is made to be slow. */
    @Test
    void shouldHashNothingForALogInByASession()
    {
        try (World world = new World(url))
        {
            final World.Answer ann = new World.Answer(0, world.account("Ann"));
            final byte[] session = world.session();
            final long before = world.accounts().hasher().hashes();
            assertEquals(ann, world.logIn(session.clone()));
            assertEquals(AccountCode.SESSION_ENDED.value(),
                world.logIn(Credentials.logInByToken("nobody", Credentials.parse(session).password())).status());
            assertEquals(0, world.accounts().hasher().hashes() - before);
            assertEquals(ann, world.logIn("ann", World.PASSWORD));
            assertEquals(1, world.accounts().hasher().hashes() - before, "a password is hashed once");
        }
    }

    @Test
    void shouldReplaceAWeakerHash()
    {
        final long id;
        try (World world = new World(url))
        {
            id = world.account("Ann");
        }
        try (World world = new World(url, (context) -> context.passwordCost(new PasswordCost(2_048, 2, 1))))
        {
            assertEquals(0, world.logIn("ann", World.PASSWORD).status());
            assertTrue(world.text(HASH, id).startsWith("$argon2id$v=19$m=2048,t=2,p=1$"), world.text(HASH, id));
            final long before = world.accounts().hasher().hashes();
            assertEquals(0, world.logIn("ann", World.PASSWORD).status());
            assertEquals(1, world.accounts().hasher().hashes() - before, "no rehash of a strong hash");
        }
        try (World world = new World(url))
        {
            assertEquals(0, world.logIn("ann", World.PASSWORD).status());
            assertTrue(world.text(HASH, id).contains("m=2048"), "a hash is never weakened");
        }
    }

    @Test
    void shouldRefuseDemoAccountsUnlessAllowed()
    {
        final long id;
        try (World world = new World(url, (context) -> context.passwordCost(PasswordCost.DEMO).demoAccounts(true)))
        {
            id = world.account("bot-1");
            assertEquals(0, world.logIn("bot-1", World.PASSWORD).status());
        }
        try (World world = new World(url))
        {
            final long before = world.accounts().hasher().hashes();
            assertEquals(AccountCode.DEMO_ACCOUNT_REFUSED.value(), world.logIn("bot-1", World.PASSWORD).status());
            assertEquals(AccountCode.WRONG_CREDENTIALS.value(), world.logIn("bot-1", "s3cret-of-none").status());
            assertEquals(4, world.accounts().hasher().hashes() - before, "two hashes each, so not faster");
        }
        try (World world = new World(url, (context) -> context.demoAccounts(true)))
        {
            assertEquals(new World.Answer(0, id), world.logIn("bot-1", World.PASSWORD));
            assertTrue(world.text(HASH, id).contains("m=64,t=1"), "still a demo account");
        }
        assertEquals("passwordCost: PasswordCost[memoryKib=64, iterations=1, lanes=1]: " +
            "too weak, allow demoAccounts or raise the cost",
            assertThrows(ConfigException.class,
                () -> new World(url, (context) -> context.passwordCost(PasswordCost.DEMO))).getMessage());
    }

    @Test
    void shouldLimitAttemptsPerAccountAndAddressButNotPerTrunk()
    {
        final AtomicLong nowNs = new AtomicLong();
        try (World world = new World(url, (context) -> context.nanoClock(nowNs::get)
            .accountAttempts(3, TimeUnit.SECONDS.toNanos(10)).addressAttempts(8, TimeUnit.SECONDS.toNanos(1))))
        {
            world.account("Ann");
            world.account("Ben");
            for (int i = 0; i < 3; i++)
            {
                assertEquals(AccountCode.WRONG_CREDENTIALS.value(), world.logIn("ann", "s3cret-of-none").status());
            }
            assertEquals(AccountCode.TOO_MANY_ATTEMPTS.value(), world.logIn("Ann", World.PASSWORD).status());
            assertEquals(0, world.logIn("ben", World.PASSWORD).status(), "another account through the same trunk");
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(10));
            for (int i = 0; i < 20; i++)
            {
                assertEquals(0, world.logIn("ann", World.PASSWORD).status(), "right passwords do not count");
            }
            for (int i = 0; i < 8; i++)
            {
                assertEquals(AccountCode.WRONG_CREDENTIALS.value(),
                    world.logIn(from("10.0.0.2", "nobody" + i)).status());
            }
            assertEquals(AccountCode.TOO_MANY_ATTEMPTS.value(), world.logIn(from("10.0.0.2", "ben")).status());
            assertEquals(0, world.logIn(from("10.0.0.3", "ben")).status(), "another address through the same trunk");
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
            assertEquals(0, world.logIn(from("10.0.0.2", "ben")).status());
        }
    }

    @Test
    void shouldRefuseLogInsWhenTheQueueIsFull()
    {
        try (World world = new World(url, (context) -> context.logInWorkers(1).logInQueueLimit(4)))
        {
            final long id = world.account("Ann");
            final int before = world.database.connections.get();
            world.database.gate = new CountDownLatch(1);
            final List<BlockingQueue<World.Answer>> pending = new ArrayList<>();
            pending.add(world.submit(Credentials.logIn("ann", World.bytes(World.PASSWORD), "10.0.0.1")));
            Tests.await(() -> world.database.connections.get() > before, "the worker to be busy");
            for (int i = 0; i < 4; i++)
            {
                pending.add(world.submit(Credentials.logIn("ann", World.bytes(World.PASSWORD), "10.0.0.1")));
            }
            for (int i = 0; i < 10; i++)
            {
                assertEquals(AccountCode.LOG_IN_QUEUE_FULL.value(), world.logIn("ben" + i, World.PASSWORD).status());
            }
            world.database.gate.countDown();
            pending.forEach((answers) -> assertEquals(new World.Answer(0, id), World.await(answers)));
        }
    }

    @Test
    void shouldHaveOneEffectWhenTheAcknowledgementIsLost()
    {
        try (World world = new World(url))
        {
            // The first transaction finds the name, the second has an effect.
            loseSecondAcknowledgement(world);
            world.account("Ann");
            assertEquals(1, world.number("SELECT COUNT(*) FROM account"));
            loseSecondAcknowledgement(world);
            assertEquals(0, world.logIn("ann", World.PASSWORD).status());
            loseSecondAcknowledgement(world);
            assertEquals(AccountCode.LOGGED_OUT.value(), logOut(world, "ann").status());
            assertEquals(AccountCode.NOT_LOGGED_IN.value(), logOut(world, "ann").status());
            assertTrue(world.faults.size() > 0);
        }
    }

    @Test
    void shouldHaveOneEffectWhenTheCommitOverlapsTheRetry()
    {
        try (World world = new World(url))
        {
            world.database.goodCommits.set(1);
            world.database.lateCommits.set(1);
            final long id = world.account("Ann");
            world.database.goodCommits.set(1);
            world.database.lateCommits.set(1);
            assertEquals(new World.Answer(0, id), world.logIn("ann", World.PASSWORD));
            world.database.goodCommits.set(1);
            world.database.lateCommits.set(1);
            assertEquals(AccountCode.LOGGED_OUT.value(), logOut(world, "ann").status());
        }
    }

    @Test
    void shouldNotCountAttemptsInAnOutage()
    {
        try (World world = new World(url, (context) -> context
            .accountAttempts(2, TimeUnit.HOURS.toNanos(1)).databaseTimeoutNs(World.SHORT_TIMEOUT_NS)))
        {
            final long id = world.account("Ann");
            world.database.isDown = true;
            for (int i = 0; i < 5; i++)
            {
                assertEquals(AccountCode.DATABASE_DOWN.value(), world.logIn("ann", World.PASSWORD).status());
            }
            assertEquals(AccountCode.DATABASE_DOWN.value(), world.signUp("Ben").status());
            world.database.isDown = false;
            Tests.await(() -> new World.Answer(0, id).equals(world.logIn("ann", World.PASSWORD)), "the recovery");
        }
    }

    @Test
    void shouldAnswerEveryLogInOnClose() throws InterruptedException
    {
        try (World world = new World(url, (context) -> context.logInWorkers(1).addressAttempts(100, 1)))
        {
            final int before = world.database.connections.get();
            world.database.gate = new CountDownLatch(1);
            final BlockingQueue<World.Answer> inProgress =
                world.submit(Credentials.signUp("first", World.bytes(World.PASSWORD), ""));
            Tests.await(() -> world.database.connections.get() > before, "the worker to be busy");
            final List<BlockingQueue<World.Answer>> pending = new ArrayList<>();
            for (int i = 0; i < 50; i++)
            {
                pending.add(world.submit(Credentials.signUp("user" + i, World.bytes(World.PASSWORD), "")));
            }
            final Thread closing = new Thread(() -> world.accounts().close());
            closing.start();
            pending.forEach((answers) -> assertEquals(AccountCode.STOPPING.value(), World.await(answers).status()));
            world.database.gate.countDown();
            assertEquals(0, World.await(inProgress).status(), "the log-in in progress completes");
            closing.join();
        }
    }

    @Test
    void shouldRefuseMalformedCredentials()
    {
        try (World world = new World(url))
        {
            assertEquals(AccountCode.BAD_CREDENTIALS_FORM.value(), world.logIn(new byte[0]).status());
            assertEquals(AccountCode.BAD_CREDENTIALS_FORM.value(), world.logIn(new byte[]{1, 9, 0, 0, 0}).status());
            assertEquals(AccountCode.WRONG_CREDENTIALS.value(),
                world.logIn(Credentials.logIn("' OR 1=1 --", World.bytes(World.PASSWORD), "")).status());
            assertEquals(List.of(), world.faults);
        }
    }

    private static void loseSecondAcknowledgement(final World world)
    {
        world.database.goodCommits.set(1);
        world.database.lostAnswers.set(1);
    }

    private static World.Answer logOut(final World world, final String name)
    {
        return world.logIn(Credentials.logOut(name, World.bytes(World.PASSWORD), "10.0.0.1"));
    }

    private static byte[] from(final String address, final String name)
    {
        return Credentials.logIn(name, World.bytes(World.PASSWORD), address);
    }
}
