package io.escapement.rooms.log;

import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.output.ByteSink;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(10)
class TurnLogsTest
{
    private static final long ROOM_ID = 5;
    private static final long OTHER_ROOM_ID = 6;

    private final Commands commands = new Commands();
    private final ByteSink whole = new ByteSink();
    private final ByteSink cut = new ByteSink();

    @Test
    void shouldCutTheLogOfOneRoom()
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
        Logs.command(log, commands.setRate(7, 30));
        Logs.command(log, commands.drain(OTHER_ROOM_ID));
        Logs.command(log, commands.message(ROOM_ID, 2, 11));
        log.turnEnd(14);
        log.close();

        final TurnLogReader in = Logs.open(whole);
        in.nextTurn();
        assertEquals(8, TurnLogs.cut(in, ROOM_ID, cut));
        assertEquals(0, in.turn());

        final TurnLogReader reader = Logs.open(cut);
        assertEquals(Logs.header(), reader.header());
        assertEquals(3, reader.turnCount());
        assertTurn(reader, 8, 100, List.of(commands.linkUp(1), commands.openRoom(ROOM_ID)));
        assertTurn(reader, 9, 200, List.of());
        assertTurn(reader, 10, 300, List.of(
            failedAt(),
            commands.linkDown(1),
            commands.linkResumed(2, 1),
            commands.setRate(7, 30),
            commands.drain(OTHER_ROOM_ID),
            commands.message(ROOM_ID, 2, 11)));
        assertFalse(reader.nextTurn());
    }

    @Test
    void shouldLeaveTheCutOfAnUnfinishedLogUnfinished()
    {
        final TurnLogWriter log = new TurnLogWriter(whole, Logs.header());
        log.turnStart(1, 100);
        Logs.command(log, commands.openRoom(ROOM_ID));
        log.turnEnd(11);

        TurnLogs.cut(TurnLogReader.openUnfinished(whole.buffer(), 0, whole.length()), ROOM_ID, cut);

        assertThrows(DamagedRecordException.class, () -> Logs.open(cut));
        final TurnLogReader reader = TurnLogReader.openUnfinished(cut.buffer(), 0, cut.length());
        assertTurn(reader, 1, 100, List.of(commands.openRoom(ROOM_ID)));
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

    private static void assertTurn(
        final TurnLogReader reader, final long turn, final long nowNs, final List<byte[]> expected)
    {
        assertTrue(reader.nextTurn());
        assertEquals(turn, reader.turn());
        assertEquals(nowNs, reader.nowNs());
        assertEquals(0, reader.outputHash());
        assertFalse(reader.hasStateHash());
        final List<byte[]> actual = Logs.commands(reader);
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++)
        {
            assertArrayEquals(expected.get(i), actual.get(i), "command " + i + " of turn " + turn);
        }
    }
}
