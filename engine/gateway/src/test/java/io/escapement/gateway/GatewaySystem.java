package io.escapement.gateway;

import io.aeron.driver.MediaDriver;
import io.escapement.codecs.player.GatewayCode;
import io.escapement.driver.DriverDirectory;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A gateway before an engine, both turned by the test, and the JDK's WebSocket as the players' clients. */
@RealTime("an engine and a gateway by the clock of the machine")
abstract class GatewaySystem
{
    static final byte[] SECRET = "a secret that the tests share".getBytes(StandardCharsets.US_ASCII);
    /** A message for which the room sends this much to all. */
    static final String BIG_EVENT = "big event";
    static final String BIG_STATE = "big state";
    static final int BIG_LENGTH = 8_000;

    private static final int TURNS_A_CHECK = 20;
    static final int PATIENCE_SECONDS = 30;

    /** Echoes messages to all, and notes who is away and back. */
    private final class Echo implements RoomLogic
    {
        private final UnsafeBuffer big = new UnsafeBuffer("b".repeat(BIG_LENGTH).getBytes(StandardCharsets.US_ASCII));
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            final String text = buffer.getStringWithoutLengthAscii(offset, length);
            if (BIG_STATE.equals(text))
            {
                room.sendState(room.everyone(), big, 0, BIG_LENGTH);
            }
            else if (BIG_EVENT.equals(text))
            {
                room.sendEvent(room.everyone(), big, 0, BIG_LENGTH);
            }
            else
            {
                room.sendEvent(room.everyone(), buffer, offset, length);
            }
        }

        @Override
        public void onAway(final Seat seat)
        {
            calls.add("away " + seat.playerId());
        }

        @Override
        public void onBack(final Seat seat)
        {
            calls.add("back " + seat.playerId());
            send(seat, "full state");
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            calls.add("lost " + seat.playerId());
            send(seat, "full state for a lost state");
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            calls.add("left " + seat.playerId() + " " + reason);
        }

