package io.escapement.perf.tool;

import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The results of runs that are compared, by the name of their side: one result of each side in a pair. */
final class Sides<R>
{
    private final Map<String, List<R>> resultsByNameMap = new HashMap<>();
    private final Predicate<R> isInMedian;
    private final Predicate<R> isInRatio;

    /**
     * @param isInMedian whether the figures of a run are good enough for a median.
     * @param isInRatio  whether they are good enough to be compared.
     */
    Sides(final Predicate<R> isInMedian, final Predicate<R> isInRatio)
    {
        this.isInMedian = isInMedian;
        this.isInRatio = isInRatio;
    }

    /**
     * Run pairs in alternating order (A B, B A, ...), so that drift of the host affects all sides equally.
     *
     * @param names in the order of the first pair.
     * @param run   by the number of the pair and the name of the side. Null stops the pairs.
     */
    void run(final int pairs, final List<String> names, final BiFunction<Integer, String, R> run)
    {
        for (int i = 0; i < pairs * names.size(); i++)
        {
            final int pair = i / names.size();
            final int place = i % names.size();
            final String name = names.get(0 == pair % 2 ? place : names.size() - 1 - place);
            final R result = run.apply(pair + 1, name);
            if (null == result)
            {
                return;
            }
            resultsByNameMap.computeIfAbsent(name, (key) -> new ArrayList<>()).add(result);
        }
    }

    /** The results of a side, in the order of the pairs. */
    List<R> of(final String name)
    {
        return resultsByNameMap.getOrDefault(name, List.of());
    }

    double median(final String name, final ToDoubleFunction<R> figure)
    {
        return Ratios.median(of(name).stream().filter(isInMedian).mapToDouble(figure).boxed().toList());
    }

    /** Put the median of each figure. */
    Json putMedians(final Json json, final List<Figure<R>> figures, final String name)
    {
        figures.stream().filter((figure) -> null != figure.key())
            .forEach((figure) -> json.put(figure.key(), median(name, figure::number)));
        return json;
    }

    /** The ratio of two sides in each pair. */
    Ratios ratios(final String name, final String base, final ToDoubleFunction<R> figure)
    {
        final ToDoubleFunction<R> ofResult = (run) -> isInRatio.test(run) ? figure.applyAsDouble(run) : Double.NaN;
        return Ratios.of(of(name).stream().mapToDouble(ofResult).boxed().toList(),
            of(base).stream().mapToDouble(ofResult).boxed().toList());
    }
}
