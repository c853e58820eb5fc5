package io.escapement.perf.tool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON strictly, to see that what we write is JSON: objects as maps in order, lists, strings, doubles. */
final class JsonText
{
    private final String text;
    private int at;

    private JsonText(final String text)
    {
        this.text = text;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(final String text)
    {
        final JsonText reader = new JsonText(text);
        final Object value = reader.value();
        if (reader.at != text.length())
        {
            throw new IllegalArgumentException("something follows at " + reader.at + " of " + text);
        }
        return (Map<String, Object>)value;
    }

    private Object value()
    {
        return switch (text.charAt(at))
        {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object()
    {
        final Map<String, Object> members = new LinkedHashMap<>();
        take('{');
        while (text.charAt(at) != '}')
        {
            if (!members.isEmpty())
            {
                take(',');
            }
            final String key = string();
            take(':');
            if (members.containsKey(key))
            {
                throw new IllegalArgumentException(key + " is there twice");
            }
            members.put(key, value());
        }
        take('}');
        return members;
    }

    private List<Object> list()
    {
        final List<Object> values = new ArrayList<>();
        take('[');
        while (text.charAt(at) != ']')
        {
            if (!values.isEmpty())
            {
                take(',');
            }
            values.add(value());
        }
        take(']');
        return values;
    }

    private String string()
    {
        final StringBuilder string = new StringBuilder();
        take('"');
        while (text.charAt(at) != '"')
        {
            if ('\\' == text.charAt(at))
            {
                at++;
                if ('u' == text.charAt(at))
                {
                    string.append((char)Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 5;
                    continue;
                }
            }
            string.append(text.charAt(at++));
        }
        take('"');
        return string.toString();
    }

    private Double number()
    {
        int end = at;
        while (end < text.length() && "+-.eE0123456789".indexOf(text.charAt(end)) >= 0)
        {
            end++;
        }
        final String digits = text.substring(at, end);
        at = end;
        return Double.valueOf(digits);
    }

    private Object word(final String word, final Object meaning)
    {
        if (!text.startsWith(word, at))
        {
            throw new IllegalArgumentException("no value at " + at + " of " + text);
        }
        at += word.length();
        return meaning;
    }

    private void take(final char c)
    {
        if (text.charAt(at) != c)
        {
            throw new IllegalArgumentException("no " + c + " at " + at + " of " + text);
        }
        at++;
    }
}
