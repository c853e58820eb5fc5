package io.escapement.perf.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON object with its members in insertion order. */
public final class Json
{
    private static final MathContext DIGITS = new MathContext(6, RoundingMode.HALF_EVEN);

    private final Map<String, Object> valueByKeyMap = new LinkedHashMap<>();

    /** Put a string, a number, a boolean, a {@link Json} or a list of these; NaN is written as null. */
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
        final StringBuilder text = new StringBuilder();
        write(text, this);
        return text.toString();
    }

    private static void write(final StringBuilder text, final Object value)
    {
        if (value instanceof Json object)
        {
            text.append('{');
            final Iterator<Map.Entry<String, Object>> entries = object.valueByKeyMap.entrySet().iterator();
            while (entries.hasNext())
            {
                final Map.Entry<String, Object> entry = entries.next();
                quote(text, entry.getKey());
                text.append(':');
                write(text, entry.getValue());
                text.append(entries.hasNext() ? "," : "");
            }
            text.append('}');
        }
        else if (value instanceof List<?> list)
        {
            text.append('[');
            for (int i = 0; i < list.size(); i++)
            {
                text.append(0 == i ? "" : ",");
                write(text, list.get(i));
            }
            text.append(']');
        }
        else if (value instanceof Double number)
        {
            text.append(Double.isFinite(number) ? plain(number) : "null");
        }
        else if (value instanceof Number || value instanceof Boolean)
        {
            text.append(value);
        }
        else
        {
            quote(text, String.valueOf(value));
        }
    }

    /** Six digits, which is more than the precision of any figure. */
    private static String plain(final double number)
    {
        final BigDecimal rounded = BigDecimal.valueOf(number).round(DIGITS);
        return 0 == rounded.signum() ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    private static void quote(final StringBuilder text, final String value)
    {
        text.append('"');
        for (int i = 0; i < value.length(); i++)
        {
            final char c = value.charAt(i);
            if ('"' == c || '\\' == c)
            {
                text.append('\\').append(c);
            }
            else if (c < ' ')
            {
                text.append(String.format("\\u%04x", (int)c));
            }
            else
            {
                text.append(c);
            }
        }
        text.append('"');
    }
}
