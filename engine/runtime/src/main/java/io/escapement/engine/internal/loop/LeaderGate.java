package io.escapement.engine.internal.loop;

import io.escapement.rooms.output.HostListener;
import java.util.ResourceBundle;

/**
 * The events and log lines of a durable host. They leave only while its loop leads, as its output does: a recovery runs
 * turns whose events were counted long ago.
 */
final class LeaderGate implements HostListener, System.Logger
{
    private final HostListener listener;
    private final System.Logger logger;
    private boolean isOpen;

    LeaderGate(final HostListener listener, final System.Logger logger)
    {
        this.listener = listener;
        this.logger = logger;
    }

    /** The loop leads from now on. */
    void open()
    {
        isOpen = true;
    }

    /** The loop leads no more. */
    void close()
    {
        isOpen = false;
    }

    @Override
    public void onFrames(final int rateHz, final int phase, final long deadlineNs, final int frames, final int missed)
    {
        if (isOpen)
        {
            listener.onFrames(rateHz, phase, deadlineNs, frames, missed);
        }
    }

    @Override
    public void onRefused(final int code)
    {
        if (isOpen)
        {
            listener.onRefused(code);
        }
    }

    @Override
    public void onAccepted(
        final int link, final long roomId, final int seatIndex, final int generation, final long sequence)
    {
        if (isOpen)
        {
            listener.onAccepted(link, roomId, seatIndex, generation, sequence);
        }
    }

    @Override
    public void onOpenRefused(final long roomId, final int code)
    {
        if (isOpen)
        {
            listener.onOpenRefused(roomId, code);
        }
    }

    @Override
    public void onRoomFailed(final long roomId, final int typeId, final long callback, final Throwable cause)
    {
        if (isOpen)
        {
            listener.onRoomFailed(roomId, typeId, callback, cause);
        }
    }

    @Override
    public void onReload(
        final long roomId,
        final int typeId,
        final int fromVersion,
        final int toVersion,
        final int code,
        final Throwable cause)
    {
        if (isOpen)
        {
            listener.onReload(roomId, typeId, fromVersion, toVersion, code, cause);
        }
    }

    @Override
    public void onRoomError(final long roomId, final int typeId, final long callback, final Throwable cause)
    {
        if (isOpen)
        {
            listener.onRoomError(roomId, typeId, callback, cause);
        }
    }

    @Override
    public void onHashFailed(final long roomId, final int typeId, final Throwable cause)
    {
        if (isOpen)
        {
            listener.onHashFailed(roomId, typeId, cause);
        }
    }

    @Override
    public void onCount(final long roomId, final int counterId, final long delta)
    {
        if (isOpen)
        {
            listener.onCount(roomId, counterId, delta);
        }
    }

    @Override
    public String getName()
    {
        return logger.getName();
    }

    @Override
    public boolean isLoggable(final Level level)
    {
        return logger.isLoggable(level);
    }

    @Override
    public void log(final Level level, final ResourceBundle bundle, final String message, final Throwable thrown)
    {
        if (isOpen)
        {
            logger.log(level, bundle, message, thrown);
        }
    }

    @Override
    public void log(final Level level, final ResourceBundle bundle, final String format, final Object... params)
    {
        if (isOpen)
        {
            logger.log(level, bundle, format, params);
        }
    }
}
