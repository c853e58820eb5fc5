package io.escapement.rooms.host;

import java.util.ResourceBundle;

/**
 * The logger for rooms. Its answers are the same live and in a replay, and both compute the messages of a room.
 * Therefore logging cannot make a room differ between live and replay.
 */
final class HostLogger implements System.Logger
{
    /** Null in a replay. */
    private final System.Logger target;
    private boolean isLive = true;

    HostLogger(final System.Logger target)
    {
        this.target = target;
    }

    void live(final boolean value)
    {
        isLive = value;
    }

    @Override
    public String getName()
    {
        return "io.escapement.rooms";
    }

    @Override
    public boolean isLoggable(final Level level)
    {
        return true;
    }

    @Override
    public void log(final Level level, final ResourceBundle bundle, final String message, final Throwable thrown)
    {
        if (isLive && null != target)
        {
            try
            {
                target.log(level, bundle, message, thrown);
            }
            catch (final RuntimeException ignored)
            {
                // The line is lost. A room must not fail because of its log: in a replay it would not.
            }
        }
    }

    @Override
    public void log(final Level level, final ResourceBundle bundle, final String format, final Object... params)
    {
        if (isLive && null != target)
        {
            try
            {
                target.log(level, bundle, format, params);
            }
            catch (final RuntimeException ignored)
            {
                // As above.
            }
        }
    }
}
