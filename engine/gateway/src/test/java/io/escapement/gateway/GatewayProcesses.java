package io.escapement.gateway;

import io.aeron.driver.MediaDriver;
import io.escapement.driver.DriverDirectory;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.ThreadingMode;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.Tests;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** An engine with one room and gateways before it, each in a process that a test can kill. */
final class GatewayProcesses implements AutoCloseable
{
    /** The only room. */
    static final long ROOM = 1;
    /** For what waits until a connection of Aeron times out. */
    static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);

    /** Asks a gateway for this counter, and begins its answer. */
    static final String ACCEPTS_FAILED = "accepts failed ";

    private static final byte[] SECRET = "a secret that the tests share".getBytes(StandardCharsets.US_ASCII);
    private static final List<String> FLAGS = List.of("-Xmx256m", "-XX:+UseSerialGC");

    /** Echoes messages to everyone, and prints who enters, goes away and returns. */
    private static final class Echo implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            System.out.println("room " + room.roomId());
        }

        @Override
        public void onJoin(final Seat seat)
        {
            System.out.println("join " + seat.playerId());
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.sendEvent(room.everyone(), buffer, offset, length);
        }

        @Override
        public void onAway(final Seat seat)
        {
            System.out.println("away " + seat.playerId());
        }

        @Override
        public void onBack(final Seat seat)
        {
            System.out.println("back " + seat.playerId());
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            System.out.println("leave " + seat.playerId());
        }
    }

    /** An engine with one room. */
    static final class EngineProcess
    {
        public static void main(final String[] arguments) throws IOException
        {
            final EngineContext context = new EngineContext().loops(1).threadingMode(ThreadingMode.SHARED)
                .roomType(RoomType.of(1, "echo", 1, Echo::new).seats(64))
                .driverContext(new MediaDriver.Context().aeronDirectoryName(DriverDirectory.temporary())
                    .termBufferSparseFile(true).publicationTermBufferLength(64 * 1_024)
                    .dirDeleteOnStart(true).dirDeleteOnShutdown(true));
            context.trunks().secret(SECRET, false).udp(arguments[0], arguments[1]);
            context.trunks().logInService((trunkId, credentials, reply) ->
                reply.onReply(0, Long.parseLong(new String(credentials, StandardCharsets.US_ASCII))));
            try (Engine engine = Engine.launch(context))
            {
                engine.openRoom(1);
                System.in.read();
            }
        }
    }

    /** A gateway that answers each line of input with what it holds. */
    static final class GatewayProcess
    {
        public static void main(final String[] arguments) throws IOException
        {
            final GatewayContext context =
                new GatewayContext().udp(arguments[0], arguments[1]).secret(SECRET).errorHandler((ex) ->
                    System.out.println("error " + ex));
            context.limits().addressRate(100_000).logInRate(1_000).messageRate(1_000).byteRate(1_000_000);
            try (Gateway gateway = Gateway.launch(context);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)))
            {
                System.out.println("port " + gateway.port());
                for (String line = in.readLine(); null != line; line = in.readLine())
                {
                    if (ACCEPTS_FAILED.equals(line))
                    {
                        System.out.println(line + gateway.counter(GatewayCounter.ACCEPTS_FAILED));
                        continue;
                    }
                    System.out.println(line + " ready=" + gateway.isReady() +
                        " connections=" + gateway.connections() + " sessions=" + gateway.sessions() +
                        " seats=" + gateway.seats() + " bytes=" + PooledByteBufAllocator.DEFAULT.pinnedDirectMemory());
                }
            }
        }
    }

    private final String ingress = "127.0.0.1:" + Tests.freePort();
    private final String response = "127.0.0.1:" + Tests.freePort();
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<ChildJvm> processes = new ArrayList<>();
    private ChildJvm engine;
    private int questions;

    GatewayProcesses()
    {
        startEngine();
    }

    /** Start an engine in the place of the last. */
    void startEngine()
    {
        engine = start(EngineProcess.class);
        Tests.await(LONG_NS, () -> null != engine.valueOf("room "), () -> "the engine: " + engine.lines());
        assertEquals(Long.toString(ROOM), engine.valueOf("room "));
    }

    ChildJvm engine()
    {
        return engine;
    }

    /** Calls of the room's logic that begin with a prefix. */
    long count(final String prefix)
    {
        return engine.lines().stream().filter((line) -> line.startsWith(prefix)).count();
    }

    ChildJvm startGateway()
    {
        final ChildJvm gateway = start(GatewayProcess.class);
        awaitHolding(gateway, 0, 0);
        return gateway;
    }

    private ChildJvm start(final Class<?> main)
    {
        final ChildJvm process = new ChildJvm(main, FLAGS, List.of(ingress, response));
        processes.add(process);
        return process;
    }

    static int port(final ChildJvm gateway)
    {
        return Integer.parseInt(gateway.valueOf("port "));
    }

    /** Wait until a gateway has its trunk, holds this many connections, sessions and seats, and no buffer. */
    void awaitHolding(final ChildJvm gateway, final int players, final int seats)
    {
        final String state = "ready=true connections=" + players + " sessions=" + players + " seats=" + seats +
            " bytes=0";
        final String[] last = {""};
        Tests.await(LONG_NS, () ->
        {
            final String question = "q" + questions++;
            gateway.send(question);
            Tests.await(() -> null != gateway.valueOf(question + " "), question);
            last[0] = gateway.valueOf(question + " ");
            return state.equals(last[0]);
        }, () -> state + ", not " + last[0] + ": " + gateway.valueOf("error "));
    }

    /** A player who has a seat in the room. */
    BrowserClient seated(final ChildJvm gateway, final int player)
    {
        final BrowserClient client = new BrowserClient(http, "ws://127.0.0.1:" + port(gateway) + "/");
        client.hello(FakeLink.NO_TOKEN);
        client.logIn(1, Integer.toString(player));
        Tests.await(() -> client.has("loggedIn 1 0 " + player), "the log-in");
        client.join(2, ROOM);
        Tests.await(() -> client.all().stream().anyMatch((line) -> line.startsWith("joined 2 ")), "a seat");
        return client;
    }

    List<BrowserClient> seated(final ChildJvm gateway, final int from, final int to)
    {
        final List<BrowserClient> clients = new ArrayList<>();
        for (int player = from; player < to; player++)
        {
            clients.add(seated(gateway, player));
        }
        return clients;
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(processes);
    }
}
