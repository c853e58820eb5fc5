package io.escapement.examples.exchange;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.driver.DriverDirectory;
import io.escapement.driver.DriverLauncher;
import io.escapement.driver.DriverProfile;
import io.escapement.engine.Secrets;
import io.escapement.examples.exchange.codecs.AcceptedDecoder;
import io.escapement.examples.exchange.codecs.FilledDecoder;
import io.escapement.examples.exchange.codecs.MessageHeaderEncoder;
import io.escapement.examples.exchange.codecs.PlaceOrderEncoder;
import io.escapement.examples.exchange.codecs.Side;
import io.escapement.examples.exchange.codecs.TopDecoder;
import io.escapement.rooms.MessageHandlers;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
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
 * runs from when it was due to be sent, not from when it was, so a stall counts for every order that it delayed.
 */
@Command(name = "orders", mixinStandardHelpOptions = true,
    description = "Place orders at a fixed rate and print the percentiles of the time from an order to its acceptance.",
    footer = {"", "Exit status 0 if every order was accepted, every pair traded and the ledger has every trade."})
public final class OrderClient implements Callable<Integer>, TrunkListener
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long MAX_LATENCY_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int PRICE = 100;
    /** Lines of the report for each halving of the distance to 100 %. */
    private static final int TICKS = 2;
    private static final double NS_PER_US = 1_000;
    private static final int KEY_LENGTH = 32;
    private static final long UNKNOWN = -1;

    @Spec
    private CommandSpec spec;

    @Option(names = "--server", defaultValue = "127.0.0.1:40100",
        description = "--listen of the server (default: ${DEFAULT-VALUE}).")
    private String server;

    @Option(names = "--respond", defaultValue = "127.0.0.1:40101",
        description = "--respond of the server (default: ${DEFAULT-VALUE}).")
    private String respond;

    @Option(names = "--secret-file", defaultValue = "secret",
        description = "--secret-file of the server (default: ${DEFAULT-VALUE}).")
    private Path secretFile;

    @Option(names = "--orders", defaultValue = "20000", description = "Orders that count (default: ${DEFAULT-VALUE}).")
    private int orders;

    @Option(names = "--warm-up", defaultValue = "20000",
        description = "Orders before them that do not (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--rate", defaultValue = "2000", description = "Orders a second (default: ${DEFAULT-VALUE}).")
    private int rate;

    private final MessageHandlers<ClientSeat> messages = new MessageHandlers<ClientSeat>()
        .on(new AcceptedDecoder(), this::onAccepted)
        .on(new FilledDecoder(), (seat, fill) -> this.fills++)
        .on(new TopDecoder(), (seat, top) -> this.booked = top.booked());
    private final Histogram histogram = new Histogram(MAX_LATENCY_NS, 3);
    private final ClientSeat[] traders = new ClientSeat[2];
    private final long[] playerIds = new long[2];
    private final byte[][] tokens = new byte[2][];
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final PlaceOrderEncoder order = new PlaceOrderEncoder();
    private TrunkClient trunk;
    private long startNs;
    private long intervalNs;
    private long acceptances;
    private long fills;
    private long booked = UNKNOWN;
    private long bookedBefore;
    private long refusals;

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
    public Integer call()
    {
        if (orders < 2 || warmUp < 0 || rate < 1 || rate > 1_000_000)
        {
            throw new ParameterException(spec.commandLine(),
                "use --orders 2 or more, --warm-up 0 or more, --rate 1 to 1000000");
        }
        intervalNs = TimeUnit.SECONDS.toNanos(1) / rate;
        // Pairs of a seller and a buyer.
        final int all = (orders + warmUp) & ~1;
        try (MediaDriver driver = DriverLauncher.launch(DriverProfile.load("shared"), new MediaDriver.Context()
                .aeronDirectoryName(DriverDirectory.temporary()).dirDeleteOnShutdown(true));
            Aeron aeron = Aeron.connect(DriverLauncher.steady(new Aeron.Context())
                .aeronDirectoryName(driver.aeronDirectoryName()));
            TrunkClient client = TrunkClient.connect(new TrunkContext().udp(server, respond)
                .secret(Secrets.fromFile(secretFile)).identity("orders").aeron(aeron).listener(this)))
        {
            trunk = client;
            final boolean isSeated = await(() -> isSeated() && UNKNOWN != booked);
            bookedBefore = booked;
            final boolean isComplete =
                isSeated && placeOrders(all) && await(() -> booked - bookedBefore >= all / 2);
            report(spec.commandLine().getOut(), all);
            return isComplete ? 0 : 1;
        }
    }

    private boolean placeOrders(final int all)
    {
        startNs = System.nanoTime();
        int sent = 0;
        final long endNs = startNs + all * intervalNs + PATIENCE_NS;
        while (acceptances + refusals < all && System.nanoTime() - endNs < 0)
        {
            while (sent < all && System.nanoTime() - dueNs(sent) >= 0 && isSent(sent))
            {
                sent++;
            }
            trunk.flush();
            trunk.poll();
        }
        return acceptances == all && fills == all;
    }

    private boolean isSent(final int number)
    {
        order.wrapAndApplyHeader(buffer, 0, header).clientOrderId(number).price(PRICE).quantity(1)
            .side(0 == (number & 1) ? Side.SELL : Side.BUY);
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + order.encodedLength();
        return SendStatus.SENT == trunk.send(traders[number & 1], buffer, 0, length);
    }

    private long dueNs(final long number)
    {
        return startNs + number * intervalNs;
    }

    private boolean await(final BooleanSupplier condition)
    {
        final long endNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean() && System.nanoTime() - endNs < 0)
        {
            trunk.poll();
        }
        return condition.getAsBoolean();
    }

    private void report(final PrintWriter out, final int all)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        histogram.outputPercentileDistribution(
            new PrintStream(bytes, true, StandardCharsets.US_ASCII), TICKS, NS_PER_US);
        out.println("Microseconds from the time at which an order was due to be sent until it was accepted:");
        out.println(bytes.toString(StandardCharsets.US_ASCII));
        out.printf(Locale.ROOT, "%,d orders at %,d a second after %,d to warm up: %,d accepted, %,d refused, " +
            "%,d trades, %,d in the ledger%n", all - warmUp, rate, warmUp, acceptances, refusals, fills / 2,
            booked - bookedBefore);
        out.flush();
    }

    private void onAccepted(final ClientSeat seat, final AcceptedDecoder message)
    {
        acceptances++;
        if (message.clientOrderId() >= warmUp)
        {
            histogram.recordValue(Math.min(MAX_LATENCY_NS, System.nanoTime() - dueNs(message.clientOrderId())));
        }
    }

    @Override
    public void onUp(final boolean isResumed)
    {
        final SecureRandom random = new SecureRandom();
        for (int i = 0; i < traders.length; i++)
        {
            // A guest is known by a random key.
            final byte[] key = new byte[KEY_LENGTH];
            random.nextBytes(key);
            trunk.logIn(i, key);
        }
    }

    @Override
    public void onLogIn(final long requestId, final int status, final long playerId, final byte[] token)
    {
        playerIds[(int)requestId] = playerId;
        tokens[(int)requestId] = token;
    }

    /** A join is tried until the trunk has a stream to the room's loop. */
    private boolean isSeated()
    {
        for (int i = 0; i < traders.length; i++)
        {
            if (null != tokens[i] && SendStatus.SENT ==
                trunk.join(i, ExchangeGame.ROOM_ID, playerIds[i], tokens[i], buffer, 0, 0))
            {
                tokens[i] = null;
            }
        }
        trunk.flush();
        return null != traders[0] && null != traders[1];
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat seat)
    {
        traders[(int)requestId] = seat;
    }

    @Override
    public void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        refusals++;
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
