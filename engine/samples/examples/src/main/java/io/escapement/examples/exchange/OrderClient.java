package io.escapement.examples.exchange;

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
import io.escapement.examples.exchange.codecs.ExchangeEncoder;
import io.escapement.examples.exchange.codecs.ExecutedDecoder;
import io.escapement.examples.exchange.codecs.Side;
import io.escapement.examples.exchange.codecs.TopDecoder;
import io.escapement.rooms.MessageHandlers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Two traders on one trunk place orders at a fixed rate, a seller's and then a buyer's that meets it. An order's time
 * runs from when it was due to be sent, not from when it was sent. A stall thus counts for every order that it delayed.
 * It survives a kill of the server, which keeps a journal. After a kill of the client the next client has the same
 * traders and continues with the first order that the room has not executed.
 */
@Command(name = "orders", mixinStandardHelpOptions = true,
    description = "Place orders at a fixed rate and print the percentiles of the time from an order to its acceptance.",
    footer = {"", "The exit status is 0 if every order was accepted, every pair traded and the ledger has every trade.",
        "", "Examples:",
        "  orders --orders 20000 --rate 2000",
        "  orders --server 10.0.0.5:40100 --respond 10.0.0.5:40101 --warm-up 0"})
public final class OrderClient implements Callable<Integer>, TrunkListener
{
    private static final long RECONNECT_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long MAX_RECONNECT_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** A log-in or a join without an answer is retried. */
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    /** A refused join is. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Twice the orders that two traders have open, of a block each. */
    private static final int RESEND_LENGTH = 16 * 1_024;
    private static final long MAX_LATENCY_NS = TimeUnit.MINUTES.toNanos(10);
    private static final int PRICE = 100;
    /** Lines of the report for each halving of the distance to 100 %. */
    private static final int TICKS = 2;
    private static final double NS_PER_US = 1_000;
    private static final int KEY_LENGTH = 32;
    private static final long UNKNOWN = -1;

    @Spec
    private CommandSpec spec;

    @Option(names = "--server", defaultValue = "127.0.0.1:40100",
        description = "The server's --listen (default: ${DEFAULT-VALUE}).")
    private String server;

    @Option(names = "--respond", defaultValue = "127.0.0.1:40101",
        description = "The server's --respond (default: ${DEFAULT-VALUE}).")
    private String respond;

    @Option(names = "--secret-file", defaultValue = "secret",
        description = "The server's --secret-file (default: ${DEFAULT-VALUE}).")
    private Path secretFile;

    @Option(names = "--key-file", defaultValue = "data/orders.key", description = "File with the two traders' " +
        "keys, created at the first use (default: ${DEFAULT-VALUE}).")
    private Path keyFile;

    @Option(names = "--orders", defaultValue = "20000", description = "Measured orders (default: ${DEFAULT-VALUE}).")
    private int orders;

    @Option(names = "--warm-up", defaultValue = "20000",
        description = "Orders before the measurement (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--rate", defaultValue = "2000", description = "Orders per second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--patience", defaultValue = "30", paramLabel = "SECONDS",
        description = "Stop after this time without an answer (default: ${DEFAULT-VALUE}).")
    private int patience;

    private final MessageHandlers<ClientSeat> messages = new MessageHandlers<ClientSeat>()
        .on(new ExecutedDecoder(), this::onExecuted)
        .on(new TopDecoder(), (seat, top) -> this.onTop(top));
    private final Histogram histogram = new Histogram(MAX_LATENCY_NS, 3);
    private final Trader[] traders = {new Trader(Side.SELL), new Trader(Side.BUY)};
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    private final ExchangeEncoder encoder = new ExchangeEncoder();
    private TrunkClient trunk;
    private long trades = UNKNOWN;
    private long booked;

    /** A player of this trunk. */
    private final class Trader
    {
        private final Side side;
        private final TraderOrders orders = new TraderOrders(this::send, histogram);
        private byte[] key;
        private ClientSeat seat;
        private long playerId;
        private byte[] token;
        private long logInNs;

        Trader(final Side side)
        {
            this.side = side;
        }

        private long send(final long number)
        {
            final int length = encoder.placeOrder(buffer, 0, number, PRICE, 1, side);
            return SendStatus.SENT == trunk.send(seat, buffer, 0, length) ? seat.sequence() : TraderOrders.NOT_SENT;
        }

        private boolean isSeated()
        {
            return null != seat && seat.isPresent();
        }

        /** The trunk restores a seat itself, unless it was freed or the token is not valid any more. */
        private void advance(final long nowNs)
        {
            if (isSeated())
            {
                return;
            }
            if (null != token && SendStatus.SENT ==
                trunk.join(side.value(), ExchangeGame.ROOM_ID, playerId, token, buffer, 0, 0))
            {
                token = null;
            }
            if (nowNs - logInNs >= 0 && SendStatus.SENT == trunk.logIn(side.value(), key))
            {
                logInNs = nowNs + RETRY_NS;
            }
        }
    }

