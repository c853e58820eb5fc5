package io.escapement.examples.common;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.TurnLogReader;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.replay.Replay;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

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
        final long turns = run(new RoomHost(context(types)), reader(log), Long.MAX_VALUE);
        for (int i = 1; i <= CUTS; i++)
        {
            final long at = turns * i / (CUTS + 1);
            final TurnLogReader reader = reader(log);
            final RoomHost straight = new RoomHost(context(types));
            run(straight, reader, at);
            final ByteSink snapshot = new ByteSink();
            straight.snapshot(snapshot);
            final RoomHost restored =
                RoomHost.restore(context(types), new UnsafeBuffer(snapshot.toArray()), 0, snapshot.length());
            assertEquals(straight.stateHash(), restored.stateHash(), "restored at turn " + at);
            run(restored, reader, Long.MAX_VALUE);
            assertEquals(bench.host().stateHash(), restored.stateHash(), "restored at turn " + at + " of " + turns);
        }
    }

    /** Run turns, at most up to a number of them, and return their number. */
    private static long run(final RoomHost host, final TurnLogReader log, final long limit)
    {
        long turns = 0;
        while (turns < limit && log.nextTurn())
        {
            assertNull(Replay.runTurn(log, host));
            turns++;
        }
        return turns;
    }

    private static TurnLogReader reader(final byte[] log)
    {
        return TurnLogReader.openUnfinished(new UnsafeBuffer(log), 0, log.length);
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
