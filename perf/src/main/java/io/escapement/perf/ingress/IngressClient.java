package io.escapement.perf.ingress;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.driver.DriverDirectory;
import io.escapement.perf.process.Findings;
import io.escapement.perf.process.Parent;
import io.escapement.perf.process.PerfDriver;
import io.escapement.perf.process.ReceivedBlocks;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.UnsafeBuffer;

/** The process that sends as fast as it is taken. Always busy, until its standard input ends. */
public final class IngressClient
{
    private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(10);
    /** Messages between two looks at the driver and the clock. */
    private static final int CHUNK = 256;
    /** Several, so that a change of phases is compiled before it counts. */
    private static final int WARM_UP_PHASES = 4;

    private final IngressOptions options;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[ReceivedBlocks.MESSAGE_LENGTH]);
    private volatile boolean isEnded;
    private long sent;
    private long sum;

    private IngressClient(final IngressOptions options)
    {
        this.options = options;
    }

    /**
     * Run it.
     *
     * @param arguments of {@link IngressOptions}.
     */
    public static void main(final String[] arguments)
    {
        new IngressClient(IngressOptions.of(arguments)).run();
    }

    private void run()
    {
        final Thread ending = new Thread(() ->
        {
            Parent.awaitEnd();
            isEnded = true;
        });
        ending.setDaemon(true);
        ending.start();
        final String directory = DriverDirectory.temporary();
        final MediaDriver.Context context = PerfDriver.context(directory, ThreadingMode.INVOKER, "busy");
        try (MediaDriver driver = PerfDriver.launch(context, options.isRaw());
            Aeron aeron = PerfDriver.connect(directory, driver.sharedAgentInvoker());
            Sender sender = options.isRaw() ? new RawSender(aeron, options) : new TrunkSender(aeron, options))
        {
            send(sender, driver.sharedAgentInvoker());
        }
    }

    private void send(final Sender sender, final AgentInvoker driver)
    {
        final long startNs = System.nanoTime();
        while (!sender.isReady())
        {
            turn(sender, driver);
            if (System.nanoTime() - startNs > CONNECT_NS)
            {
                throw new IllegalStateException("no connection within " + CONNECT_NS + " ns");
            }
        }
        for (int phase = 1; phase <= WARM_UP_PHASES; phase++)
        {
            flood(sender, driver, phase, options.warmUpMs() / WARM_UP_PHASES);
        }
        flood(sender, driver, WARM_UP_PHASES + 1, options.measureMs());
        message.putInt(Receiver.PHASE, Receiver.END);
        while (!isEnded && !sender.send(message, message.capacity()))
        {
            turn(sender, driver);
        }
        while (!isEnded && !sender.flush())
        {
            turn(sender, driver);
        }
        new Findings().put(IngressRun.SENT, sent).put(IngressRun.SENT_SUM, sum).tell(Parent::tell);
        while (!isEnded)
        {
            turn(sender, driver);
        }
    }

    private void flood(final Sender sender, final AgentInvoker driver, final int phase, final int durationMs)
    {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        message.putInt(Receiver.PHASE, phase);
        while (!isEnded && System.nanoTime() < endNs)
        {
            for (int i = 0; i < CHUNK; i++)
            {
                final long part = ReceivedBlocks.write(message, sent);
                if (!sender.send(message, message.capacity()))
                {
                    break;
                }
                sent++;
                sum += part;
            }
            turn(sender, driver);
        }
    }

    private static void turn(final Sender sender, final AgentInvoker driver)
    {
        PerfDriver.invoke(driver);
        sender.poll();
    }
}
