package io.escapement.perf.echo;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.driver.DriverDirectory;
import io.escapement.perf.process.CompilerTime;
import io.escapement.perf.process.Findings;
import io.escapement.perf.process.IntervalRecorder;
import io.escapement.perf.process.Parent;
import io.escapement.perf.process.PerfDriver;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The process that sends at a rate and records how long each message took, from the time at which it was planned to be
 * sent: when the server stands still, the messages that could not even be sent count as well. Always busy.
 *
 * <p>It tells {@link EchoRun#RECORDING} when what counts begins, and findings in the end.
 */
public final class EchoClient
{
    private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int WARM_UP_RATE = 50_000;
    /** Where a part ends, code met a branch for the first time, and was compiled anew in the part after it. */
    private static final int WARM_UP_PARTS = 4;
    private static final int PLANNED = 0;
    private static final int SEQUENCE = 8;

    private final EchoOptions options;
    private final IntervalRecorder recorder;
    private final UnsafeBuffer message;
    private long sent;
    private long received;
    private long orderFaults;
    private long sentSum;
    private long receivedSum;
    private long recorded;
    private long recordFromNs = Long.MAX_VALUE;

    private EchoClient(final EchoOptions options)
    {
        this.options = options;
        recorder = new IntervalRecorder(
            TimeUnit.MILLISECONDS.toNanos(options.measureMs()), IntervalRecorder.DEFAULT_INTERVALS);
        message = new UnsafeBuffer(new byte[Math.max(EchoOptions.MIN_SIZE, options.size())]);
    }

    /**
     * Run it.
     *
     * @param arguments of {@link EchoOptions}.
     */
    public static void main(final String[] arguments)
    {
        new EchoClient(EchoOptions.of(arguments)).run();
    }

    private void run()
    {
        if (options.isIpc())
        {
            try (Aeron aeron = PerfDriver.connect(options.directory(), null))
            {
                measure(aeron, null);
            }
            return;
        }
        final String directory = DriverDirectory.temporary();
        final MediaDriver.Context context = PerfDriver.context(directory, ThreadingMode.INVOKER, "busy");
        try (MediaDriver driver = PerfDriver.launch(context, options.isRaw());
            Aeron aeron = PerfDriver.connect(directory, driver.sharedAgentInvoker()))
        {
            measure(aeron, driver.sharedAgentInvoker());
        }
    }

    private void measure(final Aeron aeron, final AgentInvoker driver)
    {
        try (EchoTransport transport = options.isRaw() ?
            new RawTransport(aeron, options, this::onEcho) : new EngineTransport(aeron, options, this::onEcho))
        {
            final long startNs = System.nanoTime();
            while (!transport.isReady())
            {
                PerfDriver.invoke(driver);
                transport.poll();
                if (System.nanoTime() - startNs > CONNECT_NS)
                {
                    throw new IllegalStateException("no connection within " + CONNECT_NS + " ns");
                }
            }
            load(transport, driver, Math.max(WARM_UP_RATE, options.rate()), options.warmUpMs() / 2);
            for (int i = 0; i < WARM_UP_PARTS; i++)
            {
                record();
                load(transport, driver, options.rate(), options.warmUpMs() / 2 / WARM_UP_PARTS);
            }
            record();
            Parent.tell(EchoRun.RECORDING);
            final long before = sent;
            final long compiledMs = CompilerTime.ms();
            final long tookNs = load(transport, driver, options.rate(), options.measureMs());
            final long planned = TimeUnit.MILLISECONDS.toNanos(options.measureMs());
            new Findings()
                .put(EchoRun.SENT, sent - before)
                .put(EchoRun.RECEIVED, recorded)
                .put(EchoRun.ORDER_FAULTS, orderFaults)
                .put(EchoRun.CHECKSUM_DIFFERENCE, sentSum - receivedSum)
                .put(EchoRun.COMPILED_MS, CompilerTime.ms() - compiledMs)
                .put(EchoRun.RATE_PERMILLE, 1_000 * planned / tookNs)
                .add(EchoRun.LATENCY, recorder.stop(System.nanoTime()))
                .tell(Parent::tell);
        }
    }

    /** What is sent from here on counts, and nothing before. The warm-up records as well, for the code's sake. */
    private void record()
    {
        recorded = 0;
        recorder.start(System.nanoTime());
        recordFromNs = System.nanoTime();
    }

    /** Send at a rate for a while, and await the answers. How long it took until the last was taken. */
    private long load(final EchoTransport transport, final AgentInvoker driver, final int rate, final int durationMs)
    {
        final long count = (long)rate * durationMs / 1_000;
        final double intervalNs = 1e9 / rate;
        final long startNs = System.nanoTime();
        long next = 0;
        while (next < count)
        {
            PerfDriver.invoke(driver);
            transport.poll();
            final long nowNs = System.nanoTime();
            long plannedNs = startNs + (long)(next * intervalNs);
            boolean isSent = false;
            while (next < count && nowNs >= plannedNs)
            {
                message.putLong(PLANNED, plannedNs);
                message.putLong(SEQUENCE, sent);
                if (!transport.send(message, message.capacity()))
                {
                    break;
                }
                isSent = true;
                sentSum += plannedNs ^ sent;
                sent++;
                next++;
                plannedNs = startNs + (long)(next * intervalNs);
            }
            if (isSent && null != driver)
            {
                driver.invoke();
            }
        }
        final long tookNs = Math.max(System.nanoTime() - startNs, 1);
        drain(transport, driver);
        return tookNs;
    }

    private void drain(final EchoTransport transport, final AgentInvoker driver)
    {
        final long startNs = System.nanoTime();
        while (received < sent && System.nanoTime() - startNs < DRAIN_NS)
        {
            PerfDriver.invoke(driver);
            transport.poll();
        }
    }

    private void onEcho(final DirectBuffer buffer, final int offset, final int length)
    {
        final long plannedNs = buffer.getLong(offset + PLANNED);
        final long sequence = buffer.getLong(offset + SEQUENCE);
        if (sequence != received || length != message.capacity())
        {
            orderFaults++;
        }
        received++;
        receivedSum += plannedNs ^ sequence;
        if (plannedNs >= recordFromNs)
        {
            final long nowNs = System.nanoTime();
            recorded++;
            recorder.record(nowNs, nowNs - plannedNs);
        }
    }
}
