package io.escapement.engine.internal.loop;

/**
 * The attachment of {@link ControlSignal#ATTACH}: a publication to a trunk, which the loop writes from then on.
 *
 * @param link        number of the trunk.
 * @param publication to it.
 */
public record LinkAttachment(int link, LinkPublication publication)
{
}
