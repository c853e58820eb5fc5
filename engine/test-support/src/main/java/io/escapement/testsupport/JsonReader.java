package io.escapement.testsupport;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON into maps, lists, strings, doubles, booleans and null. Writes strings. For a peer that is trusted. */
public final class JsonReader
{
    private final String text;
    private int at;

    private JsonReader(final String text)
    {
        this.text = text;
    }

    /**
     * Read a value.
     *
     * @param text of the whole value.
     * @return the value.
     */
    public static Object parse(final String text)
    {
        return new JsonReader(text).value();
    }

    /**
     * A string as JSON.
     *
     * @param text of the string.
     * @return the text in quotes.
     */
    public static String quote(final String text)
    {
        final StringBuilder quoted = new StringBuilder("\"");
        for (final char character : text.toCharArray())
        {
            if (character < ' ' || '"' == character || '\\' == character)
            {
                quoted.append(String.format("\\u%04x", (int)character));
            }
            else
            {
                quoted.append(character);
            }
        }
        return quoted.append('"').toString();
    }

    private Object value()
    {
        final char first = next();
        switch (first)
        {
            case '{':
                return object();
            case '[':
                return list();
            case '"':
                return string();
            default:
                at--;
                return word();
        }
    }

    private Map<String, Object> object()
    {
        final Map<String, Object> members = new LinkedHashMap<>();
        char mark = next();
        while ('}' != mark)
        {
            mark = ',' == mark ? next() : mark;
            final String name = string();
            expect(':');
            members.put(name, value());
            mark = next();
        }
        return members;
    }

    private List<Object> list()
    {
        final List<Object> elements = new ArrayList<>();
        if (']' == next())
        {
            return elements;
        }
        at--;
        do
        {
            elements.add(value());
        }
        while (',' == next());
        return elements;
    }

    private String string()
    {
        final StringBuilder string = new StringBuilder();
        for (char character = text.charAt(at++); '"' != character; character = text.charAt(at++))
        {
            string.append('\\' == character ? escaped() : character);
        }
        return string.toString();
    }

    private char escaped()
    {
        final char kind = text.charAt(at++);
        if ('u' == kind)
        {
            at += 4;
            return (char)Integer.parseInt(text.substring(at - 4, at), 16);
        }
        final int control = "bfnrt".indexOf(kind);
        return control < 0 ? kind : "\b\f\n\r\t".charAt(control);
    }

    private Object word()
    {
        final int begin = at;
        while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0)
        {
            at++;
        }
        final String word = text.substring(begin, at);
        return switch (word)
        {
            case "null" -> null;
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default -> Double.valueOf(word);
        };
    }

    private char next()
    {
        while (Character.isWhitespace(text.charAt(at)))
        {
            at++;
        }
        return text.charAt(at++);
    }

    private void expect(final char mark)
    {
        if (mark != next())
        {
            throw new IllegalArgumentException("no " + mark + " at " + at + " of " + text);
        }
    }
}
