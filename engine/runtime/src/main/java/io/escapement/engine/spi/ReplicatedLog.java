package io.escapement.engine.spi;

import io.escapement.rooms.log.LogSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * A log of turns that several nodes keep together, such as the log of {@code escapement-cluster}. One node leads: its
 * engine proposes turns, and every engine runs the committed turns. Applications pass a log to
 * {@code Durability.replicated} and do not call its methods.
 */
public interface ReplicatedLog
{
    /** Result of {@link Proposer#propose} when the log has no room now, or the way to it is not open yet. */
    long BACK_PRESSURED = -1;

    /** Of {@link Receiver#onFollowing}: no other node leads yet. */
    int NO_LEADER = -1;

    /** This node's part of the log. */
    interface Node extends AutoCloseable
    {
        /** Number of this node. */
        int memberId();

        /**
         * A number that all nodes of this log have, and no other log. A trunk's tokens of another log are void, even
         * if the engines have the same keys.
         */
        long realm();

        /**
         * The newest snapshot of a loop when the node joined. Turns that were committed after it are passed on.
         *
         * @param loop number of the loop.
         * @return the snapshot, or null to start with an empty host.
         */
        DirectBuffer snapshot(int loop);

        /**
         * The way of a loop's turns to the log.
         *
         * @param loop number of the loop.
         */
        Proposer proposer(int loop);

        /**
         * Whether this node has all turns that the group has committed, and takes part in the next commits. While one
         * node of three lags, the two others are needed. Any thread.
         */
        boolean isCurrent();

        /**
         * Have all nodes take a snapshot soon, and then delete data that no start needs any more. Only the leader's
         * request has an effect. A request during a snapshot may be lost. Any thread. Returns at once.
         */
        void requestSnapshot();

        /**
         * Announce to the other nodes that this one can run rooms of a version. Any thread. Returns at once.
         *
         * @param typeId  of the rooms.
         * @param version of their logic.
         */
        void announce(int typeId, int version);

        /**
         * The nodes that cannot run rooms of a version, by their announcements. Any thread. Returns at once.
         *
         * @param typeId  of the rooms.
         * @param version of their logic.
         * @return numbers of the other nodes without an announcement of it, and of nodes that have been silent for
         * seconds.
         */
        List<Integer> membersWithout(int typeId, int version);

        /** Leave. The log calls the receiver no more. Safe to call twice. */
        @Override
        void close();
    }

    /** Receives the snapshots of the loops. */
    @FunctionalInterface
    interface SnapshotSink
    {
        /**
         * The snapshot of a loop.
         *
         * @param loop   number of the loop.
         * @param buffer with the snapshot, valid during the call.
         * @param offset of the snapshot.
         * @param length of the snapshot in bytes.
         */
        void append(int loop, DirectBuffer buffer, int offset, int length);
    }

    /** Proposes the turns of one loop, in its thread. Its methods do not wait. */
    interface Proposer
    {
        /** The longest message in bytes. */
        int maxLength();

        /** The node leads: open the way to the log. */
        void open();

        /** The node no longer leads, or a new term starts: forget uncommitted proposals. */
        void close();

        /**
         * Keep the way open. Called in each duty cycle, whether the node leads or not.
         *
         * @param nowNs time of the cycle, of a clock that only advances.
         * @return the work done.
         */
        int work(long nowNs);

        /**
         * Longest time without a commit while a proposal is under way. Then the node leaves, because a log that has
         * lost its majority need not notice by itself.
         *
         * @return nanoseconds.
         */
        default long commitTimeoutNs()
        {
            return Long.MAX_VALUE;
        }

        /**
         * Propose a message. Its bytes are copied.
         *
         * @param buffer with the message.
         * @param offset of its message header.
         * @param length in bytes, at most {@link #maxLength()}.
         * @return 0 or more if it was proposed, otherwise {@link ReplicatedLog#BACK_PRESSURED}.
         */
        long propose(DirectBuffer buffer, int offset, int length);
    }

    /**
     * The engine. All methods but {@link #counter} are called in one thread of the log, and wait while the engine has
     * no room.
     */
    interface Receiver
    {
        /**
         * Make a counter that the engine exports with its own. Only during {@link #join}. The log may set it from then
         * on, in one thread, even after the engine was closed.
         *
         * @param label   for people and for metrics.
         * @param isGauge whether the value may decrease.
         */
        AtomicCounter counter(String label, boolean isGauge);

        /**
         * A committed message. If a turn enters the log in a later term than the term of its proposal, all nodes drop
         * it.
         *
         * @param incarnation of the term in which it entered the log, the same on all nodes: see {@link #onLeading}.
         * @param buffer      with the message, valid during the call.
         * @param offset      of its message header.
         * @param length      in bytes.
         */
        void onCommitted(int incarnation, DirectBuffer buffer, int offset, int length);

        /**
         * This node leads. Everything that was committed in earlier terms has been passed on.
         *
         * @param incarnation number of the term, above all before, from 1.
         */
        void onLeading(int incarnation);

        /**
         * This node does not lead.
         *
         * @param leaderMemberId the node that does, or {@link ReplicatedLog#NO_LEADER}.
         */
        void onFollowing(int leaderMemberId);

        /**
         * Write the states of all loops after all messages that were passed on. The loops write their states in memory,
         * all at the same time, and pause until the log passes on more.
         *
         * @param sink of the snapshots, which gets one after the other by the loops' numbers.
         */
        void onSnapshot(SnapshotSink sink);

        /**
         * This node has left the log by a fault.
         *
         * @param cause of it.
         */
        void onFailed(Throwable cause);

        /** Why the engine cannot run committed messages any more, or null. The node must then leave. */
        Throwable failure();

        /**
         * Where in the log the engine has failed, if it was because of a committed message. If a restarted node fails
         * at the same place, it would always do so.
         *
         * @return the place, for people, or null.
         */
        String failedAt();
    }

    /**
     * Join the log. Called once, when an engine is launched. Returns when the snapshots have been read.
     *
     * @param loops    number of loops of the engine.
     * @param receiver called as soon as this method has been.
     * @return this node's part.
     */
    Node join(int loops, Receiver receiver);

    /**
     * Read a stopped node's part of the log, without changes. Call it without {@link #join}.
     *
     * @param failures Failed messages of a loop, by its number, which its log does not have.
     * @param reader   of the logs, by loop. They are closed after the call.
     */
    default void read(final IntFunction<List<byte[]>> failures, final Consumer<Map<Integer, LogSource>> reader)
    {
        throw new UnsupportedOperationException("this log cannot be read without a node");
    }

    /** Whether a turn is on the disks of a majority of nodes before it runs, and not only in their memory. */
    default boolean isSynced()
    {
        return false;
    }

    /**
     * Refuse wrong options. Called once before anything of the engine is opened, in the thread that launches it.
     *
     * @throws io.escapement.config.ConfigException if an option is wrong.
     */
    default void check()
    {
    }

    /**
     * Shared memory that the log takes at most. If an engine's memory does not fit, the engine is not launched.
     *
     * @param directory in the file system in question.
     * @return bytes of this file system.
     */
    default long memoryLength(final Path directory)
    {
        return 0;
    }
}
