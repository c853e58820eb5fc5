package io.escapement.engine.internal.loop;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.SettingDefinition;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** For the flight recorder: frames of a phase group with late output. A loop has one object, which it reuses. */
@Name("escapement.LateFrame")
@Label("Late Frame")
@Description("The output of a phase group's frames was handed over later than the setting after their deadline")
@Category("Escapement")
@StackTrace(false)
final class LateFrame extends Event
{
    /** Lateness from which a frame is recorded. */
    static final class Lateness extends Limit
    {
        Lateness()
        {
            super("10 ms");
        }
    }

    @Label("Loop")
    private final int loop;

    @Label("Rate")
    private int rateHz;

    @Label("Phase")
    private int phase;

    @Label("Lateness")
    @Timespan(Timespan.NANOSECONDS)
    private long latenessNs;

    @Label("Work")
    @Description("Time that the frames of the group took")
    @Timespan(Timespan.NANOSECONDS)
    private long workNs;

    @Label("Frames")
    private int frames;

    @Label("Missed Frames")
    @Description("Frames of the group that never ran")
    private int missed;

    LateFrame(final int loop)
    {
        this.loop = loop;
    }

    void onFrames(
        final int ofRateHz,
        final int ofPhase,
        final long afterDeadlineNs,
        final long tookNs,
        final int ran,
        final int neverRan)
    {
        if (isEnabled())
        {
            rateHz = ofRateHz;
            phase = ofPhase;
            latenessNs = afterDeadlineNs;
            workNs = tookNs;
            frames = ran;
            missed = neverRan;
            // Or else JDK 17 takes the start of the last event that was committed.
            begin();
            end();
            if (shouldCommit())
            {
                commit();
            }
        }
    }

    @Name("lateness")
    @Label("Least Lateness")
    @SettingDefinition
    private boolean isLate(final Lateness least)
    {
        return least.isReachedBy(latenessNs);
    }
}
