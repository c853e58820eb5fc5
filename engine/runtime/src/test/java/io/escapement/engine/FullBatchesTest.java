package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkListener;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A client that fills each Send and each batch, for rooms that alternate at random: alone, and among enough rooms that
 * the loop prefetches.
 */
class FullBatchesTest
{
    private static final int SEED = 1_408;
    private static final int ROOMS = 3;
    private static final int MESSAGES = 6_000;
    /** More than a Send can count, and more than fits one packet. */
    private static final int BURST = 700;
    private static final int LONGEST = 200;

    @ParameterizedTest
    @CsvSource({"1408, 0", "8192, 0", "1408, 600", "8192, 600"})
    void shouldLoseNothingAndKeepTheOrder(final int mtuLength, final int otherRooms)
    {
        final EngineContext context = new EngineContext().roomType(EchoRoom.type()).loops(1).ringSlots(4_096);
        final List<List<Integer>> echoes = new ArrayList<>();
        final ClientSeat[] seats = new ClientSeat[ROOMS];
        final SplittableRandom random = new SplittableRandom(SEED);
        try (TestEngine engine = new TestEngine(context);
            TestHost host = new TestHost(engine.driverContext().mtuLength(mtuLength));
            TestTrunk trunk = TestTrunk.on(host, TestTrunk.context(engine)))
        {
            for (int i = 0; i < otherRooms; i++)
            {
                engine.engine().openRoom(1);
            }
            for (int i = 0; i < ROOMS; i++)
            {
                echoes.add(new ArrayList<>());
                final long roomId = engine.engine().openRoom(1).roomId();
                engine.await("the loop", () -> host.poll(List.of(trunk)), () -> trunk.tryJoin(roomId, 7));
                final int joined = i + 1;
                engine.await("a seat", () -> host.poll(List.of(trunk)), () -> trunk.joined.size() == joined);
                seats[i] = trunk.joined.get(i);
            }
            trunk.forwardTo(new TrunkListener()
            {
                @Override
                public void onEvent(
                    final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
                {
                    echoes.get(List.of(seats).indexOf(seat)).add(buffer.getInt(offset));
                }
            });
            final int[] sent = new int[ROOMS];
            final UnsafeBuffer message = new UnsafeBuffer(new byte[LONGEST]);
            for (int i = 0; i < MESSAGES; i++)
            {
                // Every other burst has short messages for one room, so that only their number ends a Send.
                final int burst = i / BURST;
                final boolean isMixed = 0 != burst % 2;
                final int room = isMixed && 0 == random.nextInt(20) ? random.nextInt(ROOMS) : burst % ROOMS;
                final int length = isMixed && 0 == random.nextInt(10) ? LONGEST : Integer.BYTES;
                message.putInt(0, sent[room]++);
                engine.await("room to send", () -> host.poll(List.of(trunk)),
                    () -> SendStatus.SENT == trunk.client().send(seats[room], message, 0, length));
                if (0 == i % BURST)
                {
                    final int all = i + 1;
                    engine.await("the echoes of a burst, seed " + SEED, () -> host.poll(List.of(trunk)),
                        () -> echoes.stream().mapToInt(List::size).sum() == all);
                }
            }
            engine.await("all echoes, seed " + SEED, () -> host.poll(List.of(trunk)),
                () -> echoes.stream().mapToInt(List::size).sum() == MESSAGES);
            for (int i = 0; i < ROOMS; i++)
            {
                assertEquals(IntStream.range(0, sent[i]).boxed().toList(), echoes.get(i), "seed " + SEED);
            }
            assertEquals(List.of(), trunk.refusals);
        }
    }
}
