package io.escapement.driver.guard;

import io.aeron.Aeron;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.protocol.DataHeaderFlyweight;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A poll of a guarded socket takes several datagrams and guards each of them. */
class ReceiveBurstTest
{
    private static final int STREAM_ID = 1_001;
    private static final int DATAGRAMS = 40;
    private static final int SETUP_BEFORE = 13;
    private static final int FORGED_BEFORE = 23;
    private static final int PAYLOAD = 64;
    private static final int FRAME = DataHeaderFlyweight.HEADER_LENGTH + PAYLOAD;

    private final List<Integer> received = new ArrayList<>();

    @Test
    void shouldReceiveSeveralDatagramsPerPollInOrder()
    {
        final MediaDriver.Context context = new MediaDriver.Context()
            .aeronDirectoryName(Tests.newDirectory().toString())
            .threadingMode(ThreadingMode.INVOKER)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true);
        GuardedEndpoints.install(context, GuardLimits.DEFAULTS);
        try (MediaDriver driver = MediaDriver.launch(context);
            Aeron aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .useConductorAgentInvoker(true)
                .driverAgentInvoker(driver.sharedAgentInvoker()));
            Attacker first = new Attacker().claims(STREAM_ID, 1);
            Attacker second = new Attacker().claims(STREAM_ID, 2))
        {
            final AgentInvoker invoker = driver.sharedAgentInvoker();
            final int port = Tests.freePort();
            final Subscription subscription =
                aeron.addSubscription("aeron:udp?endpoint=127.0.0.1:" + port, STREAM_ID);
            first.sendSetup(port, TestDriver.TERM_LENGTH, Attacker.MTU, 0);
            awaitImages(1, invoker, aeron, subscription, () -> first.tryEcho(port, TestDriver.TERM_LENGTH));
            // An empty poll, after which the next datagram is received alone.
            invoker.invoke();

            for (int i = 0; i < DATAGRAMS; i++)
            {
                // Neither index is the first of a burst of eight.
                if (SETUP_BEFORE == i)
                {
                    second.sendSetup(port, TestDriver.TERM_LENGTH, Attacker.MTU, 0);
                }
                if (FORGED_BEFORE == i)
                {
                    second.claims(STREAM_ID, 1).sendData(port, 0, i * FRAME, payload(-1));
                }
                first.sendData(port, 0, i * FRAME, payload(i));
            }
            final List<Integer> atOnce = new ArrayList<>();
            Tests.await(() ->
            {
                invoker.invoke();
                final int fragments = subscription.poll(
                    (buffer, offset, length, header) -> received.add(buffer.getInt(offset)), DATAGRAMS);
                atOnce.add(fragments);
                return DATAGRAMS == received.size();
            }, "every datagram");
            assertEquals(IntStream.range(0, DATAGRAMS).boxed().toList(), received);
            assertEquals(1, atOnce.get(0), "no second receive after an empty poll");
            assertTrue(atOnce.get(1) > 1, "a burst is received in one poll: " + atOnce);
            second.claims(STREAM_ID, 2);
            awaitImages(2, invoker, aeron, subscription, () -> second.tryEcho(port, TestDriver.TERM_LENGTH));
            final CountersReader counters = aeron.countersReader();
            assertEquals(1, counters.getCounterValue(counters.findByTypeIdAndRegistrationId(
                GuardCounter.DATA_WRONG_SOURCE.typeId(), 0)), "the forged datagram in the middle");
        }
    }

    private static void awaitImages(
        final int count,
        final AgentInvoker invoker,
        final Aeron aeron,
        final Subscription subscription,
        final BooleanSupplier echo)
    {
        Tests.await(() ->
        {
            invoker.invoke();
            echo.getAsBoolean();
            aeron.conductorAgentInvoker().invoke();
            return count == subscription.imageCount();
        }, count + " images");
    }

    private static byte[] payload(final int number)
    {
        final byte[] payload = new byte[PAYLOAD];
        payload[0] = (byte)number;
        payload[1] = (byte)(number >> 8);
        return payload;
    }
}
