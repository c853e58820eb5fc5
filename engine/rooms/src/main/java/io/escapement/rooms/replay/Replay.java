package io.escapement.rooms.replay;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.codecs.room.StateHashDecoder;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogSource;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Runs a log in a new host, and compares its output and its state with the hashes of the log. A proposal has the hash
 * of the output before it. Therefore a turn is compared when the next message of the log is read.
 */
public final class Replay
{
    private final LogSource log;
    private final ProposalRunner runner;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final StateHashDecoder stateHash = new StateHashDecoder();
    private long firstDifferentTurn;
    private String difference;
    private long proposals;
    private long comparedStates;
    private boolean isAccepted;
    private boolean hasRun;
    private boolean isAtEnd;

    /**
     * Prepare a replay.
     *
     * @param log     to run.
     * @param context with the room types and the outputs. Limits are taken from the log's configuration.
     */
    public Replay(final LogSource log, final HostContext context)
    {
        this(log, context, false);
    }

    /**
     * Prepare a replay, possibly with another version of the logic, to find the first turn in which it differs.
     *
     * @param log                     to run.
     * @param context                 with the room types and the outputs.
     * @param areOtherVersionsAllowed true to accept room types with another version or other settings than the log's.
     */
    public Replay(final LogSource log, final HostContext context, final boolean areOtherVersionsAllowed)
    {
        this.log = log;
        checkTypes(log, context, areOtherVersionsAllowed);
        final HostContext options = context.like(log.config()).silent();
        final DirectBuffer snapshot = log.snapshot();
        runner = null == snapshot ?
            new ProposalRunner(options) : ProposalRunner.restore(options, snapshot, 0, snapshot.capacity());
        if (areOtherVersionsAllowed)
        {
            runner.allowOtherVersions();
        }
        if (log.isReplicated())
        {
            runner.skipBehindGaps();
            runner.verifyChecksums();
        }
        runner.failBy(log);
        log.rewind();
    }

    /** Run to the end of the log, or to the first turn that differs. */
    public Replay run()
    {
        return runUntil(Long.MAX_VALUE);
    }

    /**
     * Run up to a turn, or to the first differing turn.
     *
     * @param lastTurn to run.
     */
    public Replay runUntil(final long lastTurn)
    {
        while (step(lastTurn))
        {
            // Each step compares.
        }
        return this;
    }

    /**
     * Run the next proposal, or compare the next state hash. False at the end of the log, after the last turn, and if a
     * turn differs.
     */
    boolean step(final long lastTurn)
    {
        hasRun = false;
        if (!isSame() || !isAccepted && !next())
        {
            return false;
        }
        if (isAccepted || accept())
        {
            if (host().turn() >= lastTurn)
            {
                return false;
            }
            isAccepted = false;
            hasRun = runTurn();
        }
        return isSame();
    }

    /** Whether the last step has run a proposal, which {@link ProposalRunner#proposal()} has until the next. */
    boolean hasRun()
    {
        return hasRun;
    }

    /** The runner of the log. */
    ProposalRunner runner()
    {
        return runner;
    }

    /** The host that runs the log. Use it between turns. */
    public RoomHost host()
    {
        return runner.host();
    }

    /** Number of the last turn that was run. */
    public long turns()
    {
        return host().turn();
    }

    /** Number of proposals that were run. */
    public long proposals()
    {
        return proposals;
    }

    /** Number of hashes that were compared with the log. With 0, {@link #isSame()} is no result. */
    public long compared()
    {
        return runner.compared() + comparedStates;
    }

    /**
     * Whether the replay reached the end of a log without an end record: its process was killed, or is still running.
     * The output of its last turn is not compared.
     */
    public boolean isCutOff()
    {
        return isAtEnd && !log.isFinished();
    }

    /** Whether no turn has differed so far. */
    public boolean isSame()
    {
        return null == difference;
    }

    /** Number of the first turn that differs, or 0. */
    public long firstDifferentTurn()
    {
        return firstDifferentTurn;
    }

    /** The difference in that turn as a line for people, or null. */
    public String difference()
    {
        return difference;
    }

    private boolean next()
    {
        isAtEnd = !log.next();
        return !isAtEnd;
    }

    /** Compare the hashes that a message has of the turns before it. Returns whether it is a proposal to run. */
    private boolean accept()
    {
        try
        {
            switch (SchemaRules.templateId(log.buffer(), log.offset()))
            {
                case ProposalDecoder.TEMPLATE_ID ->
                    isAccepted = runner.accept(log.buffer(), log.offset(), log.length());
                case StateHashDecoder.TEMPLATE_ID -> compareState();
                default ->
                {
                    // A Failed record was noted before the first turn.
                }
            }
        }
        catch (final ProposalException ex)
        {
            differ(ex);
        }
        return isAccepted;
    }

    private boolean runTurn()
    {
        try
        {
            runner.runCommands();
            runner.endTurn();
            proposals++;
        }
        catch (final ProposalException ex)
        {
            differ(ex);
        }
        return isSame();
    }

    private void compareState()
    {
        stateHash.wrapAndApplyHeader(log.buffer(), log.offset(), header);
        runner.compare(stateHash.turn(), stateHash.outputHash());
        if (stateHash.turn() != host().turn())
        {
            // Of a turn before the snapshot at the start of the log.
            return;
        }
        final long expected = stateHash.hash();
        final long actual = host().stateHash();
        comparedStates++;
        if (expected != actual)
        {
            firstDifferentTurn = turns();
            difference = "turn " + turns() + ": state hash is " + Long.toHexString(actual) + ", the log has " +
                Long.toHexString(expected);
        }
    }

    private void differ(final ProposalException ex)
    {
        if (ProposalException.Reason.DIVERGED != ex.reason())
        {
            throw ex;
        }
        firstDifferentTurn = ex.turn();
        difference = ex.difference();
    }

    /** Refuse a log that cannot be run with these room types. */
    static void checkTypes(
        final LogSource log, final HostContext context, final boolean areOtherVersionsAllowed)
    {
        if (log.isHashed())
        {
            throw new IllegalArgumentException("messages of the log are replaced by their hashes: it cannot be run");
        }
        final List<HostConfig.Type> ours = context.registered();
        for (final HostConfig.Type type : log.config().types())
        {
            boolean isRegistered = false;
            for (final HostConfig.Type own : ours)
            {
                isRegistered |= areOtherVersionsAllowed ? own.typeId() == type.typeId() : own.equals(type);
            }
            if (!isRegistered)
            {
                throw new IllegalArgumentException("the log needs " + type + ", registered are " + ours);
            }
        }
    }
}
