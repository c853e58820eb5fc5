package io.escapement.rooms.bench;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.RoomCommands;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.TurnLog;
import io.escapement.rooms.log.TurnLogReader;
import io.escapement.rooms.output.ByteSink;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Runs a recording in two hosts. One is restored from a snapshot again and again, as by restarts; the other is never.
 * Both begin a second incarnation behind the first turn, whose time of origin differs: a room that keeps a value of the
 * first one, and not in its snapshot, gets another when it is restored.
 */
final class RestoredTwin
{
    private static final int RESTORES = 64;
    private static final int INCARNATION = 1;
    private static final long EPOCH_MS = 1_000_003;

    private final Supplier<HostContext> contexts;
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final int resumedLength =
        new RoomCommandEncoder().hostResumed(command, 0, INCARNATION, 0, EPOCH_MS);
    private final OutputHash expected = new OutputHash();
    private final RoomHost host;
    private OutputHash found = new OutputHash();
    private RoomHost restored;

    /** @param contexts of hosts like that of the recording. */
    RestoredTwin(final Supplier<HostContext> contexts)
    {
        this.contexts = contexts;
        host = new RoomHost(contexts.get().turnLog(expected));
        restored = new RoomHost(contexts.get().turnLog(found));
    }

    /** The first difference as a line for people, or null. */
    String difference(final TurnLogReader log)
    {
        final long between = 1 + log.turnCount() / RESTORES;
        for (long turn = 1; log.nextTurn(); turn++)
        {
            run(host, log);
            run(restored, log);
            if (1 == turn)
            {
                resume(host, log.nowNs());
                resume(restored, log.nowNs());
            }
            if (expected.value != found.value)
            {
                return "turn " + turn + ": the output of restored rooms differs";
            }
            if (host.stateHash() != restored.stateHash())
            {
                return "turn " + turn + ": the state of restored rooms differs";
            }
            if (0 == turn % between)
            {
                restore();
            }
        }
        return null;
    }

    private void restore()
    {
        final ByteSink snapshot = new ByteSink();
        restored.snapshot(snapshot);
        found = new OutputHash();
        found.value = expected.value;
        restored = RoomHost.restore(contexts.get().turnLog(found), snapshot.buffer(), 0, snapshot.length());
    }

    private static void run(final RoomHost host, final TurnLogReader log)
    {
        host.beginTurn(log.nowNs());
        log.forEachCommand(host::onCommand);
        host.endTurn();
    }

    private void resume(final RoomHost host, final long nowNs)
    {
        host.beginTurn(nowNs);
        host.onCommand(command, 0, resumedLength);
        host.endTurn();
    }

    /** Of the last turn. A host hashes its output only if it has a log. */
    private static final class OutputHash implements TurnLog
    {
        private long value;

        @Override
        public void turnStart(final long turn, final long nowNs)
        {
        }

        @Override
        public void command(final DirectBuffer buffer, final int offset, final int length)
        {
        }

        @Override
        public void failedAt(final long roomId, final long callback)
        {
        }

        @Override
        public void turnEnd(final long hash)
        {
            value = hash;
        }

        @Override
        public void stateHash(final long turn, final long hash)
        {
        }

        @Override
        public void close()
        {
        }
    }
}
