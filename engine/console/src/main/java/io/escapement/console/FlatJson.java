package io.escapement.console;

import java.util.HashMap;
import java.util.Map;

/** Reads the bodies of requests: one JSON object with strings without escapes as its values. */
final class FlatJson
{
    private static final int MAX_ENTRIES = 16;

    private final String text;
    private int at;

    private FlatJson(final String text)
    {
        this.text = text;
    }

    /**
     * Read a text.
     *
     * @return its entries, or null if it is anything else.
     */
    static Map<String, String> parse(final String text)
    {
        return new FlatJson(text).object();
    }

    private Map<String, String> object()
    {
        final Map<String, String> entries = new HashMap<>();
        boolean isGood = take('{');
        for (boolean isMore = isGood && !take('}'); isMore;)
        {
            final String name = string();
            final String value = null != name && take(':') ? string() : null;
            isGood = null != value && null == entries.put(name, value) && entries.size() <= MAX_ENTRIES;
            isMore = isGood && take(',');
            isGood = isMore || isGood && take('}');
        }
        skipSpace();
        return isGood && at == text.length() ? entries : null;
    }

    private String string()
    {
        if (!take('"'))
        {
            return null;
        }
        final int start = at;
        while (at < text.length() && '"' != text.charAt(at))
        {
            if ('\\' == text.charAt(at) || text.charAt(at) < ' ')
            {
                return null;
            }
            at++;
        }
        return at < text.length() ? text.substring(start, at++) : null;
    }

    private boolean take(final char c)
    {
        skipSpace();
        final boolean isThere = at < text.length() && c == text.charAt(at);
        at += isThere ? 1 : 0;
        return isThere;
    }

    private void skipSpace()
    {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0)
        {
            at++;
        }
    }
}
