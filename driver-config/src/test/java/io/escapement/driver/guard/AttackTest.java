package io.escapement.driver.guard;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.exceptions.RegistrationException;
import io.aeron.protocol.StatusMessageFlyweight;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Five attacks, each shown to succeed on Aeron's endpoints and to fail on guarded ones, beside honest traffic. If the
 * bare half of a pair fails after an update of Aeron, the update has fixed the vulnerability.
 */
class AttackTest
{
    private static final int STREAM_ID = 1_001;
    private static final int FORGED_LENGTH = 16 * 1_024 * 1_024 - 32;
    private static final byte[] HONEST = "an honest message of 64 bytes, the same length as the forged: ok"
        .getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FORGED = "a forged message of 64 bytes that no receiver should ever get: n"
        .getBytes(StandardCharsets.US_ASCII);

    @Test
    void shouldRedirectADynamicPublicationBare()
    {
        try (TestDriver bare = TestDriver.bare(); Attacker attacker = new Attacker())
        {
            final int port = Tests.freePort();
            final String control = "control-mode=dynamic|control=127.0.0.1:" + port;
            final Publication publication = bare.aeron().addPublication("aeron:udp?" + control, STREAM_ID);
            final Subscription honest = bare.aeron().addSubscription(
                "aeron:udp?endpoint=127.0.0.1:0|" + control, STREAM_ID);
            Tests.await(publication::isConnected, "the honest receiver");

            attacker.sendStatusMessage(port, (short)0);
            sendAndReceive(publication, honest, 300);
            // 36 bytes redirect 300 messages of 1,024 bytes.
            Tests.await(() -> attacker.receivedBytes() > 300 * 1_024, "the stream to reach the attacker");
        }
    }

    @Test
    void shouldRefuseDynamicPublications()
    {
        try (TestDriver guarded = TestDriver.guarded(); Attacker attacker = new Attacker())
        {
            final int port = Tests.freePort();
            final RegistrationException refused = assertThrows(RegistrationException.class,
                () -> guarded.aeron().addPublication(
                    "aeron:udp?control-mode=dynamic|control=127.0.0.1:" + port, STREAM_ID));
            assertTrue(refused.getMessage().contains("refuses control-mode=dynamic"), refused.getMessage());
            guarded.expectError("refuses control-mode=dynamic");
            assertEquals(1, guarded.count(GuardCounter.DYNAMIC_REFUSED));

            final Subscription honest = guarded.aeron().addSubscription("aeron:udp?endpoint=127.0.0.1:0", STREAM_ID);
            final Publication publication = guarded.aeron().addPublication(
                "aeron:udp?control-mode=manual|control=127.0.0.1:" + port, STREAM_ID);
            publication.addDestination("aeron:udp?endpoint=127.0.0.1:" + port(honest));
            Tests.await(publication::isConnected, "the destination that the program added");
            attacker.claims(STREAM_ID, publication.sessionId()).sendStatusMessage(port, (short)0);
            attacker.sendStatusMessage(port, StatusMessageFlyweight.SEND_SETUP_FLAG);
            sendAndReceive(publication, honest, 300);
            Tests.await(() -> 2 == guarded.count(GuardCounter.CONTROL_WRONG_SOURCE), "the drop to be counted");
            assertEquals(0, attacker.receivedBytes());
        }
    }

    @Test
    void shouldMapTermsOfAnyLengthBare()
    {
        try (TestDriver bare = TestDriver.bare(); Attacker attacker = new Attacker())
        {
            final Subscription subscription = bare.aeron().addSubscription(
                "aeron:udp?endpoint=127.0.0.1:0", STREAM_ID);
            for (int i = 0; i < 20; i++)
            {
                attacker.claims(STREAM_ID, i).sendSetup(port(subscription), 16 << 20, Attacker.MTU, 0);
            }
            // 20 packets of 40 bytes.
            Tests.await(() -> imageBytes(bare) >= 20L * 3 * (16 << 20), "960 MiB of mapped terms");
        }
    }

