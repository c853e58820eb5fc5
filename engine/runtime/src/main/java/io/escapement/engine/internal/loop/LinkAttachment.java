package io.escapement.engine.internal.loop;

import io.aeron.ExclusivePublication;

/**
 * What goes with {@link ControlSignal#ATTACH}: the way to a trunk, from then on the loop's to write to.
 *
 * @param link        number of the trunk.
 * @param publication to it.
 */
public record LinkAttachment(int link, ExclusivePublication publication)
{
}
