package io.escapement.rooms.steps;

import io.escapement.rooms.Room;
import io.escapement.rooms.steps.Instruction.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Builds a program, step after step. Each method adds a step, which runs or starts after the step before it is over.
 *
 * @param <L> the logic of the room.
 */
public final class StepsBuilder<L>
{
    /** Most instructions of a program, including the programs in it. */
    public static final int MAX_INSTRUCTIONS = 4_096;

    /** Most repeats that run at the same time: within each other, and in the alternatives of {@link #any}. */
    public static final int MAX_COUNTERS = 8;

    /** Most alternatives of {@link #any}. */
    public static final int MAX_ALTERNATIVES = 8;

    /** Most waits at the same time: of all alternatives of {@link #any}, with those within them. */
    public static final int MAX_LANES = 16;

    /** Most uses of {@link #onCancel} in a program, including the programs in it. */
    public static final int MAX_CLEANUPS = 64;

    private static final int MAX_TEMPLATE = 0xFFFF;

    private final String name;
    private final int version;
    private final List<Instruction<L>> instructions = new ArrayList<>();
    private final List<Steps.Cleanup<L>> cleanups = new ArrayList<>();
    private ObjLongConsumer<? super L> cleanup;
    private int counters;
    private int lanes = 1;
    /** Whether every way to the end of these steps has a wait. */
    private boolean alwaysWaits;
    /** Whether a way to {@link #end()} does not. */
    private boolean mayEndUnwaited;

    StepsBuilder(final String name, final int version)
    {
        this.name = Objects.requireNonNull(name, "name");
        this.version = version;
    }

    /**
     * Call the logic.
     *
     * @param action to call.
     */
    public StepsBuilder<L> run(final Consumer<? super L> action)
    {
        Objects.requireNonNull(action, "action");
        return run((logic, tag) -> action.accept(logic));
    }

    /**
     * Call the logic with the program's tag.
     *
     * @param action to call.
     */
    public StepsBuilder<L> run(final ObjLongConsumer<? super L> action)
    {
        return add(Operation.RUN, 0, 0, Objects.requireNonNull(action, "action"));
    }

    /** Wait for the next frame. */
    public StepsBuilder<L> nextFrame()
    {
        return frames(1);
    }

    /**
     * Wait for a number of frames, skipped ones included. The program continues in onFrame.
     *
     * @param count above 0; 1 is the next frame.
     */
    public StepsBuilder<L> frames(final int count)
    {
        return addWait(Operation.FRAMES, Instruction.FRAME, atLeast(1, count, "a number of frames"), null);
    }

    /**
     * Call the logic in each frame, starting with the next frame, until it returns false.
     *
     * @param step to call.
     */
    public StepsBuilder<L> everyFrameWhile(final Predicate<? super L> step)
    {
        Objects.requireNonNull(step, "step");
        return everyFrameWhile((logic, tag) -> step.test(logic));
    }

    /**
     * Call the logic with the program's tag in each frame, starting with the next frame, until it returns false.
     *
     * @param step to call.
     */
    public StepsBuilder<L> everyFrameWhile(final Steps.Condition<? super L> step)
    {
        return addWait(Operation.EVERY_FRAME, Instruction.FRAME, 0, Objects.requireNonNull(step, "step"));
    }

    /**
     * Wait for a time, with a timer of the room.
     *
     * @param delayNs 0 or more. The program continues in a later turn.
     */
    public StepsBuilder<L> after(final long delayNs)
    {
        if (delayNs < 0)
        {
            throw new IllegalArgumentException("a delay must be 0 or more: " + delayNs);
        }
        return after((logic, tag) -> delayNs);
    }

    /**
     * Wait for a time that the logic computes when the wait starts.
     *
     * @param delayNs returns the delay in nanoseconds, 0 or more.
     */
    public StepsBuilder<L> after(final ToLongFunction<? super L> delayNs)
    {
        Objects.requireNonNull(delayNs, "delayNs");
        return after((logic, tag) -> delayNs.applyAsLong(logic));
    }

    /**
     * Wait for a time that the logic computes from the program's tag when the wait starts.
     *
     * @param delayNs returns the delay in nanoseconds, 0 or more.
     */
    public StepsBuilder<L> after(final Steps.Value<? super L> delayNs)
    {
        return addWait(Operation.AFTER, Instruction.TIME, 0, Objects.requireNonNull(delayNs, "delayNs"));
    }

    /**
     * Wait for an SBE message.
     *
     * @param templateId of the message.
     */
    public StepsBuilder<L> untilMessage(final int templateId)
    {
        return untilMessage(templateId, (logic, tag, from, buffer, offset, length) -> true);
    }

