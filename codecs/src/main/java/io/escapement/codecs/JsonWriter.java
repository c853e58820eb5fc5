package io.escapement.codecs;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Writes one JSON value as text, without spaces. Strings are printable ASCII: other characters are escaped, and so are
 * characters with a meaning in HTML and JavaScript. The text is therefore inert on a page, and a lone surrogate keeps
 * its value in any charset. A call that would write invalid JSON throws {@link IllegalStateException}.
 */
public final class JsonWriter
{
    /** Deeper objects and arrays are a loop in the caller. */
    private static final int DEPTH_LIMIT = 64;
    private static final int CAPACITY = 1_024;
    private static final int DIGITS = 6;
    private static final int MIN_DECIMALS = 3;
    /** Whole numbers are exact in a double up to here. */
    private static final double EXACT_LIMIT = 1L << 53;
    private static final char FIRST_PRINTABLE = ' ';
    private static final char LAST_PRINTABLE = '~';
    private static final String ESCAPED = "\"\\<>&'";
    private static final String HEX = "0123456789abcdef";

    private final StringBuilder out = new StringBuilder(CAPACITY);
    /** The brackets that close the open arrays and objects. */
    private final char[] closers = new char[DEPTH_LIMIT];
    private int depth;
    private boolean needsComma;
    private boolean isNamed;

    /**
     * Begin an object or an array.
     *
     * @param bracket that opens it: an opening brace or an opening square bracket.
     */
    public JsonWriter begin(final char bracket)
    {
        check('{' == bracket || '[' == bracket, "no bracket that opens");
        check(depth < DEPTH_LIMIT, "too deep");
        beforeValue();
        closers[depth++] = '{' == bracket ? '}' : ']';
        out.append(bracket);
        needsComma = false;
        return this;
    }

    /**
     * End the innermost object or array.
     *
     * @param bracket that closes it.
     */
    public JsonWriter end(final char bracket)
    {
        check(depth > 0 && closers[depth - 1] == bracket, "this bracket is not open");
        check(!isNamed, "a name has no value");
        depth--;
        out.append(bracket);
        needsComma = true;
        return this;
    }

    /** The name of an object's next value. */
    public JsonWriter name(final String name)
    {
        check(depth > 0 && '}' == closers[depth - 1] && !isNamed, "a name is not expected here");
        comma();
        quote(name);
        out.append(':');
        isNamed = true;
        return this;
    }

    /** A string, or null. */
    public JsonWriter text(final String value)
    {
        beforeValue();
        if (null == value)
        {
            out.append("null");
        }
        else
        {
            quote(value);
        }
        return this;
    }

    /** A whole number. JavaScript is exact up to 2^53: send a larger id as text. */
    public JsonWriter number(final long value)
    {
        beforeValue();
        out.append(value);
        return this;
    }

    /**
     * A number. A whole number up to 2^53 is exact. Any other number has six significant digits, and at least three
     * decimals. JSON has no infinity and no NaN: they are null.
     */
    public JsonWriter number(final double value)
    {
        beforeValue();
        if (!Double.isFinite(value))
        {
            out.append("null");
        }
        else if (value == Math.rint(value) && Math.abs(value) <= EXACT_LIMIT)
        {
            out.append((long)value);
        }
        else
        {
            final BigDecimal exact = BigDecimal.valueOf(value);
            final int decimals = Math.max(MIN_DECIMALS, DIGITS + exact.scale() - exact.precision());
            out.append(exact.setScale(decimals, RoundingMode.HALF_EVEN).stripTrailingZeros().toPlainString());
        }
        return this;
    }

    /** A truth value. */
    public JsonWriter flag(final boolean value)
    {
        beforeValue();
        out.append(value);
        return this;
    }

    /** The text of the whole value. */
    @Override
    public String toString()
    {
        check(0 == depth && needsComma, "the value is incomplete");
        return out.toString();
    }

    private void beforeValue()
    {
        check(0 == depth ? !needsComma : ']' == closers[depth - 1] || isNamed, "a value is not expected here");
        if (!isNamed)
        {
            comma();
        }
        isNamed = false;
        needsComma = true;
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
                out.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4)
                {
                    out.append(HEX.charAt(c >> shift & 0xF));
                }
            }
            else
            {
                out.append(c);
            }
        }
        out.append('"');
    }

    private void check(final boolean isValid, final String reason)
    {
        if (!isValid)
        {
            throw new IllegalStateException(reason + ", after: " + out);
        }
    }
}
