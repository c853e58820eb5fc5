package io.escapement.perf.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A JSON object with its members in insertion order. */
public final class Json
{
    private static final MathContext DIGITS = new MathContext(6, RoundingMode.HALF_EVEN);

    private final Map<String, Object> valueByKeyMap = new LinkedHashMap<>();

    /** Put a string, a number, a boolean, a {@link Json}, or a list or map of these; NaN is written as null. */
    public Json put(final String key, final Object value)
    {
        valueByKeyMap.put(key, value);
        return this;
    }

    /** The value of a member, null if there is none. */
    public Object get(final String key)
    {
        return valueByKeyMap.get(key);
    }

    /** One line. */
    @Override
    public String toString()
    {
        return text(valueByKeyMap);
    }

    private static String text(final Object value)
    {
        if (value instanceof Map<?, ?> map)
        {
            return map.entrySet().stream()
                .map((entry) -> quoted(String.valueOf(entry.getKey())) + ":" + text(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?> list)
        {
            return list.stream().map(Json::text).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Double number)
        {
            return Double.isFinite(number) ? plain(number) : "null";
        }
        return value instanceof Number || value instanceof Boolean || value instanceof Json ?
            value.toString() : quoted(String.valueOf(value));
    }

    /** Six digits, which is more than the precision of any figure. */
    private static String plain(final double number)
    {
        final BigDecimal rounded = BigDecimal.valueOf(number).round(DIGITS);
        return 0 == rounded.signum() ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    private static String quoted(final String value)
    {
        final StringBuilder text = new StringBuilder("\"");
        for (final char c : value.toCharArray())
        {
            if (c < ' ')
            {
                text.append(String.format("\\u%04x", (int)c));
            }
            else
            {
                text.append('"' == c || '\\' == c ? "\\" : "").append(c);
            }
        }
        return text.append('"').toString();
    }
}