    private OrderClient()
    {
    }

    /** Place orders, and exit with 0, 1 or 2 for wrong usage. */
    public static void main(final String[] args)
    {
        DriverLauncher.setUmask(false);
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine()
    {
        return new CommandLine(new OrderClient()).setExecutionExceptionHandler((ex, line, parsed) ->
        {
            line.getErr().println("orders: " + ex.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        });
    }

    @Override
    public Integer call() throws IOException
    {
        if (orders < 2 || warmUp < 0 || rate < 1 || rate > 1_000_000 || patience < 1)
        {
            throw new ParameterException(spec.commandLine(),
                "use --orders 2 or more, --warm-up 0 or more, --rate 1 to 1000000, --patience 1 or more");
        }
        readKeys();
        // Pairs of a seller and a buyer.
        final int pairs = (orders + warmUp) / 2;
        try (MediaDriver driver = DriverLauncher.launch(DriverProfile.load("shared"), new MediaDriver.Context()
                .aeronDirectoryName(DriverDirectory.temporary()).dirDeleteOnShutdown(true));
            Aeron aeron = Aeron.connect(DriverLauncher.steady(new Aeron.Context())
                .aeronDirectoryName(driver.aeronDirectoryName()));
            TrunkClient client = TrunkClient.connect(new TrunkContext().udp(server, respond)
                .secret(Secrets.fromFile(secretFile)).identity("orders").aeron(aeron).listener(this)
                .reconnect(RECONNECT_NS, MAX_RECONNECT_NS).resendLength(RESEND_LENGTH)))
        {
            trunk = client;
            if (!await(() -> UNKNOWN != trades && all((one) -> one.isReconciled())))
            {
                throw new IllegalStateException("no seat at the exchange: " + client.failure());
            }
            final long tradesBefore = trades;
            final long expected = plan(pairs);
            final boolean isComplete = await(() -> all(TraderOrders::isDone)) &&
                await(() -> trades - tradesBefore >= expected && booked == trades);
            report(spec.commandLine().getOut(), pairs, tradesBefore);
            return isComplete && all((one) -> 0 == one.refused()) ? 0 : 1;
        }
    }

    /** Two keys, which the next client also has. */
    private void readKeys() throws IOException
    {
        if (!Files.exists(keyFile))
        {
            final byte[] random = new byte[traders.length * KEY_LENGTH];
            new SecureRandom().nextBytes(random);
            Files.createDirectories(keyFile.toAbsolutePath().getParent());
            Files.write(keyFile, random);
        }
        final byte[] keys = Files.readAllBytes(keyFile);
        for (int i = 0; i < traders.length; i++)
        {
            traders[i].key = Arrays.copyOfRange(keys, i * KEY_LENGTH, (i + 1) * KEY_LENGTH);
        }
    }

    /** Plan orders from the first order that the room has not executed. Returns the trades that they make. */
    private long plan(final int pairs)
    {
        final long first = Math.min(
            traders[0].orders.executed().lowestOpen(), traders[1].orders.executed().lowestOpen());
        spec.commandLine().getOut().println("orders from number " + first + " on");
        spec.commandLine().getOut().flush();
        final long recorded = first + warmUp / 2;
        final long intervalNs = TimeUnit.SECONDS.toNanos(1) / rate;
        final long startNs = System.nanoTime();
        for (int i = 0; i < traders.length; i++)
        {
            final int turn = i;
            traders[i].orders.plan(
                first, pairs, recorded, (number) -> startNs + (2 * (number - first) + turn) * intervalNs);
        }
        long expected = 0;
        for (long number = first; number < first + pairs; number++)
        {
            expected += traders[0].orders.executed().has(number) && traders[1].orders.executed().has(number) ? 0 : 1;
        }
        return expected;
    }

    /** Run until a condition holds, or no order was answered for long. */
    private boolean await(final BooleanSupplier condition)
    {
        long decided = UNKNOWN;
        long endNs = 0;
        while (!condition.getAsBoolean() && TrunkClient.State.DOWN != trunk.state())
        {
            final long nowNs = System.nanoTime();
            final long open = Math.min(traders[0].orders.open(), traders[1].orders.open());
            for (final Trader trader : traders)
            {
                trader.advance(nowNs);
                // The orders of a seller wait in the book for the buyer's, and few of them may.
                trader.orders.step(nowNs, open + TraderOrders.WINDOW);
            }
            trunk.flush();
            trunk.poll();
            final long progress = traders[0].orders.open() + traders[1].orders.open() + Math.max(booked, 0);
            if (progress != decided)
            {
                decided = progress;
                endNs = nowNs + TimeUnit.SECONDS.toNanos(patience);
            }
            if (nowNs - endNs >= 0)
            {
                return false;
            }
        }
        return condition.getAsBoolean();
    }

    private boolean all(final Predicate<TraderOrders> predicate)
    {
        return predicate.test(traders[0].orders) && predicate.test(traders[1].orders);
    }

    private long sum(final ToLongFunction<TraderOrders> count)
    {
        return count.applyAsLong(traders[0].orders) + count.applyAsLong(traders[1].orders);
    }

    private void report(final PrintWriter out, final int pairs, final long tradesBefore)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        histogram.outputPercentileDistribution(
            new PrintStream(bytes, true, StandardCharsets.US_ASCII), TICKS, NS_PER_US);
        out.println("Microseconds from the time at which an order was due to be sent until it was accepted:");
        out.println(bytes.toString(StandardCharsets.US_ASCII));
        for (final Trader trader : traders)
        {
            trader.orders.refusalsByCodeMap().forEach((code, count) ->
                out.printf(Locale.ROOT, "%s: refused with %s: %,d%n", trader.side, Codes.nameOf(code), count));
        }
        out.printf(Locale.ROOT, "%,d sent again, %,d accepted by what the room said after a return%n",
            sum(TraderOrders::resent), sum(TraderOrders::acceptedAtReturn));
        out.printf(Locale.ROOT, "%,d orders at %,d a second after %,d to warm up: %,d accepted, %,d refused, " +
            "%,d unknown, %,d trades, %,d in the ledger%n", 2 * pairs - warmUp, rate, warmUp,
            sum(TraderOrders::accepted), sum(TraderOrders::refused), sum(TraderOrders::unknown), trades - tradesBefore,
            booked - tradesBefore);
        out.flush();
    }

    private void onExecuted(final ClientSeat seat, final ExecutedDecoder message)
    {
        trader(seat).orders.onExecuted(message.clientOrderId(), message.window(), System.nanoTime());
    }

    private void onTop(final TopDecoder top)
    {
        trades = top.trades();
        booked = top.booked();
    }

    private Trader trader(final ClientSeat seat)
    {
        return seat.playerId() == traders[0].playerId ? traders[0] : traders[1];
    }

    @Override
    public void onUp(final boolean isResumed)
    {
        final long nowNs = System.nanoTime();
        for (final Trader trader : traders)
        {
            trader.logInNs = isResumed ? nowNs + RETRY_NS : nowNs;
        }
    }

    @Override
    public void onDisconnected(final int code)
    {
        for (final Trader trader : traders)
        {
            trader.orders.onAway();
        }
    }

    @Override
    public void onLogIn(final long requestId, final int status, final long playerId, final byte[] token)
    {
        final Trader trader = traders[Side.SELL.value() == requestId ? 0 : 1];
        if (0 == status)
        {
            trader.playerId = playerId;
            trader.token = token;
        }
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat seat)
    {
        onReturned(seat);
    }

    @Override
    public void onSeatResumed(final ClientSeat seat)
    {
        onReturned(seat);
    }

    private void onReturned(final ClientSeat seat)
    {
        final Trader trader = trader(seat);
        trader.orders.onReturned(trader.seat == seat, seat.acceptedSequence());
        trader.seat = seat;
        trader.token = null;
    }

    @Override
    public void onSeatAway(final ClientSeat seat, final int reason)
    {
        trader(seat).orders.onAway();
    }

    @Override
    public void onLeft(final ClientSeat seat, final int reason)
    {
        trader(seat).orders.onAway();
        trader(seat).seat = null;
    }

    @Override
    public void onAccepted(final ClientSeat seat)
    {
        trader(seat).orders.onAccepted(seat.acceptedSequence(), System.nanoTime());
    }

    @Override
    public void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        final long nowNs = System.nanoTime();
        for (final Trader trader : traders)
        {
            if (JoinDecoder.TEMPLATE_ID == templateId)
            {
                if (!trader.isSeated() && reference == trader.side.value())
                {
                    trader.logInNs = nowNs + PAUSE_NS;
                }
            }
            else if (null != trader.seat && trader.seat.index() == seatIndex)
            {
                trader.orders.onRefused(reference, code, nowNs);
            }
        }
    }

    @Override
    public void onEvent(final ClientSeat seat, final DirectBuffer message, final int offset, final int length)
    {
        messages.onMessage(seat, message, offset, length);
    }

    @Override
    public void onState(final ClientSeat seat, final DirectBuffer message, final int offset, final int length)
    {
        messages.onMessage(seat, message, offset, length);
    }
}
