package io.escapement.rooms.steps;

import java.util.function.ObjLongConsumer;

/**
 * One instruction of a program. A position of a program is the index of an instruction. Jumps are relative, so that a
 * program can be copied into another.
 *
 * @param <L> the logic of the room.
 */
final class Instruction<L>
{
    /** The ordinal is part of the fingerprint of a program. Append a new operation at the end. */
    enum Operation
    {
        RUN,
        JUMP,
        JUMP_UNLESS,
        SET_COUNTER,
        REPEAT,
        END,
        RACE,
        FRAMES,
        EVERY_FRAME,
        AFTER,
        MESSAGE,
        SIGNAL,
        REPLY,
        UNTIL,
        LEAVE
    }

    // The events that end waits, as bits: a script has the events of its wait.
    static final int FRAME = 1;
    static final int TIME = 1 << 1;
    static final int MESSAGE = 1 << 2;
    static final int SIGNAL = 1 << 3;
    static final int REPLY = 1 << 4;
    static final int CHANGE = 1 << 5;

    /** The value of a wait for a message of any template. */
    static final int ANY_TEMPLATE = -1;

    private static final int[] NO_ALTERNATIVES = {};

    final Operation operation;
    /** Events that can end the wait. 0 for an instruction without a wait. */
    final int events;
    /** Distance of a jump or to the end of a race, number of frames or repetitions, or the template of a message. */
    final int value;
    /** Counter of a loop. For LEAVE the distance back to the first of the instructions to leave. */
    final int counter;
    /**
     * The lane that runs it. The alternatives of a race run in lanes of their program, the first alternative in the
     * race's lane.
     */
    final int lane;
    private final int[] alternatives;
    private final Object code;

    private Instruction(
        final Operation operation,
        final int events,
        final int value,
        final int counter,
        final int lane,
        final int[] alternatives,
        final Object code)
    {
        this.operation = operation;
        this.events = events;
        this.value = value;
        this.counter = counter;
        this.lane = lane;
        this.alternatives = alternatives;
        this.code = code;
    }

    static <L> Instruction<L> step(final Operation operation, final int value, final int counter, final Object code)
    {
        return new Instruction<>(operation, 0, value, counter, 0, NO_ALTERNATIVES, code);
    }

    static <L> Instruction<L> wait(final Operation operation, final int event, final int value, final Object code)
    {
        return new Instruction<>(operation, event, value, 0, 0, NO_ALTERNATIVES, code);
    }

    /**
     * Runs the alternatives at some distances until an alternative is over, and continues at the distance of the end.
     */
    static <L> Instruction<L> race(final int[] distances, final int end)
    {
        return new Instruction<>(Operation.RACE, 0, end, 0, 0, distances, null);
    }

    /** Ends the instructions from a distance back to a distance ahead, in all lanes, and continues after them. */
    static <L> Instruction<L> leave(final int back, final int end, final int lane)
    {
        return new Instruction<>(Operation.LEAVE, 0, end, back, lane, NO_ALTERNATIVES, null);
    }

    /** This instruction in a program that has some more counters and lanes. */
    Instruction<L> movedBy(final int counters, final int lanes)
    {
        return new Instruction<>(operation, events, value, Operation.LEAVE == operation ? counter : counter + counters,
            lane + lanes, alternatives, code);
    }

    boolean isWait()
    {
        return 0 != events;
    }

    int alternatives()
    {
        return alternatives.length;
    }

    /** Distance to an alternative of a race. */
    int alternative(final int index)
    {
        return alternatives[index];
    }

    @SuppressWarnings("unchecked")
    ObjLongConsumer<L> action()
    {
        return (ObjLongConsumer<L>)code;
    }

    @SuppressWarnings("unchecked")
    Steps.Condition<L> condition()
    {
        return (Steps.Condition<L>)code;
    }

    @SuppressWarnings("unchecked")
    Steps.Value<L> number()
    {
        return (Steps.Value<L>)code;
    }

    @SuppressWarnings("unchecked")
    Steps.MessageTest<L> messageTest()
    {
        return (Steps.MessageTest<L>)code;
    }

    @SuppressWarnings("unchecked")
    Steps.SignalTest<L> signalTest()
    {
        return (Steps.SignalTest<L>)code;
    }

    @SuppressWarnings("unchecked")
    Exchange<L> exchange()
    {
        return (Exchange<L>)code;
    }

    /** A request, and the handler of its reply. */
    record Exchange<L>(Steps.Value<? super L> request, Steps.ReplyHandler<? super L> handler)
    {
    }
}
