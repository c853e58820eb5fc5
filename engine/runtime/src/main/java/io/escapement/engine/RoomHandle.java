package io.escapement.engine;

import io.escapement.codecs.Codes;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.edge.RoomOpening;
import io.escapement.engine.internal.loop.ApplicationQuestions;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.RoomType;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A room, for threads other than the loops' threads. No method blocks. If a method returns false, the inbox of the
 * room's loop is full and the command was not sent. The loop refuses and counts commands for a closed room.
 */
public final class RoomHandle
{
    /** State of the opening of a room. */
    public enum State
    {
        /** Its loop has not run the command yet. */
        OPENING,
        /** It has opened. It may have closed since. */
        OPENED,
        /** Its loop did not open it, as it has its limit of rooms. */
        REFUSED,
        /**
         * It stays unknown: the engine was closed, the loop failed, or another node became the leader before the room
         * was known to have opened. If the room is open, {@link Engine#recoveredRooms} of the new leader has it.
         */
        LOST
    }

    /** The sender of signals from outside the rooms. */
    public static final long FROM_OUTSIDE = 0;

    private static final long NO_CORRELATION = 0;
    /**
     * The room has the whole time-out from the turn that runs the question. The application therefore waits a little
     * longer.
     */
    private static final long SLACK_NS = TimeUnit.SECONDS.toNanos(1);