    /**
     * Wait for an SBE message after which a condition is true. {@link RunningSteps#onMessage} is called after the
     * handler of the message. Therefore the condition may be about a field that the handler set.
     *
     * @param templateId of the message.
     * @param condition  to test.
     */
    public StepsBuilder<L> untilMessage(final int templateId, final Predicate<? super L> condition)
    {
        Objects.requireNonNull(condition, "condition");
        return untilMessage(
            templateId, (logic, tag, from, buffer, offset, length) -> condition.test(logic));
    }

    /**
     * Wait for an SBE message that passes a test.
     *
     * @param templateId of the message.
     * @param test       that reads the message.
     */
    public StepsBuilder<L> untilMessage(final int templateId, final Steps.MessageTest<? super L> test)
    {
        if (templateId < 0 || templateId > MAX_TEMPLATE)
        {
            throw new IllegalArgumentException("a template id must be 0 to " + MAX_TEMPLATE + ": " + templateId);
        }
        return addWait(Operation.MESSAGE, Instruction.MESSAGE, templateId, Objects.requireNonNull(test, "test"));
    }

    /**
     * Wait for a message, of any format, that passes a test.
     *
     * @param test that reads the message.
     */
    public StepsBuilder<L> untilMessage(final Steps.MessageTest<? super L> test)
    {
        return addWait(
            Operation.MESSAGE, Instruction.MESSAGE, Instruction.ANY_TEMPLATE, Objects.requireNonNull(test, "test"));
    }

    /**
     * Wait for a signal that passes a test.
     *
     * @param test that reads the signal.
     */
    public StepsBuilder<L> untilSignal(final Steps.SignalTest<? super L> test)
    {
        return addWait(Operation.SIGNAL, Instruction.SIGNAL, 0, Objects.requireNonNull(test, "test"));
    }

    /**
     * Make a request, and wait for its reply. If the request returns {@link Room#NO_REQUEST}, the handler is called at
     * once, with the status REQUEST_LIMIT and no bytes.
     *
     * @param request makes the request and returns its correlation id, such as a call of {@link Room#async}.
     * @param handler of the reply.
     */
    public StepsBuilder<L> untilReply(
        final Steps.Value<? super L> request, final Steps.ReplyHandler<? super L> handler)
    {
        return addWait(Operation.REPLY, Instruction.REPLY, 0, new Instruction.Exchange<L>(
            Objects.requireNonNull(request, "request"), Objects.requireNonNull(handler, "handler")));
    }

    /**
     * Wait until a condition is true. It is tested now, and at each {@link RunningSteps#onChange()}.
     *
     * @param condition to test.
     */
    public StepsBuilder<L> until(final Predicate<? super L> condition)
    {
        Objects.requireNonNull(condition, "condition");
        return until((logic, tag) -> condition.test(logic));
    }

    /**
     * Wait until a condition about the program's tag is true. It is tested now, and at each
     * {@link RunningSteps#onChange()}.
     *
     * @param condition to test.
     */
    public StepsBuilder<L> until(final Steps.Condition<? super L> condition)
    {
        return addWait(Operation.UNTIL, Instruction.CHANGE, 0, Objects.requireNonNull(condition, "condition"));
    }

    /**
     * Run several alternatives concurrently until the first of them is over. Then the program continues after this
     * step. Each alternative is a sequence of steps with a wait in it: a single wait, or loops, programs and
     * {@code any} within. All of them run up to their first wait, in the order of the arguments, unless an alternative
     * is already over. An event is offered to the alternatives in this order. If it would complete two of them, the
     * first counts.
     *
     * <p>The others are cancelled: their timers are, replies to their requests are ignored, and the {@link #onCancel}
     * of the steps in which they are is called.
     *
     * @param alternatives 2 to {@value #MAX_ALTERNATIVES}, each of which adds its steps to the builder it is given.
     */
    @SafeVarargs
    public final StepsBuilder<L> any(final Consumer<StepsBuilder<L>>... alternatives)
    {
        if (alternatives.length < 2 || alternatives.length > MAX_ALTERNATIVES)
        {
            throw new IllegalArgumentException(
                name + ": any takes 2 to " + MAX_ALTERNATIVES + " alternatives, not " + alternatives.length);
        }

        final List<StepsBuilder<L>> blocks = new ArrayList<>();
        final int[] distances = new int[alternatives.length];
        boolean alwaysWait = true;
        int distance = 1;
        for (int i = 0; i < alternatives.length; i++)
        {
            final StepsBuilder<L> block = block(alternatives[i]);
            if (!block.hasWait())
            {
                throw new IllegalArgumentException(name + ": an alternative of any must have a wait");
            }
            alwaysWait &= block.alwaysWaits;
            blocks.add(block);
            distances[i] = distance;
            distance += block.instructions.size() + 1;
        }

        add(Instruction.race(distances, distance));
        int usedCounters = 0;
        int usedLanes = 0;
        for (int i = 0; i < distances.length; i++)
        {
            final StepsBuilder<L> block = blocks.get(i);
            final int behind = distances[i] + block.instructions.size();
            addBlock(block, usedCounters, usedLanes);
            add(Instruction.leave(behind, distance - behind, usedLanes));
            usedCounters += block.counters;
            usedLanes += block.lanes;
        }
        alwaysWaits |= alwaysWait;
        return this;
    }

