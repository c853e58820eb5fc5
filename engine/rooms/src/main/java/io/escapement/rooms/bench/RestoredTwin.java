package io.escapement.rooms.bench;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.FailedDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.ProposalException;
import io.escapement.rooms.replay.ProposalRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Runs a recording in two hosts. One is restored from a snapshot repeatedly, as by restarts. The other is never
 * restored.
 *
 * <p>They run it as it is, and compare it with its hashes. Or both start a second incarnation after the first turn,
 * with another time of origin. If a room keeps a value of the first incarnation outside its snapshot, it gets another
 * value when it is restored.
 */
final class RestoredTwin
{
    private static final int RESTORES = 16;
    private static final int INCARNATION = 1;
    private static final long EPOCH_MS = 1_000_003;

    private final Supplier<HostContext> contexts;
    private final boolean isResumed;
    private final UnsafeBuffer resumed = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final int resumedLength =
        new RoomEncoder().hostResumed(resumed, 0, EPOCH_MS, INCARNATION, 0);
    private final ProposalReader turn = new ProposalReader();
    private final ProposalWriter proposal;
    /** {proposal of the recording, room, callback} of each failure. */
    private final List<long[]> failures = new ArrayList<>();
    private final ProposalRunner never;
    private ProposalRunner restored;
    private int incarnation;

    /**
     * Make the hosts.
     *
     * @param contexts  of hosts like the recorded host.
     * @param isResumed whether a second incarnation starts.
     */
    RestoredTwin(final Supplier<HostContext> contexts, final boolean isResumed)
    {
        this.contexts = contexts;
        this.isResumed = isResumed;
        never = new ProposalRunner(contexts.get());
        restored = new ProposalRunner(contexts.get());
        proposal = new ProposalWriter(never.host().loopState().limits().loop());
    }

    /** The first difference as a line for people, or null. */
    String difference(final LogFile log)
    {
        noteFailures(log);
        final long between = 1 + log.proposals() / RESTORES;
        long number = 0;
        while (log.next())
        {
            if (ProposalDecoder.TEMPLATE_ID != SchemaRules.templateId(log.buffer(), log.offset()))
            {
                continue;
            }
            turn.wrap(log.buffer(), log.offset(), log.length());
            number++;
            final String difference = run(log);
            if (null != difference)
            {
                return difference;
            }
            if (1 == number && isResumed)
            {
                resume();
            }
            if (0 == number % between || number == log.proposals())
            {
                if (never.host().stateHash() != restored.host().stateHash())
                {
                    return "turn " + never.host().turn() + ": the state of restored rooms differs";
                }
                restore();
                if (never.host().stateHash() != restored.host().stateHash())
                {
                    return "turn " + never.host().turn() + ": the state differs right after a restore";
                }
            }
        }
        return null;
    }

    private String run(final LogFile log)
    {
        for (final long[] failure : failures)
        {
            if (failure[0] == turn.number())
            {
                never.failAt(never.lastProposal() + 1, failure[1], failure[2]);
                restored.failAt(restored.lastProposal() + 1, failure[1], failure[2]);
            }
        }
        try
        {
            if (isResumed)
            {
                proposeAgain();
            }
            else
            {
                never.run(log.buffer(), log.offset(), log.length());
                restored.run(log.buffer(), log.offset(), log.length());
            }
        }
        catch (final ProposalException ex)
        {
            return ex.getMessage();
        }
        return never.outputHash() == restored.outputHash() ? null :
            "turn " + never.host().turn() + ": the output of restored rooms differs";
    }

    /** Run the turn of the recording as a proposal of the present incarnation. */
    private void proposeAgain()
    {
        proposal.clear();
        for (int i = 0; turn.nextCommand(); i++)
        {
            if (i < turn.returns())
            {
                proposal.addReturn(turn.buffer(), turn.commandOffset(), turn.commandLength());
            }
            else
            {
                proposal.add(turn.buffer(), turn.commandOffset(), turn.commandLength());
            }
        }
        propose(turn.nowNs());
    }

    private void resume()
    {
        incarnation = INCARNATION;
        proposal.clear();
        proposal.add(resumed, 0, resumedLength);
        propose(turn.nowNs());
    }

    private void propose(final long nowNs)
    {
        final int length = proposal.finish(incarnation, never.lastProposal() + 1, nowNs, 0, 0);
        never.run(proposal.buffer(), 0, length);
        restored.run(proposal.buffer(), 0, length);
    }

    private void restore()
    {
        final ByteSink snapshot = new ByteSink();
        restored.host().snapshot(snapshot);
        restored = ProposalRunner.restore(contexts.get(), snapshot.buffer(), 0, snapshot.length());
    }

    private void noteFailures(final LogFile log)
    {
        final FailedDecoder failed = new FailedDecoder();
        while (log.next())
        {
            if (FailedDecoder.TEMPLATE_ID == SchemaRules.templateId(log.buffer(), log.offset()))
            {
                failed.wrapAndApplyHeader(log.buffer(), log.offset(), new MessageHeaderDecoder());
                failures.add(new long[]{failed.proposal(), failed.roomId(), failed.callback()});
            }
        }
        log.rewind();
    }
}
