package io.escapement.engine.internal.loop;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.escapement.driver.guard.GuardedEndpoints;
import io.escapement.testsupport.Allocations;
import io.escapement.testsupport.Tests;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Messages of any length on a publication whose MTU is longer than a datagram. */
class AeronLinkPublicationTest
{
    private static final int DATAGRAM_LENGTH = 1_408;
    private static final int MAX_LENGTH = 8 * 1_024;
    private static final int MESSAGES = 20_000;
    private static final int STREAM_ID = 1;
    private static final String CHANNEL = "aeron:ipc?term-length=256k|mtu=" + GuardedEndpoints.RESPONSE_MTU;
    private static final long SEED = Tests.seed();

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MAX_LENGTH]);
    private final ArrayDeque<Integer> lengths = new ArrayDeque<>();
    private MediaDriver driver;
    private Aeron aeron;
    private Subscription subscription;
    private LinkPublication link;
    private int longestFrame;
    private int received;

    @BeforeEach
    void connect()
    {
        driver = MediaDriver.launchEmbedded(new MediaDriver.Context().threadingMode(ThreadingMode.INVOKER)
            .dirDeleteOnShutdown(true));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())
            .useConductorAgentInvoker(true).driverAgentInvoker(driver.sharedAgentInvoker()));
        subscription = aeron.addSubscription(CHANNEL, STREAM_ID);
        final ExclusivePublication publication = aeron.addExclusivePublication(CHANNEL, STREAM_ID);
        while (!publication.isConnected() || 0 == subscription.imageCount())
        {
            invoke();
        }
        link = LinkPublication.of(publication, DATAGRAM_LENGTH);
    }

    @AfterEach
    void disconnect()
    {
        CloseHelper.closeAll(aeron, driver);
    }

    @Test
    void shouldSendMessagesOfAnyLengthInFramesOfOneDatagram()
    {
        assertEquals(DATAGRAM_LENGTH - 32, link.maxPayloadLength());
        final FragmentAssembler assembler = new FragmentAssembler(this::onMessage);
        final FragmentHandler handler = (buffer, offset, length, header) ->
        {
            longestFrame = Math.max(longestFrame, header.frameLength());
            assembler.onFragment(buffer, offset, length, header);
        };
        int sent = 0;
        while (received < MESSAGES)
        {
            final int length = 0 == random.nextInt(10) ? random.nextInt(-2, 3) + link.maxPayloadLength() :
                random.nextInt(1, 0 == random.nextInt(4) ? MAX_LENGTH + 1 : 200);
            if (sent < MESSAGES && offer(length, sent))
            {
                sent++;
            }
            if (0 == random.nextInt(8))
            {
                subscription.poll(handler, 64);
            }
            invoke();
        }
        assertEquals(DATAGRAM_LENGTH, longestFrame);
    }

    @Test
    void shouldFragmentWithoutAllocation()
    {
        // All of them fit the window.
        assertEquals(0, Allocations.least(8, () -> assertTrue(link.offer(message, 0, MAX_LENGTH) > 0)));
    }

    private boolean offer(final int length, final int number)
    {
        message.setMemory(0, length, (byte)number);
        final int padding = link.maxPayloadLength() - length;
        final boolean isPadded = padding > 0 && 0 == random.nextInt(4);
        final long position = isPadded ? link.offer(message, 0, length, padding) : link.offer(message, 0, length);
        if (position < 0)
        {
            assertTrue(Publication.BACK_PRESSURED == position || Publication.ADMIN_ACTION == position,
                () -> Publication.errorString(position) + ", seed " + SEED);
            return false;
        }
        lengths.add(isPadded ? -length : length);
        return true;
    }

    private void onMessage(
        final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        final int sent = lengths.remove();
        assertEquals(sent < 0 ? link.maxPayloadLength() : sent, length, () -> "seed " + SEED);
        for (int i = 0; i < length; i++)
        {
            assertEquals(i < Math.abs(sent) ? (byte)received : 0, buffer.getByte(offset + i), () -> "seed " + SEED);
        }
        received++;
    }

    private void invoke()
    {
        aeron.conductorAgentInvoker().invoke();
        driver.sharedAgentInvoker().invoke();
    }
}
