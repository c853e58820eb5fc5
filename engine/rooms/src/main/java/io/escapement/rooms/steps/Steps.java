package io.escapement.rooms.steps;

import io.escapement.rooms.Seat;
import io.escapement.rooms.StateHash;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.agrona.DirectBuffer;

/**
 * A program of a room that waits: for frames, time, messages, signals, replies and conditions. It is built once, from
 * method references, and does not change. {@link RunningSteps} runs it any number of times. Its progress is a position
 * for each of its waits and a few counters. They are part of the room's snapshot and state hash.
 *
 * <pre>{@code
 *   private static final Steps<RoundRoom> ROUND = Steps.<RoundRoom>named("round", 1)
 *       .repeat(3, (s) -> s.run(RoundRoom::countDown).after(TimeUnit.SECONDS.toNanos(1)))
 *       .any(
 *           (s) -> s.until(RoundRoom::isAllReady),
 *           (s) -> s.after(TimeUnit.SECONDS.toNanos(30)).run(RoundRoom::removeTheIdle))
 *       .run(RoundRoom::begin)
 *       .everyFrameWhile(RoundRoom::step)
 *       .run(RoundRoom::announceWinner)
 *       .build();
 * }</pre>
 *
 * <p>A program calls the methods of the room's logic with the <i>tag</i> that was given when it was started, such as
 * the index of a seat. Methods without use for it leave it out.
 *
 * @param <L> the logic of the room.
 */
public final class Steps<L>
{
    /**
     * A condition.
     *
     * @param <L> the logic of the room.
     */
    @FunctionalInterface
    public interface Condition<L>
    {
        /**
         * Evaluate the condition.
         *
         * @param logic of the room.
         * @param tag   given when the program was started.
         */
        boolean test(L logic, long tag);
    }

    /**
     * A number: a delay in nanoseconds, or the correlation id of a request that it makes.
     *
     * @param <L> the logic of the room.
     */
    @FunctionalInterface
    public interface Value<L>
    {
        /**
         * Compute the number.
         *
         * @param logic of the room.
         * @param tag   given when the program was started.
         */
        long of(L logic, long tag);
    }

    /**
     * Reads a message, and decides whether the program was waiting for it.
     *
     * @param <L> the logic of the room.
     */
    @FunctionalInterface
    public interface MessageTest<L>
    {
        /**
         * A message for the wait.
         *
         * @param logic  of the room.
         * @param tag    given when the program was started.
         * @param from   the sender's seat.
         * @param buffer with the message, valid during the call.
         * @param offset of the message.
         * @param length of the message in bytes.
         * @return true to complete the wait.
         */
        boolean test(L logic, long tag, Seat from, DirectBuffer buffer, int offset, int length);
    }

    /**
     * Reads a signal, and decides whether the program was waiting for it.
     *
     * @param <L> the logic of the room.
     */
    @FunctionalInterface
    public interface SignalTest<L>
    {
        /**
         * A signal for the wait.
         *
         * @param logic      of the room.
         * @param tag        given when the program was started.
         * @param fromRoomId the sender, or 0 for the embedding program.
         * @param buffer     with the signal, valid during the call.
         * @param offset     of the signal.
         * @param length     of the signal in bytes.
         * @return true to complete the wait.
         */
        boolean test(L logic, long tag, long fromRoomId, DirectBuffer buffer, int offset, int length);
    }

    /**
     * Reads the reply to a request.
     *
     * @param <L> the logic of the room.
     */
    @FunctionalInterface
    public interface ReplyHandler<L>
    {
        /**
         * The reply, after which the program continues.
         *
         * @param logic  of the room.
         * @param tag    given when the program was started.
         * @param status 0 for success. Otherwise a refusal code, or the service's status.
         * @param buffer with the answer, valid during the call.
         * @param offset of the answer.
         * @param length of the answer in bytes.
         */
        void onReply(L logic, long tag, int status, DirectBuffer buffer, int offset, int length);
    }

    /**
     * An action for the instructions from one position up to another, exclusive.
     *
     * @param <L> the logic of the room.
     */
    record Cleanup<L>(int from, int to, ObjLongConsumer<? super L> action)
    {
        boolean covers(final int position)
        {
            return position >= from && position < to;
        }

        Cleanup<L> movedBy(final int distance)
        {
            return new Cleanup<>(from + distance, to + distance, action);
        }
    }

    private final String name;
    private final int version;
    private final int counters;
    private final int lanes;
    private final boolean alwaysWaits;
    private final long fingerprint;
    private final Instruction<L>[] instructions;
    private final List<Cleanup<L>> cleanups;

    Steps(
        final String name,
        final int version,
        final int counters,
        final int lanes,
        final boolean alwaysWaits,
        final Instruction<L>[] instructions,
        final List<Cleanup<L>> cleanups)
    {
        this.name = name;
        this.version = version;
        this.counters = counters;
        this.lanes = lanes;
        this.alwaysWaits = alwaysWaits;
        this.instructions = instructions;
        this.cleanups = cleanups;
        fingerprint = computeFingerprint();
    }

    /**
     * Begin a program.
     *
     * @param name    of the program, for snapshots and exceptions. Different from the other programs of the room.
     * @param version of the program. A snapshot in which the program waits can be restored with the same version only,
     *                and with a program of the same form: increase it when the steps have another meaning.
     * @param <L>     the logic of the room.
     */
    public static <L> StepsBuilder<L> named(final String name, final int version)
    {
        return new StepsBuilder<>(name, version);
    }

    /** Name of the program. */
    public String name()
    {
        return name;
    }

    /** Version of the program. */
    public int version()
    {
        return version;
    }

    @Override
    public String toString()
    {
        return name + " version " + version;
    }

    int counters()
    {
        return counters;
    }

    /** Most waits of the program at the same time. */
    int lanes()
    {
        return lanes;
    }

    /** Whether each way through the program has a wait. */
    boolean alwaysWaits()
    {
        return alwaysWaits;
    }

    int length()
    {
        return instructions.length;
    }

    Instruction<L> at(final int position)
    {
        return instructions[position];
    }

    /** A hash of the name, the version and the form of the program: all that a position depends on. */
    long fingerprint()
    {
        return fingerprint;
    }

    /** The actions for a cancel. Actions of programs within this program precede its own. */
    List<Cleanup<L>> cleanups()
    {
        return cleanups;
    }

    private long computeFingerprint()
    {
        final StateHash hash = new StateHash();
        for (int i = 0; i < name.length(); i++)
        {
            hash.putInt(name.charAt(i));
        }
        hash.putInt(version);
        for (final Instruction<L> instruction : instructions)
        {
            hash.putInt(instruction.operation.ordinal());
            hash.putInt(instruction.counter);
            hash.putInt(instruction.lane);
            switch (instruction.operation)
            {
                case JUMP, JUMP_UNLESS, LEAVE -> hash.putInt(instruction.value);
                default -> hash.putInt(0);
            }
            for (int i = 0; i < instruction.alternatives(); i++)
            {
                hash.putInt(instruction.alternative(i));
            }
        }
        return hash.value();
    }
}
