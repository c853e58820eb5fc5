package io.escapement.engine;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.driver.guard.GuardLimits;
import io.escapement.driver.guard.GuardedEndpoints;
import io.escapement.driver.guard.OffloadCounter;
import io.escapement.engine.internal.loop.LinkPublication;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.util.SplittableRandom;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A response with a large MTU over a network that loses a tenth: no datagram is longer than the driver's MTU. */
@RealTime("a network that loses and delays packets")
class ResponseDatagramsTest
{
    private static final int STREAM_ID = 7;
    private static final int MAX_LENGTH = 8 * 1_024;
    private static final int MESSAGES = 4_000;
    private static final double LOSS = 0.1;
    private static final long SEED = Tests.seed();

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MAX_LENGTH]);
    private final SplittableRandom sentLengths = new SplittableRandom(SEED);
    private final SplittableRandom receivedLengths = new SplittableRandom(SEED);
    private int received;

    @ParameterizedTest
    @CsvSource({"true, 1408", "false, 1408", "true, 8192"})
    void shouldNotExceedTheMtuOfTheDriver(final boolean isOffloaded, final int mtuLength)
    {
        final String ingress = "127.0.0.1:" + Tests.freePort();
        final String response = "127.0.0.1:" + Tests.freePort();
        try (LossyRelay relay = new LossyRelay(ingress, response, LOSS, SEED);
            MediaDriver engine = driver(isOffloaded, mtuLength);
            MediaDriver client = driver(isOffloaded, mtuLength))
        {
            final Aeron engineAeron = connect(engine);
            final Aeron clientAeron = connect(client);
            final Subscription requests = engineAeron.addSubscription("aeron:udp?endpoint=" + ingress, STREAM_ID);
            final Subscription responses = clientAeron.addSubscription(
                "aeron:udp?control-mode=response|control=" + relay.response(), STREAM_ID);
            clientAeron.addExclusivePublication("aeron:udp?term-length=64k|endpoint=" + relay.ingress() +
                "|response-correlation-id=" + responses.registrationId(), STREAM_ID);
            Tests.await(() -> invoke(engine, client, engineAeron, clientAeron) && 1 == requests.imageCount(), "image");
            final Image image = requests.imageAtIndex(0);
            final ExclusivePublication publication = engineAeron.addExclusivePublication(
                "aeron:udp?control-mode=response|control=" + response + "|response-correlation-id=" +
                image.correlationId() + "|term-length=256k|mtu=" + GuardedEndpoints.RESPONSE_MTU, STREAM_ID);
            assertEquals(mtuLength, GuardedEndpoints.responseDatagramLength(engineAeron.countersReader()));
            final LinkPublication link = LinkPublication.of(publication, mtuLength);
            final FragmentAssembler assembler = new FragmentAssembler((buffer, offset, length, header) ->
            {
                assertEquals(nextLength(receivedLengths), length, () -> "seed " + SEED);
                for (int i = 0; i < length; i++)
                {
                    assertEquals((byte)received, buffer.getByte(offset + i), () -> "seed " + SEED);
                }
                received++;
            });
            int sent = 0;
            int length = nextLength(sentLengths);
            while (sent < MESSAGES || received < sent)
            {
                message.setMemory(0, length, (byte)sent);
                final long position = sent == MESSAGES || !link.isConnected() ?
                    Publication.NOT_CONNECTED : link.offer(message, 0, length);
                if (position > 0)
                {
                    sent++;
                    length = nextLength(sentLengths);
                }
                else
                {
                    invoke(engine, client, engineAeron, clientAeron);
                    requests.poll((buffer, offset, fragmentLength, header) -> {}, 1);
                    responses.poll(assembler, 256);
                }
            }
            assertEquals(mtuLength, relay.longestToClients(), () -> "seed " + SEED);
            assertTrue(relay.lostToClients() > 0, () -> "seed " + SEED);
            assertEquals(isOffloaded, isOffloaded && count(engineAeron, OffloadCounter.RUNS_SENT) > 0);
            CloseHelper.closeAll(clientAeron, engineAeron);
        }
    }

    private static int nextLength(final SplittableRandom random)
    {
        return random.nextInt(1, 0 == random.nextInt(2) ? MAX_LENGTH + 1 : 200);
    }

    private static boolean invoke(
        final MediaDriver engine, final MediaDriver client, final Aeron engineAeron, final Aeron clientAeron)
    {
        engine.sharedAgentInvoker().invoke();
        client.sharedAgentInvoker().invoke();
        engineAeron.conductorAgentInvoker().invoke();
        clientAeron.conductorAgentInvoker().invoke();
        return true;
    }

    private static long count(final Aeron aeron, final OffloadCounter counter)
    {
        final CountersReader counters = aeron.countersReader();
        return counters.getCounterValue(counters.findByTypeIdAndRegistrationId(counter.typeId(), 0));
    }

    private static Aeron connect(final MediaDriver driver)
    {
        return Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())
            .useConductorAgentInvoker(true).driverAgentInvoker(driver.sharedAgentInvoker()));
    }

    private static MediaDriver driver(final boolean isOffloaded, final int mtuLength)
    {
        final MediaDriver.Context context = new MediaDriver.Context().threadingMode(ThreadingMode.INVOKER)
            .mtuLength(mtuLength).socketSndbufLength(1 << 17).socketRcvbufLength(1 << 17)
            .termBufferSparseFile(true).dirDeleteOnShutdown(true);
        GuardedEndpoints.install(context, GuardLimits.DEFAULTS, isOffloaded);
        return MediaDriver.launchEmbedded(context);
    }
}
