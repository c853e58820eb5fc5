package io.escapement.rooms;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The API of a {@link RoomLogic} to its room: read the time, manage seats, set timers, send messages, and make requests
 * to other rooms and services.
 *
 * <pre>{@code
 *   public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
 *   {
 *       if (length > MAX_LINE)
 *       {
 *           room.refuse(from, TOO_LONG);
 *           return;
 *       }
 *       room.reschedule(timer, QUIET_NS);
 *       room.sendEvent(room.everyoneBut(from), buffer, offset, length);
 *   }
 * }</pre>
 *
 * <p>Every method may be called only inside a callback of this room, on the thread of its host. Any other call throws
 * {@link RoomUseException}. In {@link RoomLogic#onRestore}, {@link RoomLogic#onSnapshot} and
 * {@link RoomLogic#stateHash} only the methods that read may be called. A call with a wrong argument, such as the seat
 * of a player who has left, throws and, unless the logic catches it, closes the room with {@link CloseReason#ERROR}.
 *
 * <p><b>Sending</b> has no result. The message is copied into the room's output. {@link RoomType#outputLimit(int)} sets
 * the size of the output, and {@link RoomType#flush(RoomType.Flush)} when it is sent. There are two classes of message:
 * <ul>
 * <li>An <i>event</i> is delivered completely and in order. A seat for which an event does not fit goes away, and
 * catches up when its player is back.
 * <li><i>State</i> may be dropped, as a whole, for a receiver that is too slow. {@link RoomLogic#onStateLost} then asks
 * for a full state.
 * </ul>
 *
 * <p><b>Requests</b> ({@link #signal}, {@link #ask}, {@link #async}, {@link #openRoom}, and
 * {@link #reserve(long, long, long)} and {@link #release(long, long)} in another room) return a correlation id, counted
 * from 1 in each room. {@link RoomLogic#onReply} delivers the answer in a later turn. The call copies the request. A
 * request beyond {@link #requestsLeft()} is refused in onReply with {@code REQUEST_LIMIT}. A room with
 * {@value #MAX_REFUSALS} refusals that have not reached onReply yet makes no request: the call returns
 * {@link #NO_REQUEST}.
 *
 * <p>{@link RoomType#timers(int)} limits <b>timers</b>. A timer is never early, and late by at most one tick of the
 * wheel plus the time until the turn runs. The limit is a number of slots, which timers take in turn. After
 * 2<sup>31</sup>&nbsp;-&nbsp;2 timers a slot is retired, so that a stale handle never becomes valid.
 * {@link #reschedule} moves a timer without taking a slot.
 */
public interface Room
{
    /** Instead of the handle of a timer: no timer is set. */
    long NO_TIMER = 0;

    /** The correlation id of a request that was not made because too many refusals wait. No onReply follows. */
    long NO_REQUEST = 0;

    /** Instead of the number of a join: no join waits. */
    long NO_JOIN = 0;

    /** The most refusals of the host that can wait for onReply. A timer of the next tick delivers them. */
    int MAX_REFUSALS = 64;

    /** The longest message a room can send, in bytes. */
    int MAX_MESSAGE_LENGTH = 8 * 1024;

    /** The longest signal or request of a room, in bytes. It must fit a command. */
    int MAX_REQUEST_LENGTH = 1_920;

    /** The number of labels that a room can show in the directory. */
    int MAX_LABELS = 16;

    /** The longest value of a label, in bytes. */
    int MAX_LABEL_LENGTH = 64;

    /** The loop in the high 10 bits, then a serial number that is never reused. */
    long roomId();

    /**
     * The room that opened this room with {@link #openRoom}, or 0 for the application. Only
     * {@link RoomLogic#onOpen} can read it, afterwards it is 0: keep it there.
     */
    long openerRoomId();

    /** Time of this turn in nanoseconds since the host was created. It pauses while the host is down. */
    long nowNs();

    /**
     * Wall-clock time of this turn in milliseconds since 1970: the host's origin plus {@link #nowNs()}. A restart and a
     * change of the leader change the origin. If a logic keeps a date, it must write the date to its snapshot.
     */
    long epochMs();

    /** Number of the last frame, counted from the first {@link #frameRate} request and including skipped frames. */
    long frame();

    /** Frames that were skipped because the room or its loop was late. */
    long missedFrames();

    /** The room's seeded random stream. */
    RoomRandom random();

    /**
     * A logger that is silent in a replay. A room cannot notice that: every level is loggable, and a replay also
     * computes the message of a supplier. It does not compute the arguments of a format.
     */
    System.Logger logger();

    /**
     * Add to one of the application's counters. Has no effect in a replay.
     *
     * @param counterId the application's number for the counter.
     * @param delta     to add.
     */
    void count(int counterId, long delta);

    /** Number of seats, taken or free. Neither this nor the methods on seats taken and present count spectators. */
    int seatLimit();

    /** Number of seats that only watch, taken or free. Their indexes start at {@link #seatLimit()}. */
    int spectatorLimit();

    /** Number of spectators, present or away. */
    int spectators();

    /**
     * The next seat at or after an index with a spectator who is present. To walk all of them, continue with the seat's
     * index + 1.
     *
     * @param fromIndex 0 or more.
     * @return the seat, or null if no such seat exists.
     */
    Seat nextSpectator(int fromIndex);

    /**
     * Number of seats that have a player, present or away. A seat no longer counts in its {@link RoomLogic#onLeave}.
     */
    int seatsTaken();

    /** Number of seats with a player who is present. */
    int seatsPresent();

    /**
     * The next seat at or after an index with a player who is present. To walk all of them, continue with the seat's
     * index + 1.
     *
     * @param fromIndex 0 or more.
     * @return the seat, or null if no such seat exists.
     */
    Seat nextPresent(int fromIndex);

    /** Number of seats that are kept for players who have not joined yet: reserved, or held by a join that waits. */
    int seatsReserved();

    /**
     * Whether a seat is kept for a player who has not joined yet: reserved, or held by a join that waits.
     *
     * @param playerId of the player.
     */
    boolean isReserved(long playerId);

    /**
     * The next seat at or after an index that is kept for a player who has not joined yet. To walk all of them,
     * continue with the seat's index + 1. Of such a seat only its index, generation and player may be used.
     *
     * @param fromIndex 0 or more.
     * @return the seat, or null if no such seat exists.
     */
    Seat nextReserved(int fromIndex);

    /**
     * Reserve a seat of this room for a player, at once. If the player has a reservation, its time restarts. If the
     * player's join waits, the reservation matters only after that join is refused.
     *
     * @param playerId of the player.
     * @param ttlNs    how long the reservation lasts, above 0.
     * @return 0, or the code of the refusal: {@code ROOM_FULL}, {@code ROOM_LOCKED}, {@code DRAINING}, or
     *         {@code ALREADY_JOINED} for a player who has a seat.
     */
    int reserve(long playerId, long ttlNs);

    /**
     * End a player's reservation of a seat of this room, at once.
     *
     * @param playerId of the player.
     * @return false when the player has no reservation.
     */
    boolean release(long playerId);

    /**
     * The bytes that a seat has for this room's logic, {@link RoomType#seatData(int)} of them. They are zero for a new
     * player, part of the room's snapshot and hash, and cleared when the seat is freed, after its onLeave.
     *
     * @param seat of the player.
     * @return the same buffer on every call for a seat of this index. Do not keep it longer than the player is here.
     */
    MutableDirectBuffer data(Seat seat);

    /**
     * The seat at an index.
     *
     * @param index 0 up to {@link #seatLimit()} plus {@link #spectatorLimit()}, exclusive.
     * @return the seat, or null when no player has it.
     */
    Seat seat(int index);

    /**
     * The seat at an index, if it still has the player of a generation. An index and a generation denote one player, as
     * a {@link Seat} does, and can be part of a snapshot or a message.
     *
     * @param index      0 up to {@link #seatLimit()}, exclusive.
     * @param generation {@link Seat#generation()} of the player.
     * @return the seat, or null when that player has left.
     */
    Seat seat(int index, int generation);

    /**
     * The seat of a player.
     *
     * @param playerId of the player.
     * @return the seat, or null when the player has no seat here.
     */
    Seat seatOf(long playerId);

    /**
     * Remove a player as soon as this callback has returned, before any other callback of the room.
     *
     * @param seat of the player.
     */
    void kick(Seat seat);

    /**
     * Remove a player as {@link #kick(Seat)} does, and send the reason.
     *
     * @param seat of the player.
     * @param code of the application, from {@link RoomLogic#FIRST_APPLICATION_CODE} to 65,534: the player gets it, and
     *             {@link RoomLogic#onLeave(Seat, LeaveReason, int)}.
     */
    void kick(Seat seat, int code);

    /**
     * Admit the player of a waiting join, as soon as this callback has returned. {@link RoomLogic#onJoin} follows, or
     * the close of the room.
     *
     * @param joinId {@link JoinRequest#id()}. A join that has ended or is decided is ignored.
     * @return true when the join waited for the decision.
     */
    boolean admit(long joinId);

    /**
     * Admit a player as {@link #admit(long)} does, and give it bytes with its seat.
     *
     * @param joinId {@link JoinRequest#id()}. A join that has ended or is decided is ignored.
     * @param answer buffer with the bytes.
     * @param offset of the bytes.
     * @param length of the bytes, up to {@link JoinRequest#MAX_ANSWER_LENGTH}.
     * @return true when the join waited for the decision.
     */
    boolean admit(long joinId, DirectBuffer answer, int offset, int length);

    /**
     * Refuse the player of a waiting join, as soon as this callback has returned.
     *
     * @param joinId {@link JoinRequest#id()}. A join that has ended or is decided is ignored.
     * @param code   the reason, from {@link RoomLogic#FIRST_APPLICATION_CODE} upwards.
     * @return true when the join waited for the decision.
     */
    boolean refuse(long joinId, int code);

    /** Number of joins that wait for the decision of this room. */
    int joinsWaiting();

    /**
     * The join of a player that waits for the decision of this room.
     *
     * @param playerId of the player.
     * @return {@link JoinRequest#id()}, or {@link #NO_JOIN} when the player has no waiting join.
     */
    long joinOf(long playerId);

    /**
     * Send the player of a seat the refusal of its message.
     *
     * @param seat of the player.
     * @param code the reason: the application's from {@link RoomLogic#FIRST_APPLICATION_CODE} upwards, or the result of
     *             {@link MessageHandlers#onMessage}.
     */
    void refuse(Seat seat, int code);

    /**
     * Refuse new players, or admit them again. Away players can return to a locked room.
     *
     * @param locked true to refuse new players.
     */
    void lock(boolean locked);

    /**
     * Close this room with {@link CloseReason#EMPTY} when it has been empty for a time, which replaces
     * {@link RoomType#closeWhenEmptyNs(long)} of its type. If it is empty, the time starts now.
     *
     * @param delayNs in nanoseconds, above 0; {@link RoomType#NEVER} to stay open.
     */
    void closeWhenEmpty(long delayNs);

    /**
     * Close the room as soon as this callback has returned, before any other callback except the callbacks of the
     * close.
     */
    void close();

    /**
     * Close the room as {@link #close()} does, and send the reason to its players.
     *
     * @param code of the application, from {@link RoomLogic#FIRST_APPLICATION_CODE} to 65,534: each player gets it, and
     *             {@link RoomLogic#onLeave(Seat, LeaveReason, int)}.
     */
    void close(int code);

    /**
     * Set a timer that fires once.
     *
     * @param delayNs from now, 0 or more. A timer never fires in the turn that set it.
     * @param kind    passed to {@link RoomLogic#onTimer}.
     * @param tag     passed to {@link RoomLogic#onTimer}.
     * @return a handle, or {@link #NO_TIMER} when the room has no free timer.
     */
    long after(long delayNs, int kind, long tag);

    /**
     * Set a timer that fires repeatedly, on a fixed grid of deadlines. Periods that have passed entirely by the time it
     * fires are skipped.
     *
     * @param periodNs above 0.
     * @param kind     passed to {@link RoomLogic#onTimer}.
     * @param tag      passed to {@link RoomLogic#onTimer}.
     * @return a handle, or {@link #NO_TIMER} when the room has no free timer.
     */
    long every(long periodNs, int kind, long tag);

    /**
     * Set a timer that fires before every n-th frame of the room.
     *
     * @param frames n, above 0, counted from the next frame.
     * @param kind   passed to {@link RoomLogic#onTimer}.
     * @param tag    passed to {@link RoomLogic#onTimer}.
     * @return a handle, or {@link #NO_TIMER} when the room has no free timer.
     */
    long everyFrames(int frames, int kind, long tag);

    /**
     * Run a closure after a delay, in an ephemeral room.
     *
     * @param delayNs from now, 0 or more.
     * @param task    to run.
     * @return a handle, or {@link #NO_TIMER} when the room has no free timer.
     */
    long after(long delayNs, RoomTask task);

    /**
     * Run a closure before the next frame, in an ephemeral room.
     *
     * @param task to run.
     * @return a handle, or {@link #NO_TIMER} when the room has no free timer.
     */
    long nextFrame(RoomTask task);

    /**
     * Cancel a timer, effective immediately.
     *
     * @param handle of the timer. A stale handle has no effect.
     * @return true when the timer was set.
     */
    boolean cancel(long handle);

    /**
     * Move a timer to another deadline. It keeps its handle and fires after the timers already set for that deadline. A
     * repeating timer continues from the new deadline with its period. Frame timers cannot be moved.
     *
     * @param handle  of the timer. A stale handle has no effect.
     * @param delayNs from now, 0 or more.
     * @return true when the timer was set and has moved.
     */
    boolean reschedule(long handle, long delayNs);

    /**
     * Whether a timer is set. In its own onTimer, a repeating timer is still set and any other timer is not.
     *
     * @param handle of the timer.
     */
    boolean isSet(long handle);

    /**
     * The time until a timer is due.
     *
     * @param handle of the timer.
     * @return nanoseconds, 0 if the timer is due, or -1 if the timer is not set or counts frames.
     */
    long remainingNs(long handle);

    /**
     * Cancel every timer of the room.
     *
     * @return the number of timers that were set.
     */
    int cancelAll();

    /**
     * Request frames. The engine's governor may run fewer under load.
     *
     * @param hz 1 to 1000, or 0 for no frames.
     */
    void frameRate(int hz);

    /**
     * Every seat of this room. For an event, every seat of a player.
     *
     * @return the same object on every call, valid as long as the room.
     */
    Audience everyone();

    /**
     * Every seat of this room but one.
     *
     * @param except the seat that does not receive.
     * @return the same object on every call for this seat, valid until its player has left.
     */
    Audience everyoneBut(Seat except);

    /**
     * Send an event. Each seat receives its events completely and in order, from its onJoin or onBack to its next
     * onAway. Spectators receive no events: an audience leaves them out, and the seat of a spectator is a wrong
     * audience.
     *
     * @param audience of this room. Away seats do not receive.
     * @param buffer   with the message.
     * @param offset   of the message.
     * @param length   of the message in bytes, up to {@link #MAX_MESSAGE_LENGTH}.
     */
    void sendEvent(Audience audience, DirectBuffer buffer, int offset, int length);

    /**
     * Send state. It is dropped for a receiver that is too slow.
     *
     * @param audience of this room. Away seats do not receive.
     * @param buffer   with the message.
     * @param offset   of the message.
     * @param length   of the message in bytes, up to {@link #MAX_MESSAGE_LENGTH}.
     */
    void sendState(Audience audience, DirectBuffer buffer, int offset, int length);

    /**
     * Write an event in place, without a copy. No other message can be sent until {@link #commit(int)}. A claim that is
     * still open when its callback returns is discarded.
     *
     * @param audience  of this room. Away seats do not receive.
     * @param maxLength the most bytes that the message may have, up to {@link #MAX_MESSAGE_LENGTH}.
     * @return a zeroed buffer of that length, valid until the commit.
     */
    MutableDirectBuffer claimEvent(Audience audience, int maxLength);

    /**
     * Write state in place, without a copy, as {@link #claimEvent} does for an event.
     *
     * @param audience  of this room. Away seats do not receive.
     * @param maxLength the most bytes that the message may have, up to {@link #MAX_MESSAGE_LENGTH}.
     * @return a zeroed buffer of that length, valid until the commit.
     */
    MutableDirectBuffer claimState(Audience audience, int maxLength);

    /**
     * Send the message written into the open claim.
     *
     * @param length of the message, up to the claim's; 0 discards the claim.
     */
    void commit(int length);

    /** Create an empty group of seats. Groups last as long as the room. {@link RoomType#groups(int)} limits them. */
    SeatGroup newGroup();

    /**
     * A group that this room created earlier, for use in {@link RoomLogic#onRestore}.
     *
     * @param index in the order of creation.
     */
    SeatGroup group(int index);

    /**
     * How many of the requests that are answered ({@link #ask}, {@link #async}, {@link #openRoom}, and to other rooms
     * {@code reserve} and {@code release}) the room may still make before the host refuses a request. Each open request
     * counts until its answer. {@link RoomType#requests(int)} limits them.
     */
    int requestsLeft();

    /**
     * Send a message to another room, which receives it in onSignal. Only a refusal is answered, by onReply.
     *
     * @param toRoomId the receiver.
     * @param buffer   with the message.
     * @param offset   of the message.
     * @param length   of the message in bytes, up to {@link #MAX_REQUEST_LENGTH}.
     * @return a correlation id, or {@link #NO_REQUEST}.
     */
    long signal(long toRoomId, DirectBuffer buffer, int offset, int length);

    /**
     * Ask another room, which receives the question in {@link RoomLogic#onAsk}. {@link RoomLogic#onReply} gets its
     * answer, or a refusal: {@code UNKNOWN_ROOM}, {@code UNKNOWN_MESSAGE} from a room without questions,
     * {@code QUEUE_FULL} from a room with the most questions it may have, {@code TIMED_OUT}, {@code ROOM_CLOSED},
     * {@code ROOM_FAILED}. A question may have been acted on in the last three cases.
     *
     * @param toRoomId  the room that is asked.
     * @param timeoutNs how long the answer may take, above 0, counted from the turn in which the asked room gets the
     *                  question.
     * @param buffer    with the question.
     * @param offset    of the question.
     * @param length    of the question in bytes, up to {@link #MAX_REQUEST_LENGTH}.
     * @return a correlation id, or {@link #NO_REQUEST}.
     */
    long ask(long toRoomId, long timeoutNs, DirectBuffer buffer, int offset, int length);

    /**
     * Answer a question that this room got in {@link RoomLogic#onAsk}.
     *
     * @param askId  of the question.
     * @param status 0 for success, or a code for {@link RoomLogic#onReply} of the asking room: application codes start
     *               at {@link RoomLogic#FIRST_APPLICATION_CODE}, apart from the engine's codes.
     * @param buffer with the answer.
     * @param offset of the answer.
     * @param length of the answer in bytes, up to {@link #MAX_REQUEST_LENGTH}.
     * @return false if the question is not open: answered already, or timed out.
     */
    boolean answer(long askId, int status, DirectBuffer buffer, int offset, int length);

    /**
     * Send a request to an asynchronous service.
     *
     * @param serviceId of the service.
     * @param orderKey  requests with the same key are processed in order.
     * @param buffer    with the request.
     * @param offset    of the request.
     * @param length    of the request in bytes, up to {@link #MAX_REQUEST_LENGTH}.
     * @return a correlation id, or {@link #NO_REQUEST}.
     */
    long async(int serviceId, long orderKey, DirectBuffer buffer, int offset, int length);

    /**
     * Open another room. The reply carries its id.
     *
     * @param typeId of the new room.
     * @param buffer with the arguments for its onOpen.
     * @param offset of the arguments.
     * @param length of the arguments in bytes, up to 1,024.
     * @return a correlation id, or {@link #NO_REQUEST}.
     */
    long openRoom(int typeId, DirectBuffer buffer, int offset, int length);

    /**
     * Reserve a seat in another room for a player.
     *
     * @param inRoomId the other room.
     * @param playerId of the player.
     * @param ttlNs    how long the reservation lasts.
     * @return a correlation id, or {@link #NO_REQUEST}.
     */
    long reserve(long inRoomId, long playerId, long ttlNs);

    /**
     * Release a seat in another room that is reserved for a player who has not joined yet. The reply is a success, or
     * {@code NOT_RESERVED} when the player has joined or the reservation has expired.
     *
     * @param inRoomId the other room.
     * @param playerId of the player.
     * @return a correlation id, or {@link #NO_REQUEST}.
     */
    long release(long inRoomId, long playerId);

    /**
     * Publish a label of this room in the directory.
     *
     * @param key    0 up to {@link #MAX_LABELS}, exclusive.
     * @param buffer with the value.
     * @param offset of the value.
     * @param length of the value in bytes, up to {@link #MAX_LABEL_LENGTH}; 0 removes the label.
     */
    void label(int key, DirectBuffer buffer, int offset, int length);

    /** Receive every room that is open now and every change from now on, through {@link RoomLogic#onDirectory}. */
    void subscribeToDirectory();
}
