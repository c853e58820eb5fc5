package io.escapement.perf.loop;

import io.escapement.perf.process.Child;
import io.escapement.perf.process.Findings;
import io.escapement.perf.process.Parent;
import io.escapement.perf.process.ReceivedBlocks;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One run of a ring: a producer writes messages of 64 B as fast as they are taken, a consumer reads them. The producer
 * decides when enough time has passed, and what it has sent until then is what the consumer must have received.
 */
public final class RingRun
{
    /** Messages that the producer sent. */
    public static final String SENT = "sent";
    /** Checksum over them. */
    public static final String SENT_SUM = "sentSum";

    private static final int CLOCK_MASK = 255;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long SPARE_SECONDS = 30;

    private RingRun()
    {
    }

    /** A way for messages from one thread to another. */
    interface Way extends AutoCloseable
    {
        /** Send, waiting while there is no room. */
        void send(UnsafeBuffer message, long sequence);

        /** Whether all that was sent was received. */
        boolean isEmpty();

        /** Throw what went wrong at the other end. */
        void check();

        /** End the consumer and wait until it has. */
        @Override
        void close();
    }

    /**
     * Run it in a process of its own.
     *
     * @param options of the run.
     * @return what was found.
     */
    public static Findings run(final RingOptions options)
    {
        final long limitSeconds =
            TimeUnit.MILLISECONDS.toSeconds((long)options.warmUpMs() + options.measureMs()) + SPARE_SECONDS;
        try (Child child = new Child("ring", RingRun.class, options.toArguments(), limitSeconds))
        {
            return Findings.await(child, (line) -> { });
        }
    }

    /**
     * The process.
     *
     * @param arguments of {@link RingOptions}.
     */
    public static void main(final String[] arguments)
    {
        final RingOptions options = RingOptions.of(arguments);
        final long measureNs = TimeUnit.MILLISECONDS.toNanos(options.measureMs());
        final ReceivedBlocks received = new ReceivedBlocks(measureNs);
        try (Way way = options.isRaw() ? new RawWay(received) : new EngineWay(received))
        {
            measure(way, received, options);
        }
    }

    private static void measure(final Way way, final ReceivedBlocks received, final RingOptions options)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[ReceivedBlocks.MESSAGE_LENGTH]);
        final long warmUpNs = TimeUnit.MILLISECONDS.toNanos(options.warmUpMs());
        final long measureNs = TimeUnit.MILLISECONDS.toNanos(options.measureMs());
        final long startNs = System.nanoTime();
        boolean isRecording = false;
        long sent = 0;
        long sum = 0;
        while (true)
        {
            if (0 == (sent & CLOCK_MASK))
            {
                final long elapsedNs = System.nanoTime() - startNs;
                if (!isRecording && elapsedNs >= warmUpNs)
                {
                    received.record();
                    isRecording = true;
                }
                if (elapsedNs >= warmUpNs + measureNs)
                {
                    break;
                }
            }
            sum += ReceivedBlocks.write(message, sent);
            way.send(message, ++sent);
        }
        final long doneNs = System.nanoTime();
        while (!way.isEmpty() && System.nanoTime() - doneNs < PATIENCE_NS)
        {
            way.check();
            Thread.onSpinWait();
        }
        way.check();
        way.close();
        received.findings().put(SENT, sent).put(SENT_SUM, sum).tell(Parent::tell);
    }
}
