package io.escapement.arena.room;

import io.escapement.arena.simulation.ArenaPlayers;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.ArenaShots;
import io.escapement.arena.simulation.ArenaSimulation;
import io.escapement.arena.world.World;
import io.escapement.arena.world.WorldWriter;
import io.escapement.codecs.RoomCommands;
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
import io.escapement.rooms.sync.SyncedState;
import io.escapement.testsupport.RealTime;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Cost of the arena's own deltas beside {@code SyncedState} with the same content, for the same fight of 16 bots: the
 * time of a turn with a frame that publishes, and the bytes of its messages. Both send a position only when it is not
 * where its last one and its velocity lead. Run in turn, so that both have the same machine.
 */
@RealTime("what a state costs")
class StateCostTest
{
    private static final int WARM_UP = 8_000;
    private static final int FRAMES = 16_000;
    private static final int PLAYERS = ArenaRules.PLAYER_LIMIT;
    /** Of the two rooms: each of their turns has a frame. */
    private static final int RATE_HZ = 100;
    private static final long PERIOD_NS = 1_000_000_000L / RATE_HZ;

    private static final SyncSchema.Builder BUILDER = SyncSchema.named("arena");
    private static final int SUB_STEP = BUILDER.field("subStep", Type.INT64);
    private static final int FIGHTERS = BUILDER.entities("players", PLAYERS);
    private static final int X = BUILDER.field("x", Type.INT32);
    private static final int Y = BUILDER.field("y", Type.INT32);
    private static final int AT = BUILDER.field("at", Type.INT32);
    private static final int VX = BUILDER.field("vx", Type.INT16);
    private static final int VY = BUILDER.field("vy", Type.INT16);
    private static final int FLAGS = BUILDER.field("flags", Type.UINT8);
    private static final int DASH_END = BUILDER.field("dashEndsAt", Type.INT64);
    private static final int FACING_X = BUILDER.field("facingX", Type.INT32);
    private static final int FACING_Y = BUILDER.field("facingY", Type.INT32);
    private static final int DASH_VX = BUILDER.field("dashVx", Type.INT16);
    private static final int DASH_VY = BUILDER.field("dashVy", Type.INT16);
    private static final int KILLS = BUILDER.field("kills", Type.UINT16);
    private static final int DEATHS = BUILDER.field("deaths", Type.UINT16);
    private static final int HEALTH = BUILDER.field("health", Type.UINT8);
    private static final int SHOTS = BUILDER.entities("shots", ArenaRules.SHOT_LIMIT);
    private static final int SHOT_X = BUILDER.field("x", Type.INT32);
    private static final int SHOT_Y = BUILDER.field("y", Type.INT32);
    private static final int SHOT_AT = BUILDER.field("at", Type.INT32);
    private static final int SHOT_VX = BUILDER.field("vx", Type.INT16);
    private static final int SHOT_VY = BUILDER.field("vy", Type.INT16);
    private static final int OWNER = BUILDER.field("owner", Type.INT8);
    private static final SyncSchema SCHEMA = BUILDER.build();

    @Test
    void shouldCompareTheCostsOfTheState()
    {
        final ArenaBench arena = ArenaFightTest.fight(60, 2, 0, 1_000);
        final ArenaSimulation simulation = arena.room().simulation();
        final SyncedCopy copy = new SyncedCopy(SCHEMA);
        final Rig deltas = new Rig(new Deltas(simulation), null);
        final Rig synchronised = new Rig(new Synced(simulation), copy);
        for (int i = 0; i < WARM_UP + FRAMES; i++)
        {
            arena.play(1);
            if (WARM_UP == i)
            {
                deltas.reset();
                synchronised.reset();
                synchronised.copy = null;
            }
            final Rig first = 0 == i % 2 ? deltas : synchronised;
            first.turn();
            (first == deltas ? synchronised : deltas).turn();
            if (i < WARM_UP)
            {
                assertSame(copy, simulation);
            }
        }
        System.out.println("a frame of 16 players, p50 and p99 of " + FRAMES + ": deltas " + deltas +
            "; SyncedState " + synchronised);
        assertTrue(deltas.bytes > 0 && synchronised.bytes > 0);
    }

    private static void assertSame(final SyncedCopy copy, final ArenaSimulation simulation)
    {
        for (int i = 0; i < PLAYERS; i++)
        {
            final long age = simulation.subStep() - copy.longValue(AT, i);
            assertEquals(simulation.players().x(i), copy.longValue(X, i) + age * copy.longValue(VX, i));
            assertEquals(simulation.players().health(i), copy.longValue(HEALTH, i));
        }
    }

    /** A host with one room and 16 players. */
    private static final class Rig extends NoOutputs
    {
        private final RoomEncoder encoder = new RoomEncoder();
        private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
        private final RoomHost host;
        private SyncedCopy copy;
        private long nowNs;
        private final Histogram ns = new Histogram(3);
        private long bytes;

