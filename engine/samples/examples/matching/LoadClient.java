package matching;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.Codes;
import io.escapement.driver.DriverDirectory;
import io.escapement.driver.DriverLauncher;
import io.escapement.driver.DriverProfile;
import io.escapement.engine.Secrets;
import io.escapement.rooms.MessageHandlers;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import matching.codecs.AcceptedDecoder;
import matching.codecs.CancelledDecoder;
import matching.codecs.FilledDecoder;
import matching.codecs.OrdersEncoder;
import matching.codecs.Side;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A seller and a buyer place orders that meet, in turn and at a fixed rate. Arguments: orders per second, seconds to
 * warm up, and seconds to measure. Exit status 0 if each order is acknowledged and the room has each order once.
 */
public final class LoadClient implements TrunkListener
{
    private static final long ROOM_ID = 1;
    private static final int PRICE = 100;
    private static final byte[] NO_TOKEN = {};
    /** Of 1,024 orders without an answer, so the book has more space than the client can fill. */
    private static final int RESEND_LENGTH = 64 * 1_024;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 100};

    private final Trader[] traders = {new Trader(1, Side.SELL), new Trader(2, Side.BUY)};
    private final MessageHandlers<ClientSeat> messages = new MessageHandlers<ClientSeat>()
        .on(new AcceptedDecoder(), (seat, accepted) -> onAccepted((Trader)seat.attachment(), accepted))
        .on(new FilledDecoder(), (seat, filled) -> this.fills++)
        .on(new CancelledDecoder(), (seat, cancelled) -> { });
    private final Histogram histogram = new Histogram(TimeUnit.HOURS.toNanos(1), 3);
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    private final OrdersEncoder encoder = new OrdersEncoder();
    private final long intervalNs;
    private final long warmUp;
    private final long orders;
    private TrunkClient trunk;
    private long startNs;
    private long sent;
    private long fills;
    private long roomOrders;
    private String failure;

    private static final class Trader
    {
        private final int id;
        private final Side side;
        private ClientSeat seat;
        /** The last number before this run, and the last number that the room has acknowledged. */
        private long first;
        private long acknowledged;
        private boolean isReturning;
        private boolean isReady;

        Trader(final int id, final Side side)
        {
            this.id = id;
            this.side = side;
        }
    }

    private LoadClient(final int rate, final int warmUpSeconds, final int seconds)
    {
        intervalNs = TimeUnit.SECONDS.toNanos(1) / rate;
        warmUp = (long)rate * warmUpSeconds;
        orders = warmUp + (long)rate * seconds;
    }

    /** Place the orders, print the report, and exit. */
    public static void main(final String[] args)
    {
        final int rate = Integer.parseInt(args[0]);
        final LoadClient client = new LoadClient(rate, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        final int port = Integer.getInteger("port", 40100);
        try (MediaDriver driver = DriverLauncher.launch(DriverProfile.load("shared"), new MediaDriver.Context()
                .aeronDirectoryName(DriverDirectory.temporary()).dirDeleteOnShutdown(true));
            Aeron aeron = Aeron.connect(DriverLauncher.steady(new Aeron.Context())
                .aeronDirectoryName(driver.aeronDirectoryName()));
            TrunkClient trunk = TrunkClient.connect(new TrunkContext()
                .udp("127.0.0.1:" + port, "127.0.0.1:" + (port + 1))
                .secret(Secrets.fromFile(Path.of("secret"))).identity("load").aeron(aeron).listener(client)
                .reconnect(TimeUnit.MILLISECONDS.toNanos(50), TimeUnit.MILLISECONDS.toNanos(500))
                .connectTimeoutNs(TimeUnit.SECONDS.toNanos(2)).resendLength(RESEND_LENGTH)))
        {
            client.trunk = trunk;
            client.run();
        }
        client.report(rate);
        System.exit(null == client.failure ? 0 : 1);
    }

    private void run()
    {
        final IdleStrategy idle = new BackoffIdleStrategy(100, 10, 1_000, TimeUnit.MICROSECONDS.toNanos(50));
        for (final Trader trader : traders)
        {
            await(idle, () -> SendStatus.SENT == trunk.join(trader.id, ROOM_ID, trader.id, NO_TOKEN, buffer, 0, 0));
        }
        await(idle, () -> traders[0].isReady && traders[1].isReady);
        final long ordersBefore = roomOrders;
        System.out.println("sending");
        startNs = System.nanoTime();
        await(idle, () -> sendDue() && orders == acknowledged());
        if (null == failure && roomOrders - ordersBefore != orders)
        {
            failure = "the room has " + (roomOrders - ordersBefore) + " orders";
        }
    }

    /** Send the orders that are due. Returns whether all are sent. */
    private boolean sendDue()
    {
        final long nowNs = System.nanoTime();
        boolean isAccepting = true;
        while (isAccepting && sent < orders && startNs + sent * intervalNs <= nowNs)
        {
            final Trader trader = traders[(int)(sent % traders.length)];
            final long number = trader.first + 1 + sent / traders.length;
            final int length = encoder.placeOrder(buffer, 0, number, PRICE, 1, trader.side);
            isAccepting = SendStatus.SENT == trunk.send(trader.seat, buffer, 0, length);
            sent += isAccepting ? 1 : 0;
        }
        return orders == sent;
    }

    /** An answer to an order, and to all earlier orders of its trader. */
    private void onAccepted(final Trader trader, final AcceptedDecoder accepted)
    {
        final long nowNs = System.nanoTime();
        if (!trader.isReady)
        {
            trader.first = accepted.clientOrderId();
            trader.acknowledged = trader.first;
            trader.isReady = true;
        }
        else if (trader.isReturning)
        {
            System.out.println(trader.side + " is back: " + trader.acknowledged + " acknowledged, the room has " +
                accepted.clientOrderId());
            fail(accepted.clientOrderId() < trader.acknowledged, "the room has lost acknowledged orders");
        }
        trader.isReturning = false;
        while (trader.acknowledged < accepted.clientOrderId())
        {
            final long order = (trader.acknowledged++ - trader.first) * traders.length + trader.id - 1;
            if (order >= warmUp)
            {
                histogram.recordValue(nowNs - (startNs + order * intervalNs));
            }
        }
        roomOrders = Math.max(roomOrders, accepted.orderId());
    }

    private long acknowledged()
    {
        return traders[0].acknowledged - traders[0].first + traders[1].acknowledged - traders[1].first;
    }

    private void await(final IdleStrategy idle, final BooleanSupplier condition)
    {
        long progress = -1;
        long deadlineNs = 0;
        while (null == failure && !condition.getAsBoolean())
        {
            idle.idle(trunk.poll());
            final long nowNs = System.nanoTime();
            if (acknowledged() != progress)
            {
                progress = acknowledged();
                deadlineNs = nowNs + PATIENCE_NS;
            }
            fail(TrunkClient.State.DOWN == trunk.state() || nowNs - deadlineNs > 0, "no answer: " + trunk.failure());
        }
    }

    private void fail(final boolean hasFailed, final String text)
    {
        failure = null == failure && hasFailed ? text : failure;
    }

    private void report(final int rate)
    {
        System.out.printf(Locale.ROOT, "%,d orders at %,d per second: %,d acknowledged, %,d fills%n",
            orders, rate, acknowledged(), fills);
        for (final double percentile : PERCENTILES)
        {
            System.out.printf(Locale.ROOT, "%5.1f %% of %,d within %,d us%n", percentile, histogram.getTotalCount(),
                TimeUnit.NANOSECONDS.toMicros(histogram.getValueAtPercentile(percentile)));
        }
        System.out.println(null == failure ? "the room has each order once" : "FAILED: " + failure);
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat seat)
    {
        final Trader trader = traders[(int)requestId - 1];
        fail(null != trader.seat && seat != trader.seat, "the seat was freed: start the client again");
        seat.attachment(trader);
        trader.seat = seat;
        trader.isReturning = true;
    }

    @Override
    public void onSeatResumed(final ClientSeat seat)
    {
        ((Trader)seat.attachment()).isReturning = true;
    }

    @Override
    public void onLeft(final ClientSeat seat, final int reason)
    {
        fail(true, "the seat was freed: start the client again");
    }

    @Override
    public void onEvent(final ClientSeat seat, final DirectBuffer message, final int offset, final int length)
    {
        messages.onMessage(seat, message, offset, length);
    }

    @Override
    public void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        fail(true, "refused: " + Codes.nameOf(code));
    }
}
