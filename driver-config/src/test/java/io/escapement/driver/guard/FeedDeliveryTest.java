package io.escapement.driver.guard;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.escapement.testsupport.Tests;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A feed between drivers, from the first subscriber on. */
class FeedDeliveryTest
{
    private static final int STREAM_ID = 1_001;
    private static final int MESSAGES = 2_000;
    /** So few that a new subscriber gets its image before the feed is a window ahead of it. */
    private static final int BURST = 4;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[1_000]);
    private long offered;

    @Test
    void shouldDeliverToThoseThatListen()
    {
        try (TestDriver sender = TestDriver.guarded();
            TestDriver firstDriver = TestDriver.guarded();
            TestDriver secondDriver = TestDriver.guarded();
            Attacker silent = new Attacker())
        {
            final ExclusivePublication feed = sender.aeron().addExclusivePublication(
                "aeron:udp?control-mode=manual|fc=max|term-length=256k|mtu=" + GuardedEndpoints.RESPONSE_MTU,
                STREAM_ID);
            feed.asyncAddDestination("aeron:udp?endpoint=127.0.0.1:" + silent.port());
            final Receiver first = new Receiver(firstDriver);
            feed.asyncAddDestination(first.uri);
            Tests.await(() -> feed.isConnected() && first.isConnected(), "the first subscriber");
            Tests.await(() ->
            {
                deliver(feed, first);
                return first.received >= MESSAGES;
            }, "its messages");

            final Receiver second = new Receiver(secondDriver);
            feed.asyncAddDestination(second.uri);
            Tests.await(() ->
            {
                deliver(feed, first, second);
                return second.received >= MESSAGES;
            }, "the messages of a subscriber that is added while the first receives");
            Tests.await(() ->
            {
                first.poll();
                second.poll();
                return first.hasReached(feed.position()) && second.hasReached(feed.position());
            }, "the end of the feed");

            assertEquals(Set.of("SETUP 40"), Set.copyOf(silent.received()));
            assertEquals(0, first.gaps, "messages that the first missed");
            sender.assertCounted(GuardCounter.FEED_MISSED, 0);
            final CountersReader counters = sender.aeron().countersReader();
            assertTrue(null != SocketOffload.obstacle() || counters.getCounterValue(
                counters.findByTypeIdAndRegistrationId(OffloadCounter.RUNS_SENT.typeId(), 0)) > 0, "runs");

            second.subscription.close();
            final int before = first.received;
            Tests.await(() ->
            {
                deliver(feed, first);
                return first.received >= before + MESSAGES;
            }, "more messages after the second has left");
        }
    }

    /** Offers a burst if the last has arrived or is known to be lost, because nothing repeats what is too much. */
    private void deliver(final ExclusivePublication feed, final Receiver... receivers)
    {
        boolean isDelivered = true;
        for (final Receiver receiver : receivers)
        {
            receiver.poll();
            isDelivered &= receiver.hasReached(feed.position());
        }
        for (int i = 0; isDelivered && i < BURST; i++)
        {
            message.putLong(0, offered);
            if (feed.offer(message) < 0)
            {
                break;
            }
            offered++;
        }
    }

    private final class Receiver
    {
        final int port = Tests.freePort();
        final String uri = "aeron:udp?endpoint=127.0.0.1:" + port;
        final Subscription subscription;
        long last = -1;
        int received;
        int gaps;

        Receiver(final TestDriver driver)
        {
            subscription = driver.aeron().addSubscription(uri + "|reliable=false", STREAM_ID);
        }

        boolean isConnected()
        {
            return subscription.isConnected();
        }

        /** A subscriber that is not connected delays nothing. */
        boolean hasReached(final long position)
        {
            return subscription.images().stream().allMatch((image) -> image.position() >= position);
        }

        void poll()
        {
            subscription.poll((buffer, offset, length, header) ->
            {
                final long number = buffer.getLong(offset);
                gaps += received > 0 && number != last + 1 ? 1 : 0;
                last = number;
                received++;
            }, BURST);
        }
    }
}
