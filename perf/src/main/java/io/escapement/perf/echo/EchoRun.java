package io.escapement.perf.echo;

import io.escapement.perf.process.Child;
import io.escapement.perf.process.Findings;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** One run: a server and a client, made for it and gone after it. */
public final class EchoRun
{
    /** Messages that were sent and counted. */
    public static final String SENT = "sent";
    /** Those of them that came back. */
    public static final String RECEIVED = "received";
    /** Messages that came back in another order, or with another length. */
    public static final String ORDER_FAULTS = "orderFaults";
    /** Checksum over what was sent less that over what came back. */
    public static final String CHECKSUM_DIFFERENCE = "checksumDifference";
    /** How much of the planned rate was reached. */
    public static final String RATE_PERMILLE = "ratePermille";
    /** For how many milliseconds the compilers of client and server worked while it counted. */
    public static final String COMPILED_MS = "compiledMs";
    /** Series: from the planned send to the return. */
    public static final String LATENCY = "latency";

    static final String RECORDING = "RECORDING";
    private static final long SPARE_SECONDS = 40;

    private EchoRun()
    {
    }

    /**
     * Run it.
     *
     * @param options of the run.
     * @return what was found.
     */
    public static Findings run(final EchoOptions options)
    {
        return run(options, (pid) -> { });
    }

    /**
     * Run it, and do something to the server meanwhile.
     *
     * @param atRecording given the server's process id when the client begins to record.
     */
    static Findings run(final EchoOptions options, final LongConsumer atRecording)
    {
        final List<String> arguments = options.toArguments();
        final long limitSeconds =
            TimeUnit.MILLISECONDS.toSeconds((long)options.warmUpMs() + options.measureMs()) + SPARE_SECONDS;
        try (Child server = new Child("echo server", EchoServer.class, arguments, limitSeconds))
        {
            server.await("READY");
            try (Child client = new Child("echo client", EchoClient.class, arguments, limitSeconds))
            {
                client.await(RECORDING);
                final long beforeMs = server.compiledMs();
                atRecording.accept(server.pid());
                final Findings findings = Findings.await(client, (line) -> { });
                return findings.put(
                    COMPILED_MS, findings.value(COMPILED_MS) + server.compiledMs() - beforeMs);
            }
        }
    }
}