    @Test
    void shouldLimitTheMemoryThatSetupsMap()
    {
        final GuardLimits limits = new GuardLimits(TestDriver.TERM_LENGTH, 512, 8_192, 1, 40, 8);
        try (TestDriver guarded = TestDriver.guarded(limits); Attacker attacker = new Attacker())
        {
            final Subscription subscription = guarded.aeron().addSubscription(
                "aeron:udp?endpoint=127.0.0.1:0", STREAM_ID);
            final int port = port(subscription);
            final Publication publication = publication(guarded, port);

            for (int i = 0; i < 20; i++)
            {
                attacker.claims(STREAM_ID, i).sendSetup(port, 16 << 20, Attacker.MTU, 0);
                attacker.sendSetup(port, TestDriver.TERM_LENGTH, 64, 0);
            }
            Tests.await(() -> 40 == guarded.count(GuardCounter.SETUP_REFUSED), "setups to be refused");
            guarded.assertCounted(GuardCounter.SETUP_REFUSED, 40);

            // The honest session took 1 of the 4 places that one host may take of 8.
            for (int i = 0; i < 20; i++)
            {
                attacker.claims(STREAM_ID, i).openSession(port, TestDriver.TERM_LENGTH);
            }
            Tests.await(() -> 17 <= guarded.count(GuardCounter.SOURCE_LIMIT), "setups to be dropped");
            Tests.await(() -> 4 == subscription.imageCount(), "the sessions within the limit");
            assertTrue(imageBytes(guarded) <= 4L * (3 * TestDriver.TERM_LENGTH + 4_096));

            sendAndReceive(publication, subscription, 100);
        }
    }

    @Test
    void shouldAcceptDataFromAnyAddressBare()
    {
        assertEquals(new String(FORGED, StandardCharsets.US_ASCII), firstMessage(TestDriver.bare(), 0));
    }

    @Test
    void shouldDropDataFromAnotherAddress()
    {
        assertEquals(new String(HONEST, StandardCharsets.US_ASCII), firstMessage(TestDriver.guarded(), 3));
    }

    @Test
    void shouldAcceptAForgedFrameLengthBare()
    {
        assertEquals(List.of(FORGED_LENGTH - 32), lengthsReceived(TestDriver.bare(), 0));
    }

    @Test
    void shouldDropDatagramsWithForgedFrameLengths()
    {
        assertEquals(List.of(FORGED.length), lengthsReceived(TestDriver.guarded(), 1));
    }

    @Test
    void shouldRedirectAResponseBare()
    {
        try (TestDriver server = TestDriver.bare();
            TestDriver client = TestDriver.bare();
            Attacker attacker = new Attacker())
        {
            final RoundTrip roundTrip = new RoundTrip(server, client, STREAM_ID);
            roundTrip.connect();
            attacker.claims(STREAM_ID, roundTrip.response().sessionId());
            attacker.sendStatusMessage(roundTrip.responsePort(), StatusMessageFlyweight.SEND_SETUP_FLAG);
            Tests.await(() ->
            {
                roundTrip.offerResponse();
                return attacker.receivedBytes() > 1_024;
            }, "the response to reach the attacker");
        }
    }

    @Test
    void shouldPinAResponseToTheFirstRequester()
    {
        try (TestDriver server = TestDriver.guarded();
            TestDriver client = TestDriver.guarded();
            Attacker attacker = new Attacker();
            Attacker early = new Attacker("127.0.0.2"))
        {
            final RoundTrip roundTrip = new RoundTrip(server, client, STREAM_ID);
            // Session ids are sequential, so an attacker on another host can send a request before the client does.
            roundTrip.openResponse();
            early.claims(STREAM_ID, roundTrip.response().sessionId());
            early.sendStatusMessage(roundTrip.responsePort(), StatusMessageFlyweight.SEND_SETUP_FLAG);
            Tests.await(() -> 1 == server.count(GuardCounter.RESPONSE_REDIRECT), "the early attacker to be dropped");

            roundTrip.connect();
            attacker.claims(STREAM_ID, roundTrip.response().sessionId());
            attacker.sendStatusMessage(roundTrip.responsePort(), StatusMessageFlyweight.SEND_SETUP_FLAG);
            attacker.sendStatusMessage(roundTrip.responsePort(), (short)0);
            roundTrip.exchange(100);
            Tests.await(() -> 2 == server.count(GuardCounter.RESPONSE_REDIRECT), "the late attacker to be dropped");
            Tests.await(() -> 1 == server.count(GuardCounter.CONTROL_WRONG_SOURCE), "its status message to be dropped");
            assertEquals(0, attacker.receivedBytes() + early.receivedBytes());
            client.assertCounted(null, 0);
        }
    }

