package io.escapement.arena.room;

import io.escapement.arena.lobby.LobbyTraffic;
import io.escapement.arena.world.World;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A room that is restored from a snapshot continues exactly as the one that wrote it, turn by turn. */
class ArenaSnapshotTest
{
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
        arena.bench.restoreAndCompare();
    }

    @Test
    void shouldContinueALobby()
    {
        final LobbyTraffic lobby = new LobbyTraffic(5);
        lobby.play(400);
        lobby.assertAllWell();
        lobby.bench.restoreAndCompare();
    }
}
