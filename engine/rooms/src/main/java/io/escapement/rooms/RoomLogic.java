package io.escapement.rooms;

import io.escapement.codecs.Codes;
import org.agrona.DirectBuffer;

/**
 * The code of one room. Its host calls it on one thread, and one call at a time.
 *
 * <pre>{@code
 *   the life of a room                       the life of a seat
 *
 *   onOpen, or onRestore                     onJoinRequest      may refuse the player
 *     |                                        | ACCEPT, or LATER and then admit()
 *     v                                        v
 *   open: one turn after another             onJoin
 *     |                                        |
 *     | close(), or a CloseRoom command        v     connection lost
 *     v                                      present ----------------> onAway
 *   onLeave for each seat, by index            |  ^                      |
 *     |                                        |  +------ onBack --------+
 *     v                                        |     player returns      | grace expires
 *   onClose                                    v                         v
 *                                            onLeave <-------------------+
 *                                              left, kicked, or room closed
 *
 *   one turn: everything in it happens at the same nowNs()
 *
 *   1. commands, in order of arrival
 *        onMessage  onJoinRequest  onJoin  onJoinEnded  onAway  onBack  onLeave
 *        onSignal  onAsk  onReply  onDirectory  onStateLost  onDrain
 *   2. timers that are due, by deadline, then in the order they were set
 *        onTimer
 *   3. output leaves; then onStateLost for each seat whose state did not fit
 *   4. the frame, if one is due
 *        onTimer for timers that count frames; then onFrame
 *        output leaves; then onStateLost as in 3
 *
 *   After each callback: onLeave for the seats it kicked, onAway for the seats
 *   that lost an event, and then, if it called close(), the close; otherwise
 *   onJoin for the players it admitted, in the order of their requests.
 * }</pre>
 *
 * <p>A callback that throws closes the room with {@link CloseReason#ERROR}, unless {@link #onError} decides otherwise.
 * No further callback runs, not even onLeave or {@link #onClose}. Messages sent before the throw are delivered.
 *
 * <p><b>A room replays to the same bytes</b> if its logic takes time from {@link Room#nowNs()} only, random numbers
 * from {@link Room#random()} only, and does not read what another thread writes.
 *
 * <p>A buffer spans exactly its message and is valid during the callback only. A read beyond it or after the callback
 * throws, unless {@code agrona.disable.bounds.checks} is set, which makes it undefined. {@link MessageHandlers} decodes
 * SBE messages. {@code RoomBench} runs a room in a test.
 */
public interface RoomLogic
{
    /** The end of a callback that threw. */
    enum AfterError
    {
        /** The room closes with {@link CloseReason#ERROR}, without another callback. */
        CLOSE,
        /** The player of the seat that the callback was about is kicked, and the room continues. */
        KICK,
        /** The room continues. */
        CONTINUE
    }

    /** Result of {@link #onJoinRequest} that admits the player. */
    int ACCEPT = 0;

    /** Result of {@link #onJoinRequest} that holds a seat for the player until the room decides. */
    int LATER = -1;

    /** The first refusal code for applications. Lower codes belong to the engine. */
    int FIRST_APPLICATION_CODE = Codes.FIRST_APPLICATION_CODE;

    /**
     * The room opens. Keep the room, and request a frame rate.
     *
     * @param room   to act through, valid until the room closes.
     * @param args   buffer with the arguments of the command that opened the room.
     * @param offset of the arguments.
     * @param length of the arguments in bytes.
     */
    void onOpen(Room room, DirectBuffer args, int offset, int length);

    /**
     * A message of a player arrived. The host has verified that the player has this seat.
     *
     * @param from   the player's seat.
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message in bytes.
     */
    void onMessage(Seat from, DirectBuffer buffer, int offset, int length);

    /**
     * The room closes, and its seats have left. Not called for a room that failed.
     *
     * @param reason for closing.
     */
    default void onClose(final CloseReason reason)
    {
    }

