package io.escapement.arena.room;

import io.escapement.arena.ArenaTypes;
import io.escapement.arena.lobby.LobbyTraffic;
import io.escapement.arena.world.World;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.TurnLogReader;
import io.escapement.rooms.log.TurnLogWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.replay.Replay;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A room that is restored from a snapshot continues exactly as the one that wrote it, turn by turn. */
class ArenaSnapshotTest
{
    private static final int SNAPSHOTS = Tests.isFull() ? 50 : 4;

    @Test
    void shouldContinueAFight()
    {
        final ArenaBench arena = ArenaFightTest.fight(60, 2, 1, 300);
        arena.players.get(3).leave();
        arena.players.get(4).seat.disconnect();
        arena.players.get(4).client.onAway();
        arena.play(600);
        final World world = arena.room().sentWorld();
        assertTrue(world.kills(0) + world.kills(1) + world.kills(2) > 0);
        assertContinues(arena.bench.log(), arena.bench.host().stateHash(), arena.type());
    }

    @Test
    void shouldContinueALobby()
    {
        final LobbyTraffic lobby = new LobbyTraffic(5);
        lobby.play(400);
        lobby.assertAllWell();
        assertContinues(lobby.bench.log(), lobby.bench.host().stateHash(), ArenaTypes.all(lobby.characters));
    }

    private static void assertContinues(final byte[] log, final long endHash, final RoomType... types)
    {
        final long turns = turns(log);
        for (int i = 1; i <= SNAPSHOTS; i++)
        {
            final long at = turns * i / (SNAPSHOTS + 1);
            final TurnLogReader reader = reader(log);
            final RoomHost straight = new RoomHost(
                context(types).turnLog(new TurnLogWriter(new ByteSink(), reader.header())));
            while (straight.turn() < at && reader.nextTurn())
            {
                turn(straight, reader);
            }
            final ByteSink snapshot = new ByteSink();
            straight.snapshot(snapshot);
            final ByteSink rest = new ByteSink();
            final RoomHost restored = RoomHost.restore(
                context(types).turnLog(new TurnLogWriter(rest, reader.header())),
                new UnsafeBuffer(snapshot.toArray()), 0, snapshot.length());
            assertEquals(straight.stateHash(), restored.stateHash(), "restored at turn " + at);
            while (reader.nextTurn())
            {
                turn(restored, reader);
            }
            assertEquals(hashes(log, straight.turn()), hashes(rest.toArray(), straight.turn()), "restored at " + at);
            assertEquals(endHash, restored.stateHash(), "restored at turn " + at);
        }
    }

    private static long turns(final byte[] log)
    {
        final TurnLogReader reader = reader(log);
        long turns = 0;
        while (reader.nextTurn())
        {
            turns = reader.turn();
        }
        return turns;
    }

    /** Of the output of each turn after this one. */
    private static List<Long> hashes(final byte[] log, final long after)
    {
        final TurnLogReader reader = reader(log);
        final List<Long> hashes = new ArrayList<>();
        while (reader.nextTurn())
        {
            if (reader.turn() > after)
            {
                hashes.add(reader.outputHash());
            }
        }
        return hashes;
    }

    private static void turn(final RoomHost host, final TurnLogReader log)
    {
        assertNull(Replay.runTurn(log, host));
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
