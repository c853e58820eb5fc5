package io.escapement.driver.guard;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.protocol.StatusMessageFlyweight;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The datagrams to the destinations of a feed, from a driver whose clock only the test advances. */
class FeedTest
{
    private static final int STREAM_ID = 1_001;
    private static final int SESSION_ID = 77;
    private static final String SETUP = "SETUP 40";
    private static final String MESSAGE = "DATA 96";
    private static final long STEP_NS = 1_000_000;
    private static final int SECOND = 1_000;
    private static final int MESSAGE_EVERY = 50;
    private static final int STATUS_EVERY = 200;

    private final int port = Tests.freePort();
    private final String own =
        "|term-length=64k|init-term-id=0|term-id=0|term-offset=0|mtu=8k|session-id=" + SESSION_ID;
    private final String channel = "aeron:udp?control-mode=manual|control=127.0.0.1:" + port + own;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
    private final List<AutoCloseable> resources = new ArrayList<>();
    private long nowNs = 1;
    private MediaDriver driver;
    private Aeron aeron;
    private ExclusivePublication feed;

    @AfterEach
    void close()
    {
        Collections.reverse(resources);
        CloseHelper.closeAll(resources);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendTenSetupsASecondToADestinationThatDoesNotAnswer(final boolean isSimulated)
    {
        launch(isSimulated);
        final Attacker silent = destination();
        run(SECOND);
        assertSetups(silent.received());

        final Attacker listening = destination();
        run(SECOND, listening);
        assertEquals(SECOND / MESSAGE_EVERY, count(MESSAGE, listening.received()), 2);
        assertSetups(silent.received());
        run(SECOND, listening);
        assertEquals(SECOND / MESSAGE_EVERY, count(MESSAGE, listening.received()), "and no setup");
        assertSetups(silent.received());
    }

    @Test
    void shouldSendSetupsWhileThereIsNoData()
    {
        launch(false);
        final Attacker listening = destination();
        run(SECOND, listening);
        final Attacker silent = destination();
        message.wrap(new byte[0]);
        feed.offer(message);
        listening.received();
        for (int i = 0; i < SECOND; i++)
        {
            step();
        }
        final int setups = count(SETUP, silent.received());
        assertTrue(setups >= 8 && setups <= 10, setups + " setups");
        assertEquals(0, count(SETUP, listening.received()));
    }

    @Test
    void shouldSendSetupsWhenAeronPollsByReadiness()
    {
        launch(false);
        for (int i = 0; i < 8; i++)
        {
            aeron.addExclusivePublication("aeron:udp?endpoint=127.0.0.1:" + Tests.freePort(), STREAM_ID);
        }
        final Attacker listening = destination();
        run(SECOND, listening);
        final Attacker silent = destination();
        run(SECOND, listening);
        assertSetups(silent.received());
    }

    @Test
    void shouldBeProvenByItsExactAddressAlone()
    {
        launch(false);
        final Attacker destination = destination();
        final Attacker otherPort = peer("127.0.0.1", 0);
        final Attacker otherHost = peer("127.0.0.2", destination.port());
        run(SECOND, otherPort, otherHost);
        assertFalse(feed.isConnected());
        assertEquals(2 * SECOND / STATUS_EVERY, count(GuardCounter.CONTROL_WRONG_SOURCE));

        destination.claims(STREAM_ID, SESSION_ID + 1);
        run(SECOND, destination);
        destination.claims(STREAM_ID + 1, SESSION_ID);
        run(SECOND, destination);
        destination.claims(STREAM_ID, SESSION_ID);
        destination.sendStatusMessage(port, (short)0, 1, 0);
        destination.sendStatusMessage(port, StatusMessageFlyweight.SEND_SETUP_FLAG, 0, 0);
        // Somebody else has been sent the feed's data before, so that there are heartbeats.
        final Attacker listening = destination();
        run(SECOND, listening);
        assertTrue(listening.received().contains(MESSAGE));
        final List<String> unproven = destination.received();
        assertEquals(unproven.size(), count(SETUP, unproven), () -> unproven + " before any proof");

        run(SECOND, destination);
        assertTrue(destination.received().contains(MESSAGE));
        assertEquals(List.of(), otherPort.received());
        assertEquals(List.of(), otherHost.received());
    }

    @Test
    void shouldExpireFiveSecondsAfterTheLastStatusMessage()
    {
        launch(false);
        final Attacker leaving = destination();
        final Attacker staying = destination();
        run(SECOND, staying, leaving);
        // The last status messages are 200 ms old.
        run(4 * SECOND, staying);
        leaving.received();
        run(SECOND - STATUS_EVERY - MESSAGE_EVERY, staying);
        assertTrue(count(MESSAGE, leaving.received()) >= (SECOND - STATUS_EVERY) / MESSAGE_EVERY - 2);
        run(MESSAGE_EVERY, staying);
        leaving.received();
        run(SECOND, staying);
        assertSetups(leaving.received());
        staying.received();
        run(SECOND, staying, leaving);
        assertTrue(leaving.received().contains(MESSAGE), "it is back");
        assertEquals(0, count(SETUP, staying.received()));
    }

    @Test
    void shouldSendASetupToAProvenDestinationThatAsks()
    {
        launch(false);
        final Attacker asking = destination();
        final Attacker content = destination();
        final Attacker silent = destination();
        run(SECOND, asking, content);
        asking.received();
        content.received();
        silent.received();
        asking.sendStatusMessage(port, StatusMessageFlyweight.SEND_SETUP_FLAG, 0, 0);
        run(SECOND, asking, content);
        assertEquals(1, count(SETUP, asking.received()));
        assertEquals(0, count(SETUP, content.received()));
        assertSetups(silent.received());
    }

    @Test
    void shouldAnswerAMeasurementToTheDestinationThatAsks()
    {
        launch(false);
        final Attacker proven = destination();
        final Attacker unproven = destination();
        final Attacker stranger = peer("127.0.0.1", 0);
        run(SECOND, proven);
        proven.received();
        unproven.received();
        proven.sendRoundTripMeasurement(port);
        steps(20);
        assertEquals(1, count("RTTM 40", proven.received()));
        assertEquals(0, count("RTTM 40", unproven.received()));
        unproven.sendRoundTripMeasurement(port);
        stranger.sendRoundTripMeasurement(port);
        steps(20);
        assertEquals(0, count("RTTM 40", proven.received()));
        assertEquals(1, count("RTTM 40", unproven.received()));
        assertEquals(List.of(), stranger.received());
        assertEquals(1, count(GuardCounter.CONTROL_WRONG_SOURCE));
    }

    @Test
    void shouldSendNothingToADestinationThatIsRemoved()
    {
        launch(false);
        final Attacker proven = destination();
        final Attacker unproven = destination();
        final Attacker staying = destination();
        run(SECOND, proven, staying);
        feed.removeDestination(uri(proven));
        feed.removeDestination(uri(unproven));
        steps(2);
        proven.received();
        unproven.received();
        run(SECOND, proven, staying);
        assertEquals(List.of(), proven.received());
        assertEquals(List.of(), unproven.received());
        assertTrue(staying.received().contains(MESSAGE));
    }

    @Test
    void shouldIgnoreNaksAndErrors()
    {
        launch(false);
        final Attacker destination = destination();
        final Attacker other = destination();
        run(SECOND, destination, other);
        assertTrue(destination.received().contains(MESSAGE));
        other.received();
        destination.sendNak(port, 0, 96);
        destination.sendError(port, "no");
        // Longer than Aeron delays a repeat.
        steps(STATUS_EVERY / 4);
        assertEquals(2, count(GuardCounter.FEED_IGNORED));
        assertEquals(List.of(), other.received());
        assertEquals(List.of(), destination.received());
        assertTrue(feed.isConnected());

        final Attacker stranger = peer("127.0.0.1", 0);
        stranger.sendNak(port, 0, 96);
        stranger.sendError(port, "no");
        steps(2);
        assertEquals(2, count(GuardCounter.CONTROL_WRONG_SOURCE));
        assertEquals(2, count(GuardCounter.FEED_IGNORED));
    }

    @Test
    void shouldShareTheEndpointOfSeveralPublications()
    {
        launch(false);
        // Their setups are due 50 ms apart.
        steps(51);
        final ExclusivePublication other = aeron.addExclusivePublication(channel + "|fc=max", STREAM_ID + 1);
        final Attacker silent = destination();
        run(SECOND);
        assertSetups(silent.received());
        assertEquals(Set.of(STREAM_ID, STREAM_ID + 1), silent.setupStreams(), "in turn");
        final Attacker first = destination();
        final Attacker second = destination().claims(STREAM_ID + 1, SESSION_ID);
        run(SECOND, first, second);
        assertTrue(feed.isConnected() && other.isConnected());
        assertTrue(first.received().contains(MESSAGE));
        assertTrue(second.received().contains(MESSAGE), "proven for the endpoint");
        assertSetups(silent.received());
    }

    @Test
    void shouldCutWhatItSendsIntoDatagrams()
    {
        launch(false);
        final Attacker first = destination();
        final Attacker second = destination();
        run(SECOND, first, second);
        first.received();
        second.received();
        message.wrap(new byte[1_000]);
        for (int i = 0; i < 4; i++)
        {
            feed.offer(message);
        }
        steps(1);
        final String longMessage = "DATA 1056";
        assertEquals(List.of(longMessage, longMessage, longMessage, longMessage), first.received());
        assertEquals(List.of(longMessage, longMessage, longMessage, longMessage), second.received());
    }

    /** All members of the group get one datagram, which they can neither have repeated nor end. */
    @Test
    void shouldSendOnceToAGroup()
    {
        assumeTrue(Tests.hasMulticast(), "no multicast on the loopback interface");
        launch(false, "aeron:udp?endpoint=224.0.1.7:" + port + "|interface=127.0.0.1|fc=max" + own);
        final Attacker member = member();
        final Attacker silent = member();
        run(SECOND, member);
        assertTrue(silent.received().contains(MESSAGE), "nothing is asked of a member");
        assertTrue(feed.isConnected());
        member.received();
        message.wrap(new byte[1_000]);
        for (int i = 0; i < 4; i++)
        {
            feed.offer(message);
        }
        steps(1);
        final String longMessage = "DATA 1056";
        assertEquals(List.of(longMessage, longMessage, longMessage, longMessage), member.received());
        assertEquals(List.of(longMessage, longMessage, longMessage, longMessage), silent.received());

        silent.sendNak(port, 0, 96);
        silent.sendError(port, "no");
        steps(STATUS_EVERY / 4);
        assertEquals(2, count(GuardCounter.FEED_IGNORED));
        assertEquals(List.of(), member.received());
        assertTrue(feed.isConnected());
    }

    @Test
    void shouldLeaveOtherManualPublicationsToAeron()
    {
        launch(false, channel);
        final Attacker silent = destination();
        final Attacker listening = destination();
        run(SECOND, listening);
        assertTrue(silent.received().contains(MESSAGE));
    }

    private void launch(final boolean isSimulated)
    {
        launch(isSimulated, channel + "|fc=max");
    }

    private void launch(final boolean isSimulated, final String feedChannel)
    {
        final MediaDriver.Context context = new MediaDriver.Context()
            .aeronDirectoryName(Tests.newDirectory().toString())
            .threadingMode(ThreadingMode.INVOKER)
            .nanoClock(() -> nowNs)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true);
        if (isSimulated)
        {
            GuardedEndpoints.install(context, GuardLimits.DEFAULTS, FeedTest::newSocket);
        }
        else
        {
            GuardedEndpoints.install(context, GuardLimits.DEFAULTS);
        }
        driver = MediaDriver.launch(context);
        resources.add(driver);
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(driver.aeronDirectoryName())
            .useConductorAgentInvoker(true)
            .driverAgentInvoker(driver.sharedAgentInvoker()));
        resources.add(aeron);
        feed = aeron.addExclusivePublication(feedChannel, STREAM_ID);
    }

    private static DatagramChannel newSocket()
    {
        try
        {
            final DatagramChannel socket = DatagramChannel.open();
            socket.configureBlocking(false);
            return socket;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private Attacker destination()
    {
        final Attacker destination = peer("127.0.0.1", 0);
        feed.addDestination(uri(destination));
        steps(1);
        return destination;
    }

    private Attacker member()
    {
        // Aeron's receivers answer to the next address.
        return peer("0.0.0.0", port).joins("224.0.1.7", "224.0.1.8");
    }

    private Attacker peer(final String host, final int peerPort)
    {
        final Attacker peer = new Attacker(host, peerPort).claims(STREAM_ID, SESSION_ID);
        resources.add(peer);
        return peer;
    }

    private static String uri(final Attacker destination)
    {
        return "aeron:udp?endpoint=127.0.0.1:" + destination.port();
    }

    /** Offers messages, and lets some peers send status messages. */
    private void run(final int steps, final Attacker... listening)
    {
        for (int i = 0; i < steps; i++)
        {
            final int termOffset = (int)feed.position();
            for (final Attacker peer : listening)
            {
                if (0 == i % STATUS_EVERY)
                {
                    peer.sendStatusMessage(port, (short)0, 0, termOffset);
                }
            }
            if (MESSAGE_EVERY - 1 == i % MESSAGE_EVERY)
            {
                feed.offer(message);
            }
            step();
        }
    }

    private void steps(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            step();
        }
    }

    private void step()
    {
        nowNs += STEP_NS;
        driver.sharedAgentInvoker().invoke();
        aeron.conductorAgentInvoker().invoke();
    }

    private static void assertSetups(final List<String> datagrams)
    {
        assertEquals(datagrams.size(), count(SETUP, datagrams), datagrams::toString);
        assertTrue(datagrams.size() >= 6 && datagrams.size() <= 10, datagrams::toString);
    }

    private static int count(final String datagram, final List<String> datagrams)
    {
        return Collections.frequency(datagrams, datagram);
    }

    private long count(final GuardCounter counter)
    {
        return aeron.countersReader().getCounterValue(
            aeron.countersReader().findByTypeIdAndRegistrationId(counter.typeId(), 0));
    }
}
