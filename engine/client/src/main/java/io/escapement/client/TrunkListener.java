package io.escapement.client;

import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Callbacks of a trunk, called inside {@link TrunkClient#poll()}. A buffer is valid during its call only. By default
 * every method ignores its call.
 */
public interface TrunkListener
{
    /**
     * The trunk is up.
     *
     * @param isResumed true when a lost trunk was resumed: {@link #onSeatResumed} follows for each seat still held.
     */
    default void onUp(final boolean isResumed)
    {
    }

    /**
     * The trunk is down or could not be connected. No callback follows.
     *
     * @param code a {@code TrunkCode}, or 0 when the connection was lost.
     */
    default void onDown(final int code)
    {
    }

    /**
     * An attempt to connect failed or the connection was lost, and the trunk will reconnect: see
     * {@link TrunkContext#reconnect}. The seats are away.
     *
     * @param code a {@code TrunkCode}, or 0 when the connection was lost.
     */
    default void onDisconnected(final int code)
    {
    }

    /**
     * A log-in was answered.
     *
     * @param requestId of the log-in.
     * @param status    0 on success. Otherwise a {@code TrunkCode} or a code of the engine's log-in service.
     * @param playerId  the player, on success.
     * @param token     to join with, on success.
     */
    default void onLogIn(final long requestId, final int status, final long playerId, final byte[] token)
    {
    }

    /**
     * Precedes {@link #onLogIn} of a player who may log in again without a password.
     *
     * @param requestId of the log-in.
     * @param session   credentials for {@link TrunkClient#logIn}, on this trunk or another.
     */
    default void onSession(final long requestId, final byte[] session)
    {
    }

    /**
     * A player got a new seat or returned to the held one.
     *
     * @param requestId of the join.
     * @param seat      of the player. The same object is passed until the seat is left.
     */
    default void onJoined(final long requestId, final ClientSeat seat)
    {
    }

    /**
     * A player got a new seat or returned to the held one. Calls {@link #onJoined(long, ClientSeat)} unless overridden,
     * which is then not called.
     *
     * @param requestId of the join.
     * @param seat      of the player. The same object is passed until the seat is left.
     * @param buffer    with bytes that the room's logic gives to the player of a new seat.
     * @param offset    of the bytes.
     * @param length    of the bytes, often 0.
     */
    default void onJoined(
        final long requestId, final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        onJoined(requestId, seat);
    }

    /**
     * The engine accepted messages: the seat's messages up to {@link ClientSeat#acceptedSequence()} have run or were
     * refused. How much such a message survives depends on the engine's durability. Only if
     * {@link TrunkContext#resendLength} is set.
     *
     * @param seat of the player.
     */
    default void onAccepted(final ClientSeat seat)
    {
    }

    /**
     * A held seat is present again because the trunk was resumed or its loop's stream reconnected.
     *
     * @param seat of the player. {@link ClientSeat#acceptedSequence()} is the number of the last message before the
     *             loss.
     */
    default void onSeatResumed(final ClientSeat seat)
    {
    }

    /**
     * A seat is away: held, but without messages until its player rejoins.
     *
     * @param seat   of the player.
     * @param reason ordinal of the engine's {@code AwayReason}.
     */
    default void onSeatAway(final ClientSeat seat, final int reason)
    {
    }

    /**
     * A seat was freed.
     *
     * @param seat   that the player had.
     * @param reason ordinal of the engine's {@code LeaveReason}.
     */
    default void onLeft(final ClientSeat seat, final int reason)
    {
    }

    /**
     * A seat was freed. Calls {@link #onLeft(ClientSeat, int)} unless overridden, which is then not called.
     *
     * @param seat   that the player had.
     * @param reason ordinal of the engine's {@code LeaveReason}.
     * @param code   an application's code from 1024 up with which the player was kicked or the room closed, or the code
     *               of {@link TrunkClient#leave(ClientSeat, int)}. 0 without a code.
     */
    default void onLeft(final ClientSeat seat, final int reason, final int code)
    {
        onLeft(seat, reason);
    }

    /**
     * The engine refused a join, a leave, a message or a whole batch. With a feed the client handles the refusals of
     * {@link TrunkClient#stateLost} itself.
     *
     * @param templateId of the entry, or 0 for a whole batch.
     * @param roomId     of the entry, or 0.
     * @param seatIndex  of the seat in a message or a leave. The seat may have been freed. Otherwise -1.
     * @param reference  the request id of a join, the sequence of a message, otherwise 0.
     * @param code       a {@code RefusalCode}, a {@code TrunkCode}, or an application's code from 1024 up.
     */
    default void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
    }

    /**
     * A room's message, once for all seats that receive it.
     *
     * @param roomId  of the room.
     * @param isState true for a state, which the engine may drop. False for an event.
     * @param seats   that receive it, by rising index. The list is reused after this call.
     * @param buffer  with the message.
     * @param offset  of the message.
     * @param length  of the message.
     * @return true to deliver it to each seat. False if this call handled it.
     */
    default boolean onRoomMessage(
        final long roomId,
        final boolean isState,
        final List<ClientSeat> seats,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        return true;
    }

    /**
     * An event for a seat.
     *
     * @param seat   that receives it.
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
     * @param seat   that receives it.
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message.
     */
    default void onState(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
    }
}
