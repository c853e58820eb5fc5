package io.escapement.rooms.output;

/**
 * Figures of an open room, for an operator.
 *
 * @param rateHz    its frames a second, 0 for none.
 * @param callbacks that its logic has had: frames, messages, timers and all others.
 * @param timers    that are set.
 * @param requests  without an answer.
 * @param sentBytes of its messages, once for each trunk that they went to, since it was opened or restored.
 * @param refusals  of commands to it, since it was opened or restored.
 * @param isLocked  whether it takes no new players, by its own lock or one of an operator.
 * @param isLockedByOperator whether an operator has locked this room.
 */
public record RoomFigures(
    int rateHz,
    long callbacks,
    int timers,
    int requests,
    long sentBytes,
    long refusals,
    boolean isLocked,
    boolean isLockedByOperator)
{
}