    /**
     * Run steps a number of times.
     *
     * @param times 0 or more.
     * @param body  adds the steps to the builder it is given.
     */
    public StepsBuilder<L> repeat(final int times, final Consumer<StepsBuilder<L>> body)
    {
        atLeast(0, times, "a number of repetitions");
        final StepsBuilder<L> block = block(body);
        if (0 == times || block.instructions.isEmpty())
        {
            return this;
        }

        // The counter of this repeat is 0, and those within it follow.
        add(Operation.SET_COUNTER, times, 0, null);
        addBlock(block, 1, 0);
        add(Operation.REPEAT, -block.instructions.size(), 0, null);
        alwaysWaits |= block.alwaysWaits;
        return this;
    }

    /**
     * Run steps as long as a condition is true, which is tested before each time.
     *
     * @param condition to test.
     * @param body      adds the steps to the builder it is given. Each way through them must have a wait. The wait may
     *                  be over at once, as in {@link #until} with a true condition: after
     *                  {@value RunningSteps#MAX_ROUNDS} rounds in one callback the program throws.
     */
    public StepsBuilder<L> repeatWhile(final Predicate<? super L> condition, final Consumer<StepsBuilder<L>> body)
    {
        Objects.requireNonNull(condition, "condition");
        return repeatWhile((logic, tag) -> condition.test(logic), body);
    }

    /**
     * Run steps as long as a condition about the program's tag is true, which is tested before each time.
     *
     * @param condition to test.
     * @param body      adds the steps to the builder it is given. Each way through them must have a wait. The wait may
     *                  be over at once, as in {@link #until} with a true condition: after
     *                  {@value RunningSteps#MAX_ROUNDS} rounds in one callback the program throws.
     */
    public StepsBuilder<L> repeatWhile(
        final Steps.Condition<? super L> condition, final Consumer<StepsBuilder<L>> body)
    {
        Objects.requireNonNull(condition, "condition");
        final StepsBuilder<L> block = block(body);
        if (!block.alwaysWaits)
        {
            throw new IllegalArgumentException(
                name + ": the steps of a repeatWhile must have a wait on each way," +
                " because the room would run them without end");
        }

        final int length = block.instructions.size();
        add(Operation.JUMP_UNLESS, length + 2, 0, condition);
        addBlock(block, 0, 0);
        return add(Operation.JUMP, -length - 1, 0, null);
    }

    /**
     * Run steps if a condition is true.
     *
     * @param condition to test.
     * @param then      adds the steps to the builder it is given.
     */
    public StepsBuilder<L> when(final Predicate<? super L> condition, final Consumer<StepsBuilder<L>> then)
    {
        return when(condition, then, (otherwise) -> { });
    }

    /**
     * Run steps if a condition is true, otherwise others.
     *
     * @param condition to test.
     * @param then      adds the steps to the builder it is given.
     * @param otherwise adds the other steps to the builder it is given.
     */
    public StepsBuilder<L> when(
        final Predicate<? super L> condition,
        final Consumer<StepsBuilder<L>> then,
        final Consumer<StepsBuilder<L>> otherwise)
    {
        Objects.requireNonNull(condition, "condition");
        return when((logic, tag) -> condition.test(logic), then, otherwise);
    }

    /**
     * Run steps if a condition about the program's tag is true, otherwise others.
     *
     * @param condition to test.
     * @param then      adds the steps to the builder it is given.
     * @param otherwise adds the other steps to the builder it is given.
     */
    public StepsBuilder<L> when(
        final Steps.Condition<? super L> condition,
        final Consumer<StepsBuilder<L>> then,
        final Consumer<StepsBuilder<L>> otherwise)
    {
        Objects.requireNonNull(condition, "condition");
        final StepsBuilder<L> first = block(then);
        final StepsBuilder<L> second = block(otherwise);
        add(Operation.JUMP_UNLESS, first.instructions.size() + 2, 0, condition);
        addBlock(first, 0, 0);
        add(Operation.JUMP, second.instructions.size() + 1, 0, null);
        addBlock(second, 0, 0);
        alwaysWaits |= first.alwaysWaits && second.alwaysWaits;
        return this;
    }

    /**
     * Run another program as a part of this one, with the same tag.
     *
     * @param program to run.
     */
    public StepsBuilder<L> call(final Steps<L> program)
    {
        final int start = instructions.size();
        for (int i = 0; i < program.length(); i++)
        {
            add(program.at(i));
        }
        program.cleanups().forEach((nested) -> cleanups.add(nested.movedBy(start)));
        counters = Math.max(counters, program.counters());
        lanes = Math.max(lanes, program.lanes());
        alwaysWaits |= program.alwaysWaits();
        return this;
    }

