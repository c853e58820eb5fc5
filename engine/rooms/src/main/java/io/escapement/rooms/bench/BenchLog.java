package io.escapement.rooms.bench;

import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.ProposalRunner;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The log of a bench in memory: a turn is gathered, appended, and then run from a copy of its bytes. */
final class BenchLog
{
    /** No engine leads: no HostResumed precedes the turns of a test. */
    private static final int NO_INCARNATION = 0;

    private final ByteSink bytes = new ByteSink();
    private final LogWriter writer;
    private final ProposalRunner runner;
    private final ProposalWriter proposal;
    private final UnsafeBuffer failed = new UnsafeBuffer(new byte[ProposalWriter.FAILED_LENGTH]);
    private final UnsafeBuffer running = new UnsafeBuffer(new byte[ProposalWriter.MAX_LENGTH]);

    BenchLog(final HostContext context)
    {
        runner = new ProposalRunner(context);
        writer = new LogWriter(bytes, context.header());
        proposal = new ProposalWriter(host().loopState().limits().loop());
    }

    /** Continue a log after its first snapshot, or with an empty host if the snapshot is null. */
    BenchLog(final HostContext context, final DirectBuffer snapshot)
    {
        runner = null == snapshot ? new ProposalRunner(context) :
            ProposalRunner.restore(context, snapshot, 0, snapshot.capacity());
        writer = new LogWriter(bytes, context.header());
        proposal = new ProposalWriter(host().loopState().limits().loop());
        if (null != snapshot)
        {
            writer.snapshot(snapshot, snapshot.capacity());
        }
    }

    /** Run the turns of another log, and append them. Returns the time at which the next turn is due. */
    long run(final LogSource log)
    {
        runner.failBy(log);
        log.rewind();
        long deadlineNs = Long.MAX_VALUE;
        while (log.next())
        {
            writer.append(log.buffer(), log.offset(), log.length());
            if (ProposalReader.isProposal(log.buffer(), log.offset(), log.length()) &&
                runner.accept(log.buffer(), log.offset(), log.length()))
            {
                runner.runCommands();
                deadlineNs = runner.endTurn();
            }
        }
        return deadlineNs;
    }

    RoomHost host()
    {
        return runner.host();
    }

    /** Gather the commands that rooms have sent each other, as far as they fit. */
    void gatherReturns()
    {
        host().loopState().readReturns(0, (buffer, offset, length) ->
        {
            final boolean isFitting = hasRoom();
            if (isFitting)
            {
                proposal.addReturn(buffer, offset, length);
            }
            return isFitting;
        });
    }

    boolean hasRoom()
    {
        return proposal.hasRoom(ProposalWriter.MAX_LENGTH);
    }

    boolean isEmpty()
    {
        return 0 == proposal.commands();
    }

    void add(final DirectBuffer command)
    {
        proposal.add(command, 0, command.capacity());
    }

    /** Append the turn, and return its runner, which has accepted it. */
    ProposalRunner propose(final long nowNs)
    {
        final int length = proposal.finish(
            NO_INCARNATION, runner.lastProposal() + 1, nowNs, host().turn(), runner.outputHash());
        writer.append(proposal.buffer(), 0, length);
        running.putBytes(0, proposal.buffer(), 0, length);
        proposal.clear();
        runner.accept(running, 0, length);
        return runner;
    }

    /** Overwrite the command that has run. */
    void overwriteCommand(final byte value)
    {
        final ProposalReader turn = runner.proposal();
        running.setMemory(turn.commandOffset(), turn.commandLength(), value);
    }

    /** Append the failures of the turn that ran last. */
    void appendFailures()
    {
        for (int i = 0; i < host().failures(); i++)
        {
            writer.append(failed, 0, proposal.failed(
                failed, 0, runner.lastProposal(), host().failedRoomId(i), host().failedCallback(i)));
        }
    }

    /** Append the hashes that a replay compares at the end of the log. */
    void appendHashes()
    {
        writer.appendHashes(host().turn(), runner.outputHash(), host().stateHash());
    }

    LogFile open()
    {
        return LogFile.openUnfinished(bytes.buffer(), 0, bytes.length());
    }

    byte[] toArray()
    {
        return bytes.toArray();
    }
}
