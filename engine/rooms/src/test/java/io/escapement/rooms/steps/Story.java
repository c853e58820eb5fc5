package io.escapement.rooms.steps;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RecordedHost;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.Replay;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A host with one {@link StoryRoom} and one player, which can be replaced by the host of its snapshot at any time. */
final class StoryRig
{
    private static final long ROOM = 1;

    final List<String> lines = new ArrayList<>();
    final List<Throwable> failures = new ArrayList<>();
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4 * 1024]);
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[64]);
    private final CapturedOutputs outputs = new CapturedOutputs();
    private final ByteSink log = new ByteSink();
    private final RoomType type;
    private RecordedHost recorded;
    private RoomHost host;
    private long nowNs;
    private long sequence;
    private long requests;
    private long answered;

    StoryRig(final Steps<StoryRoom> program)
    {
        this(List.of(program));
    }

    StoryRig(final List<Steps<StoryRoom>> programs)
    {
        type = StoryRoom.type(programs);
        use(new RecordedHost(context(), log));
        turn(encoder.openRoom(buffer, 0, ROOM, ROOM, 0, 0, 1, payload, 0, 0));
        turn(encoder.linkUp(buffer, 0, 0, 0));
        turn(encoder.join(buffer, 0, ROOM, 7, 7, 0, payload, 0, 0));
        lines.clear();
    }

    StoryRig start(final int program)
    {
        return message(StoryRoom.START, program);
    }

    StoryRig message(final int template, final long argument)
    {
        StoryRoom.message(payload, template, argument);
        return turn(encoder.message(
            buffer, 0, ROOM, ++sequence, 0, 1, 0, payload, 0, StoryRoom.MESSAGE_LENGTH));
    }

    StoryRig signal(final long from, final long argument)
    {
        StoryRoom.message(payload, 1, argument);
        return turn(encoder.signal(buffer, 0, ROOM, from, 0, payload, 0, StoryRoom.MESSAGE_LENGTH));
    }

    /** Answer the oldest open request. */
    StoryRig reply(final int status)
    {
        return turn(encoder.reply(buffer, 0, ROOM, ++answered, status, payload, 0, 4));
    }

    boolean hasRequest()
    {
        return answered < requests;
    }

    /** Run the time and the frame of one frame period. */
    StoryRig frame()
    {
        nowNs += StoryRoom.FRAME_NS;
        return turn(0);
    }

    StoryRig frames(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            frame();
        }
        return this;
    }

    /** Go on in a new host, from the snapshot of this one. */
    StoryRig restart()
    {
        final ByteSink snapshot = new ByteSink();
        host.snapshot(snapshot);
        final RoomHost restored = RoomHost.restore(context().hashOutput(), snapshot.buffer(), 0, snapshot.length());
        final ByteSink again = new ByteSink();
        restored.snapshot(again);
        assertArrayEquals(snapshot.toArray(), again.toArray(), "the snapshot of the restored host");
        assertEquals(host.stateHash(), restored.stateHash(), "the state of the restored host");
        use(new RecordedHost(restored));
        return this;
    }

    /** Go on in a new host, from a snapshot. */
    void restore(final byte[] snapshot)
    {
        use(new RecordedHost(
            RoomHost.restore(context().hashOutput(), new UnsafeBuffer(snapshot), 0, snapshot.length)));
    }

    byte[] snapshot()
    {
        final ByteSink snapshot = new ByteSink();
        host.snapshot(snapshot);
        return snapshot.toArray();
    }

    long stateHash()
    {
        return host.stateHash();
    }

    int timers()
    {
        return host.pendingTimers();
    }

    boolean isOpen()
    {
        return 0 != host.openRooms();
    }

    /** The lines since the last call. */
    List<String> said()
    {
        final List<String> said = List.copyOf(lines);
        lines.clear();
        return said;
    }

    void assertReplays()
    {
        recorded.logStateHash();
        final LogFile reader = LogFile.openUnfinished(log.buffer(), 0, log.length());
        final Replay replay = new Replay(reader, context()).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(host.stateHash(), replay.host().stateHash());
    }

    private StoryRig turn(final int length)
    {
        assertEquals(0, recorded.turn(nowNs, buffer, length));
        outputs.forEach(new NoOutputs()
        {
            @Override
            public void message(
                final int link,
                final long roomId,
                final int outputClass,
                final int audience,
                final long selector,
                final DirectBuffer bytes,
                final int offset,
                final int size)
            {
                lines.add(bytes.getStringWithoutLengthAscii(offset, size));
            }

            @Override
            public void onCommand(final DirectBuffer bytes, final int offset, final int size)
            {
                requests++;
            }
        });
        outputs.reset();
        return this;
    }

    private void use(final RecordedHost other)
    {
        recorded = other;
        host = other.host;
    }

    private HostContext context()
    {
        return new HostContext().roomType(type).roomLimit(4).seatLimit(64)
            .timerLimit(64).linkLimit(16).phaseGroups(1).build("story").outputs(outputs)
            .listener(new HostListener()
            {
                @Override
                public void onRoomFailed(
                    final long roomId, final int typeId, final long callback, final Throwable cause)
                {
                    failures.add(cause);
                }

                @Override
                public void onRoomError(
                    final long roomId, final int typeId, final long callback, final Throwable cause)
                {
                    failures.add(cause);
                }
            });
    }
}