    /**
     * A new player requests a seat, and a seat is available. Not called for a player who returns to its seat.
     *
     * @param playerId of the player.
     * @param args     buffer with the arguments of the request.
     * @param offset   of the arguments.
     * @param length   of the arguments in bytes.
     * @return {@link #ACCEPT}, or a refusal from {@link #FIRST_APPLICATION_CODE} to 65,535, which the player receives.
     *         Any other value closes the room like a throw.
     */
    default int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        return ACCEPT;
    }

    /**
     * A player without a seat wants to watch, and a seat for it is available. Locks and reservations do not concern it:
     * decide here whether a locked room may be watched. The seat then gets onJoin, onAway, onBack, onStateLost and
     * onLeave, as the seats of players do, with {@link Seat#isSpectator()}.
     *
     * @param playerId of the player.
     * @param args     buffer with the arguments of the request.
     * @param offset   of the arguments.
     * @param length   of the arguments in bytes.
     * @return as onJoinRequest.
     */
    default int onWatchRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        return ACCEPT;
    }

    /**
     * A new player requests a seat, and a seat is available. Calls {@link #onJoinRequest(long, DirectBuffer, int, int)}
     * unless overridden, which is then not called.
     *
     * <p>With {@link #LATER} the join waits, and a seat is held for the player as if it were reserved. It waits until a
     * later callback calls {@link Room#admit(long)} or {@link Room#refuse(long, int)} with the id of the request. Only
     * types that set {@link RoomType#joinRequests(int)} may return it. The join ends without a decision, and
     * {@link #onJoinEnded} follows, in these cases: {@link RoomType#joinTimeoutNs(long)} has passed, the player
     * withdraws the join or joins through another trunk, its trunk is lost, or the host drains. A lock of the room does
     * not end the join.
     *
     * @param request valid during the call.
     * @param args    buffer with the arguments of the request.
     * @param offset  of the arguments.
     * @param length  of the arguments in bytes.
     * @return {@link #ACCEPT}, {@link #LATER}, or a refusal from {@link #FIRST_APPLICATION_CODE} to 65,535, which the
     *         player receives. Any other value closes the room like a throw.
     */
    default int onJoinRequest(
        final JoinRequest request, final DirectBuffer args, final int offset, final int length)
    {
        return onJoinRequest(request.playerId(), args, offset, length);
    }

    /**
     * A join that waited for the decision of this room has ended without it, and its seat is free or still reserved.
     * Not called when the room closes.
     *
     * @param joinId   {@link JoinRequest#id()}.
     * @param playerId of the player.
     * @param code     why, which the player receives: {@code JOIN_TIMEOUT}, {@code JOIN_CANCELLED},
     *                 {@code UNKNOWN_LINK} when its trunk was lost, {@code DRAINING}, or {@code ROOM_FULL} when
     *                 onJoinRequest gave the last seat to another.
     */
    default void onJoinEnded(final long joinId, final long playerId, final int code)
    {
    }

    /**
     * A player has a seat from now on.
     *
     * @param seat of the player.
     */
    default void onJoin(final Seat seat)
    {
    }

    /**
     * A player cannot be reached. Its seat is held for the type's grace.
     *
     * @param seat of the player.
     */
    default void onAway(final Seat seat)
    {
    }

    /**
     * An away player returned, through the same trunk or another. It missed every message since it went away: send a
     * full state.
     *
     * @param seat of the player.
     */
    default void onBack(final Seat seat)
    {
    }

    /**
     * A seat is about to be freed. Called once for every {@link #onJoin}, unless the room failed.
     *
     * @param seat   that is freed. It receives no more messages.
     * @param reason for leaving.
     */
    default void onLeave(final Seat seat, final LeaveReason reason)
    {
    }

    /**
     * A seat is about to be freed, for a reason of the application. Calls {@link #onLeave(Seat, LeaveReason)} unless
     * overridden, which is then not called.
     *
     * @param seat   that is freed. It receives no more messages.
     * @param reason for leaving.
     * @param code   with which the player left, was kicked, or the room was closed. 0 without a code. A player's
     *               application may send any code from 1 to 65,534.
     */
    default void onLeave(final Seat seat, final LeaveReason reason, final int code)
    {
        onLeave(seat, reason);
    }

    /**
     * A callback threw, and its work may be half done. Messages and requests that it made before are sent, and timers
     * are set. Decide whether the room can continue. By default it closes.
     *
     * <p>Not called when {@link #onOpen} or {@link #onClose} threw, nor for a throw that depends on the machine, as a
     * StackOverflowError does: these close the room. So does a throw of this method. Decide by the class of the
     * throwable at most: its message and its stack differ between JVMs. If onJoinRequest threw and the room continues,
     * the join is refused with {@code ROOM_FAILED}.
     *
     * @param thrown by the callback.
     * @param seat   that the callback was about, or null for a callback without one.
     * @return what happens to the room. {@link AfterError#KICK} without a seat closes it.
     */
    default AfterError onError(final Throwable thrown, final Seat seat)
    {
        return AfterError.CLOSE;
    }

    /**
     * A message from another room, or from the application.
     *
     * @param fromRoomId the sender, or 0 for the application.
     * @param buffer     with the message.
     * @param offset     of the message.
     * @param length     of the message in bytes.
     */
    default void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    /**
     * A question from another room, or from the application, for rooms of a type with
     * {@link RoomType#questions(int)}. Answer it with {@link Room#answer}, in this callback or a later callback. If
     * this callback throws, the question is refused with {@code ROOM_FAILED}. Without an answer in time it is refused
     * with {@code TIMED_OUT}. If the room closes first, it is refused with {@code ROOM_CLOSED}.
     *
     * @param askId      of the question, counted from 1 in each room.
     * @param fromRoomId the room that asks, or 0 for the application.
     * @param buffer     with the question.
     * @param offset     of the question.
     * @param length     of the question in bytes.
     */
    default void onAsk(
        final long askId, final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        throw new UnsupportedOperationException(
            getClass().getName() + " has no onAsk: leave its type without questions");
    }

    /**
     * The answer to a request ({@link Room#ask}, {@link Room#async}, {@link Room#openRoom}, a reservation), or the
     * refusal of a {@link Room#signal}.
     *
     * @param correlationId that the request returned.
     * @param status        0 for success. Otherwise a refusal code, or the status of the service or room that was
     *                      asked.
     * @param buffer        with the answer. For {@link Room#openRoom} the new room's id in 8 bytes.
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
     * @param handle returned when it was set.
     * @param kind   given when it was set.
     * @param tag    given when it was set.
     */
    default void onTimer(final long handle, final int kind, final long tag)
    {
    }

    /**
     * A frame is due.
     *
     * @param frame     number of the frame since the room first requested frames, including skipped frames.
     * @param elapsedNs from the deadline of the last frame that ran to this frame's deadline.
     */
    default void onFrame(final long frame, final long elapsedNs)
    {
    }

    /**
     * State to this seat was dropped: send a full state, because a delta would miss its base. If that full state is
     * dropped, the call is repeated: after the next frame in a room that flushes by frames, otherwise after at
     * least 10 ms. Not called for a seat that has gone away in between, even if it has returned, because
     * {@link #onBack} asks for the same.
     *
     * @param seat that lost it.
     */
    default void onStateLost(final Seat seat)
    {
    }

    /**
     * The host is stopping. By default the room closes at once. If a room needs time, it finishes and closes before the
     * deadline. At the deadline the host closes it.
     *
     * @param room       that receives this call.
     * @param deadlineNs in host time.
     */
    default void onDrain(final Room room, final long deadlineNs)
    {
        room.close();
    }

    /**
     * Another room opened, closed or changed. For rooms that called {@link Room#subscribeToDirectory()}.
     *
     * @param entry valid during the call.
     */
    default void onDirectory(final DirectoryEntry entry)
    {
    }

    /**
     * Write every value that the future of the room depends on. The host writes seats, groups, timers, the random
     * stream and frames.
     *
     * @param writer to write to.
     */
    default void onSnapshot(final StateWriter writer)
    {
    }

    /**
     * Continue a room from its snapshot. Called instead of {@link #onOpen}. Do not send or set timers: the host
     * restores the room's timers, output and frame rate. A reload also calls it, on the logic of a newer version with
     * the snapshot of the older version. If it throws or leaves bytes unread, the room continues with the older
     * version.
     *
     * @param room    to act through, valid until the room closes.
     * @param version of the logic that wrote the snapshot.
     * @param reader  of the values that {@link #onSnapshot} wrote.
     */
    default void onRestore(final Room room, final int version, final StateReader reader)
    {
        throw new UnsupportedOperationException(getClass().getName() + " cannot be restored: it has no onRestore");
    }

    /**
     * Name values of the room for people. A debugger calls it between turns, and after a message of a turn. It must not
     * change the room, because a replay would differ. Without names a debugger shows the values of {@link #onSnapshot}.
     *
     * @param description to put the values into.
     */
    default void onDescribe(final RoomDescription description)
    {
    }

    /**
     * A hash of the room's state, to compare a replay with its recording.
     *
     * @return by default the hash of the values that {@link #onSnapshot} writes.
     */
    default long stateHash()
    {
        final StateHash hash = new StateHash();
        onSnapshot(hash);
        return hash.value();
    }
}