    private final long roomId;
    private final RoomType type;
    private final CommandQueue inbox;
    private final ApplicationQuestions questions;
    /** Null for a room that was open before. */
    private final RoomOpening opening;
    private final RoomEncoder commands = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);

    RoomHandle(final long roomId, final RoomType type, final EngineQueues queues, final RoomOpening opening)
    {
        this.opening = opening;
        this.roomId = roomId;
        this.type = type;
        inbox = queues.inboxes[TrunkMessages.loopOf(roomId)];
        questions = queues.questions[TrunkMessages.loopOf(roomId)];
    }

    /** The room's id, with its loop in the high bits. Ids are never reused. */
    public long roomId()
    {
        return roomId;
    }

    /** Whether the room has opened, as far as is known. Durable rooms have when their log has the command. */
    public State state()
    {
        return null == opening ? State.OPENED : switch (opening.outcome())
        {
            case OPENING -> State.OPENING;
            case OPENED -> State.OPENED;
            case REFUSED -> State.REFUSED;
            case LOST -> State.LOST;
        };
    }

    /**
     * Send the room a message. Its {@code onSignal} receives the message from room {@link #FROM_OUTSIDE}.
     *
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message, up to {@link RoomCommands#MAX_PAYLOAD_LENGTH}.
     * @return false if the inbox is full.
     */
    public synchronized boolean signal(final DirectBuffer buffer, final int offset, final int length)
    {
        checkLength(length);
        return offer(commands.signal(command, 0, roomId, FROM_OUTSIDE, NO_CORRELATION, buffer, offset, length));
    }

    /**
     * Ask the room. It receives the question in {@code onAsk} from room {@link #FROM_OUTSIDE} and answers it at once or
     * later. The future completes in a thread of {@link java.util.concurrent.ForkJoinPool#commonPool()}: with the
     * answer, or with an {@link AskException}. The exception's code is
     * <ul>
     * <li>the room's own code;
     * <li>{@code UNKNOWN_ROOM}, {@code UNKNOWN_MESSAGE} for a type without {@link RoomType#questions(int)}, or
     * {@code QUEUE_FULL} at a limit. The room has as many questions as it may, the inbox of its loop is full, or the
     * application has {@value ApplicationQuestions#LIMIT} questions to rooms of the loop. The question was not asked;
     * <li>{@code TIMED_OUT}, {@code ROOM_CLOSED} or {@code ROOM_FAILED} before an answer, {@code ENGINE_STOPPING}, or
     * {@code NOT_LEADING} when the node does not lead, or lost the lead: the room may have acted on the question.
     * </ul>
     *
     * @param buffer    with the question.
     * @param offset    of the question.
     * @param length    of the question, up to {@link RoomCommands#MAX_PAYLOAD_LENGTH}.
     * @param timeoutNs how long the answer may take, above 0, from the turn in which the room gets the question. The
     *                  future completes at most one second later.
     * @return the answer of the room.
     */
    public CompletableFuture<byte[]> ask(
        final DirectBuffer buffer, final int offset, final int length, final long timeoutNs)
    {
        checkLength(length);
        if (timeoutNs <= 0)
        {
            throw new IllegalArgumentException("timeoutNs: " + timeoutNs + " is not above 0");
        }
        final CompletableFuture<byte[]> answer = new CompletableFuture<>();
        // The engine's threads end this one, and only the other runs code of the application.
        final CompletableFuture<byte[]> ended = new CompletableFuture<>();
        final long id = questions.nextId();
        ended.orTimeout(timeoutNs + Math.min(SLACK_NS, Long.MAX_VALUE - timeoutNs), TimeUnit.NANOSECONDS)
            .whenCompleteAsync((bytes, thrown) ->
            {
                questions.remove(id);
                if (null == thrown)
                {
                    answer.complete(bytes);
                }
                else
                {
                    answer.completeExceptionally(thrown instanceof AskException ? thrown :
                        new AskException(roomId, RefusalCode.TIMED_OUT.value()));
                }
            });
        final int code = ask(id, ended, timeoutNs, buffer, offset, length);
        if (0 != code)
        {
            ended.completeExceptionally(new AskException(roomId, code));
        }
        return answer;
    }

    /**
     * Close the room.
     *
     * @return false if the inbox is full.
     */
    public synchronized boolean close()
    {
        return offer(commands.closeRoom(command, 0, roomId));
    }

    /**
     * Close the room, and send the reason to its players.
     *
     * @param code of the application, from {@link Codes#FIRST_APPLICATION_CODE} to {@link Codes#LAST_CODE}: each player
     *             gets it with its Left, and the room's logic in onLeave.
     * @return false if the inbox is full.
     */
    public synchronized boolean close(final int code)
    {
        Codes.checkApplication(code);
        return offer(commands.closeRoom(command, 0, roomId, code));
    }

    /**
     * Remove a player from the room. A player without a seat there is ignored.
     *
     * @param playerId of the player.
     * @return false if the inbox is full.
     */
    public synchronized boolean kick(final long playerId)
    {
        return offer(commands.kick(command, 0, roomId, playerId));
    }

    /**
     * Remove a player from the room, and send it the reason.
     *
     * @param playerId of the player.
     * @param code     of the application, from {@link Codes#FIRST_APPLICATION_CODE} to {@link Codes#LAST_CODE}: the
     *                 player gets it with its Left, and the room's logic in onLeave.
     * @return false if the inbox is full.
     */
    public synchronized boolean kick(final long playerId, final int code)
    {
        Codes.checkApplication(code);
        return offer(commands.kick(command, 0, roomId, playerId, code));
    }

    /**
     * Run a closure as a callback of the room. Only for ephemeral rooms, because a closure cannot be recorded.
     *
     * @param task to run in the room's loop.
     * @return false if the inbox is full.
     */
    public synchronized boolean execute(final RoomTask task)
    {
        if (!type.isEphemeral())
        {
            throw new IllegalStateException("room type " + type.name() +
                " is recorded, and closures cannot be: send a signal, or declare the type ephemeral");
        }
        command.putLong(0, roomId);
        return inbox.offer(ControlSignal.EXECUTE, task, command, 0, Long.BYTES);
    }

    /**
     * Run a closure in the room after a delay, unless the room closes before. Only for ephemeral rooms.
     *
     * @param delayNs from the turn in which the room's loop takes the command.
     * @param task    to run in the room's loop.
     * @return false if the inbox is full.
     */
    public boolean after(final long delayNs, final RoomTask task)
    {
        return execute((room) -> room.after(delayNs, task));
    }

    /** Returns 0, or the code of the refusal of a question that did not leave. */
    private synchronized int ask(
        final long id,
        final CompletableFuture<byte[]> ended,
        final long timeoutNs,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final int code = questions.add(id, (status, bytes) ->
        {
            if (0 == status)
            {
                ended.complete(bytes);
            }
            else
            {
                ended.completeExceptionally(new AskException(roomId, status));
            }
        });
        if (0 != code)
        {
            return code;
        }
        return offer(commands.ask(command, 0, roomId, FROM_OUTSIDE, id, timeoutNs, buffer, offset, length)) ?
            0 : RefusalCode.QUEUE_FULL.value();
    }

    private static void checkLength(final int length)
    {
        if (length < 0 || length > RoomCommands.MAX_PAYLOAD_LENGTH)
        {
            throw new IllegalArgumentException(
                "length: " + length + " is not in 0.." + RoomCommands.MAX_PAYLOAD_LENGTH);
        }
    }

    private boolean offer(final int length)
    {
        return inbox.offer(ControlSignal.COMMAND, null, command, 0, length);
    }
}
