package io.escapement.perf.tool;

import io.aeron.CommonContext;
import io.escapement.perf.echo.EchoClient;
import io.escapement.perf.echo.EchoOptions;
import io.escapement.perf.echo.EchoServer;
import io.escapement.perf.process.Child;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Round trips through the engine beside round trips through bare Aeron. */
@Command(
    name = "echo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Round trips: client, trunk, ring, room and back, beside bare Aeron ping-pong.",
        "Every run has fresh processes; runs alternate, and bare Aeron runs twice a pair, so that the table",
        "shows how much two runs of the same thing differ. Times count from the planned send."})
final class EchoCommand implements Callable<Integer>
{
    /** Which of the three runs of a pair. */
    private enum Run
    {
        RAW, ENGINE, NULL
    }

    private static final int WARM_UP_MS = 3_000;
    private static final int FIRST_PORT = 42_000;
    private static final int PORTS_PER_RUN = 4;
    private static final int PORTS = 4_000;
    private static final int LEAST_PERMILLE = 990;

    @Option(names = "--rate", defaultValue = "10000", description = "messages a second (default: ${DEFAULT-VALUE})")
    private int rate;

    @Option(names = "--size", defaultValue = "64", description = "bytes a message (default: ${DEFAULT-VALUE})")
    private int size;

    @Option(names = "--mode", defaultValue = "solo", description = "solo, shared or dedicated (default: solo)")
    private String mode;

    @Option(names = "--idle", defaultValue = "busy", description = "busy, yield, backoff or park (default: busy)")
    private String idle;

    @Option(names = "--transport", defaultValue = "udp", description = "udp or ipc (default: udp)")
    private String transport;

    @Option(names = "--pairs", defaultValue = "5", description = "pairs of runs (default: ${DEFAULT-VALUE})")
    private int pairs;

    @Option(names = "--seconds", defaultValue = "30",
        description = "measured time of all runs together (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--warm-up-ms", defaultValue = "" + WARM_UP_MS, hidden = true)
    private int warmUpMs;

    @Option(names = "--json", description = "end with one line that holds one JSON object")
    private boolean isJson;

    @Spec
    private CommandSpec spec;

    private final List<Histogram> raw = new ArrayList<>();
    private final List<Histogram> engine = new ArrayList<>();
    private final List<Histogram> nulls = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private int runs;

    @Override
    public Integer call()
    {
        checkOptions();
        final PrintWriter out = spec.commandLine().getOut();
        out.printf(Locale.ROOT, "echo: %d msg/s of %d B, %s, %s, %s; %d pairs, each run %d ms after %d ms of warm-up%n",
            rate, size, mode, idle, transport, pairs, measureMs(), warmUpMs);
        out.println("  pair  what         p50 us    p90 us    p99 us  p99.9 us    max us");
        for (int pair = 0; pair < pairs; pair++)
        {
            // The order turns round each pair, so that what drifts falls on all alike.
            final Run[] order = 0 == pair % 2 ?
                new Run[]{Run.RAW, Run.ENGINE, Run.NULL} : new Run[]{Run.NULL, Run.ENGINE, Run.RAW};
            for (final Run run : order)
            {
                final Histogram histogram = run(run);
                listOf(run).add(histogram);
                out.printf(Locale.ROOT, "  %4d  %-8s %10.1f%10.1f%10.1f%10.1f%10.1f%n", pair + 1,
                    run.name().toLowerCase(Locale.ROOT), us(histogram, 50), us(histogram, 90), us(histogram, 99),
                    us(histogram, 99.9), histogram.getMaxValue() / 1e3);
                out.flush();
            }
        }
        for (final double percentile : new double[]{50, 90})
        {
            final double[] ratios = ratios(engine, percentile);
            final double[] same = ratios(nulls, percentile);
            out.printf(Locale.ROOT,
                "  p%.0f: engine/raw median %.2f (%.2f to %.2f), raw/raw median %.2f (%.2f to %.2f)%n",
                percentile, median(ratios), ratios[0], ratios[ratios.length - 1],
                median(same), same[0], same[same.length - 1]);
        }
        for (final String fault : faults)
        {
            out.println("  FAILED: " + fault);
        }
        if (isJson)
        {
            out.println(json());
        }
        out.flush();
        return faults.isEmpty() ? 0 : 1;
    }

