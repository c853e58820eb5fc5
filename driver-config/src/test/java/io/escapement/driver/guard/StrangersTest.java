package io.escapement.driver.guard;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.RealTimes;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Setups of strangers: they keep no newcomer and no established host out, and draw no more than they send. */
@RealTime("sessions of a driver that expire, and what never comes")
class StrangersTest
{
    private static final int STREAM_ID = 1_001;
    private static final int OTHER_STREAM_ID = 1_002;
    private static final int LIMIT = 16;
    private static final GuardLimits LIMITS = new GuardLimits(TestDriver.TERM_LENGTH, 512, 8_192, 100, 100, LIMIT);

    @Test
    void shouldNotCountSessionsThatNothingSubscribesTo()
    {
        try (TestDriver driver = TestDriver.guarded(LIMITS); Attacker attacker = new Attacker())
        {
            final Subscription subscription = subscription(driver);
            for (int i = 0; i < 4 * LIMIT; i++)
            {
                attacker.claims(OTHER_STREAM_ID, i).sendSetup(
                    port(subscription), TestDriver.TERM_LENGTH, Attacker.MTU, 0);
            }
            Tests.await(() -> 4 * LIMIT == driver.count(GuardCounter.NO_SUBSCRIPTION), "the setups to be dropped");
            assertEquals(0, attacker.receivedBytes());
            final ExclusivePublication publication = driver.aeron().addExclusivePublication(
                "aeron:udp?endpoint=127.0.0.1:" + port(subscription), STREAM_ID);
            Tests.await(publication::isConnected, "the newcomer");
        }
    }

    @Test
    void shouldKeepNothingForAddressesThatDoNotAnswer()
    {
        try (TestDriver driver = TestDriver.guarded(LIMITS); Attacker attacker = new Attacker())
        {
            final Subscription subscription = subscription(driver);
            for (int i = 0; i < 50; i++)
            {
                attacker.claims(STREAM_ID, i).sendSetup(port(subscription), TestDriver.TERM_LENGTH, Attacker.MTU, 0);
                attacker.claims(STREAM_ID, 1_000 + i).sendData(port(subscription), 0, 0, new byte[32]);
            }
            RealTimes.hold(TimeUnit.SECONDS.toNanos(2), () ->
                attacker.receivedBytes() <= attacker.sentBytes() && 0 == subscription.imageCount(),
                "no more bytes than came, and no image");
            assertTrue(attacker.receivedBytes() > 0, "the cookies");

            // A cookie is for one session, and cannot be guessed.
            attacker.claims(STREAM_ID, 1);
            attacker.echo(port(subscription), 42);
            attacker.sendSetup(port(subscription), TestDriver.TERM_LENGTH, Attacker.MTU, 0);
            attacker.claims(STREAM_ID, 2).openSession(port(subscription), TestDriver.TERM_LENGTH);
            Tests.await(() -> 1 == subscription.imageCount(), "an image");
            RealTimes.hold(TimeUnit.MILLISECONDS.toNanos(300), () -> 1 == subscription.imageCount(), "no other one");
            assertEquals(2, subscription.imageAtIndex(0).sessionId(), "the session that echoed its cookie");
        }
    }

    @Test
    void shouldTransferAnInactiveSessionOnlyByASetup()
    {
        try (TestDriver guarded = TestDriver.guarded(); Attacker owner = new Attacker(); Attacker heir = new Attacker())
        {
            final Subscription subscription = guarded.aeron().addSubscription(
                "aeron:udp?endpoint=127.0.0.1:0", STREAM_ID);
            final int port = port(subscription);
            owner.claims(STREAM_ID, 99).openSession(port, TestDriver.TERM_LENGTH);
            Tests.await(() -> 1 == subscription.imageCount(), "the owner's image");

            // Longer than image liveness (1 s), linger (1 s) and the guard's slack (1 s). Without the guard, Aeron
            // would now request a setup from the heir.
            heir.claims(STREAM_ID, 99);
            RealTimes.hold(TimeUnit.SECONDS.toNanos(3), () ->
            {
                heir.sendData(port, 0, 0, new byte[64]);
                return 0 == heir.receivedBytes();
            }, "no answer to data of a session of another address");
            assertTrue(guarded.count(GuardCounter.DATA_WRONG_SOURCE) > 0);
            Tests.await(() -> 0 == subscription.imageCount(), "the owner's image to go");

            // Once the memory of the owner's image is released too.
            Tests.await(() ->
            {
                heir.sendSetup(port, TestDriver.TERM_LENGTH, Attacker.MTU, 0);
                return heir.receivedBytes() > 0;
            }, "the session to be free");
            heir.openSession(port, TestDriver.TERM_LENGTH);
            Tests.await(() -> 1 == subscription.imageCount(), "the heir's image");
        }
    }

