package io.escapement.rooms.scenario;

import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.Replay;
import io.escapement.rooms.replay.RoomCut;
import io.escapement.testsupport.Tests;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LocalityTest
{
    private static final long SEED = 71;

    @Test
    void shouldReplayEachRoomAloneFromItsCutOfTheLog()
    {
        final Scenario scenario = Scenario.run(SEED, Tests.isFull() ? 200_000 : 6_000);
        final OutputsByRoom whole = new OutputsByRoom();
        final RoomHost wholeHost = run(scenario.log, whole);
        int alive = 0;
        for (final long roomId : whole.byRoom.keySet())
        {
            if (0 == roomId || scenario.refused.contains(roomId))
            {
                // Output of no room. A room that was refused finds the host empty alone, and opens.
                continue;
            }
            final OutputsByRoom alone = new OutputsByRoom();
            final ByteSink own = new ByteSink();
            final RoomCut cut = new RoomCut(ReplayTest.reader(scenario.log), roomId, Scenario::context, own).run();
            assertTrue(cut.isSame(), cut.difference());
            final RoomHost host = run(own, alone);
            final String room = scenario + ", room " + roomId;
            assertEquals(wholeHost.stateHash(roomId), host.stateHash(roomId), room);
            assertArrayEquals(whole.of(roomId), alone.of(roomId), room);
            alive += 0 == host.stateHash(roomId) ? 0 : 1;
        }
        assertTrue(alive > 20, scenario + " has only " + alive + " rooms left to compare");
    }

    /** A journal deletes the turns before its snapshots; then each room begins with the snapshot too. */
    @Test
    void shouldRunEachRoomOfASnapshotAlone()
    {
        final Scenario scenario = Scenario.run(SEED, 4_000);
        final RoomHost whole = run(scenario.log, new OutputsByRoom());
        final RoomHost half = new Replay(ReplayTest.reader(scenario.log), Scenario.context().outputs(NoOutputs.NONE))
            .runUntil(whole.turn() / 2).host();
        final ByteSink snapshot = new ByteSink();
        half.snapshot(snapshot);
        long commands = 0;
        for (final long roomId : half.openRoomIds())
        {
            final ByteSink own = new ByteSink();
            final RoomCut cut = new RoomCut(
                new LogOfASnapshot(ReplayTest.reader(scenario.log), snapshot), roomId, Scenario::context, own).run();
            assertTrue(cut.isSame(), cut.difference());
            final Replay replay =
                new Replay(ReplayTest.reader(own), Scenario.context().outputs(NoOutputs.NONE)).run();
            assertTrue(replay.isSame(), replay.difference());
            assertEquals(whole.stateHash(roomId), replay.host().stateHash(roomId), scenario + ", room " + roomId);
            assertEquals(whole.stateHash(roomId), cut.stateHash(), scenario + ", room " + roomId);
            commands += cut.commands();
        }
        assertTrue(commands > 500, commands + " commands");
    }

    private static RoomHost run(final ByteSink log, final OutputsByRoom outputs)
    {
        final Replay replay = new Replay(ReplayTest.reader(log), Scenario.context().outputs(outputs)).run();
        assertTrue(replay.isSame(), replay.difference());
        return replay.host();
    }

    /** The turns that the snapshot has are passed on too; the runner leaves them out. */
    private record LogOfASnapshot(LogFile log, ByteSink bytes) implements LogSource
    {
        @Override
        public HostConfig config()
        {
            return log.config();
        }

        @Override
        public DirectBuffer snapshot()
        {
            return new UnsafeBuffer(bytes.buffer(), 0, bytes.length());
        }

        @Override
        public void rewind()
        {
            log.rewind();
        }

        @Override
        public void rewindToFailed()
        {
            log.rewindToFailed();
        }

        @Override
        public boolean next()
        {
            return log.next();
        }

        @Override
        public DirectBuffer buffer()
        {
            return log.buffer();
        }

        @Override
        public int offset()
        {
            return log.offset();
        }

        @Override
        public int length()
        {
            return log.length();
        }

        @Override
        public boolean isFinished()
        {
            return log.isFinished();
        }
    }
}