    private void checkOptions()
    {
        check(List.of("solo", "shared", "dedicated").contains(mode), "--mode", mode);
        check(List.of("busy", "yield", "backoff", "park").contains(idle), "--idle", idle);
        check(List.of("udp", "ipc").contains(transport), "--transport", transport);
        check(rate > 0, "--rate", Integer.toString(rate));
        check(size >= 16 && size <= 512, "--size", Integer.toString(size));
        check(pairs > 0, "--pairs", Integer.toString(pairs));
        check(measureMs() > 0, "--seconds", Integer.toString(seconds));
    }

    private void check(final boolean isRight, final String option, final String value)
    {
        if (!isRight)
        {
            throw new ParameterException(spec.commandLine(), "Invalid value for option '" + option + "': " + value);
        }
    }

    private int measureMs()
    {
        return seconds * 1_000 / (3 * pairs);
    }

    private Histogram run(final Run run)
    {
        final int port = FIRST_PORT + (runs++ * PORTS_PER_RUN) % PORTS;
        final EchoOptions options = new EchoOptions(Run.ENGINE == run ? "engine" : "raw", mode, idle, transport,
            rate, size, warmUpMs, measureMs(), port, CommonContext.generateRandomDirName());
        try (Child server = new Child("echo server", EchoServer.class, options.toArguments()))
        {
            server.await("READY");
            try (Child client = new Child("echo client", EchoClient.class, options.toArguments()))
            {
                return result(run, client.await("RESULT").split(" "));
            }
        }
    }

    private Histogram result(final Run run, final String[] words)
    {
        final String name = run.name().toLowerCase(Locale.ROOT) + ": ";
        final long sent = Long.parseLong(words[0]);
        final long received = Long.parseLong(words[1]);
        if (sent != received)
        {
            faults.add(name + (sent - received) + " of " + sent + " messages were lost");
        }
        if (0 != Long.parseLong(words[2]))
        {
            faults.add(name + words[2] + " messages came back changed or out of order");
        }
        if (Long.parseLong(words[3]) < LEAST_PERMILLE)
        {
            faults.add(name + "sent at " + words[3] + " permille of the rate");
        }
        return Histograms.decode(words[4]);
    }

    private List<Histogram> listOf(final Run run)
    {
        return switch (run)
        {
            case RAW -> raw;
            case ENGINE -> engine;
            case NULL -> nulls;
        };
    }

    private double[] ratios(final List<Histogram> of, final double percentile)
    {
        final double[] ratios = new double[pairs];
        for (int i = 0; i < pairs; i++)
        {
            ratios[i] = us(of.get(i), percentile) / us(raw.get(i), percentile);
        }
        Arrays.sort(ratios);
        return ratios;
    }

    private String json()
    {
        return String.format(Locale.ROOT,
            "{\"bench\":\"echo\",\"rate\":%d,\"idle\":\"%s\",\"mode\":\"%s\",\"transport\":\"%s\",\"size\":%d," +
                "\"pairs\":%d,\"raw\":%s,\"engine\":%s,\"ratio\":%s,\"null\":%s,\"failed\":%b}",
            rate, idle, mode, transport, size, pairs, percentiles(raw), percentiles(engine),
            ratioJson(engine), ratioJson(nulls), !faults.isEmpty());
    }

    private String percentiles(final List<Histogram> histograms)
    {
        return String.format(Locale.ROOT,
            "{\"p50Us\":%.2f,\"p90Us\":%.2f,\"p99Us\":%.2f,\"p999Us\":%.2f,\"maxUs\":%.2f}",
            median(histograms, (h) -> us(h, 50)), median(histograms, (h) -> us(h, 90)),
            median(histograms, (h) -> us(h, 99)), median(histograms, (h) -> us(h, 99.9)),
            median(histograms, (h) -> h.getMaxValue() / 1e3));
    }

    private String ratioJson(final List<Histogram> of)
    {
        return String.format(Locale.ROOT,
            "{\"p50\":%.3f,\"p90\":%.3f}", median(ratios(of, 50)), median(ratios(of, 90)));
    }

    private static double median(final List<Histogram> histograms, final ToDoubleFunction<Histogram> value)
    {
        return median(histograms.stream().mapToDouble(value).sorted().toArray());
    }

    private static double median(final double[] sorted)
    {
        final int middle = sorted.length / 2;
        return 0 == sorted.length % 2 ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle];
    }

    private static double us(final Histogram histogram, final double percentile)
    {
        return histogram.getValueAtPercentile(percentile) / 1e3;
    }
}
