package io.escapement.rooms.steps;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.List;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The programs that one room runs. Its logic forwards the callbacks that programs wait for. Programs continue within
 * that callback, in the order of their starts. A started program runs at once up to its first wait. One callback
 * completes at most one wait of a program, or one wait of each alternative of {@link StepsBuilder#any}.
 *
 * <p>A throw in a step ends its program, without {@link StepsBuilder#onCancel}, and leaves the callback: the room fails
 * unless the logic catches it. A wait for time uses a timer of the room. If the room has no timer left, the step
 * throws. {@link Room#cancelAll()} also cancels those timers: a logic that calls it must call {@link #cancelAll()}
 * first. Steps may start and cancel programs, including their own. No allocation after the constructor.
 *
 * @param <L> the logic of the room.
 */
public final class RunningSteps<L>
{
    /** Instead of the id of a program: no program runs. */
    public static final long NO_STEPS = 0;

    /** Most programs that run in one room at the same time: each event looks at all of them. */
    public static final int MAX_LIMIT = 65_536;

    /** Most rounds of {@link StepsBuilder#repeatWhile} that a program runs in one callback, without a lasting wait. */
    public static final int MAX_ROUNDS = 1_000;

    private static final int NONE = ProgramTable.NONE;
    private static final int SBE_HEADER_LENGTH = 8;

    private final Room room;
    private final L logic;
    private final int timerKind;
    private final ProgramTable<L> table;
    private final UnsafeBuffer noBytes = new UnsafeBuffer(0, 0);
    /** Events that any program may wait for. A walk that finds no such program clears them. */
    private int awaited;

    // The event that is being delivered.
    private boolean isDelivering;
    private Seat from;
    private DirectBuffer buffer;
    private int offset;
    private int length;
    private long number;
    private int status;
    /** The program to which it is offered, and its lanes that have not seen it yet, as bits. */
    private int offeredSlot;
    private int offeredLanes;
    /** Rounds of the program that runs. */
    private int rounds;

    /**
     * For a room that opens. For a restored room, {@link #read} follows.
     *
     * @param room      of the logic.
     * @param logic     with the methods that the programs call.
     * @param limit     most programs that run at the same time, 1 to {@value #MAX_LIMIT}.
     * @param timerKind of the timers that programs wait for. The logic has no other timers of this kind.
     * @param programs  all that may be started, with different names.
     */
    public RunningSteps(
        final Room room, final L logic, final int limit, final int timerKind, final List<Steps<L>> programs)
    {
        if (limit < 1 || limit > MAX_LIMIT)
        {
            throw new IllegalArgumentException("limit must be 1 to " + MAX_LIMIT + ": " + limit);
        }

        this.room = Objects.requireNonNull(room, "room");
        this.logic = Objects.requireNonNull(logic, "logic");
        this.timerKind = timerKind;
        table = new ProgramTable<>(limit, programs);
    }

    /**
     * Start a program, and run it up to its first wait.
     *
     * @param program given to the constructor.
     * @param tag     that its steps receive.
     * @return its id, which no other program of the room has had, even if it is already over. {@link #NO_STEPS} when as
     *         many programs run as the limit allows.
     */
    public long start(final Steps<L> program, final long tag)
    {
        final int slot = table.add(program, tag);
        if (NONE == slot)
        {
            return NO_STEPS;
        }
        final long id = table.ids[slot];
        run(slot, 0);
        return id;
    }

    /**
     * Name the running programs for people: {@code steps[n]} with name, tag, and where it waits.
     *
     * @param description to put the values into.
     */
    public void describe(final RoomDescription description)
    {
        table.describe(description);
    }

    /**
     * Cancel a program: it ends where it is, and its {@link StepsBuilder#onCancel} is called.
     *
     * @param id of the program. The id of a finished program has no effect.
     * @return true when the program was running.
     */
    public boolean cancel(final long id)
    {
        if (!isRunning(id))
        {
            return false;
        }

        final int slot = ProgramTable.slotOf(id);
        final Steps<L> program = table.programs[slot];
        final long tag = table.tags[slot];
        final long cleanups = cleanups(slot, 0, program.length(), NONE);
        // First, because an action that cancels a second time, or starts a program, must find this program finished.
        remove(slot);
        clean(program, tag, cleanups);
        return true;
    }

    /**
     * Cancel all programs that run now, in the order of their starts.
     *
     * @return the number of programs.
     */
    public int cancelAll()
    {
        final long newest = table.newestId();
        int cancelled = 0;
        while (NONE != table.first() && table.ids[table.first()] <= newest)
        {
            cancel(table.ids[table.first()]);
            cancelled++;
        }
        return cancelled;
    }

    /**
     * Cancel the starts of a program with a tag, in the order of their starts: for a player who leaves, for example.
     *
     * @param program to cancel.
     * @param tag     given when it was started.
     * @return the number of programs.
     */
    public int cancelAll(final Steps<L> program, final long tag)
    {
        final long newest = table.newestId();
        int cancelled = 0;
        long id = table.idOf(program, tag, 0);
        while (NO_STEPS != id && id <= newest)
        {
            cancel(id);
            cancelled++;
            id = table.idOf(program, tag, id);
        }
        return cancelled;
    }

    /**
     * Whether a program runs.
     *
     * @param id of the program.
     */
    public boolean isRunning(final long id)
    {
        return table.holds(id);
    }

    /** Number of programs that run. */
    public int running()
    {
        return table.count();
    }

    /**
     * The program of an id.
     *
     * @param id of the program.
     * @return the program, or null when it is over.
     */
    public Steps<L> program(final long id)
    {
        return isRunning(id) ? table.programs[ProgramTable.slotOf(id)] : null;
    }

    /** A frame: call this in onFrame. */
    public void onFrame()
    {
        if (isAwaited(Instruction.FRAME))
        {
            number = room.frame();
            deliver(Instruction.FRAME);
        }
    }

    /**
     * A timer: call this in onTimer, with the arguments of that.
     *
     * @param handle of the timer.
     * @param kind   of the timer.
     * @param tag    of the timer.
     * @return true when it was the timer of a program.
     */
    public boolean onTimer(final long handle, final int kind, final long tag)
    {
        if (timerKind != kind)
        {
            return false;
        }
        if (isRunning(tag))
        {
            final int slot = ProgramTable.slotOf(tag);
            final int lane = table.laneOfTimer(slot, handle);
            if (0 != lane)
            {
                table.subjects[table.lane(slot, Integer.numberOfTrailingZeros(lane))] = Room.NO_TIMER;
                beginDelivery();
                try
                {
                    offer(slot, lane);
                }
                finally
                {
                    endDelivery();
                }
            }
        }
        return true;
    }

    /**
     * A message: call this in onMessage, after the handler of the message, if that found it valid. A program that the
     * handler has just started also receives it.
     *
     * @param sender the sender's seat.
     * @param bytes  with the message.
     * @param start  of the message.
     * @param size   of the message in bytes.
     * @return true when a program was waiting for it.
     */
    public boolean onMessage(final Seat sender, final DirectBuffer bytes, final int start, final int size)
    {
        if (!isAwaited(Instruction.MESSAGE))
        {
            return false;
        }
        from = sender;
        number = size < SBE_HEADER_LENGTH ? NONE : SchemaRules.templateId(bytes, start);
        return deliver(Instruction.MESSAGE, bytes, start, size);
    }

    /**
     * A signal: call this in onSignal, with the arguments of that.
     *
     * @param fromRoomId the sender, or 0 for the embedding program.
     * @param bytes      with the signal.
     * @param start      of the signal.
     * @param size       of the signal in bytes.
     * @return true when a program was waiting for it.
     */
    public boolean onSignal(final long fromRoomId, final DirectBuffer bytes, final int start, final int size)
    {
        if (!isAwaited(Instruction.SIGNAL))
        {
            return false;
        }
        number = fromRoomId;
        return deliver(Instruction.SIGNAL, bytes, start, size);
    }

    /**
     * A reply: call this in onReply, with the arguments of that.
     *
     * @param correlationId of the request.
     * @param replyStatus   of the reply.
     * @param bytes         with the answer.
     * @param start         of the answer.
     * @param size          of the answer in bytes.
     * @return true when a program was waiting for it.
     */
    public boolean onReply(
        final long correlationId, final int replyStatus, final DirectBuffer bytes, final int start, final int size)
    {
        if (!isAwaited(Instruction.REPLY))
        {
            return false;
        }
        number = correlationId;
        status = replyStatus;
        return deliver(Instruction.REPLY, bytes, start, size);
    }

    /** The room changed: call this where a condition of {@link StepsBuilder#until} may have become true. */
    public void onChange()
    {
        if (isAwaited(Instruction.CHANGE))
        {
            deliver(Instruction.CHANGE);
        }
    }

    /**
     * Write the programs that run: call this in onSnapshot.
     *
     * @param writer of the snapshot or the state hash.
     */
    public void write(final StateWriter writer)
    {
        table.write(writer);
    }

    /**
     * Continue the programs of a snapshot: call this in onRestore, before any other method.
     *
     * @param reader of the snapshot.
     * @throws IllegalStateException if a program has another version or form than in the snapshot, or if the snapshot
     *                               is damaged.
     */
    public void read(final StateReader reader)
    {
        awaited = table.read(reader);
    }

    // Delivery of events

    private boolean isAwaited(final int event)
    {
        if (isDelivering)
        {
            throw new IllegalStateException("a step called a callback of the RunningSteps that runs it");
        }
        return 0 != (awaited & event);
    }

    private boolean deliver(final int event, final DirectBuffer bytes, final int start, final int size)
    {
        buffer = bytes;
        offset = start;
        length = size;
        return deliver(event);
    }

    private boolean deliver(final int event)
    {
        beginDelivery();
        try
        {
            // Programs that are started from now on wait for the next event.
            final long newest = table.newestId();
            boolean isFound = false;
            boolean isTaken = false;
            int slot = table.first();
            while (NONE != slot && table.ids[slot] <= newest)
            {
                table.walkFrom(slot);
                if (0 != (table.events[slot] & event))
                {
                    isFound = true;
                    isTaken |= offer(slot, table.lanesAwaiting(slot, event));
                }
                slot = table.walkNext();
            }
            if (!isFound)
            {
                awaited &= ~event;
            }
            return isTaken;
        }
        finally
        {
            endDelivery();
        }
    }

    private void beginDelivery()
    {
        isDelivering = true;
    }

    private void endDelivery()
    {
        isDelivering = false;
        from = null;
        buffer = null;
    }

    /** Offer the event to waits of a program. A wait continues if the event ends it. */
    private boolean offer(final int slot, final int lanes)
    {
        final long id = table.ids[slot];
        final Steps<L> program = table.programs[slot];
        boolean isTaken = false;
        offeredSlot = slot;
        offeredLanes = lanes;
        while (0 != offeredLanes && table.ids[slot] == id)
        {
            final int lane = table.lane(slot, Integer.numberOfTrailingZeros(offeredLanes));
            offeredLanes &= offeredLanes - 1;
            final int position = table.positions[lane];
            // No lane where an alternative before this one has won their race.
            if (NONE != position && ends(slot, id, lane, program.at(position)))
            {
                isTaken = true;
                if (table.ids[slot] == id)
                {
                    disarm(lane, program.at(position));
                    run(slot, position + 1);
                }
            }
        }
        return isTaken;
    }

    /** Whether the event ends a wait for events of its kind. If the test of a program throws, the program is over. */
    private boolean ends(final int slot, final long id, final int lane, final Instruction<L> wait)
    {
        final long tag = table.tags[slot];
        boolean isReturned = false;
        try
        {
            final boolean isEnd = switch (wait.operation)
            {
                case FRAMES -> number >= table.subjects[lane] + wait.value;
                case EVERY_FRAME -> number > table.subjects[lane] && !wait.condition().test(logic, tag);
                case UNTIL -> wait.condition().test(logic, tag);
                case MESSAGE -> (Instruction.ANY_TEMPLATE == wait.value || number == wait.value) &&
                    wait.messageTest().test(logic, tag, from, buffer, offset, length);
                case SIGNAL -> wait.signalTest().test(logic, tag, number, buffer, offset, length);
                case REPLY -> isReplyTo(lane, wait, tag);
                default -> true;
            };
            isReturned = true;
            return isEnd;
        }
        finally
        {
            if (!isReturned)
            {
                removeThrown(slot, id);
            }
        }
    }

    private boolean isReplyTo(final int lane, final Instruction<L> wait, final long tag)
    {
        if (table.subjects[lane] != number)
        {
            return false;
        }
        wait.exchange().handler().onReply(logic, tag, status, buffer, offset, length);
        return true;
    }

    // Execution

    /** Run a lane of a program from a position up to its next wait or the end of the program. */
    private void run(final int slot, final int start)
    {
        final long id = table.ids[slot];
        final int length = table.programs[slot].length();
        final int roundsBefore = rounds;
        boolean isReturned = false;
        rounds = 0;
        try
        {
            final int end = execute(slot, id, start, length);
            isReturned = true;
            if (table.ids[slot] == id)
            {
                if (length == end)
                {
                    remove(slot);
                }
                else
                {
                    awaited |= table.refreshEvents(slot);
                }
            }
        }
        finally
        {
            rounds = roundsBefore;
            if (!isReturned)
            {
                removeThrown(slot, id);
            }
        }
    }

    /**
     * Run the lane of a position.
     *
     * @return NONE where it waits or the program is gone, otherwise the end of the program, or the position of an
     *         instruction that leaves to a position after the limit.
     */
    private int execute(final int slot, final long id, final int start, final int limit)
    {
        final Steps<L> program = table.programs[slot];
        final long tag = table.tags[slot];
        int position = start;
        while (position < program.length())
        {
            final Instruction<L> instruction = program.at(position);
            // A cancel within the step finds the actions of this position.
            table.positions[table.lane(slot, instruction.lane)] = position;
            switch (instruction.operation)
            {
                case RUN ->
                {
                    instruction.action().accept(logic, tag);
                    position++;
                }
                case JUMP -> position += checkedJump(program, instruction.value);
                case JUMP_UNLESS -> position += instruction.condition().test(logic, tag) ? 1 : instruction.value;
                case SET_COUNTER ->
                {
                    table.counters[table.counter(slot, instruction.counter)] = instruction.value;
                    position++;
                }
                case REPEAT ->
                    position += --table.counters[table.counter(slot, instruction.counter)] > 0 ? instruction.value : 1;
                case RACE, LEAVE ->
                {
                    final int end = Instruction.Operation.RACE == instruction.operation ?
                        race(slot, id, program, position) : position;
                    if (NONE == end || end + program.at(end).value > limit)
                    {
                        return end;
                    }
                    leave(slot, id, program, end);
                    position = end + program.at(end).value;
                }
                default ->
                {
                    if (!isEndedAtOnce(slot, id, instruction))
                    {
                        return NONE;
                    }
                    position++;
                }
            }
            if (table.ids[slot] != id)
            {
                return NONE;
            }
        }
        return position;
    }

    private int checkedJump(final Steps<L> program, final int distance)
    {
        if (distance < 0 && ++rounds > MAX_ROUNDS)
        {
            throw new IllegalStateException(
                program + ": more than " + MAX_ROUNDS + " rounds of a repeatWhile without a wait that lasts");
        }
        return distance;
    }

    /**
     * Run all alternatives up to their first waits. Returns the position at which an alternative has left the race, or
     * {@code NONE}.
     */
    private int race(final int slot, final long id, final Steps<L> program, final int position)
    {
        final Instruction<L> race = program.at(position);
        final int last = race.alternatives() - 1;
        for (int i = 0; i <= last; i++)
        {
            final int behind = i < last ? race.alternative(i + 1) : race.value;
            final int end = execute(slot, id, position + race.alternative(i), position + behind - 1);
            if (NONE != end || table.ids[slot] != id)
            {
                return end;
            }
        }
        return NONE;
    }

    /** Cancel the other lanes of the race or program that finishes at a position. */
    private void leave(final int slot, final long id, final Steps<L> program, final int position)
    {
        final Instruction<L> end = program.at(position);
        final long tag = table.tags[slot];
        final int from = position - end.counter;
        final int to = position + end.value;
        final long cleanups = cleanups(slot, from, to, position);
        for (int i = 0; i < program.lanes(); i++)
        {
            final int lane = table.lane(slot, i);
            if (i != end.lane && table.positions[lane] >= from && table.positions[lane] < to)
            {
                disarm(lane, program.at(table.positions[lane]));
            }
        }
        clean(program, tag, cleanups);
        if (table.ids[slot] == id)
        {
            table.positions[table.lane(slot, end.lane)] = NONE;
        }
    }

    /**
     * The actions of a program for lanes that are between two positions, as bits. Excludes the actions of the position
     * at which the program continues.
     */
    private long cleanups(final int slot, final int from, final int to, final int except)
    {
        final Steps<L> program = table.programs[slot];
        long found = 0;
        for (int i = 0; i < program.cleanups().size(); i++)
        {
            final Steps.Cleanup<L> cleanup = program.cleanups().get(i);
            for (int lane = 0; lane < program.lanes() && !cleanup.covers(except); lane++)
            {
                final int position = table.positions[table.lane(slot, lane)];
                found |= position >= from && position < to && cleanup.covers(position) ? 1L << i : 0;
            }
        }
        return found;
    }

    private void clean(final Steps<L> program, final long tag, final long cleanups)
    {
        for (long left = cleanups; 0 != left; left &= left - 1)
        {
            program.cleanups().get(Long.numberOfTrailingZeros(left)).action().accept(logic, tag);
        }
    }

    /** Begin a wait. Returns whether it has ended already. */
    private boolean isEndedAtOnce(final int slot, final long id, final Instruction<L> wait)
    {
        final long tag = table.tags[slot];
        final int lane = table.lane(slot, wait.lane);
        awaited |= wait.events;
        if (offeredSlot == slot)
        {
            // The event of this callback is not for a wait that it starts.
            offeredLanes &= ~(1 << wait.lane);
        }
        switch (wait.operation)
        {
            case FRAMES, EVERY_FRAME -> table.subjects[lane] = room.frame();
            case AFTER ->
            {
                final long delayNs = wait.number().of(logic, tag);
                if (table.ids[slot] == id)
                {
                    table.subjects[lane] = room.after(delayNs, timerKind, id);
                    if (Room.NO_TIMER == table.subjects[lane])
                    {
                        throw new IllegalStateException(
                            "the room has no timer left for " + table.programs[slot] + ": see RoomType.timers");
                    }
                }
            }
            case REPLY ->
            {
                final long request = wait.exchange().request().of(logic, tag);
                if (table.ids[slot] == id)
                {
                    if (Room.NO_REQUEST == request)
                    {
                        wait.exchange().handler()
                            .onReply(logic, tag, RefusalCode.REQUEST_LIMIT.value(), noBytes, 0, 0);
                        return true;
                    }
                    table.subjects[lane] = request;
                }
            }
            case UNTIL ->
            {
                return wait.condition().test(logic, tag);
            }
            default ->
            {
            }
        }
        return false;
    }

    /** End the wait of a lane. */
    private void disarm(final int lane, final Instruction<L> wait)
    {
        if (Instruction.TIME == wait.events && Room.NO_TIMER != table.subjects[lane])
        {
            room.cancel(table.subjects[lane]);
        }
        table.positions[lane] = NONE;
        table.subjects[lane] = 0;
    }

    private void removeThrown(final int slot, final long id)
    {
        if (table.ids[slot] == id)
        {
            remove(slot);
        }
    }

    private void remove(final int slot)
    {
        final Steps<L> program = table.programs[slot];
        for (int i = 0; i < program.lanes(); i++)
        {
            final int lane = table.lane(slot, i);
            if (NONE != table.positions[lane])
            {
                disarm(lane, program.at(table.positions[lane]));
            }
        }
        table.remove(slot);
    }
}
