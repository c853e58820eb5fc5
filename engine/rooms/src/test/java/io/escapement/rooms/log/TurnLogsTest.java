package io.escapement.rooms.log;

import io.escapement.rooms.output.ByteSink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** The commands of a turn that concern one room: its own, and each kind that concerns the whole host. */
class TurnLogsTest
{
    private static final long ROOM_ID = 5;
    private static final long OTHER_ROOM_ID = 6;

    private final Commands commands = new Commands();
    private final ByteSink whole = new ByteSink();

    @Test
    void shouldPassOnTheCommandsThatConcernARoom()
    {
        final TurnLogWriter log = new TurnLogWriter(whole, Logs.header());
        log.turnStart(8, 100);
        Logs.command(log, commands.linkUp(1));
        Logs.command(log, commands.openRoom(OTHER_ROOM_ID));
        Logs.command(log, commands.openRoom(ROOM_ID));
        log.turnEnd(11);
        log.stateHash(8, 12);
        log.turnStart(9, 200);
        Logs.command(log, commands.message(OTHER_ROOM_ID, 1, 10));
        log.failedAt(OTHER_ROOM_ID, 4);
        log.turnEnd(13);
        log.turnStart(10, 300);
        log.failedAt(OTHER_ROOM_ID, 5);
        log.failedAt(ROOM_ID, 6);
        Logs.command(log, commands.linkDown(1));
        Logs.command(log, commands.linkResumed(2, 1));
        Logs.command(log, commands.linkStateLost(2));
        Logs.command(log, commands.setRate(7, 30));
        // Its first field is a time, which is no room's id.
        Logs.command(log, commands.drain(ROOM_ID));
        Logs.command(log, commands.message(ROOM_ID, 2, 11));
        log.turnEnd(14);
        log.close();

        final TurnLogReader reader = Logs.open(whole);
        assertTurn(reader, 1, List.of(commands.linkUp(1), commands.openRoom(ROOM_ID)));
        assertTurn(reader, 0, List.of());
        assertTurn(reader, 2, List.of(
            failedAt(),
            commands.linkDown(1),
            commands.linkResumed(2, 1),
            commands.linkStateLost(2),
            commands.setRate(7, 30),
            commands.drain(ROOM_ID),
            commands.message(ROOM_ID, 2, 11)));
        assertFalse(reader.nextTurn());
        assertTurn(Logs.open(whole), 1, List.of(commands.linkUp(1), commands.openRoom(ROOM_ID)));
    }

    private byte[] failedAt()
    {
        final ByteSink sink = new ByteSink();
        final TurnLogWriter log = new TurnLogWriter(sink, Logs.header());
        log.turnStart(1, 0);
        log.failedAt(ROOM_ID, 6);
        log.turnEnd(0);
        log.close();
        final TurnLogReader reader = Logs.open(sink);
        reader.nextTurn();
        return Logs.commands(reader).get(0);
    }

    private static void assertTurn(final TurnLogReader reader, final int own, final List<byte[]> expected)
    {
        reader.nextTurn();
        final List<byte[]> actual = new ArrayList<>();
        assertEquals(own, reader.forEachCommandOf(ROOM_ID, (buffer, offset, length) ->
        {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            actual.add(bytes);
        }));
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++)
        {
            assertArrayEquals(expected.get(i), actual.get(i), "command " + i + " of turn " + reader.turn());
        }
    }
}
