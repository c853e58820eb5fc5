package io.escapement.engine.internal.monitor;

import io.escapement.engine.internal.loop.Limit;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.SettingDefinition;
import jdk.jfr.StackTrace;

/**
 * For the flight recorder: many refusals with one code within one second. The monitor has one object, which it reuses.
 */
@Name("escapement.RefusalBurst")
@Label("Refusal Burst")
@Description("A loop or the edge refused more often than the setting in the last second")
@Category("Escapement")
@StackTrace(false)
final class RefusalBurst extends Event
{
    /** Number of refusals from which a one-second burst is recorded. */
    static final class Count extends Limit
    {
        Count()
        {
            super("100");
        }
    }

    @Label("Source")
    private String source;

    @Label("Code")
    private int code;

    @Label("Reason")
    private String reason;

    @Label("Count")
    private long count;

    void onSecond(final RefusalBursts.Refusals refusals, final long refused)
    {
        if (isEnabled())
        {
            source = refusals.source();
            code = refusals.code();
            reason = refusals.reason();
            count = refused;
            // Or else JDK 17 takes the start of the last event that was committed.
            begin();
            end();
            if (shouldCommit())
            {
                commit();
            }
        }
    }

    @Name("count")
    @Label("Least Count")
    @SettingDefinition
    private boolean isBurst(final Count least)
    {
        return least.isReachedBy(count);
    }
}