    @Test
    void shouldLeavePlacesForOtherHosts()
    {
        try (TestDriver driver = TestDriver.guarded(LIMITS);
            Attacker first = new Attacker("127.0.0.2");
            Attacker second = new Attacker("127.0.0.3"))
        {
            final Subscription subscription = subscription(driver);
            for (int i = 0; i < 2 * LIMIT; i++)
            {
                first.claims(STREAM_ID, i).openSession(port(subscription), TestDriver.TERM_LENGTH);
            }
            Tests.await(() -> LIMIT / 2 == subscription.imageCount(), "half of the places");
            for (int i = 0; i < 2 * LIMIT; i++)
            {
                second.claims(STREAM_ID, 1_000 + i)
                    .openSession(port(subscription), TestDriver.TERM_LENGTH);
            }
            Tests.await(() -> LIMIT / 2 + 3 == subscription.imageCount(), "two thirds of the rest");
            final ExclusivePublication publication = driver.aeron().addExclusivePublication(
                "aeron:udp?endpoint=127.0.0.1:" + port(subscription), STREAM_ID);
            Tests.await(publication::isConnected, "the newcomer");
        }
    }

    @Test
    void shouldKeepPlacesForEstablishedHosts()
    {
        try (TestDriver server = TestDriver.guarded(LIMITS, TimeUnit.MILLISECONDS.toNanos(200));
            TestDriver client = TestDriver.guarded())
        {
            final RoundTrip roundTrip = new RoundTrip(server, client, STREAM_ID);
            roundTrip.connect();
            final int port = roundTrip.requestPort();
            final List<Attacker> attackers = new ArrayList<>();
            try
            {
                for (int host = 2; host < 12; host++)
                {
                    final Attacker attacker = new Attacker("127.0.0." + host);
                    attackers.add(attacker);
                    for (int i = 0; i < LIMIT; i++)
                    {
                        attacker.claims(STREAM_ID, 100 * host + i).openSession(port, TestDriver.TERM_LENGTH);
                    }
                }
                Tests.await(() -> server.count(GuardCounter.SOURCE_LIMIT) > 0, "strangers to be refused");
                final List<ExclusivePublication> publications = new ArrayList<>();
                for (int i = 0; i < LIMIT / 4; i++)
                {
                    publications.add(client.aeron().addExclusivePublication(
                        "aeron:udp?endpoint=127.0.0.1:" + port, STREAM_ID));
                }
                publications.forEach((publication) -> Tests.await(publication::isConnected, "the established host"));
                assertTrue(roundTrip.images() <= LIMIT, "images");
            }
            finally
            {
                CloseHelper.quietCloseAll(attackers);
            }
        }
    }

    @Test
    void shouldNeverHaveMoreImagesThanPlaces()
    {
        try (TestDriver driver = TestDriver.guarded(LIMITS); Attacker attacker = new Attacker())
        {
            final Subscription subscription = subscription(driver);
            // An image that is not read is kept after its sender has gone.
            for (int i = 0; i < LIMIT; i++)
            {
                attacker.claims(STREAM_ID, i).openSession(port(subscription), TestDriver.TERM_LENGTH);
            }
            Tests.await(() -> LIMIT / 2 == subscription.imageCount(), "the share of a host");
            for (int i = 0; i < LIMIT; i++)
            {
                attacker.claims(STREAM_ID, i).sendData(port(subscription), 0, 0, new byte[32]);
            }
            final int[] next = {1_000};
            RealTimes.hold(TimeUnit.SECONDS.toNanos(6), () ->
            {
                attacker.claims(STREAM_ID, next[0]++).openSession(port(subscription), TestDriver.TERM_LENGTH);
                return subscription.imageCount() <= LIMIT / 2;
            }, "no more images than places");
            // Once they are read, their places are free.
            final int before = next[0];
            Tests.await(() ->
            {
                subscription.poll((buffer, offset, length, header) -> { }, 100);
                attacker.claims(STREAM_ID, next[0]++).openSession(port(subscription), TestDriver.TERM_LENGTH);
                return null != subscription.images().stream()
                    .filter((image) -> image.sessionId() >= before).findAny().orElse(null);
            }, "a new image");
            assertFalse(subscription.imageCount() > LIMIT);
        }
    }

    private static Subscription subscription(final TestDriver driver)
    {
        return driver.aeron().addSubscription("aeron:udp?endpoint=127.0.0.1:0|rejoin=false", STREAM_ID);
    }

    private static int port(final Subscription subscription)
    {
        Tests.await(() -> null != subscription.resolvedEndpoint(), "the endpoint");
        return Integer.parseInt(subscription.resolvedEndpoint().split(":")[1]);
    }
}
