package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.driver.DriverDirectory;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.ShutdownSignalBarrier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A trading client that continues at its rate while the engine is killed and restarted: its backlog and the answers to
 * it are longer than the engine keeps for a trunk. {@code escapement.kills} sets the number of kills per rate.
 */
@RealTime("an engine is killed under load, and has 5 s for the backlog")
class BacklogTest
{
    private static final int KILLS = Integer.getInteger("escapement.kills", 2);
    private static final String READY = "ready ";
    private static final String KEY = "a key that all incarnations of it share\n";
    private static final int ORDER_LENGTH = 48;
    /** An acknowledgement, a fill and a change of the book. */
    private static final int ANSWERS = 3;
    private static final int ANSWER_LENGTH = 160;
    private static final int RESEND_LENGTH = 16 * 1_024 * 1_024;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    @TempDir
    Path directory;

    private final UnsafeBuffer order = new UnsafeBuffer(new byte[ORDER_LENGTH]);
    private TestTrunk trunk;
    private TestHost host;
    private ClientSeat seat;
    private int rate;
    private long startNs;
    private long acceptedSequence;
    private long lastAnswered;
    private int disconnects;

    @ParameterizedTest
    @ValueSource(ints = {3_000, 10_000})
    void shouldHaveEverythingAnsweredSoonAfterARestart(final int ordersPerSecond)
    {
        Tests.writeSecret(directory.resolve("keys"), KEY);
        rate = ordersPerSecond;
        final List<String> arguments = List.of(directory.toString(), "127.0.0.1:" + Tests.freePort(),
            "127.0.0.1:" + Tests.freePort());
        long slowestNs = 0;
        try (TestHost clients = new TestHost(TestTrunk.driverContext());
            TestTrunk client = TestTrunk.on(clients, new TrunkContext().udp(arguments.get(1), arguments.get(2))
                .identity("tests").secret(TestTrunk.SECRET).reconnect(20 * MS, 50 * MS)
                .connectTimeoutNs(3 * SECOND_NS).resendLength(RESEND_LENGTH)).forwardTo(new Listener()))
        {
            host = clients;
            trunk = client;
            for (int life = 0; life <= KILLS; life++)
            {
                try (ChildJvm child = new ChildJvm(Server.class, ChildJvm.COMPILER, arguments))
                {
                    Tests.await(() -> isReady(child), () -> "the server: " + child.lines());
                    final long readyNs = System.nanoTime();
                    if (0 == life)
                    {
                        join(Long.parseLong(child.valueOf(READY)));
                        startNs = System.nanoTime();
                    }
                    else
                    {
                        final long backlogEnd = seat.sequence();
                        Tests.await(() -> send() && acceptedSequence >= backlogEnd,
                            () -> acceptedSequence + " of " + backlogEnd + " accepted, " + disconnects + " losses");
                        slowestNs = Math.max(slowestNs, System.nanoTime() - readyNs);
                    }
                    final long endNs = System.nanoTime() + SECOND_NS;
                    while (System.nanoTime() - endNs < 0)
                    {
                        send();
                    }
                    if (life < KILLS)
                    {
                        child.kill();
                        continue;
                    }
                    final long last = seat.sequence();
                    Tests.await(() -> pollAll() && lastAnswered == last, () -> lastAnswered + " of " + last);
                    assertEquals(last, acceptedSequence);
                }
            }
        }
        final String text = rate + "/s: " + KILLS + " kills, the backlog was accepted within " + slowestNs / MS +
            " ms of the restart, " + seat.sequence() + " orders, " + disconnects + " losses of the connection";
        System.out.println(text);
        assertEquals(KILLS, disconnects, text);
        assertTrue(slowestNs < 5 * SECOND_NS, text);
    }

    /** Continue to send while the server starts. */
    private boolean isReady(final ChildJvm child)
    {
        if (null != seat)
        {
            send();
        }
        return null != child.valueOf(READY);
    }

    private void join(final long roomId)
    {
        Tests.await(() -> pollAll() && trunk.tryJoin(roomId, 1), "a stream to the loop");
        Tests.await(() -> pollAll() && 1 == trunk.joined.size(), "a seat");
        seat = trunk.joined.get(0);
    }

    /** Send the orders that are due, each at its intended time or as soon as the client takes it, and receive. */
    private boolean send()
    {
        final long due = (System.nanoTime() - startNs) * rate / SECOND_NS;
        while (seat.sequence() < due &&
            SendStatus.SENT == trunk.client().send(seat, order, 0, ORDER_LENGTH))
        {
            order.putLong(0, seat.sequence());
        }
        return pollAll();
    }

    private boolean pollAll()
    {
        host.poll();
        trunk.poll();
        return true;
    }

    private final class Listener implements TrunkListener
    {
        @Override
        public void onAccepted(final ClientSeat accepted)
        {
            acceptedSequence = accepted.acceptedSequence();
        }

        @Override
        public void onSeatResumed(final ClientSeat resumed)
        {
            acceptedSequence = Math.max(acceptedSequence, resumed.acceptedSequence());
        }

        @Override
        public void onDisconnected(final int code)
        {
            disconnects++;
        }

        @Override
        public void onEvent(final ClientSeat to, final DirectBuffer buffer, final int offset, final int length)
        {
            lastAnswered = buffer.getLong(offset);
        }
    }

    /** An engine with the room, until the process is killed: {directory, ingress, response}. */
    static final class Server
    {
        private Server()
        {
        }

        public static void main(final String[] args)
        {
            final Path directory = Path.of(args[0]);
            final EngineContext context = new EngineContext().loops(1)
                .roomType(RoomType.of(LedgerRoom.TYPE, "orders", 1, Orders::new)
                    .graceNs(TimeUnit.MINUTES.toNanos(5)).outputLimit(1_024 * 1_024))
                .trunks(new TrunkServerContext().tokenKeyFile(directory.resolve("keys"))
                    .graceNs(TimeUnit.MINUTES.toNanos(2)))
                .durability(Durability.journal(directory.resolve("journal")))
                .driverContext(TestTrunk.driverContext().aeronDirectoryName(DriverDirectory.temporary()));
            final TestEngine engine = new TestEngine(context, ThreadingMode.SOLO, args[1], args[2]);
            final List<RoomHandle> recovered = engine.engine().recoveredRooms(LedgerRoom.TYPE);
            final long roomId =
                recovered.isEmpty() ? engine.engine().openRoom(LedgerRoom.TYPE).roomId() : recovered.get(0).roomId();
            System.out.println(READY + roomId);
            try (ShutdownSignalBarrier barrier = new ShutdownSignalBarrier())
            {
                barrier.await();
            }
        }
    }

    private static final class Orders implements RoomLogic
    {
        private final UnsafeBuffer answer = new UnsafeBuffer(new byte[ANSWER_LENGTH]);
        private Room room;
        private long orders;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            answer.putLong(0, ++orders);
            for (int i = 0; i < ANSWERS; i++)
            {
                room.sendEvent(from, answer, 0, ANSWER_LENGTH);
            }
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putLong(orders);
        }

        @Override
        public void onRestore(final Room opened, final int version, final StateReader reader)
        {
            room = opened;
            orders = reader.getLong();
        }
    }
}
