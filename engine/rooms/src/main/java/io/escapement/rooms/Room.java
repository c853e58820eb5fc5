package io.escapement.rooms;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What the logic of a room may do. Valid only inside the room's own callbacks, on the host's thread; anywhere else each
 * method throws {@link RoomUseException}.
 *
 * <p>Methods that send return nothing: what became of a message is told by a later callback, if at all. Those that ask
 * for something return a correlation id, counted by the room itself, and the answer is {@link RoomLogic#onReply}.
 */
public interface Room
{
    /** The handle that stands for no timer. */
    long NO_TIMER = 0;

    /** The longest message a room can send, in bytes. */
    int MAX_MESSAGE_LENGTH = 8 * 1024;

    /** The longest signal or request of a room, in bytes: it has to fit a command. */
    int MAX_REQUEST_LENGTH = 1_920;

    /** Labels a room can show in the directory. */
    int MAX_LABELS = 16;

    /** The longest value of a label, in bytes. */
    int MAX_LABEL_LENGTH = 64;

    /**
     * This room's id.
     *
     * @return loop in the high 10 bits, then a serial that is never used again.
     */
    long roomId();

    /**
     * Time of this turn.
     *
     * @return nanoseconds since the host was made; it stands still while the host is down.
     */
    long nowNs();

    /**
     * Time of this turn on the wall's clock, as the host's origin and {@link #nowNs()} give it.
     *
     * @return milliseconds since 1970.
     */
    long epochMs();

    /**
     * Number of the last frame.
     *
     * @return frames since the room first asked for them, skipped ones included.
     */
    long frame();

    /**
     * How many frames never ran.
     *
     * @return the count.
     */
    long missedFrames();

    /**
     * The room's random stream.
     *
     * @return the stream.
     */
    RoomRandom random();

    /**
     * A logger that is silent in a replay.
     *
     * @return the logger.
     */
    System.Logger logger();

    /**
     * Add to one of the application's counters. Silent in a replay.
     *
     * @param counterId the application's own number.
     * @param delta     to add.
     */
    void count(int counterId, long delta);

    /**
     * Seats of this room.
     *
     * @return the number.
     */
    int seatLimit();

    /**
     * Seats that have a player, present or away.
     *
     * @return the number.
     */
    int seatsTaken();

    /**
     * The seat of an index.
     *
     * @param index 0 up to {@link #seatLimit()}, exclusive.
     * @return the seat, or null when no player has it.
     */
    Seat seat(int index);

    /**
     * The seat of a player.
     *
     * @param playerId of the player.
     * @return the seat, or null when the player has none here.
     */
    Seat seatOf(long playerId);

    /**
     * Remove a player when this callback has returned.
     *
     * @param seat of the player.
     */
    void kick(Seat seat);

    /**
     * Tell the player of a seat that its message was refused.
     *
     * @param seat of the player.
     * @param code why: the application's own from {@link RoomLogic#FIRST_APPLICATION_CODE} upwards, or what
     *             {@link MessageHandlers} returned.
     */
    void refuse(Seat seat, int code);

    /**
     * Take no new players. Away players can still return.
     *
     * @param locked true to lock, false to open again.
     */
    void lock(boolean locked);

    /** Close the room when this callback has returned. */
    void close();

    /**
     * Set a timer. It is never early, and late by at most one tick of the wheel and the turn.
     *
     * @param delayNs from now, 0 or more; a timer never fires in the turn that set it.
     * @param kind    for {@link RoomLogic#onTimer}.
     * @param tag     for {@link RoomLogic#onTimer}.
     * @return a handle, or {@link #NO_TIMER} when the room's timers are used up.
     */
    long after(long delayNs, int kind, long tag);

    /**
     * Set a timer that fires again and again, on a fixed grid of deadlines. When it is late by whole periods, those
     * are left out.
     *
     * @param periodNs above 0.
     * @param kind     for {@link RoomLogic#onTimer}.
     * @param tag      for {@link RoomLogic#onTimer}.
     * @return a handle, or {@link #NO_TIMER} when the room's timers are used up.
     */
    long every(long periodNs, int kind, long tag);

    /**
     * Set a timer that fires before every n-th frame of the room.
     *
     * @param frames n, above 0; counted from the frame that comes next.
     * @param kind   for {@link RoomLogic#onTimer}.
     * @param tag    for {@link RoomLogic#onTimer}.
     * @return a handle, or {@link #NO_TIMER} when the room's timers are used up.
     */
    long everyFrames(int frames, int kind, long tag);

    /**
     * Set a timer with a closure, in an ephemeral room.
     *
     * @param delayNs from now, 0 or more.
     * @param task    to run.
     * @return a handle, or {@link #NO_TIMER} when the room's timers are used up.
     */
    long after(long delayNs, RoomTask task);

    /**
     * Run a closure before the next frame, in an ephemeral room.
     *
     * @param task to run.
     * @return a handle, or {@link #NO_TIMER} when the room's timers are used up.
     */
    long nextFrame(RoomTask task);

    /**
     * Cancel a timer, at once.
     *
     * @param handle of the timer; a stale one does nothing.
     * @return true when the timer was set and now never fires (again).
     */
    boolean cancel(long handle);

    /**
     * Move a timer to another deadline. The handle stays; among timers of that deadline it now comes last. A repeated
     * timer goes on from there with its period. Timers that count frames cannot be moved.
     *
     * @param handle  of the timer; a stale one does nothing.
     * @param delayNs from now, 0 or more.
     * @return true when the timer was set and was moved.
     */
    boolean reschedule(long handle, long delayNs);

    /**
     * Cancel every timer of the room.
     *
     * @return how many were set.
     */
    int cancelAll();

    /**
     * Ask for frames. The governor may give fewer under load.
     *
     * @param hz 1 to 1000, or 0 for none.
     */
    void frameRate(int hz);

    /**
     * Every seat of this room.
     *
     * @return the same object on every call, valid as long as the room.
     */
    Audience everyone();

    /**
     * Every seat of this room but one.
     *
     * @param except the seat that does not receive.
     * @return the same object on every call for this seat, valid as long as the room: like the seat itself it stays in
     *         use for the seat's next player.
     */
    Audience everyoneBut(Seat except);

    /**
     * Send an event. Each seat receives the events sent to it complete and in order, from its onJoin or onBack to its
     * next onAway.
     *
     * @param audience of this room; away seats do not receive.
     * @param buffer   with the message, copied before this returns.
     * @param offset   of the message.
     * @param length   of the message in bytes, up to {@link #MAX_MESSAGE_LENGTH}.
     */
    void sendEvent(Audience audience, DirectBuffer buffer, int offset, int length);

    /**
     * Send state. The engine drops it, as a whole, for a receiver that is too slow, and then calls
     * {@link RoomLogic#onStateLost}.
     *
     * @param audience of this room; away seats do not receive.
     * @param buffer   with the message, copied before this returns.
     * @param offset   of the message.
     * @param length   of the message in bytes, up to {@link #MAX_MESSAGE_LENGTH}.
     */
    void sendState(Audience audience, DirectBuffer buffer, int offset, int length);

    /**
     * Write an event in place, without a copy. Until {@link #commit(int)} nothing else can be sent; a claim that is not
     * committed when its callback returns is discarded.
     *
     * @param audience  of this room; away seats do not receive.
     * @param maxLength the most bytes that the message may have, up to {@link #MAX_MESSAGE_LENGTH}.
     * @return a zeroed buffer of that length, valid until the commit.
     */
    MutableDirectBuffer claimEvent(Audience audience, int maxLength);

    /**
     * Write state in place, without a copy: as {@link #claimEvent}.
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

    /**
     * Make a group of seats. Groups last as long as the room.
     *
     * @return an empty group.
     */
    SeatGroup newGroup();

    /**
     * A group that this room made, for a logic that is being restored.
     *
     * @param index in the order the groups were made.
     * @return the group.
     */
    SeatGroup group(int index);

    /**
     * Send a message to another room. It arrives as onSignal; a refusal comes back as onReply.
     *
     * @param toRoomId the receiver.
     * @param buffer   with the message.
     * @param offset   of the message.
     * @param length   of the message in bytes, up to {@link #MAX_REQUEST_LENGTH}.
     * @return a correlation id.
     */
    long signal(long toRoomId, DirectBuffer buffer, int offset, int length);

    /**
     * Ask an asynchronous service. The answer comes as onReply.
     *
     * @param serviceId of the service.
     * @param orderKey  requests of one key are done in order.
     * @param buffer    with the request.
     * @param offset    of the request.
     * @param length    of the request in bytes, up to {@link #MAX_REQUEST_LENGTH}.
     * @return a correlation id.
     */
    long async(int serviceId, long orderKey, DirectBuffer buffer, int offset, int length);

    /**
     * Open another room. Its id comes as onReply.
     *
     * @param typeId of the new room.
     * @param buffer with the arguments for its onOpen.
     * @param offset of the arguments.
     * @param length of the arguments in bytes, up to 1,024.
     * @return a correlation id.
     */
    long openRoom(int typeId, DirectBuffer buffer, int offset, int length);

    /**
     * Keep a seat in another room for a player. What became of it comes as onReply.
     *
     * @param inRoomId the other room.
     * @param playerId of the player.
     * @param ttlNs    how long the seat is kept.
     * @return a correlation id.
     */
    long reserve(long inRoomId, long playerId, long ttlNs);

    /**
     * Show a label of this room in the directory.
     *
     * @param key    0 up to {@link #MAX_LABELS}, exclusive.
     * @param buffer with the value.
     * @param offset of the value.
     * @param length of the value in bytes, up to {@link #MAX_LABEL_LENGTH}; 0 removes the label.
     */
    void label(int key, DirectBuffer buffer, int offset, int length);

    /** Be told of every room that is open now and from now on, by onDirectory. */
    void subscribeToDirectory();
}
