package io.escapement.console;

import java.util.Locale;

/**
 * Writes JSON. Everything outside printable ASCII is escaped, and so is what HTML and JavaScript give a meaning, so the
 * text is inert wherever it is pasted.
 */
final class JsonText
{
    private static final char FIRST_PRINTABLE = ' ';
    private static final char LAST_PRINTABLE = '~';
    private static final String ESCAPED = "\"\\<>&'";

    private final StringBuilder out;
    private boolean needsComma;

    JsonText(final int capacity)
    {
        out = new StringBuilder(capacity);
    }

    JsonText begin(final char bracket)
    {
        comma();
        out.append(bracket);
        needsComma = false;
        return this;
    }

    JsonText end(final char bracket)
    {
        out.append(bracket);
        needsComma = true;
        return this;
    }

    JsonText name(final String name)
    {
        comma();
        quote(name);
        out.append(':');
        needsComma = false;
        return this;
    }

    JsonText text(final String value)
    {
        comma();
        if (null == value)
        {
            out.append("null");
        }
        else
        {
            quote(value);
        }
        needsComma = true;
        return this;
    }

    JsonText number(final long value)
    {
        comma();
        out.append(value);
        needsComma = true;
        return this;
    }

    /** A number with up to three decimals. JSON has no infinity and no NaN: they are null. */
    JsonText number(final double value)
    {
        comma();
        if (Double.isFinite(value))
        {
            if (value == Math.rint(value) && Math.abs(value) < 1e15)
            {
                out.append((long)value);
            }
            else
            {
                out.append(String.format(Locale.ROOT, "%.3f", value));
            }
        }
        else
        {
            out.append("null");
        }
        needsComma = true;
        return this;
    }

    JsonText flag(final boolean value)
    {
        comma();
        out.append(value);
        needsComma = true;
        return this;
    }

    @Override
    public String toString()
    {
        return out.toString();
    }

    private void comma()
    {
        if (needsComma)
        {
            out.append(',');
        }
    }

    private void quote(final String text)
    {
        out.append('"');
        for (int i = 0; i < text.length(); i++)
        {
            final char c = text.charAt(i);
            if (c < FIRST_PRINTABLE || c > LAST_PRINTABLE || ESCAPED.indexOf(c) >= 0)
            {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int)c));
            }
            else
            {
                out.append(c);
            }
        }
        out.append('"');
    }
}
