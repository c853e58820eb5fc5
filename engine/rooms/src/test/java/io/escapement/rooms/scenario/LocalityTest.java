package io.escapement.rooms.scenario;

import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.TurnLogReader;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.replay.Replay;
import io.escapement.testsupport.Tests;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LocalityTest
{
    private static final long SEED = 71;
    private static final long ALL = 0;

    @Test
    void shouldReplayEachRoomAloneFromItsCutOfTheLog()
    {
        final Scenario scenario = Scenario.run(SEED, Tests.isFull() ? 200_000 : 12_000);
        final OutputsByRoom whole = new OutputsByRoom();
        final RoomHost wholeHost = run(ReplayTest.reader(scenario.log), ALL, whole);
        int alive = 0;
        for (final long roomId : whole.byRoom.keySet())
        {
            if (scenario.refused.contains(roomId))
            {
                // Alone it finds the host empty, and opens.
                continue;
            }
            final OutputsByRoom alone = new OutputsByRoom();
            final RoomHost host = run(ReplayTest.reader(scenario.log), roomId, alone);
            final String room = scenario + ", room " + roomId;
            assertEquals(wholeHost.stateHash(roomId), host.stateHash(roomId), room);
            assertArrayEquals(whole.of(roomId), alone.of(roomId), room);
            alive += 0 == host.stateHash(roomId) ? 0 : 1;
        }
        assertTrue(alive > 20, scenario + " has only " + alive + " rooms left to compare");
    }

    /** Run one room of a log, or all with 0. */
    private static RoomHost run(final TurnLogReader log, final long roomId, final OutputsByRoom outputs)
    {
        final HostContext context = Scenario.context().outputs(outputs);
        final RoomHost host = new RoomHost(ALL == roomId ? context : context.loopState(LoopLimits.NOTHING));
        while (log.nextTurn())
        {
            if (ALL == roomId)
            {
                assertNull(Replay.runTurn(log, host));
            }
            else
            {
                host.beginTurn(log.nowNs());
                log.forEachCommandOf(roomId, host::onCommand);
                host.endTurn();
            }
        }
        return host;
    }
}
