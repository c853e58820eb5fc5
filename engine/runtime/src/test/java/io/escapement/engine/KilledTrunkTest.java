package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.ResumeTicket;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkContext;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A client process is killed while it sends. Another resumes its trunk, and is then lost too. */
@RealTime("a process is killed while it sends")
class KilledTrunkTest
{
    private static final int TYPE = 1;
    private static final int PLAYERS = 3;
    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(4);
    private static final long AWAY_WITHIN_NS = TimeUnit.SECONDS.toNanos(5);

    private final List<String> happened = new ArrayList<>();
    private final long[] lastBySeat = new long[PLAYERS];

    @Test
    void shouldHoldTheSeatsForAnotherProcess()
    {
        try (TestEngine engine = new TestEngine(new EngineContext().loops(1).driverContext(TestTrunk.driverContext())
            .roomType(RoomType.of(TYPE, "noting", 1, Noting::new).graceNs(GRACE_NS))))
        {
            final long roomId = engine.engine().openRoom(TYPE).roomId();
            final ResumeTicket ticket;
            try (ChildJvm child = new ChildJvm(Sender.class, List.of(),
                List.of(engine.ingress(), engine.response(), Long.toString(roomId))))
            {
                engine.await("the child to send", () -> 0,
                    () -> null != child.valueOf("ticket ") && lastBySeat[PLAYERS - 1] > 1_000);
                ticket = ResumeTicket.of(HexFormat.of().parseHex(child.valueOf("ticket ")));
                child.kill();
            }
            final long killedNs = System.nanoTime();
            engine.await("the seats to be away", () -> PLAYERS == count("away"));
            final long awayNs = System.nanoTime() - killedNs;
            assertTrue(awayNs < AWAY_WITHIN_NS, "away after " + awayNs / 1_000_000 + " ms");

            try (TestTrunk trunk = TestTrunk.resuming(engine, ticket))
            {
                engine.await("the seats to be back", trunk, () -> PLAYERS == trunk.resumed.size());
                assertTrue(trunk.isResumed);
                assertEquals(PLAYERS, count("back"));
                for (final ClientSeat seat : trunk.resumed)
                {
                    assertEquals(
                        lastBySeat[seat.index()], seat.acceptedSequence(), "last accepted of seat " + seat.index());
                }
                final long before = lastBySeat[0];
                final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
                final ClientSeat first = trunk.resumed.get(0);
                engine.await("to send", trunk,
                    () -> SendStatus.SENT == trunk.client().send(first, message, 0, 8));
                engine.await("it to arrive", trunk, () -> lastBySeat[first.index()] > before);
                assertEquals(List.of(), trunk.refusals);
                trunk.breakOff();
                engine.await("the seats to be away again", () -> 2 * PLAYERS == count("away"));
            }
            engine.await("the seats to be freed", () -> PLAYERS == count("left GRACE_EXPIRED"));
            // Nothing else may happen afterwards.
            final long untilNs = System.nanoTime() + GRACE_NS / 2;
            engine.await("time in which nothing else may happen", () -> System.nanoTime() > untilNs);
            assertEquals(PLAYERS, count("left GRACE_EXPIRED"));
            assertEquals(4 * PLAYERS, happened.size(), happened::toString);
        }
    }

    private int count(final String what)
    {
        return (int)happened.stream().filter(what::equals).count();
    }

    private final class Noting extends NotingRoom
    {
        Noting()
        {
            super(happened);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            lastBySeat[from.index()]++;
        }
    }

    /** The process that is killed: joins, and sends until then. */
    static final class Sender
    {
        private Sender()
        {
        }

        public static void main(final String[] args)
        {
            final TrunkContext context =
                new TrunkContext().udp(args[0], args[1]).identity("tests").secret(TestTrunk.SECRET);
            final long roomId = Long.parseLong(args[2]);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            try (TestHost host = new TestHost(); TestTrunk trunk = TestTrunk.on(host, context))
            {
                int requested = 0;
                boolean isReported = false;
                while (!Thread.currentThread().isInterrupted())
                {
                    host.poll();
                    trunk.poll();
                    if (requested < PLAYERS && SendStatus.SENT == trunk.client().join(
                        requested + 1, roomId, requested + 1, TestTrunk.NO_TOKEN, message, 0, 0))
                    {
                        requested++;
                    }
                    if (PLAYERS == trunk.joined.size())
                    {
                        trunk.joined.forEach((seat) -> trunk.client().send(seat, message, 0, 8));
                        if (!isReported)
                        {
                            isReported = true;
                            System.out.println("ticket " + HexFormat.of().formatHex(trunk.client().ticket().toBytes()));
                        }
                    }
                }
            }
        }
    }
}
