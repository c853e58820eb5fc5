package io.escapement.engine;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ext.DebugSendChannelEndpoint;
import io.aeron.driver.ext.RandomLossGenerator;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A loop that is slower than its senders loses, duplicates and reorders no message. */
class BackPressureTest
{
    private static final int TYPE = 1;
    private static final int TRUNKS = 4;
    private static final int PLAYERS_A_TRUNK = 4;
    private static final int MESSAGES = Tests.isFull() ? 2_000_000 : 10_000;
    private static final int A_SEAT = MESSAGES / (TRUNKS * PLAYERS_A_TRUNK);
    private static final int MESSAGES_HELD = 256;
    private static final double LOSS = 0.05;
    private static final long SEED = 20_261_121;

    private final long[] lastBySeat = new long[TRUNKS * PLAYERS_A_TRUNK];
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
    private volatile long received;
    private volatile String wrong;
    private volatile boolean isHeld;

    @Test
    void shouldLoseNothingThroughFullRings()
    {
        run((driver) -> driver);
    }

    @Test
    void shouldLoseNothingOverALossyNetwork()
    {
        final RandomLossGenerator data = new RandomLossGenerator(LOSS, SEED);
        final RandomLossGenerator control = new RandomLossGenerator(LOSS, SEED + 1);
        run((driver) -> driver.sendChannelEndpointSupplier((channel, status, context) ->
            new DebugSendChannelEndpoint(channel, status, context, data, control)));
    }

    @Test
    void shouldValidateABlockedBatchOnce()
    {
        final List<TestTrunk> trunks = new ArrayList<>();
        try (TestEngine engine = new TestEngine(context(), ThreadingMode.SHARED); TestHost host = new TestHost())
        {
            final List<Sender> senders = join(engine, host, trunks);
            isHeld = true;
            try
            {
                engine.await("messages in flight", () -> host.poll(trunks), () ->
                {
                    senders.forEach(Sender::send);
                    return senders.stream().allMatch((sender) -> sender.sent >= MESSAGES_HELD);
                });
                engine.await("a batch of each trunk", () -> host.poll(trunks), () -> sentBack(engine) >= TRUNKS);
                // A handshake takes the edge many turns, and the ring is full in each of them.
                final TestTrunk another = TestTrunk.on(host, TestTrunk.context(engine));
                trunks.add(another);
                engine.await("another trunk", () -> host.poll(trunks), () -> another.isUp);
                assertEquals(TRUNKS, sentBack(engine), "batches sent back");
            }
            finally
            {
                isHeld = false;
            }
            final long sent = senders.stream().mapToLong((sender) -> sender.sent).sum();
            engine.await("every message", () -> host.poll(trunks), () -> null != wrong || received == sent);
            assertEquals(null, wrong);
            CloseHelper.closeAll(trunks);
        }
    }

    private void run(final UnaryOperator<MediaDriver.Context> network)
    {
        final List<TestTrunk> trunks = new ArrayList<>();
        try (TestEngine engine = new TestEngine(context());
            TestHost host = new TestHost(network.apply(engine.driverContext())))
        {
            final List<Sender> senders = join(engine, host, trunks);
            engine.await("every message", () -> host.poll(trunks), () ->
            {
                senders.forEach(Sender::send);
                return null != wrong || received == (long)A_SEAT * senders.size();
            });
            assertEquals(null, wrong, "loss seed " + SEED);
            assertTrue(sentBack(engine) > 0, "the ring was never full");
            trunks.forEach((trunk) -> assertEquals(List.of(), trunk.refusals));
            CloseHelper.closeAll(trunks);
        }
    }

    private EngineContext context()
    {
        return new EngineContext().loops(1).ringSlots(64)
            .roomType(RoomType.of(TYPE, "slow", 1, Slow::new).seats(TRUNKS * PLAYERS_A_TRUNK));
    }

    private static long sentBack(final TestEngine engine)
    {
        return engine.engine().counter("escapement edge: batches sent back because a ring was full");
    }

    private List<Sender> join(final TestEngine engine, final TestHost host, final List<TestTrunk> trunks)
    {
        final long roomId = engine.engine().openRoom(TYPE).roomId();
        for (int i = 0; i < TRUNKS; i++)
        {
            trunks.add(TestTrunk.on(host, TestTrunk.context(engine)));
        }
        final List<Sender> senders = new ArrayList<>();
        for (int i = 0; i < TRUNKS * PLAYERS_A_TRUNK; i++)
        {
            final TestTrunk trunk = trunks.get(i % TRUNKS);
            final long playerId = i + 1;
            final int before = trunk.joined.size();
            engine.await("a trunk", () -> host.poll(trunks), () -> SendStatus.SENT ==
                trunk.client().join(playerId, roomId, playerId, TestTrunk.NO_TOKEN, message, 0, 0));
            engine.await("a seat", () -> host.poll(trunks), () -> trunk.joined.size() > before);
            senders.add(new Sender(trunk, trunk.joined.get(before)));
        }
        return senders;
    }

    private final class Sender
    {
        private final TestTrunk trunk;
        private final ClientSeat seat;
        private long sent;

        Sender(final TestTrunk trunk, final ClientSeat seat)
        {
            this.trunk = trunk;
            this.seat = seat;
        }

        void send()
        {
            for (int i = 0; i < 8 && sent < A_SEAT; i++)
            {
                message.putLong(0, sent + 1);
                if (SendStatus.SENT != trunk.client().send(seat, message, 0, 16))
                {
                    return;
                }
                sent++;
            }
        }
    }

    /** Counts the messages of each seat, slowly. */
    private final class Slow implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            // Its state is in the test.
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            final long number = buffer.getLong(offset);
            if (number != ++lastBySeat[from.index()])
            {
                wrong = "seat " + from.index() + ": " + number + " in place of " + lastBySeat[from.index()];
            }
            received = received + 1;
            while (isHeld)
            {
                Thread.onSpinWait();
            }
        }
    }
}
