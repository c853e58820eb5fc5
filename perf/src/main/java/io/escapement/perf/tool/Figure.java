package io.escapement.perf.tool;

import io.escapement.perf.report.Json;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A figure of a run: a column of the table, a member of the JSON object, or both.
 *
 * @param head   of the column, or null.
 * @param key    of the member, or null.
 * @param digits of the column after the point.
 * @param value  of a run, for a member anything that is JSON.
 */
record Figure<R>(String head, String key, int digits, Function<R, ?> value)
{
    /** A member that has no column. */
    static <R> Figure<R> member(final String key, final Function<R, ?> value)
    {
        return new Figure<>(null, key, 0, value);
    }

    static <R> String[] heads(final List<Figure<R>> figures, final String... before)
    {
        return Stream.concat(Stream.of(before), columns(figures).map(Figure::head)).toArray(String[]::new);
    }

    /** The cells of a row. Without a run, which is null then, they are empty. */
    static <R> String[] cells(final List<Figure<R>> figures, final R run, final String... before)
    {
        return Stream.concat(Stream.of(before), columns(figures).map((figure) ->
            text(null == run ? Double.NaN : figure.value.apply(run), figure.digits))).toArray(String[]::new);
    }

    /** Put all members. Without a run, which is null then, they are NaN. */
    static <R> Json put(final Json json, final List<Figure<R>> figures, final R run)
    {
        figures.stream().filter((figure) -> null != figure.key).forEach((figure) ->
            json.put(figure.key, null == run ? Double.NaN : figure.value.apply(run)));
        return json;
    }

    double number(final R run)
    {
        return ((Number)value.apply(run)).doubleValue();
    }

    static String text(final Object value, final int digits)
    {
        if (value instanceof Number number)
        {
            return Double.isNaN(number.doubleValue()) ? "-" :
                String.format(Locale.ROOT, 0 == digits ? "%,.0f" : "%." + digits + "f", number.doubleValue());
        }
        return String.valueOf(value);
    }

    private static <R> Stream<Figure<R>> columns(final List<Figure<R>> figures)
    {
        return figures.stream().filter((figure) -> null != figure.head);
    }
}
