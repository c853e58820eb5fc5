package io.escapement.perf.tool;

import io.escapement.driver.DriverDirectory;
import io.escapement.perf.ingress.IngressOptions;
import io.escapement.perf.ingress.IngressRun;
import io.escapement.perf.process.Findings;
import io.escapement.perf.process.Ports;
import io.escapement.perf.process.ReceivedBlocks;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Command;

/** Commands into a room beside messages into bare Aeron. */
@Command(
    name = "ingress",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "One way, as fast as it goes, over UDP on the loopback: messages of 64 B into bare Aeron one by one, and",
        "commands of 64 B that a room accepted, one a frame and as many a frame as it holds. The server counts, in",
        "one thread with its media driver; the client has its own. Fresh processes, runs alternate."})
final class IngressCommand extends PairedCommand
{
    private static final int THREADS = 2;
    private static final int WARM_UP_MS = 6_000;
    private static final Chart BLOCKS =
        new Chart("time for " + ReceivedBlocks.BLOCK + " messages in a row", "us", 1_000);

    private final Function<IngressOptions, Findings> runner;
    private final Map<String, List<Double>> perSecByNameMap = new LinkedHashMap<>();

    IngressCommand()
    {
        this(IngressRun::run);
    }

    IngressCommand(final Function<IngressOptions, Findings> runner)
    {
        this.runner = runner;
        for (final String what : List.of(IngressOptions.RAW, IngressOptions.SINGLE, IngressOptions.BATCHED))
        {
            perSecByNameMap.put(what, new ArrayList<>());
        }
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "64 B one way, solo, busy, udp; %d pairs, each run %d ms after %d ms of" +
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
        return THREADS <= cores() ? null : "server and client spin, which takes two cores: this host has " + cores();
    }

    @Override
    void measure()
    {
        final Table table = table("pair", "what", "messages/s");
        final List<String> names = List.copyOf(perSecByNameMap.keySet());
        for (int pair = 0; pair < pairs(); pair++)
        {
            for (int i = 0; i < names.size(); i++)
            {
                final String what = names.get(0 == pair % 2 ? i : names.size() - 1 - i);
                progress("pair " + (pair + 1) + " of " + pairs() + ": " + what);
                final int faultsBefore = faults();
                final double perSec = run(what);
                perSecByNameMap.get(what).add(perSec);
                table.row(faults() != faultsBefore, Integer.toString(pair + 1), what, whole(perSec));
            }
        }
        note("messages a second: single/raw " + ratios(IngressOptions.SINGLE) + ", batched/raw " +
            ratios(IngressOptions.BATCHED));
    }

    @Override
    Json result()
    {
        return new Json().put("bench", "ingress")
            .put("rawPerSec", Ratios.median(perSecByNameMap.get(IngressOptions.RAW)))
            .put("singlePerSec", Ratios.median(perSecByNameMap.get(IngressOptions.SINGLE)))
            .put("batchedPerSec", Ratios.median(perSecByNameMap.get(IngressOptions.BATCHED)))
            .put("ratioSingle", ratios(IngressOptions.SINGLE).median())
            .put("ratioBatched", ratios(IngressOptions.BATCHED).median());
    }

    private int measureMs()
    {
        return shareMs(perSecByNameMap.size() * pairs());
    }

    private double run(final String what)
    {
        final Findings findings = runner.apply(new IngressOptions(
            what, warmUpMs(), measureMs(), Ports.free(), DriverDirectory.temporary()));
        checkDelivery(what, findings, findings.value(IngressRun.SENT), findings.value(IngressRun.SENT_SUM));
        series(BLOCKS, what, findings.intervals(ReceivedBlocks.BLOCKS));
        return perSecond(findings);
    }

    private Ratios ratios(final String what)
    {
        return Ratios.of(perSecByNameMap.get(what), perSecByNameMap.get(IngressOptions.RAW));
    }

    /** In several parts, so that what begins and ends one is compiled before one counts. */
    @Override
    int usualWarmUpMs()
    {
        return WARM_UP_MS;
    }
}
