package io.escapement.rooms.bench;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.RoomCommands;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.TurnLog;
import io.escapement.rooms.log.TurnLogReader;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.Replay;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Runs a recording in two hosts. One is restored from a snapshot again and again, as by restarts; the other is never.
 * Both begin a second incarnation after the first turn, whose time of origin differs: a room that keeps a value of the
 * first one, and not in its snapshot, gets another when it is restored.
 */
final class RestoredTwin
{
    private static final int RESTORES = 16;
    private static final int INCARNATION = 1;
    private static final long EPOCH_MS = 1_000_003;

    private final Supplier<HostContext> contexts;
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final int resumedLength =
        new RoomCommandEncoder().hostResumed(command, 0, INCARNATION, 0, EPOCH_MS);
    private final RoomHost host;
    private RoomHost restored;

    /** @param contexts of hosts like that of the recording. */
    RestoredTwin(final Supplier<HostContext> contexts)
    {
        this.contexts = contexts;
        host = new RoomHost(context());
        restored = new RoomHost(context());
    }

    /** The first difference as a line for people, or null. */
    String difference(final TurnLogReader log)
    {
        final long between = 1 + log.turnCount() / RESTORES;
        for (long turn = 1; log.nextTurn(); turn++)
        {
            Replay.runTurn(log, host);
            Replay.runTurn(log, restored);
            if (1 == turn)
            {
                resume(host, log.nowNs());
                resume(restored, log.nowNs());
            }
            if (host.outputHash() != restored.outputHash())
            {
                return "turn " + turn + ": the output of restored rooms differs";
            }
            if (0 == turn % between || turn == log.turnCount())
            {
                if (host.stateHash() != restored.stateHash())
                {
                    return "turn " + turn + ": the state of restored rooms differs";
                }
                restore();
            }
        }
        return null;
    }

    private void restore()
    {
        final ByteSink snapshot = new ByteSink();
        restored.snapshot(snapshot);
        restored = RoomHost.restore(context(), snapshot.buffer(), 0, snapshot.length());
    }

    private HostContext context()
    {
        return contexts.get().turnLog(TurnLog.NOTHING);
    }

    private void resume(final RoomHost host, final long nowNs)
    {
        host.beginTurn(nowNs);
        host.onCommand(command, 0, resumedLength);
        host.endTurn();
    }
}
