package io.escapement.engine;

import io.aeron.Aeron;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkListener;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The client's media driver is killed and started again: the trunk connects again with a new Aeron client. */
@RealTime("a driver that dies")
class TrunkReconnectTest implements TrunkListener
{
    private static final long DRIVER_TIMEOUT_MS = 2_000;
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(new byte[8]);

    @TempDir
    File directory;

    private final List<Aeron> aerons = new ArrayList<>();
    private final List<ClientSeat> joined = new ArrayList<>();
    private final List<ClientSeat> resumed = new ArrayList<>();
    private int disconnections;
    private int events;

    @Test
    void shouldResumeWithANewClientWhenItsDriverIsBack()
    {
        final EngineContext context = new EngineContext().roomType(EchoRoom.type()).loops(1);
        try (TestEngine engine = new TestEngine(context, ThreadingMode.SHARED))
        {
            final long roomId = engine.engine().openRoom(1).roomId();
            final TrunkClient trunk;
            try (ChildJvm driver = driver())
            {
                trunk = TrunkClient.connect(TestTrunk.context(engine).listener(this)
                    .aeronSupplier(this::connect)
                    .reconnect(TimeUnit.MILLISECONDS.toNanos(50), TimeUnit.MILLISECONDS.toNanos(500)));
                await(engine, trunk, "a seat is requested", () -> SendStatus.SENT ==
                    trunk.join(1, roomId, 7, TestTrunk.NO_TOKEN, MESSAGE, 0, 0));
                await(engine, trunk, "a seat", () -> 1 == joined.size());
                joined.get(0).attachment("kept");
                echo(engine, trunk);
                driver.kill();
                await(engine, trunk, "the loss", () -> disconnections > 0 && aerons.get(0).isClosed());
                assertEquals(TrunkClient.State.WAITING, trunk.state());
            }
            try (ChildJvm driver = driver())
            {
                await(engine, trunk, "the seat is back", () -> 1 == resumed.size());
                assertEquals(joined, resumed);
                assertEquals("kept", joined.get(0).attachment());
                assertTrue(aerons.size() > 1);
                echo(engine, trunk);
                trunk.close();
                CloseHelper.closeAll(aerons);
            }
            assertEquals(List.of(), Tests.warnings("io.escapement"));
        }
    }

    private ChildJvm driver()
    {
        final ChildJvm driver = new ChildJvm(
            DriverDeathTest.Driver.class, List.of(), List.of(new File(directory, "aeron").getPath()));
        Tests.await(() -> null != driver.valueOf("ready"), "the driver");
        return driver;
    }

    private Aeron connect()
    {
        final Aeron aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(new File(directory, "aeron").getPath())
            .driverTimeoutMs(DRIVER_TIMEOUT_MS)
            .errorHandler((ex) -> { }));
        aerons.add(aeron);
        return aeron;
    }

    private void echo(final TestEngine engine, final TrunkClient trunk)
    {
        final int before = events;
        await(engine, trunk, "to send", () -> SendStatus.SENT == trunk.send(joined.get(0), MESSAGE, 0, 8));
        await(engine, trunk, "an echo", () -> events > before);
    }

    private static void await(
        final TestEngine engine,
        final TrunkClient trunk,
        final String what,
        final BooleanSupplier condition)
    {
        engine.await(what, trunk::poll, condition);
    }

    @Override
    public void onDisconnected(final int code)
    {
        disconnections++;
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat seat)
    {
        joined.add(seat);
    }

    @Override
    public void onSeatResumed(final ClientSeat seat)
    {
        resumed.add(seat);
    }

    @Override
    public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        events++;
    }
}
