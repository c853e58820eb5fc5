package io.escapement.rooms.host;

import java.util.ResourceBundle;

/**
 * The logger of rooms. Its answers are the same live and in a replay, and messages that a room computes are computed in
 * both, so that a room that logs cannot do one thing live and another in a replay.
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
