package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.FailedAtDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.ReloadDecoder;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.output.RecordSink;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A host that is driven command by command, and whose turns are written to a log as the proposals that they would have
 * been. A turn that left no trace is not written, and what a test does with the host itself neither.
 */
public final class RecordedHost implements AutoCloseable
{
    public final RoomHost host;
    private final LogWriter log;
    private final ProposalWriter proposal;
    private final ReloadDecoder reload = new ReloadDecoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final UnsafeBuffer failed = new UnsafeBuffer(new byte[ProposalWriter.FAILED_LENGTH]);
    /** {room, callback} of each room that failed in the turn for a reason of the machine, or because of a FailedAt. */
    private final LongArrayList failures = new LongArrayList();
    private int ofMachine;
    private long turn;
    private long outputHash;
    private long nowNs;
    private long hashedTurn;
    private boolean isInTurn;
    private boolean isClosed;

    /** Make a host that hashes its output, and begin its log. */
    public RecordedHost(final HostContext context, final RecordSink sink)
    {
        context.listener(noting(context.listener()));
        host = new RoomHost(context.hashOutput());
        log = new LogWriter(sink, context.header());
        proposal = new ProposalWriter(host.loopState().limits().loop());
    }

    /** Drive a host in the same way, without a log. */
    public RecordedHost(final RoomHost host)
    {
        this.host = host;
        log = null;
        proposal = null;
    }

    public void beginTurn(final long timeNs)
    {
        host.beginTurn(timeNs);
        // Of a clock that stepped back the host has another time.
        nowNs = host.nowNs();
        isInTurn = null != log;
        failures.clear();
        ofMachine = 0;
        if (isInTurn)
        {
            proposal.clear();
        }
    }

    public int runReturns()
    {
        if (isInTurn)
        {
            host.loopState().readReturns(0, (buffer, offset, length) ->
            {
                proposal.addReturn(buffer, offset, length);
                return true;
            });
        }
        return host.runReturns();
    }

    public int onCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        if (isInTurn && 0 == RoomCommands.validateCommand(buffer, offset, length))
        {
            switch (SchemaRules.templateId(buffer, offset))
            {
                case FailedAtDecoder.TEMPLATE_ID ->
                {
                    // The room may fail in a later turn: that is noted.
                }
                case ReloadDecoder.TEMPLATE_ID ->
                {
                    reload.wrapAndApplyHeader(buffer, offset, header);
                    // No leader proposes others.
                    if (host.isRegistered(reload.typeId(), reload.toVersion()))
                    {
                        proposal.add(buffer, offset, length);
                    }
                }
                default -> proposal.add(buffer, offset, length);
            }
        }
        return host.onCommand(buffer, offset, length);
    }

    public long endTurn()
    {
        final int incarnation = host.incarnation();
        final long deadlineNs = host.endTurn();
        if (isInTurn && turn != host.turn())
        {
            final long number = host.proposal() + 1;
            log.append(proposal.buffer(), 0, proposal.finish(incarnation, number, nowNs, turn, outputHash));
            noteFailures();
            for (int i = 0; i < failures.size(); i += 2)
            {
                log.append(failed, 0, proposal.failed(
                    failed, 0, number, failures.getLong(i), failures.getLong(i + 1)));
            }
            host.proposal(number);
            turn = host.turn();
            outputHash = host.outputHash();
        }
        isInTurn = false;
        return deadlineNs;
    }

    /** Run a turn: what rooms have sent each other, and then the commands that a runnable gives. */
    public long turn(final long timeNs, final Runnable commands)
    {
        beginTurn(timeNs);
        runReturns();
        commands.run();
        return endTurn();
    }

    /** Run a turn with one command, or with none if its length is 0. */
    public int turn(final long timeNs, final DirectBuffer command, final int length)
    {
        final int[] code = {0};
        turn(timeNs, () -> code[0] = 0 == length ? 0 : onCommand(command, 0, length));
        return code[0];
    }

    /** Append the hashes that a replay compares, unless no turn has left a trace since the last ones. */
    public void logStateHash()
    {
        if (hashedTurn != host.turn())
        {
            hashedTurn = host.turn();
            log.appendHashes(hashedTurn, host.outputHash(), host.stateHash());
        }
    }

    /** Append the last hashes, and complete the log. */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            logStateHash();
            log.end();
        }
    }

    private HostListener noting(final HostListener listener)
    {
        return (HostListener)Proxy.newProxyInstance(HostListener.class.getClassLoader(),
            new Class<?>[]{HostListener.class}, (proxy, method, arguments) ->
            {
                if ("onRoomFailed".equals(method.getName()) && null == arguments[3])
                {
                    noteFailures();
                    failures.addLong((long)arguments[0]);
                    failures.addLong((long)arguments[2]);
                }
                try
                {
                    return method.invoke(listener, arguments);
                }
                catch (final InvocationTargetException ex)
                {
                    throw ex.getCause();
                }
            });
    }

    private void noteFailures()
    {
        for (; ofMachine < host.failures(); ofMachine++)
        {
            failures.addLong(host.failedRoomId(ofMachine));
            failures.addLong(host.failedCallback(ofMachine));
        }
    }
}
