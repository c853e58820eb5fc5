package io.escapement.rooms.internal;

import io.escapement.rooms.log.TurnLog;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.output.Outputs;

/**
 * Everything that a host writes to.
 *
 * @param outputs  for the output of the rooms.
 * @param turnLog  for the record of the turns, or null.
 * @param listener for events.
 * @param logger   of the rooms.
 */
public record HostSinks(Outputs outputs, TurnLog turnLog, HostListener listener, System.Logger logger)
{
}
