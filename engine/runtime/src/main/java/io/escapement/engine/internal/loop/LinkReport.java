package io.escapement.engine.internal.loop;

/**
 * A loop's link to a trunk, for an operator.
 *
 * @param link          number of the trunk.
 * @param seats         that are present through it, or held for it.
 * @param queued        bytes of messages that wait.
 * @param isBlocked     whether the trunk takes no messages now.
 * @param sent          bytes since the trunk was attached.
 * @param statesDropped that the trunk did not take in time.
 */
public record LinkReport(int link, int seats, int queued, boolean isBlocked, long sent, long statesDropped)
{
}
