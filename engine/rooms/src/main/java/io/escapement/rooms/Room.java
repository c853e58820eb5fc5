package io.escapement.rooms;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The API of a {@link RoomLogic} to its room: read the time, manage seats, set timers, send messages, and make requests
 * to other rooms and services.
 *
 * <p>Every method may be called only inside a callback of this room, on the thread of its host; anywhere else it throws
 * {@link RoomUseException}. In {@link RoomLogic#onRestore}, {@link RoomLogic#onSnapshot} and
 * {@link RoomLogic#stateHash} only the methods that read may be called. A call with a wrong argument, such as the seat
 * of a player who has left, throws and, unless the logic catches it, closes the room with {@link CloseReason#ERROR}.
 *
 * <p><b>Sending</b> has no result. The message is copied into the room's output, whose size is
 * {@link RoomType#outputLimit(int)}, and leaves when {@link RoomType#flush(RoomType.Flush)} says. There are two
 * classes of message:
 * <ul>
 * <li>An <i>event</i> is delivered completely and in order. A seat for which an event does not fit goes away, and
 * catches up when its player is back.
 * <li><i>State</i> may be dropped, as a whole, for a receiver that is too slow. {@link RoomLogic#onStateLost} then asks
 * for a full snapshot.
 * </ul>
 *
 * <p><b>Requests</b> ({@link #signal}, {@link #ask}, {@link #async}, {@link #openRoom}, and
 * {@link #reserve(long, long, long)} and {@link #release(long, long)} in another room) return a correlation id, counted
 * from 1 in each room; {@link RoomLogic#onReply} delivers the answer in a later turn. The call copies the request. A
 * request beyond {@link #requestsLeft()} is refused by {@code REQUEST_LIMIT} in onReply. A room with
 * {@value #MAX_REFUSALS} refusals that have not reached onReply yet makes no request: the call returns
 * {@link #NO_REQUEST}.
 *
 * <p><b>Timers</b> are limited by {@link RoomType#timers(int)}. A timer is never early, and late by at most one tick of
 * the wheel plus the time until the turn runs. The limit is a number of slots, which timers take one after another. A
 * slot that has had 2<sup>31</sup>&nbsp;-&nbsp;2 timers takes no other, so that a stale handle never becomes valid
 * again; {@link #reschedule} moves a timer without taking a slot.
 */
public interface Room
{
    /** The handle that stands for no timer. */
    long NO_TIMER = 0;

    /** The correlation id of a request that was not made, since too many refusals wait. No onReply follows. */
    long NO_REQUEST = 0;

    /** The number that stands for no join that waits. */
    long NO_JOIN = 0;

    /** Refusals of the host that can wait for onReply, which gets them from a timer of the next tick. */
    int MAX_REFUSALS = 64;

    /** The longest message a room can send, in bytes. */
    int MAX_MESSAGE_LENGTH = 8 * 1024;

    /** The longest signal or request of a room, in bytes: it has to fit a command. */
    int MAX_REQUEST_LENGTH = 1_920;

    /** The number of labels that a room can show in the directory. */
    int MAX_LABELS = 16;

    /** The longest value of a label, in bytes. */
    int MAX_LABEL_LENGTH = 64;

    /** The loop in the high 10 bits, then a serial number that is never reused. */
    long roomId();

    /**
     * The room that opened this one by {@link #openRoom}, or 0 for the embedding program. It is known in
     * {@link RoomLogic#onOpen} only, and 0 afterwards: keep it there.
     */
    long openerRoomId();

    /** Time of this turn in nanoseconds since the host was created. It stands still while the host is down. */
    long nowNs();

    /**
     * Wall-clock time of this turn in milliseconds since 1970: the host's origin plus {@link #nowNs()}. The origin is
     * another one after a restart, and after a change of the leader, so a logic that keeps a date writes it to its
     * snapshot.
     */
    long epochMs();

    /** Number of the last frame, counted from the first {@link #frameRate} request and including skipped frames. */
    long frame();

    /** Frames that were skipped because the room or its loop was late. */
    long missedFrames();

    /** The room's seeded random stream. */
    RoomRandom random();

    /**
     * A logger that is silent in a replay. A room cannot notice that: every level is loggable, and a message of a
     * supplier is computed in a replay too. The arguments of a format are not.
     */
    System.Logger logger();

    /**
     * Add to one of the application's counters. Does nothing in a replay.
     *
     * @param counterId the application's number for the counter.
     * @param delta     to add.
     */
    void count(int counterId, long delta);

    /** Number of seats, taken or free. Neither this nor the methods on seats taken and present count spectators. */
    int seatLimit();

    /** Number of seats that only watch, taken or free: those of indexes from {@link #seatLimit()} on. */
    int spectatorLimit();

    /** Number of spectators, present or away. */
    int spectators();

    /**
     * The first seat from an index on whose spectator is present. To walk all of them, go on with the index after the
     * seat's.
     *
     * @param fromIndex 0 or more.
     * @return the seat, or null when there is none.
     */
    Seat nextSpectator(int fromIndex);

    /** Number of seats that have a player, present or away. A seat in its {@link RoomLogic#onLeave} counts no more. */
    int seatsTaken();

    /** Number of seats whose player is present. */
    int seatsPresent();

    /**
     * The first seat from an index on whose player is present. To walk all of them, go on with the index after the
     * seat's.
     *
     * @param fromIndex 0 or more.
     * @return the seat, or null when there is none.
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
     * The first seat from an index on that is kept for a player who has not joined yet. To walk all of them, go on
     * with the index after the seat's. Of such a seat only its index, generation and player may be used.
     *
     * @param fromIndex 0 or more.
     * @return the seat, or null when there is none.
     */
    Seat nextReserved(int fromIndex);

    /**
     * Reserve a seat of this room for a player, at once. For a player who has a reservation its time begins again. For
     * one whose join waits it matters once that join is refused.
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
     * @return false when the player has none.
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
     * @return the seat, or null when the player has none here.
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
     * Admit a player whose join waits, as soon as this callback has returned. {@link RoomLogic#onJoin} follows, or the
     * close of the room.
     *
     * @param joinId {@link JoinRequest#id()}; one that has ended or is decided has no effect.
     * @return true when the join waited for the decision.
     */
    boolean admit(long joinId);

    /**
     * Admit a player as {@link #admit(long)} does, and give it bytes with its seat.
     *
     * @param joinId {@link JoinRequest#id()}; one that has ended or is decided has no effect.
     * @param answer buffer with the bytes.
     * @param offset of the bytes.
     * @param length of the bytes, up to {@link JoinRequest#MAX_ANSWER_LENGTH}.
     * @return true when the join waited for the decision.
     */
    boolean admit(long joinId, DirectBuffer answer, int offset, int length);

    /**
     * Refuse a player whose join waits, as soon as this callback has returned.
     *
     * @param joinId {@link JoinRequest#id()}; one that has ended or is decided has no effect.
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
     * @return {@link JoinRequest#id()}, or {@link #NO_JOIN} when none waits.
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
     * {@link RoomType#closeWhenEmptyNs(long)} of its type. If it is empty, the time begins now.
     *
     * @param delayNs in nanoseconds, above 0; {@link RoomType#NEVER} to stay open.
     */
    void closeWhenEmpty(long delayNs);

    /** Close the room as soon as this callback has returned, before any other callback but those of the close. */
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
     * @param delayNs from now, 0 or more; a timer never fires in the turn that set it.
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
     * @param handle of the timer; a stale one has no effect.
     * @return true when the timer was set.
     */
    boolean cancel(long handle);

    /**
     * Move a timer to another deadline. It keeps its handle and fires after the timers already set for that deadline. A
     * repeating timer continues from the new deadline with its period. Frame timers cannot be moved.
     *
     * @param handle  of the timer; a stale one has no effect.
     * @param delayNs from now, 0 or more.
     * @return true when the timer was set and has moved.
     */
    boolean reschedule(long handle, long delayNs);

    /**
     * Whether a timer is set. One that fires once is not set any more in its onTimer, one that repeats is.
     *
     * @param handle of the timer.
     */
    boolean isSet(long handle);

    /**
     * The time until a timer is due.
     *
     * @param handle of the timer.
     * @return nanoseconds, 0 for one that is due; or -1 when the timer is not set, or counts frames.
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
     * @param hz 1 to 1000, or 0 for none.
     */
    void frameRate(int hz);

    /**
     * Every seat of this room; of an event, every one that is no spectator's.
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
     * onAway. Spectators receive none: they are left out of an audience, and a spectator's seat alone is a wrong one.
     *
     * @param audience of this room; away seats do not receive.
     * @param buffer   with the message.
     * @param offset   of the message.
     * @param length   of the message in bytes, up to {@link #MAX_MESSAGE_LENGTH}.
     */
    void sendEvent(Audience audience, DirectBuffer buffer, int offset, int length);

    /**
     * Send state, which is dropped for a receiver that is too slow.
     *
     * @param audience of this room; away seats do not receive.
     * @param buffer   with the message.
     * @param offset   of the message.
     * @param length   of the message in bytes, up to {@link #MAX_MESSAGE_LENGTH}.
     */
    void sendState(Audience audience, DirectBuffer buffer, int offset, int length);

    /**
     * Write an event in place, without a copy. Nothing else can be sent until {@link #commit(int)}; a claim that is
     * still open when its callback returns is discarded.
     *
     * @param audience  of this room; away seats do not receive.
     * @param maxLength the most bytes that the message may have, up to {@link #MAX_MESSAGE_LENGTH}.
     * @return a zeroed buffer of that length, valid until the commit.
     */
    MutableDirectBuffer claimEvent(Audience audience, int maxLength);

    /**
     * Write state in place, without a copy, as {@link #claimEvent} does for an event.
     *
     * @param audience  of this room; away seats do not receive.
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

    /** Create an empty group of seats. Groups last as long as the room; {@link RoomType#groups(int)} limits them. */
    SeatGroup newGroup();

    /**
     * A group that this room created earlier, for use in {@link RoomLogic#onRestore}.
     *
     * @param index in the order of creation.
     */
    SeatGroup group(int index);

    /**
     * How many of the requests that are answered ({@link #ask}, {@link #async}, {@link #openRoom}, and to other rooms
     * {@code reserve} and {@code release}) the room may still make before one is refused. Each open request counts
     * until its answer; {@link RoomType#requests(int)} limits them.
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
     * {@code QUEUE_FULL} from one that has as many as it may, {@code TIMED_OUT}, {@code ROOM_CLOSED}, {@code
     * ROOM_FAILED}. A question may have been acted on in the last three cases.
     *
     * @param toRoomId  the room that is asked.
     * @param timeoutNs how long the answer may take, above 0, from the turn in which that room gets the question.
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
     * @param status 0 for success, or a code for {@link RoomLogic#onReply} of the room that asked: the application's
     *               from {@link RoomLogic#FIRST_APPLICATION_CODE}, so that it is not taken for one of the engine's.
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
     * {@code NOT_RESERVED} when the player has joined or the reservation has ended.
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

    /** Receive, by {@link RoomLogic#onDirectory}, every room that is open now and every change from now on. */
    void subscribeToDirectory();
}