        Rig(final RoomLogic logic, final SyncedCopy copy)
        {
            this.copy = copy;
            final RoomType type = RoomType.of(1, "state", 1, () -> logic).seats(PLAYERS).outputLimit(128 * 1_024);
            host = new RoomHost(new HostContext().roomType(type).outputs(this).roomLimit(1).phaseGroups(1));
            host.beginTurn(0);
            command(encoder.linkUp(buffer, 0, 1, 1));
            command(encoder.openRoom(buffer, 0, 1, 1, 0, 0, 1, buffer, 0, 0));
            for (int player = 0; player < PLAYERS; player++)
            {
                command(encoder.join(buffer, 0, 1, player, 0, 1, buffer, 0, 0));
            }
            host.endTurn();
            turn();
            reset();
        }

        void turn()
        {
            nowNs += PERIOD_NS;
            final long startNs = System.nanoTime();
            host.beginTurn(nowNs);
            host.endTurn();
            ns.recordValue(System.nanoTime() - startNs);
        }

        void reset()
        {
            ns.reset();
            bytes = 0;
        }

        @Override
        public String toString()
        {
            return ns.getValueAtPercentile(50) + " and " + ns.getValueAtPercentile(99) + " ns, " +
                bytes / FRAMES + " bytes";
        }

        private void command(final int length)
        {
            assertEquals(0, host.onCommand(buffer, 0, length));
        }

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
            bytes += length;
            if (null != copy)
            {
                copy.apply(message, offset, length);
            }
        }
    }

    /** As the arena does it. */
    private static final class Deltas implements RoomLogic
    {
        private final ArenaSimulation simulation;
        private StateBroadcast states;

        Deltas(final ArenaSimulation simulation)
        {
            this.simulation = simulation;
        }

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            StateBroadcast.makeGroup(room);
            states = new StateBroadcast(room, new ArenaProxy(room), new WorldWriter(new World(), simulation), 1);
            room.frameRate(RATE_HZ);
        }

        @Override
        public void onJoin(final Seat seat)
        {
            states.sendFullState(seat);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException();
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            states.sendDelta();
        }
    }

    /** The same by synchronised state, which keeps what was sent. */
    private static final class Synced implements RoomLogic
    {
        private final ArenaSimulation simulation;
        private SyncedState state;

        Synced(final ArenaSimulation simulation)
        {
            this.simulation = simulation;
        }

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            state = SyncedState.open(room, SCHEMA);
            for (int i = 0; i < PLAYERS; i++)
            {
                state.add(FIGHTERS);
            }
            for (int i = 0; i < ArenaRules.SHOT_LIMIT; i++)
            {
                state.add(SHOTS);
                state.set(OWNER, i, -1);
            }
            room.frameRate(RATE_HZ);
        }

        @Override
        public void onJoin(final Seat seat)
        {
            state.onJoin(seat);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException();
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            final long subStep = simulation.subStep();
            state.set(SUB_STEP, subStep);
            final ArenaPlayers players = simulation.players();
            for (int i = 0; i < PLAYERS; i++)
            {
                place(X, Y, AT, VX, VY, i, players.x(i), players.y(i), players.vx(i), players.vy(i), subStep);
                state.set(FLAGS, i, players.flags(i));
                final int left = players.dashLeft(i);
                if (left > 0)
                {
                    state.set(DASH_END, i, subStep + left);
                }
                state.set(FACING_X, i, players.facingX(i));
                state.set(FACING_Y, i, players.facingY(i));
                state.set(DASH_VX, i, players.dashVx(i));
                state.set(DASH_VY, i, players.dashVy(i));
                state.set(KILLS, i, players.kills(i));
                state.set(DEATHS, i, players.deaths(i));
                state.set(HEALTH, i, players.health(i));
            }
            final ArenaShots shots = simulation.shots();
            for (int i = 0; i < ArenaRules.SHOT_LIMIT; i++)
            {
                final int owner = shots.owner(i);
                state.set(OWNER, i, owner);
                if (owner >= 0)
                {
                    place(SHOT_X, SHOT_Y, SHOT_AT, SHOT_VX, SHOT_VY, i,
                        shots.x(i), shots.y(i), shots.vx(i), shots.vy(i), subStep);
                }
            }
            state.publish();
        }

        private void place(
            final int fieldX,
            final int fieldY,
            final int fieldAt,
            final int fieldVx,
            final int fieldVy,
            final int row,
            final int x,
            final int y,
            final int vx,
            final int vy,
            final long subStep)
        {
            final long age = subStep - state.longValue(fieldAt, row);
            final long sentVx = state.longValue(fieldVx, row);
            final long sentVy = state.longValue(fieldVy, row);
            if (vx != sentVx || vy != sentVy || x != state.longValue(fieldX, row) + age * sentVx ||
                y != state.longValue(fieldY, row) + age * sentVy)
            {
                state.set(fieldX, row, x);
                state.set(fieldY, row, y);
                state.set(fieldAt, row, subStep);
                state.set(fieldVx, row, vx);
                state.set(fieldVy, row, vy);
            }
        }
    }
}
