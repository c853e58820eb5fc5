package io.escapement.engine.monitor;

/**
 * A loop's side of a trunk, for an operator.
 *
 * @param link          number of the trunk.
 * @param seats         that are present through it, or held for it.
 * @param queued        bytes of messages that wait for it.
 * @param isBlocked     whether it takes no messages now.
 * @param sent          bytes to it since its connection started.
 * @param statesDropped after its attach, because it did not take them in time.
 */
public record LinkReport(int link, int seats, int queued, boolean isBlocked, long sent, long statesDropped)
{
}
