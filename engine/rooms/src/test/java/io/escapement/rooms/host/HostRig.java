package io.escapement.rooms.host;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.replay.Replay;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A recording host, driven command by command. */
final class HostRig
{
    final RoomEncoder encoder = new RoomEncoder();
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4 * 1024]);
    final UnsafeBuffer payload = new UnsafeBuffer(new byte[64]);
    final List<Throwable> failures = new ArrayList<>();
    final ByteSink log = new ByteSink();
    final CountingOutputs outputs = new CountingOutputs();
    final RecordedHost recorded;
    final RoomHost host;
    private final RoomType[] types;
    int hashFailures;
    int missed;
    private long sequence;

    HostRig(final RoomType... types)
    {
        this.types = types;
        final HostContext context = context().outputs(outputs).listener(new HostListener()
        {
            @Override
            public void onRoomFailed(
                final long roomId, final int typeId, final long callback, final Throwable cause)
            {
                failures.add(cause);
            }

            @Override
            public void onHashFailed(final long roomId, final int typeId, final Throwable cause)
            {
                hashFailures++;
            }

            @Override
            public void onFrames(
                final int rateHz, final int phase, final long deadlineNs, final int frames, final int skipped)
            {
                missed = skipped;
            }
        });
        recorded = types[0].isEphemeral() ?
            new RecordedHost(new RoomHost(context)) : new RecordedHost(context, log);
        host = recorded.host;
    }

    HostContext context()
    {
        final HostContext context = new HostContext().outputs(new CountingOutputs()).roomLimit(64).build("rig");
        for (final RoomType type : types)
        {
            context.roomType(type);
        }
        return context;
    }

    /** Run a turn with the commands that a runnable sends. */
    long turn(final long nowNs, final Runnable commands)
    {
        return recorded.turn(nowNs, commands);
    }

    int open(final long roomId, final int typeId)
    {
        return command(encoder.openRoom(buffer, 0, roomId, roomId, 0, 0, typeId, payload, 0, 0));
    }

    int linkUp(final int link)
    {
        return command(encoder.linkUp(buffer, 0, link, link));
    }

    int join(final long roomId, final long playerId, final int link)
    {
        return command(encoder.join(buffer, 0, roomId, playerId, playerId, link, payload, 0, 0));
    }

    int message(final long roomId, final int seat, final int generation, final int link, final int length)
    {
        return command(encoder.message(
            buffer, 0, roomId, ++sequence, seat, generation, link, payload, 0, length));
    }

    int command(final int length)
    {
        return recorded.onCommand(buffer, 0, length);
    }

    /** Write the last hashes, and close the recording. */
    void finish()
    {
        recorded.close();
    }

    /** Close the recording, and check that its replay ends in the same state. */
    void assertReplays()
    {
        finish();
        final Replay replay = new Replay(LogFile.open(log.buffer(), 0, log.length()), context()).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(host.turn(), replay.turns());
        assertEquals(host.stateHash(), replay.host().stateHash());
    }
}
