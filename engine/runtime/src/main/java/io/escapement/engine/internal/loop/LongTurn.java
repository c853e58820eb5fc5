package io.escapement.engine.internal.loop;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** For the flight recorder: a long duty cycle of a loop. A loop has one object, which it reuses. */
@Name("escapement.LongTurn")
@Label("Long Turn")
@Description("A duty cycle in which a loop ran commands, timers or frames, with the other agents of its thread")
@Category("Escapement")
@StackTrace(false)
@Threshold("10 ms")
final class LongTurn extends Event
{
    @Label("Loop")
    private final int loop;

    @Label("Commands")
    private int commands;

    @Label("Frames")
    private int frames;

    private transient boolean isBegun;

    LongTurn(final int loop)
    {
        this.loop = loop;
    }

    /**
     * A duty cycle starts. The parameters say whether the last cycle was busy, and its numbers of commands and frames.
     */
    void onCycle(final boolean wasBusy, final int ranCommands, final int ranFrames)
    {
        if (!isEnabled())
        {
            isBegun = false;
            return;
        }
        if (isBegun && wasBusy)
        {
            commands = ranCommands;
            frames = ranFrames;
            end();
            if (shouldCommit())
            {
                commit();
            }
        }
        isBegun = true;
        begin();
    }
}
