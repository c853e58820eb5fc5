package io.escapement.perf.report;

import io.escapement.codecs.JsonWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON object with its members in insertion order. */
public final class Json
{
    private static final MathContext DIGITS = new MathContext(6, RoundingMode.HALF_EVEN);

    private final Map<String, Object> valueByKeyMap = new LinkedHashMap<>();

    /** Put a string, a number, a {@link Json}, or a list or map of these; NaN is written as null. */
    public Json put(final String key, final Object value)
    {
        valueByKeyMap.put(key, value);
        return this;
    }

    /** The value of a member, or null without that member. */
    public Object get(final String key)
    {
        return valueByKeyMap.get(key);
    }

    /** One line. */
    @Override
    public String toString()
    {
        final JsonWriter out = new JsonWriter();
        write(out, this);
        return out.toString();
    }

    private static void write(final JsonWriter out, final Object value)
    {
        if (value instanceof Json json)
        {
            write(out, json.valueByKeyMap);
        }
        else if (value instanceof Map<?, ?> map)
        {
            out.begin('{');
            map.forEach((key, member) -> write(out.name(String.valueOf(key)), member));
            out.end('}');
        }
        else if (value instanceof List<?> list)
        {
            out.begin('[');
            list.forEach((element) -> write(out, element));
            out.end(']');
        }
        else if (value instanceof Double number)
        {
            // Six digits are more than the precision of any figure.
            out.number(Double.isFinite(number) ? BigDecimal.valueOf(number).round(DIGITS).doubleValue() : number);
        }
        else if (value instanceof Number number)
        {
            out.number(number.longValue());
        }
        else
        {
            out.text(String.valueOf(value));
        }
    }
}
