package io.escapement.cluster;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** For the flight recorder: an election of the cluster, as this member took part in it. */
@Name("escapement.Election")
@Label("Election")
@Description("This member takes part in no election any more, and leads or follows")
@Category("Escapement")
@StackTrace(false)
final class ElectionEnded extends Event
{
    @Label("Member")
    private final int member;

    @Label("Leads")
    private final boolean isLeader;

    @Label("Took")
    @Timespan(Timespan.NANOSECONDS)
    private final long tookNs;

    @Label("Course")
    @Description("The reason, and the states of the election with the milliseconds after each")
    private final String course;

    ElectionEnded(final int member, final boolean isLeader, final long tookNs, final String course)
    {
        this.member = member;
        this.isLeader = isLeader;
        this.tookNs = tookNs;
        this.course = course;
    }
}
