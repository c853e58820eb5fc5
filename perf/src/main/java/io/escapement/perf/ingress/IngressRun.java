package io.escapement.perf.ingress;

import io.escapement.perf.process.Child;
import io.escapement.perf.process.Findings;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One run: a server and a client, made for it and gone after it. */
public final class IngressRun
{
    /** Messages that the client sent, the warm-up's too. */
    public static final String SENT = "sent";
    /** Checksum over them. */
    public static final String SENT_SUM = "sentSum";

    private static final long SPARE_SECONDS = 30;

    private IngressRun()
    {
    }

    /**
     * Run it.
     *
     * @param options of the run.
     * @return what the server received and the client sent.
     */
    public static Findings run(final IngressOptions options)
    {
        final List<String> arguments = options.toArguments();
        final long limitSeconds =
            TimeUnit.MILLISECONDS.toSeconds((long)options.warmUpMs() + options.measureMs()) + SPARE_SECONDS;
        try (Child server = new Child("ingress server", IngressServer.class, arguments, limitSeconds))
        {
            server.await("READY");
            try (Child client = new Child("ingress client", IngressClient.class, arguments, limitSeconds))
            {
                final Findings sent = Findings.await(client, (line) -> { });
                // The client goes on until it is closed, for the server may still miss packets.
                return Findings.await(server, (line) -> { })
                    .put(SENT, sent.value(SENT)).put(SENT_SUM, sent.value(SENT_SUM));
            }
        }
    }
}
