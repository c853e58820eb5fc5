package io.escapement.engine.sample;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.Codes;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.driver.DriverDirectory;
import io.escapement.driver.DriverLauncher;
import io.escapement.driver.DriverProfile;
import io.escapement.engine.Secrets;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** The client that the guide shows: it sends numbered lines to a room until the engine has accepted all of them. */
public final class LinesClient implements TrunkListener
{
    private static final int LINES = 1_000;
    private static final long PLAYER_ID = 7;
    private static final byte[] NO_TOKEN = {};

    private final UnsafeBuffer line = new UnsafeBuffer(new byte[Long.BYTES]);
    private TrunkClient trunk;
    private ClientSeat seat;
    private boolean isSeatLost;

    public static void main(final String[] args)
    {
        final LinesClient client = new LinesClient();
        try (MediaDriver driver = DriverLauncher.launch(DriverProfile.load("shared"), new MediaDriver.Context()
                .aeronDirectoryName(DriverDirectory.temporary()).dirDeleteOnShutdown(true));
            Aeron aeron = Aeron.connect(DriverLauncher.steady(new Aeron.Context())
                .aeronDirectoryName(driver.aeronDirectoryName()));
            TrunkClient trunk = TrunkClient.connect(new TrunkContext().udp(args[0], args[1])
                .secret(Secrets.fromEnvironment("CHAT_TRUNK_SECRET")).identity("lines").aeron(aeron).listener(client)
                .reconnect(TimeUnit.MILLISECONDS.toNanos(50), TimeUnit.MILLISECONDS.toNanos(500))
                .resendLength(64 * 1_024)))
        {
            client.trunk = trunk;
            client.run(Long.parseLong(args[2]));
        }
    }

    private void run(final long roomId)
    {
        final IdleStrategy idle = new BackoffIdleStrategy();
        boolean hasJoined = false;
        long sent = 0;
        while (TrunkClient.State.DOWN != trunk.state() && !isSeatLost && accepted() < LINES)
        {
            int work = trunk.poll();
            line.putLong(0, sent + 1);
            if (!hasJoined)
            {
                hasJoined = SendStatus.SENT == trunk.join(1, roomId, PLAYER_ID, NO_TOKEN, line, 0, 0);
            }
            else if (null != seat && sent < LINES && SendStatus.SENT == trunk.send(seat, line, 0, Long.BYTES))
            {
                sent++;
                work++;
            }
            idle.idle(work);
        }
        System.out.println("accepted " + accepted() + " of " + sent + ", " + trunk.state() + " " + trunk.failure());
    }

    private long accepted()
    {
        return null == seat ? 0 : seat.acceptedSequence();
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat joined)
    {
        // Another seat: the room freed the first one, and only the room knows which lines ran.
        isSeatLost = null != seat && seat != joined;
        seat = joined;
    }

    @Override
    public void onSeatResumed(final ClientSeat resumed)
    {
        seat = resumed;
    }

    @Override
    public void onLeft(final ClientSeat left, final int reason)
    {
        isSeatLost = true;
    }

    @Override
    public void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        System.out.println("refused " + reference + ": " + Codes.nameOf(code));
        isSeatLost |= JoinDecoder.TEMPLATE_ID == templateId;
    }
}
