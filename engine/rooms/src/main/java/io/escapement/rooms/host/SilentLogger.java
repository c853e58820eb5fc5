package io.escapement.rooms.host;

import java.util.ResourceBundle;

/** Logs nothing, for replays. */
final class SilentLogger implements System.Logger
{
    @Override
    public String getName()
    {
        return "silent";
    }

    @Override
    public boolean isLoggable(final Level level)
    {
        return false;
    }

    @Override
    public void log(final Level level, final ResourceBundle bundle, final String message, final Throwable thrown)
    {
    }

    @Override
    public void log(final Level level, final ResourceBundle bundle, final String format, final Object... params)
    {
    }
}
