package io.escapement.engine;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.driver.MediaDriver;
import io.escapement.client.ClientSeat;
import io.escapement.client.ResumeTicket;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomType;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Gateways in other processes join the embedded driver of an engine. */
@RealTime("processes that share a driver, and are killed")
class SharedMemoryTest
{
    private static final int TYPE = 1;
    private static final int PLAYERS = 3;
    private static final long KEEPALIVE_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long LIVENESS_NS = TimeUnit.SECONDS.toNanos(2);
    private static final String SECRET = HexFormat.of().formatHex(TestTrunk.SECRET);
    private static final String NO_TICKET = "";

    private final Path directory = Tests.newDirectory();
    private final List<String> happened = new ArrayList<>();

    /** More wrong attempts than there are handshakes at a time, and one trunk: each place has to come back. */
    @Test
    void shouldRefuseAWrongSecretAndFreeItsPlace()
    {
        final EngineContext context = context();
        context.trunks().limit(1);
        final String wrong = HexFormat.of().formatHex("not the secret of them".getBytes(StandardCharsets.US_ASCII));
        try (TestEngine engine = new TestEngine(context); Aeron observer = observer(engine))
        {
            final long roomId = engine.engine().openRoom(TYPE).roomId();
            final int attempts = 2 * new TrunkServerContext().limit(1).handshakeLimit();
            try (ChildJvm child = gateway(wrong, roomId, NO_TICKET, attempts))
            {
                engine.await("the attempts to be refused", () -> 0, () -> null != child.valueOf("ended "));
                final String refused = "down " + TrunkCode.BAD_CREDENTIALS.value();
                assertEquals(attempts, child.lines().stream().filter(refused::equals).count(),
                    child.lines()::toString);
            }
            assertEquals(0, engine.engine().counter("escapement edge: trunks up"));
            try (ChildJvm child = gateway(SECRET, roomId, NO_TICKET, 1))
            {
                engine.await("a trunk", () -> 0, () -> null != child.valueOf("ticket "));
                engine.await("streams both ways for control and the loop, and no others",
                    () -> 4 == counters(observer, AeronCounters.DRIVER_PUBLISHER_POS_TYPE_ID));
                assertEquals(4, counters(observer, AeronCounters.DRIVER_SUBSCRIBER_POSITION_TYPE_ID),
                    "the engine does not receive its responses");
            }
        }
    }

    @Test
    void shouldNoticeAKilledProcessAndResumeItsTrunkFromAnother()
    {
        final EngineContext context = context();
        context.trunks().keepaliveNs(KEEPALIVE_NS);
        try (TestEngine engine = new TestEngine(context); Aeron observer = observer(engine))
        {
            final long roomId = engine.engine().openRoom(TYPE).roomId();
            final int before = clients(observer);
            final String ticket;
            try (ChildJvm child = gateway(SECRET, roomId, NO_TICKET, 1))
            {
                engine.await("the child to play", () -> 0,
                    () -> null != child.valueOf("ticket ") && count("message") > 1_000);
                ticket = child.valueOf("ticket ");
                assertEquals(before + 1, clients(observer));
                child.kill();
            }
            engine.await("the seats to be away", () -> PLAYERS == count("away"));
            final long sent = count("message");
            try (ChildJvm child = gateway(SECRET, roomId, ticket, 1))
            {
                engine.await("the seats to be back", () -> 0, () -> PLAYERS == count("back"));
                engine.await("the other process to play", () -> count("message") > sent + 1_000);
                engine.await("the driver to drop the dead client", () -> before + 1 == clients(observer));
                assertEquals(PLAYERS, count("away"), happened::toString);
                assertEquals(0, happened.stream().filter((what) -> what.startsWith("left")).count());
            }
        }
    }

    private EngineContext context()
    {
        return new EngineContext().loops(1)
            .roomType(RoomType.of(TYPE, "noting", 1, () -> new NotingRoom(happened)))
            .driverContext(driverContext())
            .driverDirectory(directory.toString())
            .trunks(new TrunkServerContext().ipc(true));
    }

    private static MediaDriver.Context driverContext()
    {
        return TestTrunk.driverContext().clientLivenessTimeoutNs(LIVENESS_NS)
            .publicationLingerTimeoutNs(TimeUnit.MILLISECONDS.toNanos(100));
    }

    private static Aeron observer(final TestEngine engine)
    {
        return Aeron.connect(new Aeron.Context().aeronDirectoryName(engine.aeronDirectory()));
    }

    private static int clients(final Aeron observer)
    {
        return counters(observer, AeronCounters.DRIVER_HEARTBEAT_TYPE_ID);
    }

    private static int counters(final Aeron observer, final int wanted)
    {
        final int[] counters = {0};
        observer.countersReader().forEach((id, typeId, key, label) -> counters[0] += wanted == typeId ? 1 : 0);
        return counters[0];
    }

    private long count(final String what)
    {
        return happened.stream().filter(what::equals).count();
    }

    private ChildJvm gateway(final String secret, final long roomId, final String ticket, final int trunks)
    {
        return new ChildJvm(Gateway.class, List.of(), List.of(directory.toString(), secret, Long.toString(roomId),
            Integer.toString(trunks), ticket));
    }

    /** The other process: some trunks, one after the other, that join or resume players and send for them. */
    static final class Gateway
    {
        private Gateway()
        {
        }

        public static void main(final String[] args)
        {
            try (TestHost host = TestHost.joining(args[0]))
            {
                for (int i = Integer.parseInt(args[3]); i > 0; i--)
                {
                    final TrunkContext context = new TrunkContext().ipc().identity("tests")
                        .secret(HexFormat.of().parseHex(args[1]));
                    final byte[] ticket = HexFormat.of().parseHex(args.length > 4 ? args[4] : NO_TICKET);
                    try (TestTrunk trunk = TestTrunk.on(
                        host, 0 == ticket.length ? context : context.ticket(ResumeTicket.of(ticket))))
                    {
                        play(host, trunk, Long.parseLong(args[2]), 0 == ticket.length);
                    }
                }
                System.out.println("ended ");
            }
        }

        private static void play(
            final TestHost host, final TestTrunk trunk, final long roomId, final boolean isNew)
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            int requested = isNew ? 0 : PLAYERS;
            boolean isReported = false;
            while (TrunkClient.State.DOWN != trunk.client().state())
            {
                host.poll();
                trunk.poll();
                if (requested < PLAYERS && trunk.tryJoin(roomId, requested + 1))
                {
                    requested++;
                }
                trunk.joined.forEach((seat) -> send(trunk, seat, message));
                trunk.resumed.forEach((seat) -> send(trunk, seat, message));
                if (PLAYERS == trunk.joined.size() && !isReported)
                {
                    isReported = true;
                    System.out.println("ticket " + HexFormat.of().formatHex(trunk.client().ticket().toBytes()));
                }
            }
            System.out.println("down " + trunk.downCode);
        }

        private static void send(
            final TestTrunk trunk, final ClientSeat seat, final UnsafeBuffer message)
        {
            if (SendStatus.SENT != trunk.client().send(seat, message, 0, 8))
            {
                Thread.yield();
            }
        }
    }
}
