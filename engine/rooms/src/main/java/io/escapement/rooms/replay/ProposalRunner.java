package io.escapement.rooms.replay;

import io.escapement.codecs.Codes;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.FailedDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.ReloadDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.replay.ProposalException.Reason;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Runs committed proposals in a host, on the leader as on every other node, in a recovery and in a replay.
 *
 * <p>A proposal is accepted if it is the next of the present incarnation, or starts the next incarnation with a
 * HostResumed. An older proposal is stale: it is counted and not run. A missing proposal stops the runner, unless
 * {@link #skipBehindGaps()} has the proposals after it skipped. An output hash that differs from the leader's always
 * stops the runner. A snapshot of the host has all that a restored runner needs. It contains the numbers, and Failed
 * records name failures of proposals that have run. Of the hashes only comparisons with turns before the snapshot are
 * lost. For each proposal call {@link #accept}, {@link #runCommands} and {@link #endTurn()}, on one thread. No
 * allocation in steady state.
 */
public final class ProposalRunner
{
    /** Turns with a kept output hash. If a leader is further ahead of the commit, it is not compared. */
    public static final int HASHED_TURNS = 1_024;

    private static final int HASH_MASK = HASHED_TURNS - 1;
    private static final int FAILURE_LONGS = 3;
    private static final int NONE = RefusalCode.NONE.value();
    private static final int BAD_VALUE = RefusalCode.BAD_VALUE.value();

    private final RoomHost host;
    private final int loop;
    private final ProposalReader reader = new ProposalReader();
    private final RoomEncoder commands = new RoomEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final FailedDecoder failed = new FailedDecoder();
    private final ReloadDecoder reload = new ReloadDecoder();
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final long[] hashedTurns = new long[HASHED_TURNS];
    private final long[] hashes = new long[HASHED_TURNS];
    /** {proposal, room, callback} of each Failed record. */
    private final LongArrayList given = new LongArrayList();
    private boolean isChecking;
    private boolean areOtherVersionsAllowed;
    private int ran;
    private long turnBefore;
    private boolean isPrefetching;
    private boolean isSkippingBehindGaps;
    private int gapIncarnation;
    private long stale;
    private long compared;
    private ProposalException stopped;

    /**
     * Make an empty host.
     *
     * @param context of the host, with the limits of a loop state.
     */
    public ProposalRunner(final HostContext context)
    {
        this(new RoomHost(context.hashOutput()));
    }

    private ProposalRunner(final RoomHost host)
    {
        this.host = host;
        loop = host.loopState().limits().loop();
        remember();
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
        return new ProposalRunner(RoomHost.restore(context.hashOutput(), buffer, offset, length));
    }

    /** Continue with one room of a snapshot, for a host with no other room. */
    static ProposalRunner restoreRoom(final HostContext context, final long roomId, final DirectBuffer snapshot)
    {
        return new ProposalRunner(
            RoomHost.restoreRoom(context.hashOutput(), roomId, snapshot, 0, snapshot.capacity()));
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
        return host.outputHash();
    }

    /**
     * Count a proposal that does not follow as stale, and all proposals after it in its incarnation: for a log that
     * several nodes keep. Its order is the order of a leader's session, and a message that the session lost is on no
     * node. By default a missing proposal is damage of the log, and stops the runner.
     */
    public void skipBehindGaps()
    {
        isSkippingBehindGaps = true;
    }

    /**
     * Verify the checksum of each proposal, for a log with records that were not verified when they were read. A
     * journal passes on proposals that it has verified, or that this process has proposed.
     */
    public void verifyChecksums()
    {
        isChecking = true;
    }

    /** Run Reloads that name an unregistered version: the host refuses them. */
    void allowOtherVersions()
    {
        areOtherVersionsAllowed = true;
    }

    /**
     * Incarnation of the last proposal that was skipped because a proposal before it is missing, or 0 if no proposal
     * was skipped. The leader of that incarnation can run no further proposal.
     */
    public int gapIncarnation()
    {
        return gapIncarnation;
    }

    /** Number of proposals that were of an older incarnation, had run before, or were skipped after a gap. */
    public long stale()
    {
        return stale;
    }

    /** Number of proposals with an output hash that was compared with the hash of this host. */
    public long compared()
    {
        return compared;
    }

    /**
     * Fail a room in the turn of a later proposal, because a Failed record names it.
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
        given.addLong(proposal);
        given.addLong(roomId);
        given.addLong(callback);
    }

    /**
     * Fail the rooms of all Failed records in a log, which may be many proposals after their turns. Before the first
     * turn runs. Then rewind the log.
     *
     * @param log to read.
     */
    public void failBy(final LogSource log)
    {
        log.rewindToFailed();
        while (log.next())
        {
            failBy(log.buffer(), log.offset(), log.length());
        }
    }

    private void failBy(final DirectBuffer buffer, final int offset, final int length)
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
     * Verify a proposal. It stays in place until its turn is over.
     *
     * @param buffer with the proposal.
     * @param offset of its message header.
     * @param length of the proposal in bytes.
     * @return whether to run it. False if it is stale.
     * @throws ProposalException if it cannot be run, and each time after that.
     */
    public boolean accept(final DirectBuffer buffer, final int offset, final int length)
    {
        if (null != stopped)
        {
            throw stopped;
        }
        final int code = isChecking && !reader.isWhole(buffer, offset, length) ?
            BAD_VALUE : reader.wrap(buffer, offset, length);
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
        if (!isNext || reader.incarnation() != host.incarnation() && !RoomTurns.beginsIncarnation(reader))
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

    /** The proposal that was accepted. */
    public ProposalReader proposal()
    {
        return reader;
    }

    /**
     * Begin the turn of the accepted proposal and run its commands.
     *
     * @return how many were run.
     */
    public int runCommands()
    {
        beginTurn();
        while (reader.nextCommand())
        {
            runCommand();
        }
        return reader.commands();
    }

    /** Begin the turn of the accepted proposal. For a caller that runs each command by itself. */
    public void beginTurn()
    {
        dropGiven();
        host.beginTurn(reader.nowNs());
        giveFailures();
        ran = 0;
        turnBefore = host.turn();
        isPrefetching = host.openRooms() >= RoomHost.PREFETCH_MIN_ROOMS;
    }

    /**
     * Run the command to which the proposal points.
     *
     * @return 0, or the code of its refusal.
     */
    public int runCommand()
    {
        final DirectBuffer buffer = reader.buffer();
        final int offset = reader.commandOffset();
        final int length = reader.commandLength();
        final int index = ran++;
        if (index < reader.returns())
        {
            if (!host.onReturn(buffer, offset, length))
            {
                stop(Reason.DIVERGED, turnBefore + 1, "return " + index + " of proposal " + reader.number() +
                    " is not what the rooms of this host sent");
            }
            return NONE;
        }
        if (isPrefetching && 0 == index % RoomHost.PREFETCH_LIMIT)
        {
            prefetch();
        }
        if (!areOtherVersionsAllowed && !isRunnable(buffer, offset, length))
        {
            stop(Reason.UNKNOWN_TYPE, "proposal " + reader.number() + " reloads room type " + reload.typeId() +
                " from version " + reload.fromVersion() + " to " + reload.toVersion() +
                ", which is not registered: register it, and launch again");
        }
        return host.onCommand(buffer, offset, length);
    }

    /**
     * Whether the host has the version of a room type that a command names, if the command is a Reload. Do not propose
     * other versions: another node may or may not have the version.
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
     * @return the host time at which the next turn is due if no command arrives before.
     */
    public long endTurn()
    {
        final long deadlineNs = host.endTurn();
        host.proposal(reader.number());
        remember();
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

    /** Compare a running hash of the log, up to the end of a past turn, with the hash of this host. */
    void compare(final long turn, final long hash)
    {
        if (turn > host.turn())
        {
            stop(Reason.DIVERGED, host.turn(), "the log has turn " + turn + ", this host has run no other up to " +
                "proposal " + lastProposal());
        }
        final int index = (int)turn & HASH_MASK;
        if (0 != turn && hashedTurns[index] == turn)
        {
            if (hashes[index] != hash)
            {
                stop(Reason.DIVERGED, turn, "output hash is " + Long.toHexString(hashes[index]) + ", the log has " +
                    Long.toHexString(hash));
            }
            compared++;
        }
    }

    private void remember()
    {
        final int index = (int)host.turn() & HASH_MASK;
        hashedTurns[index] = host.turn();
        hashes[index] = host.outputHash();
    }

    /** The callback at which a Failed record has a room fail in the last accepted turn. 0 without such a record. */
    long failedCallback(final long roomId)
    {
        for (int i = 0; i < given.size(); i += FAILURE_LONGS)
        {
            if (given.getLong(i) == reader.number() && given.getLong(i + 1) == roomId)
            {
                return given.getLong(i + 2);
            }
        }
        return 0;
    }

    /** Drop the failures of proposals that have run. */
    private void dropGiven()
    {
        int kept = 0;
        for (int i = 0; i < given.size(); i += FAILURE_LONGS)
        {
            if (given.getLong(i) >= reader.number())
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

    private void giveFailures()
    {
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

    private void stop(final Reason reason, final long turn, final String difference)
    {
        stopped = new ProposalException(reason, turn, "turn " + turn + ": " + difference);
        throw stopped;
    }

    private void stop(final Reason reason, final String message)
    {
        stopped = new ProposalException(reason, 0, message);
        throw stopped;
    }
}
