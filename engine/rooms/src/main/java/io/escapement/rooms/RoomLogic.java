package io.escapement.rooms;

import org.agrona.DirectBuffer;

/**
 * The code of one room, called by its host, always on one thread and never while another call is under way.
 *
 * <p>The rules that make a room replay to the same bytes: read time from {@link Room#nowNs()} only, random numbers from
 * {@link Room#random()} only, and nothing that another thread writes. Buffers are valid during the call alone. A call
 * that throws closes the room with {@link CloseReason#ERROR}: no further call follows, what it sent before the throw
 * is kept.
 */
public interface RoomLogic
{
    /** Answer of {@link #onJoinRequest} that lets the player in. */
    int ACCEPT = 0;

    /** Applications number their refusals from here; lower codes are the engine's. */
    int FIRST_APPLICATION_CODE = 1024;

    /**
     * The room was opened. The first call, and the place to keep the room and to ask for a frame rate.
     *
     * @param room   to act through, valid until the room closes.
     * @param args   buffer with the arguments of the command that opened the room.
     * @param offset of the arguments.
     * @param length of the arguments in bytes.
     */
    void onOpen(Room room, DirectBuffer args, int offset, int length);

    /**
     * A player's message, checked against its seat.
     *
     * @param from   the seat it came from.
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message in bytes.
     */
    void onMessage(Seat from, DirectBuffer buffer, int offset, int length);

    /**
     * The room closes; its seats have left. The last call, unless the room failed, which is told to nobody.
     *
     * @param reason why.
     */
    default void onClose(final CloseReason reason)
    {
    }

    /**
     * A player asks for a seat, and one is to be had. Not called for a player who returns to its seat.
     *
     * @param playerId of the player.
     * @param args     buffer with the arguments of the request.
     * @param offset   of the arguments.
     * @param length   of the arguments in bytes.
     * @return {@link #ACCEPT}, or a refusal from {@link #FIRST_APPLICATION_CODE} upwards, which the player is told.
     */
    default int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        return ACCEPT;
    }

    /**
     * A player took a seat.
     *
     * @param seat taken.
     */
    default void onJoin(final Seat seat)
    {
    }

    /**
     * A player lost its connection. The seat is held for the type's grace.
     *
     * @param seat that is held.
     */
    default void onAway(final Seat seat)
    {
    }

    /**
     * An away player is back, through the same link or another. It missed every message since it went away.
     *
     * @param seat of the player.
     */
    default void onBack(final Seat seat)
    {
    }

    /**
     * A seat is about to be freed. Once for every {@link #onJoin}, unless the room failed.
     *
     * @param seat   that is freed; it takes no more messages.
     * @param reason why.
     */
    default void onLeave(final Seat seat, final LeaveReason reason)
    {
    }

    /**
     * A message from another room, or from the embedding program.
     *
     * @param fromRoomId the sender, or 0 for the embedding program.
     * @param buffer     with the message.
     * @param offset     of the message.
     * @param length     of the message in bytes.
     */
    default void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    /**
     * The answer to a request ({@link Room#async}, {@link Room#openRoom}, {@link Room#reserve}), or the refusal of a
     * {@link Room#signal}.
     *
     * @param correlationId that the request returned.
     * @param status        0 for done; otherwise a refusal code, or the service's own.
     * @param buffer        with the answer; for {@link Room#openRoom} the new room's id in 8 bytes.
     * @param offset        of the answer.
     * @param length        of the answer in bytes.
     */
    default void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    /**
     * A timer is due.
     *
     * @param handle that setting it returned.
     * @param kind   given when it was set.
     * @param tag    given when it was set.
     */
    default void onTimer(final long handle, final int kind, final long tag)
    {
    }

    /**
     * A frame is due.
     *
     * @param frame     number of the frame since the room asked for frames, skipped ones included.
     * @param elapsedNs between this frame's deadline and that of the last frame that ran.
     */
    default void onFrame(final long frame, final long elapsedNs)
    {
    }

    /**
     * State to this seat was dropped on the way. It needs a full picture.
     *
     * @param seat that lost it.
     */
    default void onStateLost(final Seat seat)
    {
    }

    /**
     * The host is stopping. A room that has something to finish should have closed by the deadline.
     *
     * @param deadlineNs in host time.
     */
    default void onDrain(final long deadlineNs)
    {
    }

    /**
     * News of another room, for a room that called {@link Room#subscribeToDirectory()}.
     *
     * @param entry valid during the call.
     */
    default void onDirectory(final DirectoryEntry entry)
    {
    }

    /**
     * Write everything that the room's future depends on. Seats, timers, the random stream and frames are the host's
     * to write.
     *
     * @param writer to write to.
     */
    default void onSnapshot(final StateWriter writer)
    {
    }

    /**
     * Take the place of a room that wrote this snapshot. Called in place of {@link #onOpen}; nothing may be sent or
     * set, since the host restores what the room had.
     *
     * @param room    to act through, valid until the room closes.
     * @param version of the logic that wrote the snapshot.
     * @param reader  of what {@link #onSnapshot} wrote.
     */
    default void onRestore(final Room room, final int version, final StateReader reader)
    {
        throw new UnsupportedOperationException(getClass().getName() + " cannot be restored: it has no onRestore");
    }

    /**
     * A hash of the room's state, for comparing a replay.
     *
     * @return by default the hash of what {@link #onSnapshot} writes.
     */
    default long stateHash()
    {
        final StateHash hash = new StateHash();
        onSnapshot(hash);
        return hash.value();
    }
}
