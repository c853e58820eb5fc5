package io.escapement.cluster;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.driver.DriverDirectory;
import org.HdrHistogram.Histogram;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A player of the ledger room over a trunk to the node that leads. The test polls it, and connects it to the next
 * leader when its trunk has gone. A number whose answer did not come may be in the ledger or not; it is not sent again.
 */
final class LedgerPlayer implements TrunkListener, AutoCloseable
{
    private static final long PLAYER = 42;
    private static final byte[] NO_TOKEN = {};

    private final MediaDriver driver = MediaDriver.launch(
        TestNode.driverContext(DriverDirectory.temporary()));
    private final Aeron aeron = Aeron.connect(new Aeron.Context()
        .aeronDirectoryName(driver.aeronDirectoryName())
        .useConductorAgentInvoker(true)
        .driverAgentInvoker(driver.sharedAgentInvoker()));
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[16]);
    private final EventLog events;
    private TrunkClient trunk;
    private TrunkClient.State state;
    private ClientSeat seat;
    private long roomId;
    private boolean isJoining;
    private boolean isWaiting;
    private long sent;
    private long acknowledged;
    private long violations;
    private long count;
    private long answeredNs = System.nanoTime();
    private long longestNs;
    private long longestSinceNs;
    private long sentNs;
    private final Histogram answers = new Histogram(3);

    LedgerPlayer(final EventLog events)
    {
        this.events = events;
    }

    /** Leave the last trunk and connect to a node. */
    void connect(final String ingress, final String response, final long ledgerRoomId)
    {
        CloseHelper.quietClose(trunk);
        seat = null;
        isJoining = false;
        roomId = ledgerRoomId;
        trunk = TrunkClient.connect(new TrunkContext()
            .udp(ingress, response).identity("tests").secret(TestNode.SECRET).aeron(aeron).listener(this));
    }

    /** One duty cycle: at most one number is without an answer. */
    void poll()
    {
        driver.sharedAgentInvoker().invoke();
        aeron.conductorAgentInvoker().invoke();
        if (null == trunk)
        {
            return;
        }
        trunk.poll();
        if (state != trunk.state())
        {
            state = trunk.state();
            events.add("player: trunk " + state);
        }
        if (isDown())
        {
            return;
        }
        if (null == seat)
        {
            isJoining = isJoining || SendStatus.SENT == trunk.join(1, roomId, PLAYER, NO_TOKEN, bytes, 0, 0);
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

    boolean isDown()
    {
        return null == trunk || TrunkClient.State.DOWN == trunk.state();
    }

    long acknowledged()
    {
        return acknowledged;
    }

    long sent()
    {
        return sent;
    }

    /** Numbers in the ledger, with the last answer. */
    long count()
    {
        return count;
    }

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
        events.add("player: down, code " + code);
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
        // The number that had no answer from the last leader never gets one.
        isWaiting = false;
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
        count = buffer.getLong(offset + 8);
        violations = buffer.getLong(offset + 16);
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(trunk, aeron, driver);
    }
}
