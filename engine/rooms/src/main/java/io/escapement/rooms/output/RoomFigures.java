package io.escapement.rooms.output;

import java.util.List;

/**
 * Figures of an open room, for an operator.
 *
 * @param rateHz             its frames per second, 0 for no frames.
 * @param callbacks          that its logic has had: frames, messages, timers and all others.
 * @param timers             that are set.
 * @param requests           without an answer.
 * @param sentBytes          of its messages, once for each of their trunks, from its open or restore on.
 * @param refusals           of commands to it, from its open or restore on.
 * @param isLocked           whether it accepts no new players, by its own lock or an operator's.
 * @param isLockedByOperator whether an operator has locked this room.
 * @param ageNs              since it was opened or restored.
 * @param statesLost         that were dropped on their way to a seat, from its open or restore on.
 * @param lastRefusals       newest first, up to 8 of them, among the last 256 of its host.
 */
public record RoomFigures(
    int rateHz,
    long callbacks,
    int timers,
    int requests,
    long sentBytes,
    long refusals,
    boolean isLocked,
    boolean isLockedByOperator,
    long ageNs,
    long statesLost,
    List<Refusal> lastRefusals)
{
    /**
     * A refused command.
     *
     * @param seatIndex  of the seat that sent it, or -1.
     * @param templateId of the command.
     * @param code       of the refusal.
     */
    public record Refusal(int seatIndex, int templateId, int code)
    {
    }
}
