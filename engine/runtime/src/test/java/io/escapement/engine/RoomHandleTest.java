package io.escapement.engine;

import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.engine.simulator.Network;
import io.escapement.engine.simulator.SimulatedClock;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A handle's state while and after its room opens. */
class RoomHandleTest
{
    private static final int MEMBERS = 2;

    @TempDir
    Path directory;

    @Test
    void shouldSayWhetherARoomHasOpened()
    {
        final RoomHandle late;
        try (TestEngine engine = new TestEngine(new EngineContext().loops(1).loopLimits(1, 64, 512)
            .roomType(LedgerRoom.type()).service(LedgerRoom.SERVICE, "none", 1, () -> (request) -> 0)))
        {
            final RoomHandle first = engine.engine().openRoom(LedgerRoom.TYPE);
            final RoomHandle second = engine.engine().openRoom(LedgerRoom.TYPE);
            assertEquals(RoomHandle.State.OPENING, first.state());
            assertEquals(RoomHandle.State.OPENING, second.state());
            engine.await("an answer", () -> RoomHandle.State.OPENING != second.state());
            assertEquals(RoomHandle.State.OPENED, first.state());
            assertEquals(RoomHandle.State.REFUSED, second.state());
            late = engine.engine().openRoom(LedgerRoom.TYPE);
        }
        assertEquals(RoomHandle.State.LOST, late.state());
    }

    @Test
    void shouldSayThatAnOpenIsLostWithItsLeader() throws IOException
    {
        final Path keys = Files.writeString(directory.resolve("keys"), "a key that all nodes share, of some length\n");
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
        final SimulatedClock clock = new SimulatedClock();
        final Network network = new Network(clock, new SplittableRandom(1));
        final List<String> violations = new ArrayList<>();
        final SimulatedGroup group =
            new SimulatedGroup(new SplittableRandom(1), clock, MEMBERS, SimulatedMember.LOOPS, violations);
        final List<SimulatedMember> members = new ArrayList<>();
        try
        {
            for (int i = 0; i < MEMBERS; i++)
            {
                members.add(new SimulatedMember(
                    i, clock, network, group, directory, keys, new HashSet<>(), violations));
                members.get(i).start();
            }
            lead(members, group, clock, 0);
            final RoomHandle opened = members.get(0).engine().openRoom(HistoryRoom.TYPE);
            Tests.await(() -> step(members, group, clock) && RoomHandle.State.OPENED == opened.state(), "the room");

            final RoomHandle lost = members.get(0).engine().openRoom(HistoryRoom.TYPE);
            assertEquals(RoomHandle.State.OPENING, lost.state());
            lead(members, group, clock, 1);
            assertEquals(RoomHandle.State.LOST, lost.state());
            assertEquals(RoomHandle.State.OPENED, opened.state());
            assertEquals(List.of(opened.roomId()), members.get(1).engine().recoveredRooms(HistoryRoom.TYPE).stream()
                .map(RoomHandle::roomId).toList());
            assertEquals(List.of(), violations);
        }
        finally
        {
            members.forEach(SimulatedMember::close);
        }
    }

    private static void lead(
        final List<SimulatedMember> members, final SimulatedGroup group, final SimulatedClock clock, final int leader)
    {
        group.elect(leader);
        Tests.await(() -> step(members, group, clock) && members.get(leader).isLeader(), "the leader");
        Tests.await(() -> step(members, group, clock) && !members.get(1 - leader).isLeader(), "the follower");
    }

    private static boolean step(
        final List<SimulatedMember> members, final SimulatedGroup group, final SimulatedClock clock)
    {
        clock.advance(1_000_000);
        group.step();
        members.forEach(SimulatedMember::step);
        return true;
    }
}
