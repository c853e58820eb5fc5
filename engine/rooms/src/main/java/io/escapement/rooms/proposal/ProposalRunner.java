package io.escapement.rooms.proposal;

import io.escapement.codecs.Codes;
import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.room.FailedDecoder;
import io.escapement.codecs.room.HostResumedDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.ReloadDecoder;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.TurnLog;
import io.escapement.rooms.proposal.ProposalException.Reason;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Runs committed proposals in a host, on the leader as on every other node, in a recovery and in a replay.
 *
 * <p>A proposal is accepted if it is the next one and of the present incarnation, or begins the next incarnation with a
 * HostResumed. An older one is stale: it is counted and not run. A missing one stops the runner, unless
 * {@link #skipBehindGaps()} has those behind it skipped. An output hash that differs from the leader's always stops it.
 * A snapshot of the host has all that a restored runner needs: the numbers are in
 * it, the failures that Failed records name are of proposals that have run, and of the hashes only comparisons with
 * turns before the snapshot are lost. For each proposal call {@link #accept}, {@link #runCommands} and
 * {@link #endTurn()}, on one thread. Allocates nothing in steady state.
 */
public final class ProposalRunner
{
    /** Turns whose output hash is kept. A leader that is further ahead of the commit than this is not compared. */
    public static final int HASHED_TURNS = 1_024;

    private static final int HASH_MASK = HASHED_TURNS - 1;
    private static final int FAILURE_LONGS = 3;

    private final RoomHost host;
    private final int loop;
    private final ProposalReader reader = new ProposalReader();
    private final RoomCommandEncoder commands = new RoomCommandEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final FailedDecoder failed = new FailedDecoder();
    private final HostResumedDecoder hostResumed = new HostResumedDecoder();
    private final ReloadDecoder reload = new ReloadDecoder();
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final Turns turns;
    private boolean isSkippingBehindGaps;
    private int gapIncarnation;
    private long stale;
    private long compared;
    private ProposalException stopped;

    /**
     * Make an empty host.
     *
     * @param context of the host, with the limits of a loop state and without a turn log.
     */
    public ProposalRunner(final HostContext context)
    {
        this(new Turns(), context);
    }

    private ProposalRunner(final Turns turns, final HostContext context)
    {
        this(turns, new RoomHost(context.turnLog(turns)));
    }

    private ProposalRunner(final Turns turns, final RoomHost host)
    {
        this.turns = turns;
        this.host = host;
        loop = host.loopState().limits().loop();
        turns.remember(host.turn(), host.outputHash());
    }

    /**
     * Continue from a snapshot.
     *
     * @param context of the new host.
     * @param buffer  with the snapshot.
     * @param offset  of the snapshot.
     * @param length  of the snapshot in bytes.
     */
    public static ProposalRunner restore(
        final HostContext context, final DirectBuffer buffer, final int offset, final int length)
    {
        final Turns turns = new Turns();
        return new ProposalRunner(turns, RoomHost.restore(context.turnLog(turns), buffer, offset, length));
    }

    /** The host. Between turns. */
    public RoomHost host()
    {
        return host;
    }

    /** Number of the last proposal that ran; 0 before the first. */
    public long lastProposal()
    {
        return host.proposal();
    }

    /** Running hash of all output up to the end of the host's last turn, for the next proposal. */
    public long outputHash()
    {
        return turns.lastHash;
    }

    /**
     * Count a proposal that does not follow as stale, as all behind it in its incarnation are: for a log that several
     * nodes keep. Its order is that of a leader's session, and what such a session has lost is on none of the nodes. By
     * default a missing proposal is damage of the log, and stops the runner.
     */
    public void skipBehindGaps()
    {
        isSkippingBehindGaps = true;
    }

    /**
     * Incarnation of the last proposal that was skipped because one before it is missing; 0 if there was none. Whoever
     * leads in it can run nothing more.
     */
    public int gapIncarnation()
    {
        return gapIncarnation;
    }

    /** Number of proposals that were of an older incarnation, had run before, or were skipped behind a gap. */
    public long stale()
    {
        return stale;
    }

    /** Number of proposals whose output hash was compared with that of this host. */
    public long compared()
    {
        return compared;
    }

    /**
     * Fail a room in the turn of a proposal that is still to come, because a Failed record names it.
     *
     * @param proposal number of the proposal.
     * @param roomId   of the room.
     * @param callback the room's count of callbacks.
     */
    public void failAt(final long proposal, final long roomId, final long callback)
    {
        if (proposal <= lastProposal())
        {
            throw new IllegalArgumentException("proposal " + proposal + " has run, the last is " + lastProposal());
        }
        turns.given.addLong(proposal);
        turns.given.addLong(roomId);
        turns.given.addLong(callback);
    }

    /**
     * Fail a room in the turn of a proposal that is still to come, if a message of the log is a Failed record of one.
     *
     * @param buffer with the message.
     * @param offset of its message header.
     * @param length of the message in bytes.
     */
    public void failBy(final DirectBuffer buffer, final int offset, final int length)
    {
        if (0 == RoomCommands.validateLogRecord(buffer, offset, Math.min(length, ProposalWriter.FAILED_LENGTH)) &&
            FailedDecoder.TEMPLATE_ID == SchemaRules.templateId(buffer, offset))
        {
            failed.wrapAndApplyHeader(buffer, offset, header);
            if (failed.proposal() > lastProposal())
            {
                failAt(failed.proposal(), failed.roomId(), failed.callback());
            }
        }
    }

    /**
     * Verify a proposal, which stays in place until its turn has ended.
     *
     * @param buffer with the proposal.
     * @param offset of its message header.
     * @param length of the proposal in bytes.
     * @return whether to run it; false if it is stale.
     * @throws ProposalException if it cannot be run, and each time after that.
     */
    public boolean accept(final DirectBuffer buffer, final int offset, final int length)
    {
        if (null != stopped)
        {
            throw stopped;
        }
        final int code = reader.wrap(buffer, offset, length);
        if (0 != code)
        {
            stop(Reason.MALFORMED, "behind proposal " + lastProposal() + ": " + Codes.nameOf(code));
        }
        if (reader.loop() != loop)
        {
            stop(Reason.MALFORMED, "it is of loop " + reader.loop() + ", this is loop " + loop);
        }
        if (reader.incarnation() < host.incarnation() || reader.number() <= lastProposal())
        {
            stale++;
            return false;
        }
        final boolean isNext = reader.number() == lastProposal() + 1;
        if (!isNext || reader.incarnation() != host.incarnation() && !beginsIncarnation())
        {
            if (isSkippingBehindGaps)
            {
                // Its leader cannot have run the missing one. If it has, the gap is in this node's copy of the log.
                compare(reader.hashedTurn(), reader.outputHash());
                stale++;
                gapIncarnation = reader.incarnation();
                return false;
            }
            stop(Reason.GAP, isNext ?
                "incarnation " + reader.incarnation() + " has no HostResumed behind incarnation " + host.incarnation() :
                "proposal " + reader.number() + " cannot follow proposal " + lastProposal());
        }
        compare(reader.hashedTurn(), reader.outputHash());
        return true;
    }

    /** Number of the proposal that was accepted. */
    public long accepted()
    {
        return reader.number();
    }

    /**
     * Begin the turn of the accepted proposal and run its commands.
     *
     * @return how many were run.
     */
    public int runCommands()
    {
        turns.begin(reader.number());
        host.beginTurn(reader.nowNs());
        giveFailures();
        final int returns = reader.returns();
        final boolean isPrefetching = host.openRooms() >= RoomHost.PREFETCH_MIN_ROOMS;
        for (int i = 0; reader.nextCommand(); i++)
        {
            if (i < returns)
            {
                if (!host.onReturn(reader.buffer(), reader.commandOffset(), reader.commandLength()))
                {
                    stop(Reason.DIVERGED, "return " + i + " of proposal " + reader.number() +
                        " is not what the rooms of this host sent");
                }
            }
            else
            {
                if (isPrefetching && 0 == i % RoomHost.PREFETCH_LIMIT)
                {
                    prefetch();
                }
                runCommand(reader.buffer(), reader.commandOffset(), reader.commandLength());
            }
        }
        return reader.commands();
    }

    private void runCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isRunnable(buffer, offset, length))
        {
            stop(Reason.UNKNOWN_TYPE, "proposal " + reader.number() + " reloads room type " + reload.typeId() +
                " from version " + reload.fromVersion() + " to " + reload.toVersion() +
                ", which is not registered: register it, and launch again");
        }
        host.onCommand(buffer, offset, length);
    }

    /**
     * Whether the host has the version of a room type that a command names, if it is a Reload. Nothing else may be
     * proposed: another node may not have the version, or have it.
     *
     * @param buffer with the command.
     * @param offset of its message header.
     * @param length of the command in bytes.
     */
    public boolean isRunnable(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < MessageHeaderDecoder.ENCODED_LENGTH ||
            ReloadDecoder.TEMPLATE_ID != SchemaRules.templateId(buffer, offset) ||
            0 != RoomCommands.validateCommand(buffer, offset, length))
        {
            return true;
        }
        reload.wrapAndApplyHeader(buffer, offset, header);
        return host.isRegistered(reload.typeId(), reload.toVersion());
    }

    /**
     * End the turn: run the timers and frames that are due.
     *
     * @return the host time at which the next turn is due if no command comes before.
     */
    public long endTurn()
    {
        final long deadlineNs = host.endTurn();
        host.proposal(reader.number());
        turns.dropGiven(reader.number());
        return deadlineNs;
    }

    /**
     * Accept a proposal and run its turn.
     *
     * @param buffer with the proposal.
     * @param offset of its message header.
     * @param length of the proposal in bytes.
     * @return false if it is stale.
     * @throws ProposalException if it cannot be run, and each time after that.
     */
    public boolean run(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!accept(buffer, offset, length))
        {
            return false;
        }
        runCommands();
        endTurn();
        return true;
    }

    /** Number of rooms that failed in the last turn for a reason of the machine, and need a Failed record each. */
    public int failures()
    {
        return turns.failures.size() / 2;
    }

    /**
     * Id of a room that failed.
     *
     * @param index of the failure.
     */
    public long failedRoomId(final int index)
    {
        return turns.failures.getLong(2 * index);
    }

    /**
     * The callback at which it failed.
     *
     * @param index of the failure.
     */
    public long failedCallback(final int index)
    {
        return turns.failures.getLong(2 * index + 1);
    }

    private boolean beginsIncarnation()
    {
        boolean isBegin = false;
        if (0 == reader.returns() && reader.nextCommand() && 0 == RoomCommands.validateCommand(
            reader.buffer(), reader.commandOffset(), reader.commandLength()) &&
            HostResumedDecoder.TEMPLATE_ID == SchemaRules.templateId(reader.buffer(), reader.commandOffset()))
        {
            hostResumed.wrapAndApplyHeader(reader.buffer(), reader.commandOffset(), header);
            isBegin = hostResumed.incarnation() == reader.incarnation();
        }
        reader.rewind();
        return isBegin;
    }

    private void compare(final long turn, final long hash)
    {
        if (turn > host.turn())
        {
            stop(Reason.DIVERGED, "the leader had run turn " + turn + ", this host only turn " + host.turn() +
                " up to proposal " + lastProposal());
        }
        final int index = (int)turn & HASH_MASK;
        if (0 != turn && turns.numbers[index] == turn)
        {
            if (turns.hashes[index] != hash)
            {
                stop(Reason.DIVERGED, "the output hash of turn " + turn + " is " +
                    Long.toHexString(turns.hashes[index]) + ", the leader had " + Long.toHexString(hash));
            }
            compared++;
        }
    }

    private void giveFailures()
    {
        final LongArrayList given = turns.given;
        for (int i = 0; i < given.size(); i += FAILURE_LONGS)
        {
            if (given.getLong(i) == reader.number())
            {
                host.onCommand(scratch, 0,
                    commands.failedAt(scratch, 0, given.getLong(i + 1), given.getLong(i + 2)));
            }
        }
    }

    /** Prefetch the rooms of the present command and the next ones, and go back to the present one. */
    private void prefetch()
    {
        reader.mark();
        int left = RoomHost.PREFETCH_LIMIT;
        do
        {
            host.prefetch(reader.buffer(), reader.commandOffset(), reader.commandLength());
        }
        while (--left > 0 && reader.nextCommand());
        reader.reset();
        host.runPrefetch();
    }

    private void stop(final Reason reason, final String message)
    {
        stopped = new ProposalException(reason, message);
        throw stopped;
    }

    /** The log of the host's turns: a host hashes its output only if it has one. */
    private static final class Turns implements TurnLog
    {
        private final long[] numbers = new long[HASHED_TURNS];
        private final long[] hashes = new long[HASHED_TURNS];
        /** {proposal, room, callback} of each Failed record. */
        private final LongArrayList given = new LongArrayList();
        /** {room, callback} of each failure that has no record yet. */
        private final LongArrayList failures = new LongArrayList();
        private long proposal;
        private long turn;
        private long lastHash;

        void begin(final long number)
        {
            proposal = number;
            if (!failures.isEmpty())
            {
                failures.clear();
            }
        }

        /** Drop the failures of proposals that have run. */
        void dropGiven(final long number)
        {
            int kept = 0;
            for (int i = 0; i < given.size(); i += FAILURE_LONGS)
            {
                if (given.getLong(i) > number)
                {
                    for (int j = 0; j < FAILURE_LONGS; j++)
                    {
                        given.setLong(kept++, given.getLong(i + j));
                    }
                }
            }
            while (given.size() > kept)
            {
                given.removeAt(given.size() - 1);
            }
        }

        void remember(final long number, final long hash)
        {
            numbers[(int)number & HASH_MASK] = number;
            hashes[(int)number & HASH_MASK] = hash;
            lastHash = hash;
        }

        @Override
        public void turnStart(final long number, final long nowNs)
        {
            turn = number;
        }

        @Override
        public void command(final DirectBuffer buffer, final int offset, final int length)
        {
        }

        @Override
        public void failedAt(final long roomId, final long callback)
        {
            for (int i = 0; i < given.size(); i += FAILURE_LONGS)
            {
                if (given.getLong(i) == proposal && given.getLong(i + 1) == roomId &&
                    given.getLong(i + 2) == callback)
                {
                    return;
                }
            }
            failures.addLong(roomId);
            failures.addLong(callback);
        }

        @Override
        public void turnEnd(final long outputHash)
        {
            remember(turn, outputHash);
        }

        @Override
        public void stateHash(final long number, final long hash)
        {
        }

        @Override
        public void close()
        {
        }
    }
}