    /**
     * Finish the program here, from within any of its steps. The program then counts as not cancelled, but the other
     * alternatives of an {@link #any} around this step are cancelled.
     */
    public StepsBuilder<L> end()
    {
        add(Operation.END, 0, 0, null);
        mayEndUnwaited |= !alwaysWaits;
        alwaysWaits = true;
        return this;
    }

    /**
     * Call the logic when the program is cancelled while it is in these steps: all steps of this builder, including the
     * steps before this call. Programs and blocks of steps within others are called first.
     *
     * @param action to call, once.
     */
    public StepsBuilder<L> onCancel(final Consumer<? super L> action)
    {
        Objects.requireNonNull(action, "action");
        return onCancel((logic, tag) -> action.accept(logic));
    }

    /**
     * Call the logic with the program's tag when the program is cancelled while it is in these steps.
     *
     * @param action to call, once.
     */
    public StepsBuilder<L> onCancel(final ObjLongConsumer<? super L> action)
    {
        if (null != cleanup)
        {
            throw new IllegalStateException(name + ": onCancel has been called for these steps");
        }
        cleanup = Objects.requireNonNull(action, "action");
        return this;
    }

    /** The program. The builder can continue, and build a longer program. */
    public Steps<L> build()
    {
        final int length = instructions.size();
        if (0 == length || length > MAX_INSTRUCTIONS)
        {
            throw new IllegalArgumentException(
                name + ": a program has 1 to " + MAX_INSTRUCTIONS + " instructions, not " + length);
        }
        if (counters > MAX_COUNTERS)
        {
            throw new IllegalArgumentException(
                name + ": at most " + MAX_COUNTERS + " repeats at the same time, not " + counters);
        }
        if (lanes > MAX_LANES)
        {
            throw new IllegalArgumentException(
                name + ": at most " + MAX_LANES + " waits at the same time, not " + lanes);
        }
        final List<Steps.Cleanup<L>> allCleanups = List.copyOf(cleanupsWithOwn());
        if (allCleanups.size() > MAX_CLEANUPS)
        {
            throw new IllegalArgumentException(
                name + ": at most " + MAX_CLEANUPS + " uses of onCancel, not " + allCleanups.size());
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        final Instruction<L>[] program = instructions.toArray(new Instruction[0]);
        for (int i = 0; i < length; i++)
        {
            if (Operation.END == program[i].operation)
            {
                program[i] = Instruction.leave(i, length - i, program[i].lane);
            }
        }
        return new Steps<>(
            name, version, counters, lanes, alwaysWaits && !mayEndUnwaited, program, allCleanups);
    }

    private List<Steps.Cleanup<L>> cleanupsWithOwn()
    {
        final List<Steps.Cleanup<L>> all = new ArrayList<>(cleanups);
        if (null != cleanup)
        {
            all.add(new Steps.Cleanup<>(0, instructions.size(), cleanup));
        }
        return all;
    }

    private boolean hasWait()
    {
        for (final Instruction<L> instruction : instructions)
        {
            if (instruction.isWait())
            {
                return true;
            }
        }
        return false;
    }

    private StepsBuilder<L> block(final Consumer<StepsBuilder<L>> steps)
    {
        final StepsBuilder<L> block = new StepsBuilder<>(name, version);
        steps.accept(block);
        return block;
    }

    private void addBlock(final StepsBuilder<L> block, final int moreCounters, final int moreLanes)
    {
        final int start = instructions.size();
        block.instructions.forEach((instruction) -> add(instruction.movedBy(moreCounters, moreLanes)));
        block.cleanupsWithOwn().forEach((nested) -> cleanups.add(nested.movedBy(start)));
        counters = Math.max(counters, block.counters + moreCounters);
        lanes = Math.max(lanes, block.lanes + moreLanes);
        mayEndUnwaited |= block.mayEndUnwaited && !alwaysWaits;
    }

    private StepsBuilder<L> addWait(final Operation operation, final int event, final int value, final Object code)
    {
        alwaysWaits = true;
        return add(Instruction.wait(operation, event, value, code));
    }

    private StepsBuilder<L> add(final Operation operation, final int value, final int counter, final Object code)
    {
        return add(Instruction.step(operation, value, counter, code));
    }

    private StepsBuilder<L> add(final Instruction<L> instruction)
    {
        instructions.add(instruction);
        return this;
    }

    private int atLeast(final int least, final int value, final String what)
    {
        if (value < least)
        {
            throw new IllegalArgumentException(name + ": " + what + " must be " + least + " or more: " + value);
        }
        return value;
    }
}