    @Test
    void shouldAllowResponseChannels()
    {
        try (TestDriver server = TestDriver.guarded(); TestDriver client = TestDriver.guarded())
        {
            final RoundTrip roundTrip = new RoundTrip(server, client, STREAM_ID);
            roundTrip.connect();
            roundTrip.exchange(1_000);
            server.assertCounted(null, 0);
            client.assertCounted(null, 0);
        }
    }

    /** The attacker sends data for the term offset that the honest message will use. */
    private static String firstMessage(final TestDriver driver, final int dropped)
    {
        try (driver; Attacker attacker = new Attacker())
        {
            final Subscription subscription = driver.aeron().addSubscription(
                "aeron:udp?endpoint=127.0.0.1:0", STREAM_ID);
            final ExclusivePublication publication = publication(driver, port(subscription));
            Tests.await(() -> 1 == subscription.imageCount(), "the honest image");

            attacker.claims(STREAM_ID, publication.sessionId());
            attacker.sendSetup(port(subscription), TestDriver.TERM_LENGTH, Attacker.MTU, publication.initialTermId());
            attacker.sendRoundTripMeasurement(port(subscription));
            attacker.sendData(port(subscription), publication.initialTermId(), 0, FORGED);
            final List<String> messages = new ArrayList<>();
            Tests.await(() ->
            {
                subscription.poll((buffer, offset, length, header) ->
                    messages.add(buffer.getStringWithoutLengthAscii(offset, length)), 10);
                // Send the honest message only after the forged one has been processed.
                if (messages.isEmpty() && (0 == dropped || dropped == driver.count(GuardCounter.DATA_WRONG_SOURCE)))
                {
                    publication.offer(new UnsafeBuffer(HONEST));
                }
                return !messages.isEmpty();
            }, "a message");
            assertEquals(dropped, driver.count(GuardCounter.DATA_WRONG_SOURCE));
            return messages.get(0);
        }
    }

    /** The first frame claims a length beyond the term; the second is valid. */
    private static List<Integer> lengthsReceived(final TestDriver driver, final int dropped)
    {
        try (driver; Attacker attacker = new Attacker())
        {
            final Subscription subscription = driver.aeron().addSubscription(
                "aeron:udp?endpoint=127.0.0.1:0", STREAM_ID);
            attacker.claims(STREAM_ID, 99).sendSetup(port(subscription), TestDriver.TERM_LENGTH, Attacker.MTU, 0);
            if (dropped > 0)
            {
                Tests.await(() -> attacker.tryEcho(port(subscription), TestDriver.TERM_LENGTH), "the cookie");
            }
            Tests.await(() -> 1 == subscription.imageCount(), "the attacker's image");

            attacker.sendData(port(subscription), 0, 0, FORGED, FORGED_LENGTH);
            if (dropped > 0)
            {
                Tests.await(() -> dropped == driver.count(GuardCounter.DATA_MALFORMED), "the drop to be counted");
                attacker.sendData(port(subscription), 0, 0, FORGED);
            }
            final List<Integer> lengths = new ArrayList<>();
            Tests.await(() ->
            {
                subscription.poll((buffer, offset, length, header) -> lengths.add(length), 1);
                return !lengths.isEmpty();
            }, "a message");
            return lengths;
        }
    }

    private static void sendAndReceive(final Publication publication, final Subscription subscription, final int count)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[1_024]);
        final int[] counts = new int[2];
        Tests.await(() ->
        {
            if (counts[0] < count && publication.offer(message) > 0)
            {
                counts[0]++;
            }
            counts[1] += subscription.poll((buffer, offset, length, header) -> assertEquals(1_024, length), 10);
            return count == counts[1];
        }, "honest messages");
    }

    private static ExclusivePublication publication(final TestDriver driver, final int port)
    {
        final ExclusivePublication publication = driver.aeron().addExclusivePublication(
            "aeron:udp?endpoint=127.0.0.1:" + port, STREAM_ID);
        Tests.await(publication::isConnected, "the honest publication");
        return publication;
    }

    private static int port(final Subscription subscription)
    {
        Tests.await(() -> null != subscription.resolvedEndpoint(), "the endpoint");
        return Integer.parseInt(subscription.resolvedEndpoint().split(":")[1]);
    }

    private static long imageBytes(final TestDriver driver)
    {
        try (Stream<Path> files = Files.walk(Path.of(driver.driver().aeronDirectoryName(), "images")))
        {
            return files.mapToLong((file) -> file.toFile().isFile() ? file.toFile().length() : 0).sum();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
