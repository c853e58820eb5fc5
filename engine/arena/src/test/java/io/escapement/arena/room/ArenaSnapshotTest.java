package io.escapement.arena.room;

import io.escapement.arena.ArenaTypes;
import io.escapement.arena.lobby.LobbyTraffic;
import io.escapement.arena.world.World;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.replay.ProposalRunner;
import io.escapement.testsupport.Tests;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
        assertContinues(arena.bench, arena.type());
    }

    @Test
    void shouldContinueALobby()
    {
        final LobbyTraffic lobby = new LobbyTraffic(5);
        lobby.play(400);
        lobby.assertAllWell();
        assertContinues(lobby.bench, ArenaTypes.all(lobby.characters));
    }

    private static void assertContinues(final RoomBench bench, final RoomType... types)
    {
        final byte[] log = bench.log();
        final long turns = open(log).proposals();
        for (int i = 1; i <= SNAPSHOTS; i++)
        {
            final long at = turns * i / (SNAPSHOTS + 1);
            final LogFile rest = open(log);
            final ProposalRunner straight = new ProposalRunner(context(types));
            run(straight, rest, at);
            final ByteSink snapshot = new ByteSink();
            straight.host().snapshot(snapshot);
            final ProposalRunner restored =
                ProposalRunner.restore(context(types), snapshot.buffer(), 0, snapshot.length());
            assertEquals(straight.host().stateHash(), restored.host().stateHash(), "restored at turn " + at);
            run(restored, rest, turns);
            // Each proposal has the hash of the output before it, and a difference throws.
            assertEquals(turns - at, restored.compared(), "restored at turn " + at);
            assertEquals(bench.host().outputHash(), restored.outputHash(), "restored at turn " + at);
            assertEquals(bench.host().stateHash(), restored.host().stateHash(), "restored at turn " + at);
        }
    }

    /** Run turns, at most up to a number of them. */
    private static void run(final ProposalRunner runner, final LogFile log, final long limit)
    {
        long turns = 0;
        while (turns < limit && log.next())
        {
            if (ProposalReader.isProposal(log.buffer(), log.offset(), log.length()))
            {
                assertTrue(runner.run(log.buffer(), log.offset(), log.length()));
                turns++;
            }
        }
    }

    private static LogFile open(final byte[] log)
    {
        return LogFile.openUnfinished(new UnsafeBuffer(log), 0, log.length);
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
