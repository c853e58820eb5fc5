package io.escapement.rooms.sync;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.sync.SyncSchema;
import io.escapement.codecs.sync.SyncSchema.Type;
import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.testsupport.Allocations;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A frame allocates nothing: changes, rows that come and go, views that look around, full states; nor does a copy. */
class SyncedStateAllocationTest
{
    private static final int ROUNDS = 6;
    private static final int FRAMES = 400;
    private static final int SEATS = 4;
    private static final int LOST_EVERY = 7;
    private static final long FRAME_NS = 10_000_000;

    private static final SyncSchema.Builder BUILDER = SyncSchema.named("busy");
    private static final int ROUND = BUILDER.field("round", Type.INT32);
    private static final int PLAYERS = BUILDER.seats("players", SEATS);
    private static final int GOLD = BUILDER.secret().field("gold", Type.INT64);
    private static final int SHIPS = BUILDER.entities("ships", 200);
    private static final int X = BUILDER.field("x", Type.DOUBLE);
    private static final int Y = BUILDER.field("y", Type.INT16);
    private static final int NAME = BUILDER.text("name", 100);
    private static final SyncSchema SCHEMA = BUILDER.grid(X, Y, 100, 10, 10).build();

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private final UnsafeBuffer name = new UnsafeBuffer(new byte[100]);
    private final SyncedCopy[] copies = new SyncedCopy[SEATS];
    private final int[] applied = new int[SyncedCopy.Result.values().length];
    private RoomHost host;
    private long nowNs;
    private int frames;

    @Test
    void shouldNotAllocate()
    {
        host = new RoomHost(new HostContext().outputs(new Players())
            .roomType(RoomType.of(1, "busy", 1, Busy::new).seats(SEATS).outputLimit(256 * 1024)));
        host.beginTurn(0);
        command(encoder.openRoom(buffer, 0, 1, 1, 0, 0, 1, name, 0, 0));
        for (int seat = 0; seat < SEATS; seat++)
        {
            copies[seat] = new SyncedCopy(SCHEMA);
            command(encoder.linkUp(buffer, 0, seat, seat));
            command(encoder.join(buffer, 0, 1, 1 + seat, 1 + seat, seat, name, 0, 0));
        }
        host.endTurn();
        name.setMemory(0, name.capacity(), (byte)'n');
        frames();
        assertEquals(0, Allocations.least(ROUNDS, this::frames));
        assertTrue(applied[SyncedCopy.Result.APPLIED.ordinal()] > SEATS * FRAMES, "applied");
        assertTrue(applied[SyncedCopy.Result.INCOMPLETE.ordinal()] > FRAMES / 40, "in parts");
    }

    private void frames()
    {
        for (int i = 0; i < FRAMES; i++)
        {
            nowNs += FRAME_NS;
            host.beginTurn(nowNs);
            if (0 == ++frames % LOST_EVERY)
            {
                command(encoder.stateLost(buffer, 0, 1, frames % SEATS, 1));
            }
            host.endTurn();
        }
    }

    private void command(final int length)
    {
        assertEquals(0, host.onCommand(buffer, 0, length));
    }

    private final class Players extends NoOutputs
    {
        @Override
        public void message(
            final int link,
            final long roomId,
            final int outputClass,
            final int audience,
            final long selector,
            final DirectBuffer message,
            final int offset,
            final int length)
        {
            applied[copies[link].apply(message, offset, length).ordinal()]++;
        }
    }

    private final class Busy implements RoomLogic
    {
        private SyncedState state;

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            state = SyncedState.openWithViewPerSeat(room, SCHEMA);
            for (int i = 0; i < SCHEMA.capacity(SHIPS); i++)
            {
                final int ship = state.add(SHIPS);
                state.setText(NAME, ship, name, 0, 0);
                state.setDouble(X, ship, 5.0 * ship);
            }
            room.frameRate(100);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            throw new IllegalStateException("players of this room say nothing");
        }

        @Override
        public void onJoin(final Seat seat)
        {
            state.onJoin(seat);
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            state.onStateLost(seat);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            final int ship = (int)(frame % SCHEMA.capacity(SHIPS));
            state.remove(SHIPS, ship);
            state.setText(NAME, (ship + 150) % SCHEMA.capacity(SHIPS), name, 0, (int)(frame % name.capacity()));
            state.setDouble(X, state.add(SHIPS), frame % 1_000);
            state.set(Y, ship, frame % 1_000);
            state.set(ROUND, frame);
            final int seat = (int)(frame % SEATS);
            state.set(GOLD, seat, frame);
            state.look(seat, SHIPS, frame % 1_000, 0, 1_000);
            state.see((seat + 1) % SEATS, PLAYERS, seat,
                0 == frame % 3 ? SyncedState.Sight.HIDDEN : SyncedState.Sight.EVERYTHING);
            state.publish();
        }
    }
}
