package io.escapement.client;

import org.agrona.DirectBuffer;

/**
 * Hears what comes over a trunk, inside {@link TrunkClient#poll()}. Buffers are valid during the call alone. Every
 * method does nothing unless it is overridden.
 */
public interface TrunkListener
{
    /**
     * The trunk is up.
     *
     * @param isResumed whether it is one that was lost: its seats come back, one {@link #onSeatResumed} each.
     */
    default void onUp(final boolean isResumed)
    {
    }

    /**
     * The trunk is down, or never came up.
     *
     * @param code a {@code TrunkCode}, or 0 when the connection was just lost.
     */
    default void onDown(final int code)
    {
    }

    /**
     * A log-in was answered.
     *
     * @param requestId of the log-in.
     * @param status    0 when the player is known.
     * @param playerId  the player.
     * @param token     to join with.
     */
    default void onLogIn(final long requestId, final int status, final long playerId, final byte[] token)
    {
    }

    /**
     * A player has a seat: a new one, or its own again.
     *
     * @param requestId of the join.
     * @param seat      of the player. The same object until the seat is left.
     */
    default void onJoined(final long requestId, final ClientSeat seat)
    {
    }

    /**
     * A seat is present again after the trunk was resumed.
     *
     * @param seat of the player; its sequence is what the engine accepted last.
     */
    default void onSeatResumed(final ClientSeat seat)
    {
    }

    /**
     * A seat is held, and hears nothing until its player joins again.
     *
     * @param seat   of the player.
     * @param reason ordinal of the engine's {@code AwayReason}.
     */
    default void onSeatAway(final ClientSeat seat, final int reason)
    {
    }

    /**
     * A seat is gone.
     *
     * @param seat   that the player had.
     * @param reason ordinal of the engine's {@code LeaveReason}.
     */
    default void onLeft(final ClientSeat seat, final int reason)
    {
    }

    /**
     * A join, a leave or a message was refused.
     *
     * @param templateId of the entry, 0 for a whole frame.
     * @param roomId     that it was for.
     * @param reference  the request id of a join, the sequence of a message.
     * @param code       a {@code RefusalCode}, a {@code TrunkCode}, or an application's own.
     */
    default void onRefused(final int templateId, final long roomId, final long reference, final int code)
    {
    }

    /**
     * A room's message, once a trunk, before it is given to the seats.
     *
     * @param roomId   of the room.
     * @param isState  whether it is a state, which may be dropped, or an event.
     * @param audience as in the protocol.
     * @param selector as in the protocol.
     * @param buffer   with the message.
     * @param offset   of the message.
     * @param length   of the message.
     * @return whether to give it to the seats one by one. A gateway that hands it on as it is says no.
     */
    default boolean onRoomMessage(
        final long roomId,
        final boolean isState,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        return true;
    }

    /**
     * An event for a seat.
     *
     * @param seat   it is for.
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message.
     */
    default void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    /**
     * A state for a seat.
     *
     * @param seat   it is for.
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message.
     */
    default void onState(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
    }
}
