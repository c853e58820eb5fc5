package io.escapement.engine;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.client.ClientSeat;
import io.escapement.client.ResumeTicket;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.driver.DriverDirectory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A client with a private driver, polled by the test, and everything it received. */
final class TestTrunk implements AutoCloseable, TrunkListener
{
    static final byte[] SECRET = "a secret that the tests share".getBytes(StandardCharsets.US_ASCII);
    static final byte[] NO_TOKEN = {};
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    final List<ClientSeat> joined = new ArrayList<>();
    final List<ClientSeat> resumed = new ArrayList<>();
    final List<ClientSeat> left = new ArrayList<>();
    final List<Integer> refusals = new ArrayList<>();
    final List<byte[]> tokens = new ArrayList<>();
    long events;
    long states;
    int downCode = -1;
    boolean isUp;
    boolean isResumed;
    private final TestHost host;
    private final boolean isOwnHost;
    private final TrunkClient client;
    private TrunkListener next = new TrunkListener()
    {
    };

    private TestTrunk(final TrunkContext context, final TestHost host, final boolean isOwnHost)
    {
        this.host = host;
        this.isOwnHost = isOwnHost;
        client = TrunkClient.connect(context.aeron(host.aeron()).listener(this));
    }

    static TestTrunk over(final TestEngine engine)
    {
        return new TestTrunk(context(engine), new TestHost(engine.driverContext()), true);
    }

    static TestTrunk resuming(final TestEngine engine, final ResumeTicket ticket)
    {
        return new TestTrunk(context(engine).ticket(ticket), new TestHost(engine.driverContext()), true);
    }

    /** One of several clients of a host, whose driver the test polls separately. */
    static TestTrunk on(final TestHost host, final TrunkContext context)
    {
        return new TestTrunk(context, host, false);
    }

    static TrunkContext context(final TestEngine engine)
    {
        return new TrunkContext().udp(engine.ingress(), engine.response()).identity("tests").secret(SECRET)
            .clock(engine.clock())
            // The engine's authenticator and log-in have threads, which may wait for a core.
            .connectTimeoutNs(TimeUnit.MINUTES.toNanos(10));
    }

    static MediaDriver.Context driverContext()
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(DriverDirectory.temporary())
            .threadingMode(ThreadingMode.INVOKER)
            // Tasks run where the driver is invoked: time that a test moves must not pass while a thread has no core.
            .asyncExecutorEnabled(false)
            .termBufferSparseFile(true)
            .publicationTermBufferLength(64 * 1_024)
            // As in the profiles.
            .timerIntervalNs(TimeUnit.MILLISECONDS.toNanos(100))
            // The driver touches each page of its counters when it starts.
            .counterValuesBufferLength(1_024 * 1_024)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true);
    }

    /** Forward everything received to another listener too. */
    TestTrunk forwardTo(final TrunkListener listener)
    {
        next = listener;
        return this;
    }

    TrunkClient client()
    {
        return client;
    }

    int poll()
    {
        return (isOwnHost ? host.poll() : 0) + client.poll();
    }

    ClientSeat join(final TestEngine engine, final long roomId, final long playerId)
    {
        final int before = joined.size();
        engine.await("the loop to be attached", this, () -> tryJoin(roomId, playerId));
        engine.await("a seat", this, () -> joined.size() > before);
        return joined.get(before);
    }

    boolean tryJoin(final long roomId, final long playerId)
    {
        return SendStatus.SENT == client.join(playerId, roomId, playerId, NO_TOKEN, NOTHING, 0, 0);
    }

    /** Break the connection without Goodbye. */
    void breakOff()
    {
        client.abandon();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(client, isOwnHost ? host : null);
    }

    @Override
    public void onUp(final boolean isOldTrunk)
    {
        isUp = true;
        isResumed = isOldTrunk;
        next.onUp(isOldTrunk);
    }

    @Override
    public void onDown(final int code)
    {
        isUp = false;
        downCode = code;
        next.onDown(code);
    }

    @Override
    public void onDisconnected(final int code)
    {
        next.onDisconnected(code);
    }

    @Override
    public void onLogIn(final long requestId, final int status, final long playerId, final byte[] token)
    {
        tokens.add(token);
        next.onLogIn(requestId, status, playerId, token);
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat seat)
    {
        joined.add(seat);
        next.onJoined(requestId, seat);
    }

    @Override
    public void onAccepted(final ClientSeat seat)
    {
        next.onAccepted(seat);
    }

    @Override
    public void onSeatResumed(final ClientSeat seat)
    {
        resumed.add(seat);
        next.onSeatResumed(seat);
    }

    @Override
    public void onLeft(final ClientSeat seat, final int reason, final int code)
    {
        left.add(seat);
        next.onLeft(seat, reason, code);
    }

    @Override
    public void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        refusals.add(code);
        next.onRefused(templateId, roomId, seatIndex, reference, code);
    }

    @Override
    public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        events++;
        next.onEvent(seat, buffer, offset, length);
    }

    @Override
    public void onState(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        states++;
        next.onState(seat, buffer, offset, length);
    }
}
