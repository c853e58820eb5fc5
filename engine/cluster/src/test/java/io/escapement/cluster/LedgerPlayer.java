package io.escapement.cluster;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.driver.DriverDirectory;
import io.escapement.testsupport.RealTime;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A player of the ledger room over a trunk that knows all nodes, and is resumed where the next one leads. A number that
 * the leader had not accepted is sent again, so each is in the ledger exactly once, and its answer counts as many.
 */
@RealTime("a helper of processes that are killed")
final class LedgerPlayer implements TrunkListener, AutoCloseable
{
    private static final long PLAYER = 42;
    private static final byte[] NO_TOKEN = {};
    private static final int KEPT_LENGTH = 64 * 1_024;

    private final MediaDriver driver = MediaDriver.launch(
        TestNode.driverContext(DriverDirectory.temporary()));
    private final Aeron aeron = Aeron.connect(new Aeron.Context()
        .aeronDirectoryName(driver.aeronDirectoryName())
        .useConductorAgentInvoker(true)
        .driverAgentInvoker(driver.sharedAgentInvoker()));
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[16]);
    private final EventLog events;
    private final TrunkClient trunk;
    private TrunkClient.State state;
    private ClientSeat seat;
    private long roomId;
    private boolean isJoining;
    private boolean isWaiting;
    private long sent;
    private long acknowledged;
    private long violations;
    private long resumed;
    private long answeredNs = System.nanoTime();
    private long longestNs;
    private long longestSinceNs;
    private long sentNs;
    private final Histogram answers = new Histogram(3);

    LedgerPlayer(final EventLog events, final List<TestNode.Endpoints> nodes)
    {
        this.events = events;
        final TrunkContext context = new TrunkContext().identity("tests").secret(TestNode.SECRET).aeron(aeron)
            .listener(this).resendLength(KEPT_LENGTH);
        nodes.forEach((node) -> context.member(node.ingress(), node.response()));
        trunk = TrunkClient.connect(context);
    }

    /** Play in this room. */
    void join(final long ledgerRoomId)
    {
        roomId = ledgerRoomId;
    }

    /** One duty cycle: at most one number is without an answer. */
    void poll()
    {
        driver.sharedAgentInvoker().invoke();
        aeron.conductorAgentInvoker().invoke();
        trunk.poll();
        if (state != trunk.state())
        {
            state = trunk.state();
            events.add("player: trunk " + state);
        }
        if (null == seat)
        {
            isJoining = isJoining ||
                0 != roomId && SendStatus.SENT == trunk.join(1, roomId, PLAYER, NO_TOKEN, bytes, 0, 0);
        }
        else if (!isWaiting)
        {
            send();
        }
    }

    private void send()
    {
        bytes.putLong(0, sent + 1);
        bytes.putLong(8, acknowledged);
        if (SendStatus.SENT == trunk.send(seat, bytes, 0, 16))
        {
            sent++;
            isWaiting = true;
            sentNs = System.nanoTime();
        }
    }

    long acknowledged()
    {
        return acknowledged;
    }

    long sent()
    {
        return sent;
    }

    /** How often the seat was resumed. */
    long resumed()
    {
        return resumed;
    }

    /** Answers that show a number which is missing in the ledger or there twice. */
    long violations()
    {
        return violations;
    }

    /** Times from a number to its answer, in nanoseconds. */
    Histogram answers()
    {
        return answers;
    }

    /** The longest time without an answer since the last call. */
    long takeLongestNs()
    {
        final long taken = longestNs;
        longestNs = 0;
        return taken;
    }

    /** When the last answer before that time came. */
    long longestSinceNs()
    {
        return longestSinceNs;
    }

    @Override
    public void onDown(final int code)
    {
        throw new AssertionError("the trunk is down, code " + code + ": " + trunk.failure());
    }

    @Override
    public void onDisconnected(final int code)
    {
        events.add("player: disconnected, code " + code);
    }

    @Override
    public void onRefused(
        final int templateId, final long refusedRoomId, final int seatIndex, final long reference, final int code)
    {
        events.add("player: template " + templateId + " refused, code " + code);
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat joined)
    {
        events.add("player: joined");
        seat = joined;
        onReturned();
    }

    @Override
    public void onSeatResumed(final ClientSeat returned)
    {
        events.add("player: resumed");
        // Its Joined may have been lost with the leader.
        seat = returned;
        resumed++;
        onReturned();
    }

    private void onReturned()
    {
        if (isWaiting && seat.acceptedSequence() == seat.sequence())
        {
            // The number is in the ledger, and the last leader took its answer along.
            acknowledged = sent;
            isWaiting = false;
        }
    }

    @Override
    public void onEvent(final ClientSeat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final long nowNs = System.nanoTime();
        if (nowNs - answeredNs > longestNs)
        {
            longestNs = nowNs - answeredNs;
            longestSinceNs = answeredNs;
        }
        answeredNs = nowNs;
        answers.recordValue(nowNs - sentNs);
        isWaiting = false;
        acknowledged = buffer.getLong(offset);
        violations = buffer.getLong(offset + 16) + (acknowledged == buffer.getLong(offset + 8) ? 0 : 1);
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(trunk, aeron, driver);
    }
}
