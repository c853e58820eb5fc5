package io.escapement.rooms.host;

import io.escapement.rooms.output.HostListener;
import java.util.ArrayList;
import java.util.List;

/** Records the events of a host. */
public final class RecordedEvents implements HostListener
{
    /** Of rooms that were closed. */
    public final List<Throwable> failures = new ArrayList<>();
    /** Of rooms that continue. */
    public final List<Throwable> errors = new ArrayList<>();
    /** Both of them in order, as text. */
    public final List<String> faults = new ArrayList<>();
    /** Of refused reloads. */
    final List<Throwable> causes = new ArrayList<>();
    /** As text. */
    final List<String> refusals = new ArrayList<>();
    /** Rooms of the failures. */
    final List<Long> failedRooms = new ArrayList<>();
    int hashFailures;
    /** Frames of rooms that ran. */
    long frames;
    /** Frames that never ran, of the last phase group. */
    int missed;
    private final List<String> lines;

    RecordedEvents()
    {
        this(null);
    }

    /** Also write frames and failures as lines, in order with what the test writes there. */
    RecordedEvents(final List<String> lines)
    {
        this.lines = lines;
    }

    @Override
    public void onFrames(
        final int rateHz, final int phase, final long deadlineNs, final int ran, final int skipped)
    {
        frames += ran;
        missed = skipped;
        if (null != lines)
        {
            lines.add(rateHz + " Hz, phase " + phase + ", at " + deadlineNs + ": " + ran + " ran, " +
                skipped + " missed");
        }
    }

    @Override
    public void onRefused(final int code)
    {
        refusals.add("refused " + code);
    }

    @Override
    public void onOpenRefused(final long roomId, final int code)
    {
        refusals.add("open " + roomId + " " + code);
    }

    @Override
    public void onRoomFailed(final long roomId, final int typeId, final long callback, final Throwable cause)
    {
        failures.add(cause);
        failedRooms.add(roomId);
        if (null != lines)
        {
            lines.add(roomId + " failed in callback " + callback);
        }
        faults.add("failed at " + callback + " " + cause);
    }

    @Override
    public void onRoomError(final long roomId, final int typeId, final long callback, final Throwable cause)
    {
        errors.add(cause);
        faults.add("error at " + callback + " " + cause);
    }

    @Override
    public void onHashFailed(final long roomId, final int typeId, final Throwable cause)
    {
        hashFailures++;
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
        if (null != cause)
        {
            causes.add(cause);
        }
    }
}
