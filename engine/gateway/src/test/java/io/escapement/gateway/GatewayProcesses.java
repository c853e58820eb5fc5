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
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.epoll.Epoll;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** An engine with two rooms and gateways before it, each in a process that a test can kill. */
@RealTime("processes, some of which are killed")
final class GatewayProcesses implements AutoCloseable
{
    static final long ROOM = 1;
    /** Of those who send a byte a second, since the work for more players of one room is not their slowness. */
    static final long OTHER_ROOM = 2;
    /** Of each room. */
    static final int SEATS = 64;
    /** For what waits until a connection of Aeron times out. */
    static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);

    /** Begins a line for a crowd: then the port, the manner, and the numbers of the first and of all. */
    static final String CROWD_COMES = "come";
    /** Begins the line with which a crowd goes. */
    static final String CROWD_LEAVES = "leave";

    /** Asks a gateway for this counter, and begins its answer. */
    static final String ACCEPTS_FAILED = "accepts failed";

    private static final byte[] SECRET = "a secret that the tests share".getBytes(StandardCharsets.US_ASCII);
    private static final List<String> FLAGS =
        List.of("-Xmx256m", "-XX:+UseSerialGC", "-Dio.netty.recycler.chunkSize=4096");

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

    /** An engine with two rooms. */
    static final class EngineProcess
    {
        public static void main(final String[] arguments) throws IOException
        {
            final EngineContext context = new EngineContext().loops(1).threadingMode(ThreadingMode.SHARED)
                .roomType(RoomType.of(1, "echo", 1, Echo::new).seats(SEATS))
                .driverContext(new MediaDriver.Context().aeronDirectoryName(DriverDirectory.temporary())
                    .termBufferSparseFile(true).publicationTermBufferLength(64 * 1_024)
                    .dirDeleteOnStart(true).dirDeleteOnShutdown(true));
            context.trunks().secret(SECRET, false).udp(arguments[0], arguments[1]);
            context.trunks().logInService((trunkId, credentials, reply) ->
                reply.onReply(0, Long.parseLong(new String(credentials, StandardCharsets.US_ASCII))));
            try (Engine engine = Engine.launch(context))
            {
                engine.openRoom(1);
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
            if (arguments.length > 2)
            {
                context.certificate(Path.of(arguments[2]), Path.of(arguments[3]));
            }
            try (Gateway gateway = Gateway.launch(context);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)))
            {
                System.out.println("port " + gateway.port());
                System.out.println("epoll " + Epoll.isAvailable());
                for (String line = in.readLine(); null != line; line = in.readLine())
                {
                    if (line.startsWith(ACCEPTS_FAILED))
                    {
                        System.out.println(line + " " + gateway.counter(GatewayCounter.ACCEPTS_FAILED));
                        continue;
                    }
                    System.out.println(line + " ready=" + gateway.isReady() +
                        " connections=" + gateway.connections() + " sessions=" + gateway.sessions() +
                        " seats=" + gateway.seats() + " bytes=" + PooledByteBufAllocator.DEFAULT.pinnedDirectMemory());
                }
            }
        }
    }

    /** Strangers who come and go at a word of the test: {@link Crowd}. */
    static final class CrowdProcess
    {
        private static final long WAIT_MS = 10;

        public static void main(final String[] arguments) throws IOException
        {
            final Queue<String> lines = new ConcurrentLinkedQueue<>();
            new Thread(() ->
            {
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))
                    .lines().forEach(lines::add);
                // The test is gone.
                Runtime.getRuntime().halt(0);
            }, "input").start();
            Crowd crowd = null;
            while (true)
            {
                final String line = lines.poll();
                final String[] words = null == line ? new String[]{""} : line.split(" ");
                if (CROWD_COMES.equals(words[0]))
                {
                    crowd = new Crowd(Integer.parseInt(words[1]), Crowd.Manner.valueOf(words[2]),
                        Integer.parseInt(words[3]), Integer.parseInt(words[4]));
                }
                else if (null != line)
                {
                    final boolean isLeaving = line.startsWith(CROWD_LEAVES);
                    if (isLeaving)
                    {
                        crowd.leave(WAIT_MS);
                    }
                    // The answer to a question.
                    System.out.println(line + " " + crowd);
                    if (isLeaving)
                    {
                        crowd.close();
                        crowd = null;
                    }
                }
                if (null == crowd)
                {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(WAIT_MS));
                }
                else
                {
                    crowd.turn(WAIT_MS);
                }
            }
        }
    }

    private final String ingress = "127.0.0.1:" + Tests.freePort();
    private final String response = "127.0.0.1:" + Tests.freePort();
    private HttpClient http = HttpClient.newHttpClient();
    private String scheme = "ws://127.0.0.1:";
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
        Tests.await(() -> engine.lines().containsAll(List.of("room " + ROOM, "room " + OTHER_ROOM)),
            () -> "the engine: " + engine.lines());
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

    /** Seats that somebody has, present or away. */
    long taken()
    {
        return count("join ") - count("leave ");
    }

    ChildJvm startGateway()
    {
        final ChildJvm gateway = start(GatewayProcess.class);
        awaitHolding(gateway, 0, 0);
        return gateway;
    }

    /** Start a gateway in a JVM in which Netty finds none of its native transports. */
    ChildJvm startGatewayWithoutEpoll()
    {
        final List<String> flags = new ArrayList<>(FLAGS);
        flags.add("-Dio.netty.transport.noNative=true");
        final ChildJvm gateway = start(GatewayProcess.class, flags);
        awaitHolding(gateway, 0, 0);
        return gateway;
    }

    /** Start a gateway whose players use TLS. */
    ChildJvm startGateway(final TestCertificate certificate)
    {
        final ChildJvm gateway =
            start(GatewayProcess.class, certificate.chain().toString(), certificate.key().toString());
        scheme = "wss://localhost:";
        http = certificate.client();
        awaitHolding(gateway, 0, 0);
        return gateway;
    }

    /** Start strangers, who are content with less of the processor than the players: theirs would be other machines. */
    ChildJvm startCrowd()
    {
        final ChildJvm crowd = start(CrowdProcess.class);
        crowd.yieldToOthers();
        return crowd;
    }

    private ChildJvm start(final Class<?> main, final String... arguments)
    {
        return start(main, FLAGS, arguments);
    }

    private ChildJvm start(final Class<?> main, final List<String> flags, final String... arguments)
    {
        final List<String> all = new ArrayList<>(List.of(ingress, response));
        all.addAll(List.of(arguments));
        final ChildJvm process = new ChildJvm(main, flags, all);
        processes.add(process);
        return process;
    }

    /** Ask a process, and wait for its answer, which begins with the question. */
    String ask(final ChildJvm process, final String what)
    {
        final String question = what + questions++;
        process.send(question);
        Tests.await(() -> null != process.valueOf(question + " "), question);
        return process.valueOf(question + " ");
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
        Tests.await(() ->
        {
            last[0] = ask(gateway, "q");
            return state.equals(last[0]);
        }, () -> state + ", not " + last[0] + ": " + gateway.valueOf("error "));
    }

    /** Number of descriptors that a process has open. */
    static long descriptors(final ChildJvm process) throws IOException
    {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(process.handle().pid()), "fd")))
        {
            return open.count();
        }
    }

    static void limitDescriptors(final ChildJvm process, final long limit) throws IOException, InterruptedException
    {
        final int status = new ProcessBuilder("prlimit", "--pid", Long.toString(process.handle().pid()),
            "--nofile=" + limit + ":").inheritIO().start().waitFor();
        assertEquals(0, status, "prlimit: " + limit + " descriptors");
    }

    /** Wait until a gateway holds this many connections. */
    void awaitConnections(final ChildJvm gateway, final int connections)
    {
        Tests.await(() -> ask(gateway, "q").contains(" connections=" + connections + " "),
            () -> connections + " connections: " + ask(gateway, "q"));
    }

    /** A program that trusts a certificate only, which connects. */
    BrowserClient client(final ChildJvm gateway, final TestCertificate certificate)
    {
        return new BrowserClient(certificate.client(), "wss://localhost:" + port(gateway) + "/");
    }

    /** A player who has a seat in the room. */
    BrowserClient seated(final ChildJvm gateway, final int player)
    {
        final BrowserClient client = new BrowserClient(http, scheme + port(gateway) + "/");
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
