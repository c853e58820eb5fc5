package io.escapement.engine;

import io.aeron.driver.MediaDriver;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** The whole way of a message, with every pair of threading mode, idle strategy, transport, driver and loops. */
@RealTime("threads that spin and park on the cores of the machine")
class SystemTest
{
    private static final int MESSAGES = Tests.isFull() ? 3_000 : 500;

    static Stream<Arguments> pairs()
    {
        final List<Arguments> pairs = new ArrayList<>();
        int at = 0;
        for (final ThreadingMode mode : ThreadingMode.values())
        {
            for (final Idle idle : Idle.values())
            {
                // Over all modes, each idle strategy meets each of the others' values.
                final boolean isIpc = 0 == (at + mode.ordinal()) % 2;
                final boolean isOwnDriver = ThreadingMode.DEDICATED == mode || 0 == (at / 2 + mode.ordinal()) % 2;
                final boolean isPerLoop = ThreadingMode.DEDICATED == mode || ThreadingMode.SHARED == mode;
                final int loops = isPerLoop && Idle.BUSY == idle ? 1 : 1 + (at + mode.ordinal() / 2) % 2;
                pairs.add(arguments(mode, idle, isIpc ? "ipc" : "udp", isOwnDriver ? "own" : "external", loops));
                at++;
            }
        }
        return pairs.stream();
    }

    @ParameterizedTest(name = "{0}, {1}, {2}, {3} driver, {4} loops")
    @MethodSource("pairs")
    void shouldEcho(
        final ThreadingMode mode, final Idle idle, final String transport, final String driver, final int loops)
    {
        final EngineContext context = new EngineContext().roomType(EchoRoom.type()).idle(idle).loops(loops);
        context.trunks().ipc("ipc".equals(transport));
        final boolean isExternal = "external".equals(driver);
        final MediaDriver.Context external = isExternal ? externalDriver() : null;
        try (MediaDriver other = isExternal ? MediaDriver.launch(external) : null;
            TestEngine engine = new TestEngine(
                isExternal ? context.aeronDirectory(other.aeronDirectoryName()) : context, mode);
            TestHost host = "ipc".equals(transport) ?
                TestHost.joining(engine.aeronDirectory()) : new TestHost())
        {
            final TrunkContext trunkContext = TestTrunk.context(engine);
            final Echoes echoes = new Echoes();
            final TestTrunk trunk =
                TestTrunk.on(host, "ipc".equals(transport) ? trunkContext.ipc() : trunkContext).forwardTo(echoes);
            final List<ClientSeat> seats = new ArrayList<>();
            for (int i = 0; i < loops; i++)
            {
                final long roomId = engine.engine().openRoom(1).roomId();
                engine.await("a trunk", () -> host.poll() + trunk.poll(), () -> SendStatus.SENT ==
                    trunk.client().join(7, roomId, 7, TestTrunk.NO_TOKEN, echoes.message, 0, 0));
                final int wanted = i + 1;
                engine.await("a seat", () -> host.poll() + trunk.poll(), () -> trunk.joined.size() == wanted);
                seats.add(trunk.joined.get(i));
            }
            engine.await("every echo", () -> host.poll() + trunk.poll(), () ->
            {
                echoes.send(trunk, seats);
                return echoes.received == MESSAGES;
            });
            assertEquals(0, echoes.outOfOrder);
            final DrainReport report = engine.drain(() ->
            {
                host.poll();
                trunk.poll();
            }, TimeUnit.SECONDS.toNanos(1));
            assertTrue(report.isClean(), report::toString);
            trunk.close();
        }
    }

    private static MediaDriver.Context externalDriver()
    {
        return TestTrunk.driverContext().threadingMode(io.aeron.driver.ThreadingMode.SHARED);
    }

    private static final class Echoes implements TrunkListener
    {
        private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
        private long sent;
        private long received;
        private long outOfOrder;

        void send(final TestTrunk trunk, final List<ClientSeat> seats)
        {
            message.putLong(0, sent);
            // One at a time, so that the echoes of two loops come in order.
            if (sent == received && sent < MESSAGES &&
                SendStatus.SENT == trunk.client().send(seats.get((int)(sent % seats.size())), message, 0, 64))
            {
                trunk.client().flush();
                sent++;
            }
        }

        @Override
        public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
        {
            outOfOrder += buffer.getLong(offset) == received ? 0 : 1;
            received++;
        }
    }
}
