package io.escapement.perf.tool;

import io.escapement.perf.loop.RingOptions;
import io.escapement.perf.loop.RingRun;
import io.escapement.perf.process.Findings;
import io.escapement.perf.process.ReceivedBlocks;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Command;

/** A loop's ring with a room at its end beside a bare Disruptor ring. */
@Command(
    name = "ring",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Messages of 64 B a second from one thread to another: a loop's ring, validated and handed to a room's",
        "onMessage, beside a bare Disruptor ring with 64 B copied in and out. Fresh processes, runs alternate."})
final class RingCommand extends PairedCommand
{
    private static final String RAW = "raw";
    private static final String ENGINE = "engine";
    private static final int THREADS = 2;
    private static final double SECOND_NS = 1e9;
    private static final Chart BLOCKS =
        new Chart("time for " + ReceivedBlocks.BLOCK + " messages in a row", "us", 1_000);

    private final Function<RingOptions, Findings> runner;
    private final List<Double> raw = new ArrayList<>();
    private final List<Double> engine = new ArrayList<>();

    RingCommand()
    {
        this(RingRun::run);
    }

    RingCommand(final Function<RingOptions, Findings> runner)
    {
        this.runner = runner;
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "64 B, one producer, one consumer; %d pairs, each run %d ms after %d ms of" +
            " warm-up", pairs(), measureMs(), warmUpMs());
    }

    @Override
    void checkOwnOptions()
    {
        // It has none of its own.
    }

    @Override
    String refusal()
    {
        return THREADS <= cores() ? null :
            "the producer and the consumer spin, which takes two cores: this host has " + cores();
    }

    @Override
    void measure()
    {
        final Table table = table("pair", "what", "messages/s", "ns a message");
        for (int pair = 0; pair < pairs(); pair++)
        {
            final List<String> order = 0 == pair % 2 ? List.of(RAW, ENGINE) : List.of(ENGINE, RAW);
            for (final String what : order)
            {
                progress("pair " + (pair + 1) + " of " + pairs() + ": " + what);
                final int faultsBefore = faults();
                final double perSec = run(what);
                (RAW.equals(what) ? raw : engine).add(perSec);
                table.row(faults() != faultsBefore, Integer.toString(pair + 1), what, whole(perSec),
                    number(SECOND_NS / perSec));
            }
        }
        note("messages a second: engine/raw " + Ratios.of(engine, raw));
    }

    @Override
    Json result()
    {
        return new Json().put("bench", "ring")
            .put("rawPerSec", Ratios.median(raw))
            .put("enginePerSec", Ratios.median(engine))
            .put("ratio", Ratios.of(engine, raw).median());
    }

    private int measureMs()
    {
        return shareMs(2 * pairs());
    }

    private double run(final String what)
    {
        final Findings findings = runner.apply(new RingOptions(what, warmUpMs(), measureMs()));
        checkDelivery(what, findings, findings.value(RingRun.SENT), findings.value(RingRun.SENT_SUM));
        series(BLOCKS, what, findings.intervals(ReceivedBlocks.BLOCKS));
        return perSecond(findings);
    }
}
