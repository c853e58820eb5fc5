package io.escapement.server;

import io.escapement.config.ConfigException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;

/** The value of an option that is a time, such as 30s, 15m or 1h. */
final class TimeOption
{
    private TimeOption()
    {
    }

    /** The time, which is refused above a limit of whole hours. */
    static Duration parse(final String option, final String value, final Duration limit)
    {
        try
        {
            final Duration parsed = Duration.parse("PT" + value.toUpperCase(Locale.ROOT));
            if (!parsed.isNegative() && parsed.compareTo(limit) <= 0)
            {
                return parsed;
            }
        }
        catch (final DateTimeException ignored)
        {
            // Refused as a time that is too long.
        }
        throw new ConfigException(option, value, "a time up to " + limit.toHours() + "h, such as 30s, 15m or 1h");
    }
}
