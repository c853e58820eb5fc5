package io.escapement.examples.common;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.replay.ProposalRunner;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Checks that a run can be restored in its middle. */
public final class Snapshots
{
    private static final int CUTS = 3;

    private Snapshots()
    {
    }

    /**
     * Run the log of a bench again, restore the rooms from snapshots on the way, and compare the states at the end.
     *
     * @param bench that has run.
     * @param types of its rooms.
     */
    public static void assertContinue(final RoomBench bench, final RoomType... types)
    {
        final byte[] log = bench.log();
        final long turns = open(log).proposals();
        for (int i = 1; i <= CUTS; i++)
        {
            final long at = turns * i / (CUTS + 1);
            final LogFile rest = open(log);
            final ProposalRunner straight = new ProposalRunner(context(types));
            run(straight, rest, at);
            final ByteSink snapshot = new ByteSink();
            straight.host().snapshot(snapshot);
            final ProposalRunner restored =
                ProposalRunner.restore(context(types), snapshot.buffer(), 0, snapshot.length());
            assertEquals(straight.host().stateHash(), restored.host().stateHash(), "restored at turn " + at);
            run(restored, rest, Long.MAX_VALUE);
            // Each proposal has the hash of the output before it, and a difference throws.
            assertEquals(bench.host().outputHash(), restored.outputHash(), "restored at turn " + at);
            assertEquals(bench.host().stateHash(), restored.host().stateHash(),
                "restored at turn " + at + " of " + turns);
        }
    }

    /** Run turns, at most up to a number of them. */
    private static void run(final ProposalRunner runner, final LogFile log, final long limit)
    {
        long turns = 0;
        while (turns < limit && log.next())
        {
            if (ProposalReader.isProposal(log.buffer(), log.offset(), log.length()))
            {
                assertTrue(runner.run(log.buffer(), log.offset(), log.length()));
                turns++;
            }
        }
    }

    private static LogFile open(final byte[] log)
    {
        return LogFile.openUnfinished(new UnsafeBuffer(log), 0, log.length);
    }

    private static HostContext context(final RoomType... types)
    {
        final HostContext context = new HostContext().roomLimit(1_024).seatLimit(1 << 16).timerLimit(1 << 16)
            .linkLimit(16_384).build("bench").outputs(new CapturedOutputs());
        for (final RoomType type : types)
        {
            context.roomType(type);
        }
        return context;
    }
}
