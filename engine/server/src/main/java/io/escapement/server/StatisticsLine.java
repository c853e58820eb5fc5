package io.escapement.server;

import java.util.LinkedHashMap;
import java.util.Map;

/** A line of named numbers, the format of the statistics that one process prints for another. */
final class StatisticsLine
{
    private final Map<String, Double> numberByNameMap = new LinkedHashMap<>();
    private final String word;

    StatisticsLine(final String word)
    {
        this.word = word;
    }

    /** Parse a line that starts with this word. Returns null if the text starts with another word. */
    static StatisticsLine parse(final String word, final String text)
    {
        if (!text.startsWith(word + " "))
        {
            return null;
        }
        final StatisticsLine line = new StatisticsLine(word);
        for (final String pair : text.substring(word.length() + 1).split(" "))
        {
            final int equals = pair.indexOf('=');
            line.put(pair.substring(0, equals), Double.parseDouble(pair.substring(equals + 1)));
        }
        return line;
    }

    StatisticsLine put(final String name, final double number)
    {
        numberByNameMap.put(name, number);
        return this;
    }

    double number(final String name)
    {
        return numberByNameMap.getOrDefault(name, 0.0);
    }

    long whole(final String name)
    {
        return Math.round(number(name));
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder(word);
        numberByNameMap.forEach((name, number) ->
        {
            text.append(' ').append(name).append('=');
            if (number == Math.rint(number))
            {
                text.append(Math.round(number));
            }
            else
            {
                text.append(number);
            }
        });
        return text.toString();
    }
}
