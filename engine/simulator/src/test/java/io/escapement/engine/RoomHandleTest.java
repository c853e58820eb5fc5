package io.escapement.engine;

import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.simulator.SimulatedNodes;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A handle's state while and after its room opens. */
class RoomHandleTest
{
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
        try (SimulatedNodes nodes = new SimulatedNodes(directory.resolve("nodes"), keys))
        {
            lead(nodes, 0, 1);
            final RoomHandle opened = nodes.engine(0).openRoom(HistoryRoom.TYPE);
            Tests.await(() -> nodes.step() && RoomHandle.State.OPENED == opened.state(), "the room");

            final RoomHandle lost = nodes.engine(0).openRoom(HistoryRoom.TYPE);
            assertEquals(RoomHandle.State.OPENING, lost.state());
            lead(nodes, 1, 0);
            assertEquals(RoomHandle.State.LOST, lost.state());
            assertEquals(RoomHandle.State.OPENED, opened.state());
            assertEquals(List.of(opened.roomId()), nodes.engine(1).recoveredRooms(HistoryRoom.TYPE).stream()
                .map(RoomHandle::roomId).toList());
            assertEquals(List.of(), nodes.violations());
        }
    }

    private static void lead(final SimulatedNodes nodes, final int leader, final int other)
    {
        nodes.elect(leader);
        Tests.await(() -> nodes.step() && nodes.engine(leader).isLeader(), "the leader");
        Tests.await(() -> nodes.step() && !nodes.engine(other).isLeader(), "the follower");
    }
}
