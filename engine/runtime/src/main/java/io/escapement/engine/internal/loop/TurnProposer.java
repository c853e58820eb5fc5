package io.escapement.engine.internal.loop;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.DrainDecoder;
import io.escapement.codecs.room.FailedAtDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.ReloadDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.durable.CommitLog;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.loop.LoopState;
import io.escapement.rooms.replay.ProposalRunner;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntArrayQueue;
import org.agrona.collections.LongArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The half of a durable loop that leads: gathers the commands of a turn into a proposal, and proposes it to the log.
 */
final class TurnProposer
{
    /** While proposals are under way, commands gather for this long: many share one sync. */
    static final long GATHER_NS = 200_000;

    private static final int NO_RETURNS = -1;
    private static final long NO_TIME = Long.MIN_VALUE;

    private final ProposalRunner runner;
    private final CommitLog log;
    private final LoopCounters counters;
    private final LoopState loopState;
    private final int incarnation;
    private final int limit;
    private final ProposalWriter writer;
    private final RoomEncoder encoder = new RoomEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final DrainDecoder drain = new DrainDecoder();
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[64]);
    private final LoopState.Receiver returnReceiver = this::addReturn;
    /** Returns of each proposal that is under way. */
    private final IntArrayQueue returnsOfProposals = new IntArrayQueue(64, NO_RETURNS);
    /** Engine time of each proposal that is under way. */
    private final LongArrayQueue timesOfProposals = new LongArrayQueue(64, NO_TIME);
    private int returnsUnderWay;
    private long number;
    private long proposedNs;
    private boolean isRefused;

    TurnProposer(final ProposalRunner runner, final CommitLog log, final int incarnation, final LoopCounters counters)
    {
        this.runner = runner;
        this.log = log;
        this.incarnation = incarnation;
        this.counters = counters;
        loopState = runner.host().loopState();
        writer = new ProposalWriter(loopState.limits().loop());
        limit = Math.min(ProposalWriter.MAX_LENGTH, log.maxProposalLength());
        if (!hasRoom(Turns.RETURNS))
        {
            throw new IllegalArgumentException(
                "proposals of " + limit + " bytes are too short: a quarter of one must hold any command");
        }
        number = runner.lastProposal() + 1;
    }

    /** Number of the proposal that is gathered. */
    long number()
    {
        return number;
    }

    /** Number of proposals that have not run. */
    int underWay()
    {
        return returnsOfProposals.size();
    }

    /** Engine time of the last proposal. */
    long proposedNs()
    {
        return proposedNs;
    }

    /** Whether the log refused the proposal that was gathered, for lack of room. */
    boolean isRefused()
    {
        return isRefused;
    }

    /** Number of gathered commands. */
    int commands()
    {
        return writer.commands();
    }

    /** Whether rooms have sent each other commands that no proposal carries. */
    boolean hasReturns()
    {
        return loopState.returns() > returnsUnderWay;
    }

    /** Whether there is room for any command in this part of a proposal. */
    boolean hasRoom(final int sixteenths)
    {
        return writer.hasRoom(limit * sixteenths / Turns.WHOLE);
    }

    /** Gather the commands that rooms of the loop have sent each other. First of a turn. */
    void gatherReturns()
    {
        if (hasReturns())
        {
            loopState.readReturns(returnsUnderWay, returnReceiver);
        }
    }

    /** Gather a command, unless no host would run it. This process has encoded it. The host validates it. */
    void gather(final DirectBuffer buffer, final int offset, final int length, final long hostOffsetNs)
    {
        if (length < MessageHeaderDecoder.ENCODED_LENGTH)
        {
            counters.refused(RefusalCode.TOO_SHORT.value());
            return;
        }
        switch (SchemaRules.templateId(buffer, offset))
        {
            // A failure is a record of the log, and not a command.
            case FailedAtDecoder.TEMPLATE_ID -> counters.refused(RefusalCode.NOT_A_COMMAND.value());
            case DrainDecoder.TEMPLATE_ID ->
            {
                final long deadlineNs = drain.wrapAndApplyHeader(buffer, offset, header).deadlineNs();
                writer.add(scratch, 0, encoder.drain(scratch, 0, Math.max(deadlineNs, deadlineNs + hostOffsetNs)));
            }
            case ReloadDecoder.TEMPLATE_ID -> gatherReload(buffer, offset, length);
            // As it is: the host refuses a command that it does not know, on every node.
            default -> writer.add(buffer, offset, length);
        }
    }

    /** This node may have restarted without the version since the operator asked. */
    private void gatherReload(final DirectBuffer buffer, final int offset, final int length)
    {
        if (runner.isRunnable(buffer, offset, length))
        {
            writer.add(buffer, offset, length);
        }
        else
        {
            counters.refused(RefusalCode.UNKNOWN_ROOM_TYPE.value());
        }
    }

    /** Gather the first command of an incarnation. */
    void gatherResumed(final int memberId, final long epochMs)
    {
        writer.add(scratch, 0, encoder.hostResumed(scratch, 0, epochMs, incarnation, memberId));
    }

    /** Propose the gathered commands. If the log has no room, the commands stay for a later call. */
    boolean propose(final long nowNs, final long hostNs)
    {
        final int length =
            writer.finish(incarnation, number, hostNs, runner.host().turn(), runner.outputHash());
        final long position = log.propose(writer.buffer(), 0, length);
        if (CommitLog.BACK_PRESSURED == position)
        {
            isRefused = true;
            counters.logBlocked();
            return false;
        }
        if (position < 0)
        {
            throw new IllegalStateException("the log of turns failed, no command can be made durable", log.failure());
        }
        isRefused = false;
        proposedNs = nowNs;
        returnsOfProposals.addInt(writer.returns());
        timesOfProposals.addLong(nowNs);
        returnsUnderWay += writer.returns();
        number++;
        writer.clear();
        return true;
    }

    /** Propose the hashes of output and state after the last turn. A log without room does without. */
    void proposeHashes()
    {
        final RoomHost host = runner.host();
        log.propose(scratch, 0, new RoomEncoder().stateHash(
            scratch, 0, host.turn(), host.outputHash(), host.stateHash()));
    }

    /** Encode the record of a failure. See {@link ProposalWriter#failed}. */
    int failed(final UnsafeBuffer target, final long proposal, final long roomId, final long callback)
    {
        return writer.failed(target, 0, proposal, roomId, callback);
    }

    /** A proposal has run. Returns the engine time at which it was proposed. */
    long onRun()
    {
        returnsUnderWay -= returnsOfProposals.pollInt();
        return timesOfProposals.pollLong();
    }

    private boolean addReturn(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!hasRoom(Turns.RETURNS))
        {
            return false;
        }
        writer.addReturn(buffer, offset, length);
        return true;
    }
}
