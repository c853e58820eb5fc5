package io.escapement.rooms.sync;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RecordedHost;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.output.Outputs;
import io.escapement.rooms.replay.Replay;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A host with one room, a link for each player, and the STATE that each of them receives. */
final class SyncRig
{
    private static final long ROOM = 1;
    private static final long FRAME_NS = 1_000_000_000L / SyncRoom.RATE_HZ;

    /** A player: seat index and generation after its join. */
    static final class Player
    {
        final List<byte[]> received = new ArrayList<>();
        int seat;
        int generation;
    }

    final List<Player> players = new ArrayList<>();
    final List<Throwable> failures = new ArrayList<>();
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[2 * 1024]);
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[512]);
    private final CapturedOutputs outputs = new CapturedOutputs();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final JoinedDecoder joined = new JoinedDecoder();
    private final ByteSink log = new ByteSink();
    private final RoomType type;
    private RecordedHost recorded;
    private RoomHost host;
    private long nowNs;
    private long requestId;

    SyncRig(final RoomType type, final int playerCount)
    {
        this.type = type;
        use(new RecordedHost(context(), log));
        turn(encoder.openRoom(buffer, 0, ROOM, ROOM, 0, 0, 1, payload, 0, 0));
        for (int player = 0; player < playerCount; player++)
        {
            players.add(new Player());
            turn(encoder.linkUp(buffer, 0, 100 + player, player));
        }
    }

    /** Take a seat, or return to it. */
    Player join(final int player)
    {
        turn(encoder.join(buffer, 0, ROOM, 1 + player, ++requestId, player, payload, 0, 0));
        return players.get(player);
    }

    void leave(final int player)
    {
        turn(encoder.leave(buffer, 0, ROOM, seat(player), players.get(player).generation, player));
    }

    void away(final int player)
    {
        turn(encoder.seatDown(buffer, 0, ROOM, seat(player), players.get(player).generation, player));
    }

    void stateLost(final int player)
    {
        turn(encoder.stateLost(buffer, 0, ROOM, seat(player), players.get(player).generation));
    }

    void apply(final Op op)
    {
        final int length = op.encode(payload);
        turn(encoder.signal(buffer, 0, ROOM, 0, 0, payload, 0, length));
    }

    void frame()
    {
        nowNs += FRAME_NS;
        turn(0);
    }

    /** Go on in a new host, from the snapshot of this one. */
    void restart()
    {
        final ByteSink snapshot = new ByteSink();
        host.snapshot(snapshot);
        final RoomHost restored = RoomHost.restore(context().hashOutput(), snapshot.buffer(), 0, snapshot.length());
        final ByteSink again = new ByteSink();
        restored.snapshot(again);
        assertArrayEquals(snapshot.toArray(), again.toArray(), "the snapshot of the restored host");
        use(new RecordedHost(restored));
    }

    long stateHash()
    {
        return host.stateHash();
    }

    void assertReplays()
    {
        recorded.logStateHash();
        final LogFile reader = LogFile.openUnfinished(log.buffer(), 0, log.length());
        final Replay replay = new Replay(reader, context()).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(host.stateHash(), replay.host().stateHash());
    }

    private int seat(final int player)
    {
        return players.get(player).seat;
    }

    private void turn(final int length)
    {
        assertEquals(0, recorded.turn(nowNs, buffer, length));
        outputs.forEach(new Trunks());
        outputs.reset();
    }

    private void use(final RecordedHost other)
    {
        recorded = other;
        host = other.host;
    }

    private HostContext context()
    {
        return new HostContext().roomType(type).roomLimit(4).seatLimit(64)
            .timerLimit(64).linkLimit(16).phaseGroups(1).build("sync").outputs(outputs)
            .listener(new HostListener()
            {
                @Override
                public void onRoomFailed(
                    final long roomId, final int typeId, final long callback, final Throwable cause)
                {
                    failures.add(cause);
                }
            });
    }

    private final class Trunks extends NoOutputs
    {
        @Override
        public void toLink(final int link, final DirectBuffer bytes, final int offset, final int length)
        {
            if (JoinedDecoder.TEMPLATE_ID == header.wrap(bytes, offset).templateId())
            {
                joined.wrapAndApplyHeader(bytes, offset, header);
                players.get(link).seat = joined.seatIndex();
                players.get(link).generation = joined.generation();
            }
        }

        @Override
        public void message(
            final int link,
            final long roomId,
            final int outputClass,
            final int audience,
            final long selector,
            final DirectBuffer bytes,
            final int offset,
            final int length)
        {
            assertEquals(Outputs.STATE, outputClass);
            final byte[] message = new byte[length];
            bytes.getBytes(offset, message);
            players.get(link).received.add(message);
        }
    }
}