        private void send(final Seat seat, final String state)
        {
            room.sendState(seat, new UnsafeBuffer(FakeLink.bytes(state)), 0, state.length());
        }
    }

    /** The system's clock, which a test can put forward, and stop to put it forward by exact steps. */
    static final class ShiftedClock implements NanoClock
    {
        private volatile long shiftNs;
        private volatile long stoppedNs;
        private volatile boolean isStopped;

        void advance(final long ns)
        {
            shiftNs += ns;
        }

        /** Trunks answer log-ins and joins no more: a gateway polls them at intervals of its clock. */
        void stop()
        {
            stoppedNs = System.nanoTime();
            isStopped = true;
        }

        @Override
        public long nanoTime()
        {
            return (isStopped ? stoppedNs : System.nanoTime()) + shiftNs;
        }
    }

    @TempDir
    Path directory;
    final List<String> calls = new CopyOnWriteArrayList<>();
    final List<Throwable> errors = new CopyOnWriteArrayList<>();
    final String ingress = "127.0.0.1:" + Tests.freePort();
    final String response = "127.0.0.1:" + Tests.freePort();
    /** Of the gateway. */
    final ShiftedClock clock = new ShiftedClock();
    /** Steps of the gateway's clock are not its own. */
    final ShiftedClock engineClock = new ShiftedClock();
    final Engine engine = launchEngine();
    final long roomId = engine.openRoom(1).roomId();
    HttpClient http = HttpClient.newHttpClient();
    private String scheme = "ws://127.0.0.1:";
    Gateway gateway;
    /** A second one beside it, in some tests. */
    Gateway other;

    @AfterEach
    void close()
    {
        CloseHelper.quietCloseAll(gateway, other, engine);
        assertEquals(List.of(), errors);
    }

    /** Options of the engine's trunks that a test needs. */
    void options(final TrunkServerContext trunks)
    {
        // The defaults.
    }

    /** The clock of the engine, if it is not {@link #engineClock}. */
    NanoClock engineClock()
    {
        return engineClock;
    }

    private Engine launchEngine()
    {
        final EngineContext context = new EngineContext().loops(1).threadingMode(ThreadingMode.INVOKER)
            .roomType(RoomType.of(1, "echo", 1, Echo::new).seats(64))
            .driverContext(new MediaDriver.Context().aeronDirectoryName(DriverDirectory.temporary())
                .threadingMode(io.aeron.driver.ThreadingMode.INVOKER).termBufferSparseFile(true)
                .publicationTermBufferLength(64 * 1_024).dirDeleteOnStart(true).dirDeleteOnShutdown(true))
            .clock(engineClock()).errorHandler(errors::add);
        context.trunks().secret(SECRET, false).udp(ingress, response).ipc(true);
        options(context.trunks());
        context.trunks().logInService((trunkId, credentials, reply) ->
            reply.onReply(0, Long.parseLong(new String(credentials, StandardCharsets.US_ASCII))));
        return Engine.launch(context);
    }

    GatewayContext context()
    {
        final GatewayContext context = new GatewayContext().clock(clock).udp(ingress, response).secret(SECRET)
            .errorHandler(errors::add).index("test/page.html").metricsPort(0);
        context.limits().addressRate(1_000);
        return context;
    }

    /** Options of a gateway with TLS, which the players' clients use from now on, or without it. */
    GatewayContext context(final boolean isTls)
    {
        final GatewayContext context = context();
        if (isTls)
        {
            try
            {
                final TestCertificate certificate = TestCertificate.write(directory, TestCertificate.FIRST);
                context.certificate(certificate.chain(), certificate.key());
                http = certificate.client();
                scheme = "wss://localhost:";
            }
            catch (final IOException | GeneralSecurityException ex)
            {
                throw new IllegalStateException(ex);
            }
        }
        return context;
    }

    /** Launch a gateway that the test turns. */
    void launch(final GatewayContext context)
    {
        gateway = Gateway.invoked(context);
        await("the trunk", gateway::isReady);
    }

    BrowserClient connected()
    {
        return connected(gateway);
    }

    BrowserClient connected(final Gateway to)
    {
        return greeted(new BrowserClient(http, uri(to)));
    }

    BrowserClient greeted(final BrowserClient client)
    {
        await("a connection", client::isOpen);
        client.hello(FakeLink.NO_TOKEN);
        await("welcome", () -> client.has("welcome new"));
        return client;
    }

    BrowserClient seated(final int player)
    {
        return seated(gateway, player);
    }

    BrowserClient seated(final Gateway by, final int player)
    {
        return seated(connected(by), player);
    }

    BrowserClient seated(final BrowserClient client, final int player)
    {
        client.logIn(1, Integer.toString(player));
        await("the log-in", () -> client.has("loggedIn 1 0 " + player));
        client.join(2, roomId);
        await("a seat", () -> client.has("joined 2 " + roomId + " " + player));
        return client;
    }

    HttpResponse<String> get(final int port, final String path)
    {
        final CompletableFuture<HttpResponse<String>> answer = http.sendAsync(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            HttpResponse.BodyHandlers.ofString());
        await(path, answer::isDone);
        return answer.join();
    }

    /** A value that the gateway's page of metrics has. */
    double metric(final String name)
    {
        return metric(get(gateway.metricsPort(), "/metrics").body().lines().toList(), name);
    }

    static double metric(final List<String> lines, final String name)
    {
        final String prefix = "escapement_gateway_" + name + " ";
        return lines.stream().filter((line) -> line.startsWith(prefix)).mapToDouble(
            (line) -> Double.parseDouble(line.substring(prefix.length()))).findFirst()
            .orElseThrow(() -> new AssertionError(name + " is not among " + lines));
    }

    /** How often the gateway refused a request of a player with a code, by its page of metrics. */
    double refusals(final GatewayCode code)
    {
        return metric("refusals_total{code=\"" + code.name() + "\"}");
    }

    String uri()
    {
        return uri(gateway);
    }

    private String uri(final Gateway of)
    {
        return scheme + of.port() + "/";
    }

    void await(final String what, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError(what + " did not come: " + errors + calls);
            }
            int turns = TURNS_A_CHECK;
            while (turns > 0 && 0 < engine.invoke() + invoke(gateway) + invoke(other))
            {
                turns--;
            }
        }
    }

    private static int invoke(final Gateway turned)
    {
        return null == turned ? 0 : turned.invoke();
    }
}
