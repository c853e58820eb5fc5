package io.escapement.accounts;

import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Honest players while strangers invent names and guess passwords. */
class CrowdedLogInTest
{
    private static final int QUEUE_LIMIT = 64;
    private static final int STRANGERS = 325;
    private static final String WORKER = "escapement-log-in-0";

    private final TestDatabase databases = new H2Database();
    private final AtomicLong nowNs = new AtomicLong();
    /** Names that were answered, without the names that had no place in the queue. */
    private final List<String> served = new CopyOnWriteArrayList<>();
    private World world;

    @BeforeEach
    void launch()
    {
        world = new World(databases.newUrl(), (context) -> context.nanoClock(nowNs::get).logInWorkers(1)
            .logInQueueLimit(QUEUE_LIMIT).accountAttempts(3, TimeUnit.SECONDS.toNanos(10)));
    }

    @AfterEach
    void close()
    {
        world.close();
        databases.close();
        assertEquals(List.of(), world.faults);
    }

    @Test
    void shouldServeAnHonestLogInNextWhileInventedNamesFillTheQueue()
    {
        shouldServeAnHonestLogInNext((stranger) -> "192.0." + stranger / 32 + '.' + stranger % 32);
    }

    /** Each stranger has a network. A network that was never served is before all others. */
    @Test
    void shouldServeAnHonestLogInNextWhileEachStrangerHasANetwork()
    {
        shouldServeAnHonestLogInNext((stranger) -> "10." + stranger / 250 + '.' + stranger % 250 + ".1");
    }

    private void shouldServeAnHonestLogInNext(final IntFunction<String> addresses)
    {
        world.account("Ann");
        for (int stranger = 0; stranger < STRANGERS; stranger++)
        {
            assertEquals(AccountCode.WRONG_CREDENTIALS.value(),
                World.await(submit("early" + stranger, addresses.apply(stranger))).status());
        }
        served.clear();
        fill(addresses);
        submit("ann", "198.51.100.7");
        world.database.gate.countDown();
        Tests.await(() -> served.size() == 1 + QUEUE_LIMIT, "the answers");
        assertEquals(1, served.indexOf("ann"), () -> "after the log-in under way only: " + served);
    }

    @Test
    void shouldServeSessionTokensWhileThePasswordsFillTheirQueue()
    {
        final World.Answer ann = new World.Answer(0, world.account("Ann"));
        final byte[] session = world.session();
        fill((stranger) -> "192.0.2." + stranger % 250);
        assertEquals(ann, world.logIn(Credentials.withAddress(session, "192.0.2.9")));
        assertEquals(List.of(), served, "no password was served");
        world.database.gate.countDown();
        Tests.await(() -> served.size() == 1 + QUEUE_LIMIT, "the answers");
    }

    @Test
    void shouldRefuseAnInventedSessionTokenWithoutAQuery()
    {
        world.account("Ann");
        final int before = world.database.connections.get();
        assertEquals(AccountCode.SESSION_ENDED.value(), world.logIn(
            Credentials.withAddress(Credentials.logInByToken("Ann", new byte[SessionTokens.LENGTH]), "10.0.0.1"))
            .status());
        assertEquals(before, world.database.connections.get());
    }

    @Test
    void shouldNotLockTheOwnerOutOfANetworkThatIsKnown()
    {
        world.account("Ann");
        for (int attempt = 0; attempt < 12; attempt++)
        {
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(6));
            World.await(submit("ann", "192.0.2.66", "guess-" + attempt));
            assertEquals(0, World.await(submit("ann", "10.0.0.77")).status(), "from the network of the sign-up");
        }
        final int code = AccountCode.TOO_MANY_ATTEMPTS.value();
        assertEquals(code, World.await(submit("ann", "203.0.113.5")).status(), "a new network is not known");
        int seconds = 0;
        for (int status = code; code == status; seconds++)
        {
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
            if (0 == seconds % 6)
            {
                World.await(submit("ann", "192.0.2.66", "guess"));
            }
            status = World.await(submit("ann", "203.0.113.5")).status();
        }
        assertTrue(seconds <= 12, "the owner gets in from it after " + seconds + " s");
        World.await(submit("ann", "192.0.2.66", "guess"));
        assertEquals(0, World.await(submit("ann", "203.0.113.5")).status(), "which is known then");
    }

    @Test
    void shouldLimitGuessesFromAKnownNetwork()
    {
        world.account("Ann");
        for (int i = 0; i < 3; i++)
        {
            assertEquals(AccountCode.WRONG_CREDENTIALS.value(),
                World.await(submit("ann", "10.0.0." + i, "guess-" + i)).status());
        }
        assertEquals(AccountCode.TOO_MANY_ATTEMPTS.value(), World.await(submit("ann", "10.0.0.9")).status());
        assertEquals(0, World.await(submit("ann", "192.0.2.1")).status(), "others are not limited by it");
    }

    @Test
    void shouldLimitAHouseholdOfManyAddresses()
    {
        int refused = 0;
        for (int i = 0; i < 40; i++)
        {
            final int status = World.await(submit("invented" + i, "2001:db8:0:1:0:0:0:" + i)).status();
            refused += AccountCode.TOO_MANY_ATTEMPTS.value() == status ? 1 : 0;
        }
        assertEquals(10, refused, "a burst is 30");
    }

    @Test
    void shouldKnowTheNetworkOfASessionToken()
    {
        world.account("Ann");
        assertEquals(0, world.logIn(Credentials.withAddress(world.session(), "203.0.113.5")).status());
        for (int i = 0; i < 4; i++)
        {
            World.await(submit("ann", "192.0.2.66", "guess-" + i));
        }
        assertEquals(0, World.await(submit("ann", "203.0.113.6")).status());
    }

    /** The worker is busy with the first stranger, and the queue is full. */
    private void fill(final IntFunction<String> addresses)
    {
        final int before = world.database.connections.get();
        world.database.gatedThreads = WORKER;
        world.database.gate = new CountDownLatch(1);
        submit("invented0", addresses.apply(0));
        Tests.await(() -> world.database.connections.get() > before, "the worker to be busy");
        final List<BlockingQueue<World.Answer>> answers = new ArrayList<>();
        for (int stranger = 1; stranger < STRANGERS; stranger++)
        {
            answers.add(submit("invented" + stranger, addresses.apply(stranger)));
        }
        Tests.await(() -> STRANGERS - 1 - QUEUE_LIMIT == answers.stream().filter((a) -> !a.isEmpty()).count(),
            "the refusals of a full queue");
    }

    private BlockingQueue<World.Answer> submit(final String name, final String address)
    {
        return submit(name, address, World.PASSWORD);
    }

    private BlockingQueue<World.Answer> submit(final String name, final String address, final String password)
    {
        return world.submit(Credentials.logIn(name, World.bytes(password), address), (answer) ->
        {
            if (AccountCode.LOG_IN_QUEUE_FULL.value() != answer.status())
            {
                served.add(name);
            }
        });
    }
}
