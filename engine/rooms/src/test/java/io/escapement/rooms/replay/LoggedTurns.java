package io.escapement.rooms.replay;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.FailedAtDecoder;
import io.escapement.codecs.room.FailedDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.room.StateHashDecoder;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.output.RecordSink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/** The proposals of a log as turns of a host that is driven command by command. */
public final class LoggedTurns
{
    public final ProposalReader proposal = new ProposalReader();
    private final LogFile log;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    /** FailedAt commands of the Failed records, which may come after their proposal. */
    private final Map<Long, List<UnsafeBuffer>> failedByProposal = new HashMap<>();
    private final Map<Long, Long> outputHashByProposal = new HashMap<>();
    private final Map<Long, Long> stateHashByProposal = new HashMap<>();

    public LoggedTurns(final LogFile log)
    {
        this.log = log;
        log.rewind();
        for (long last = 0; log.next();)
        {
            switch (SchemaRules.templateId(log.buffer(), log.offset()))
            {
                case ProposalDecoder.TEMPLATE_ID ->
                {
                    proposal.wrap(log.buffer(), log.offset(), log.length());
                    outputHashByProposal.put(last, proposal.outputHash());
                    last = proposal.number();
                }
                case StateHashDecoder.TEMPLATE_ID ->
                {
                    final StateHashDecoder hashes =
                        new StateHashDecoder().wrapAndApplyHeader(log.buffer(), log.offset(), header);
                    outputHashByProposal.put(last, hashes.outputHash());
                    stateHashByProposal.put(last, hashes.hash());
                }
                default ->
                {
                    final FailedDecoder failed =
                        new FailedDecoder().wrapAndApplyHeader(log.buffer(), log.offset(), header);
                    final UnsafeBuffer command = new UnsafeBuffer(new byte[64]);
                    command.wrap(command, 0, new RoomEncoder().failedAt(
                        command, 0, failed.roomId(), failed.callback()));
                    failedByProposal.computeIfAbsent(failed.proposal(), (number) -> new ArrayList<>()).add(command);
                }
            }
        }
        log.rewind();
    }

    public boolean next()
    {
        while (log.next())
        {
            if (ProposalDecoder.TEMPLATE_ID == SchemaRules.templateId(log.buffer(), log.offset()))
            {
                proposal.wrap(log.buffer(), log.offset(), log.length());
                return true;
            }
        }
        return false;
    }

    /** Number of the proposal; in the log of a recorded host that of its turn. */
    public long turn()
    {
        return proposal.number();
    }

    /** Output hash of the host after the turn. */
    public long outputHash()
    {
        return outputHashByProposal.get(turn());
    }

    public boolean hasStateHash()
    {
        return stateHashByProposal.containsKey(turn());
    }

    /** Pass on the FailedAt commands of the turn, then the commands of the proposal. */
    public void forEachCommand(final RecordSink handler)
    {
        forEachFailedAt(handler);
        forEachProposed(handler);
    }

    private void forEachFailedAt(final RecordSink handler)
    {
        for (final UnsafeBuffer failed : failedByProposal.getOrDefault(turn(), List.of()))
        {
            handler.append(failed, 0, failed.capacity());
        }
    }

    private void forEachProposed(final RecordSink handler)
    {
        proposal.rewind();
        while (proposal.nextCommand())
        {
            handler.append(proposal.buffer(), proposal.commandOffset(), proposal.commandLength());
        }
    }

    /** Pass on the FailedAt commands, run the returns, and pass on the other commands. */
    public void forEachOther(final RecordSink handler, final Runnable returns)
    {
        final int[] left = {proposal.returns()};
        forEachFailedAt(handler);
        returns.run();
        forEachProposed((buffer, offset, length) ->
        {
            if (0 == left[0])
            {
                handler.append(buffer, offset, length);
            }
            left[0] = Math.max(0, left[0] - 1);
        });
    }

    /** Run the turn in a host. Returns whether its rooms have sent each other what the log has. */
    public boolean run(final RoomHost host)
    {
        final int[] returns = {proposal.returns()};
        final boolean[] isSame = {true};
        host.beginTurn(proposal.nowNs());
        forEachCommand((buffer, offset, length) ->
        {
            if (0 == returns[0] || FailedAtDecoder.TEMPLATE_ID == SchemaRules.templateId(buffer, offset))
            {
                host.onCommand(buffer, offset, length);
                return;
            }
            isSame[0] = host.onReturn(buffer, offset, length);
            returns[0] = isSame[0] ? returns[0] - 1 : 0;
        });
        host.endTurn();
        host.proposal(turn());
        return isSame[0];
    }
}
