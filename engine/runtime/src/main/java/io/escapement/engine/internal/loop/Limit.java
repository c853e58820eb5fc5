package io.escapement.engine.internal.loop;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import jdk.jfr.SettingControl;

/** A setting of an event of the flight recorder: the least value that is recorded, a number or a time such as 10 ms. */
public abstract class Limit extends SettingControl
{
    private String text;
    private volatile long value;

    /** With the value unless a recording sets it. */
    protected Limit(final String text)
    {
        setValue(text);
    }

    @Override
    public String combine(final Set<String> texts)
    {
        return texts.stream().min(Comparator.comparingLong(Limit::parse)).orElse(text);
    }

    @Override
    public final void setValue(final String newText)
    {
        value = parse(newText);
        text = newText;
    }

    @Override
    public String getValue()
    {
        return text;
    }

    /** Whether a value is recorded. */
    public boolean isReachedBy(final long reached)
    {
        return reached >= value;
    }

    private static long parse(final String text)
    {
        final String[] parts = text.trim().split("\\s+");
        final long number = Long.parseLong(parts[0]);
        return 1 == parts.length ? number : switch (parts[1])
        {
            case "ns" -> number;
            case "us" -> TimeUnit.MICROSECONDS.toNanos(number);
            case "ms" -> TimeUnit.MILLISECONDS.toNanos(number);
            case "s" -> TimeUnit.SECONDS.toNanos(number);
            default -> throw new IllegalArgumentException(text + ": ns, us, ms or s");
        };
    }
}
