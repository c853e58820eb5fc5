package io.escapement.driver.guard;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.status.SystemCounterDescriptor;
import io.escapement.testsupport.Tests;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Poll intervals of guarded sockets, with a clock that only the test advances. */
class SocketPollTest
{
    private static final int STREAM_ID = 1_001;
    private static final int OTHER_STREAM_ID = 1_002;
    private static final int MESSAGES = 8;
    private static final long STEP_NS = 1_000_000;
    private static final long POLL_INTERVAL_NS = 20_000;

    private final int port = Tests.freePort();
    private final int otherPort = Tests.freePort();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[1_024]);
    private long nowNs = 1;
    private final MediaDriver driver = launch();
    private final Aeron aeron = Aeron.connect(new Aeron.Context()
        .aeronDirectoryName(driver.aeronDirectoryName())
        .useConductorAgentInvoker(true)
        .driverAgentInvoker(driver.sharedAgentInvoker()));
    private final Subscription ours =
        aeron.addSubscription("aeron:udp?rcv-wnd=4k|endpoint=127.0.0.1:" + port, STREAM_ID);
    private final ExclusivePublication sending =
        aeron.addExclusivePublication("aeron:udp?endpoint=127.0.0.1:" + port, STREAM_ID);
    private final Subscription others =
        aeron.addSubscription("aeron:udp?endpoint=127.0.0.1:" + otherPort, OTHER_STREAM_ID);
    private final Attacker other = new Attacker().claims(OTHER_STREAM_ID, 1);

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(other, aeron, driver);
    }

    @Test
    void shouldNotPollAfterEachDatagramSent()
    {
        connect();
        offer(MESSAGES);
        other.sendData(otherPort, 0, 0, new byte[64]);

        driver.sharedAgentInvoker().invoke();
        assertEquals(0, poll(others), "polled while sending");
        nowNs += POLL_INTERVAL_NS;
        driver.sharedAgentInvoker().invoke();
        assertEquals(1, poll(others), "not polled within " + POLL_INTERVAL_NS + " ns of sending");
    }

    @Test
    void shouldPollAsSoonAsSendingStops()
    {
        connect();
        offer(1);
        other.sendData(otherPort, 0, 0, new byte[64]);

        driver.sharedAgentInvoker().invoke();
        assertEquals(0, poll(others), "polled while sending");
        driver.sharedAgentInvoker().invoke();
        assertEquals(1, poll(others), "not polled although nothing was sent");
    }

    @Test
    void shouldPollForStatusMessagesAtAnInterval()
    {
        connect();
        offer(2);
        final long sentBefore = count(SystemCounterDescriptor.STATUS_MESSAGES_SENT);
        final long receivedBefore = count(SystemCounterDescriptor.STATUS_MESSAGES_RECEIVED);
        Tests.await(() ->
        {
            driver.sharedAgentInvoker().invoke();
            poll(ours);
            return count(SystemCounterDescriptor.STATUS_MESSAGES_SENT) > sentBefore;
        }, "a status message");

        driver.sharedAgentInvoker().invoke();
        assertEquals(receivedBefore, count(SystemCounterDescriptor.STATUS_MESSAGES_RECEIVED), "polled at once");
        nowNs += POLL_INTERVAL_NS;
        driver.sharedAgentInvoker().invoke();
        assertTrue(count(SystemCounterDescriptor.STATUS_MESSAGES_RECEIVED) > receivedBefore,
            "not polled within " + POLL_INTERVAL_NS + " ns");
    }

    private MediaDriver launch()
    {
        final MediaDriver.Context context = new MediaDriver.Context()
            .aeronDirectoryName(Tests.newDirectory().toString())
            .threadingMode(ThreadingMode.INVOKER)
            .publicationTermBufferLength(TestDriver.TERM_LENGTH)
            .nanoClock(() -> nowNs)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true);
        GuardedEndpoints.install(context, GuardLimits.DEFAULTS);
        return MediaDriver.launch(context);
    }

    /** Connects both streams, drains both sockets, and ends with an empty poll of each. */
    private void connect()
    {
        other.sendSetup(otherPort, TestDriver.TERM_LENGTH, Attacker.MTU, 0);
        Tests.await(() ->
        {
            step();
            other.tryEcho(otherPort, TestDriver.TERM_LENGTH);
            return sending.isConnected() && ours.isConnected() && others.isConnected();
        }, "both streams");
        while (0 != driver.sharedAgentInvoker().invoke())
        {
            poll(ours);
        }
        nowNs += STEP_NS;
        driver.sharedAgentInvoker().invoke();
    }

    private void step()
    {
        nowNs += STEP_NS;
        driver.sharedAgentInvoker().invoke();
        aeron.conductorAgentInvoker().invoke();
        poll(ours);
    }

    private void offer(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            assertTrue(sending.offer(message) > 0, "no room for message " + i);
        }
    }

    private static int poll(final Subscription subscription)
    {
        return subscription.poll((buffer, offset, length, header) -> { }, MESSAGES);
    }

    private long count(final SystemCounterDescriptor counter)
    {
        return aeron.countersReader().getCounterValue(counter.id());
    }
}
