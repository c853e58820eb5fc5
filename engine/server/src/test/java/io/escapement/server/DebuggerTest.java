package io.escapement.server;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.replay.RoomPast;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Lines of a debugger, and what it prints. */
class DebuggerTest
{
    /** The sum of 1 to 20 is 210. */
    private static final int COUNT = 20;

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final RoomPast past = past(DebuggedRoom.log(COUNT));
    private final Debugger debugger =
        new Debugger(past, new MessageText(List.of(DebuggedRoom.type(1))), new PrintWriter(out));

    @Test
    void shouldFindAFailureAndWhatLedToIt()
    {
        final String found = run("seek last-failure");
        assertTrue(found.contains("IllegalStateException: the sum of 210 and a debt"), found);
        assertTrue(found.contains("DebuggedRoom.onMessage"), found);
        assertTrue(run("back").contains("state "), out.toString());
        final String shown = run("show");
        assertTrue(shown.contains("  sum = 210\n"), shown);
        assertTrue(shown.contains("  seats[0] = player 5"), shown);
        assertTrue(shown.contains("{\"seat\":0,\"Add\":{\"value\": 20}}"), shown);
        assertEquals(20, shown.lines().filter((line) -> line.startsWith("    turn ")).count(), shown);
    }

    @Test
    void shouldStopWhereAValueChanges()
    {
        run("seek start");
        run("break sum > 30");
        assertTrue(run("run").startsWith("break sum > 30\n"), out.toString());
        assertTrue(run("show sum").contains("  sum = 36\n"), out.toString());
        run("clear");
        run("break sum");
        run("run");
        assertTrue(run("show sum").contains("  sum = 45\n"), out.toString());
        assertEquals("  sum\n", run("breaks"));
    }

    @ParameterizedTest
    @CsvSource({"message Message, 1", "message Add, 1", "message 7, 1", "seat 1, 1", "seat 0, 3", "sum = 10, 10", "sum != 0, 1", "sum > 9.5, 10"})
    void shouldStopAtAnyCondition(final String condition, final long sum)
    {
        run("seek start");
        run("break " + condition);
        assertTrue(run("run").startsWith("break " + condition + "\n"), out.toString());
        if (past.message() > 0)
        {
            run("step");
        }
        assertEquals(sum, Debugger.values(past).get("sum"));
    }

    @Test
    void shouldStopAtAThrowOrAtTheEnd()
    {
        run("seek start");
        run("break throw");
        assertTrue(run("run").contains("and a debt"), out.toString());
        run("seek start");
        run("clear");
        run("break message 9");
        assertTrue(run("run").startsWith("the log has no more\n"), out.toString());
    }

    @Test
    void shouldStopAtAState()
    {
        run("seek start");
        run("step 30");
        final long turn = past.turn();
        final String hash = Long.toHexString(past.stateHash());
        run("seek start");
        run("break hash " + hash);
        run("run");
        assertEquals(turn, past.turn());
    }

    @Test
    void shouldGoForwardAndBackByTurnsMessagesAndFrames()
    {
        run("seek start");
        run("step 2 message");
        assertEquals(1, past.message());
        run("step frame");
        final long turn = past.turn();
        run("step 2 frame");
        assertTrue(past.turn() > turn + 1, "turn " + past.turn());
        run("back 2 frame");
        assertEquals(turn, past.turn());
        run("seek end");
        run("back message");
        assertEquals(1, past.message());
        assertTrue(run("step 1000").contains("the log has no more"), out.toString());
        run("seek 10");
        assertEquals(10, past.turn());
    }

    /** Whichever way a turn is reached, it shows what it did. */
    @Test
    void shouldShowTheThrowWhereverItComesFrom()
    {
        run("seek last-failure");
        final long failed = past.turn();
        for (final String[] way : new String[][]{
            {"seek " + failed}, {"seek start", "seek " + failed}, {"back", "step"}, {"back 5", "seek end"},
            {"back message"}, {"seek " + Instant.ofEpochMilli(past.epochMs())}})
        {
            for (final String line : way)
            {
                run(line);
            }
            assertEquals(failed, past.turn());
            assertTrue(out.toString().contains("and a debt"), String.join(", ", way) + ": " + out);
        }
    }

    @Test
    void shouldGoToADate()
    {
        run("seek start");
        run("step 20");
        final long turn = past.turn();
        final long dateMs = past.epochMs();
        run("seek " + Instant.ofEpochMilli(dateMs));
        assertTrue(past.turn() >= turn && past.epochMs() == dateMs, "turn " + past.turn());
        run("seek " + Instant.ofEpochMilli(dateMs - 1));
        assertTrue(past.turn() < turn && past.epochMs() < dateMs, "turn " + past.turn());
        run("seek 1960-01-01T00:00:00Z");
        assertFalse(past.isOpen());
    }

    @Test
    void shouldCompareTwoTurns()
    {
        run("seek last-failure");
        final long failed = past.turn();
        final String difference = run("diff 3 " + (failed - 1));
        assertTrue(difference.contains("  sum: "), difference);
        assertTrue(difference.contains(" -> 210\n"), difference);
    }

    @Test
    void shouldTraceAsJson() throws IOException
    {
        run("seek start");
        final Path file = directory.resolve("trace.json");
        run("trace " + file);
        final List<String> lines = Files.readAllLines(file);
        assertTrue(lines.stream().allMatch((line) -> line.startsWith("{\"turn\":") && line.endsWith("}")),
            lines.toString());
        assertEquals(1, lines.stream().filter((line) -> line.contains("\"thrown\":\"java.lang.Ill")).count());
        assertEquals(COUNT + 1, lines.stream().filter((line) -> line.contains("\"Add\":{\"value\":")).count());
        assertThrows(RuntimeException.class, () -> run("trace " + file), "it is not overwritten");
    }

    @Test
    void shouldSaveTheRoomAsATest()
    {
        run("seek last-failure");
        run("back");
        final Path file = directory.resolve("room.bundle");
        final String said = run("save " + file);
        assertTrue(said.contains("RoomBench.of(LogFile.open(Path.of(\"room.bundle\")), TYPE);"), said);
        final RoomBench bench = RoomBench.of(LogFile.open(file), DebuggedRoom.type(1));
        assertEquals(past.stateHash(), bench.host().stateHash(bench.roomId()));
    }

    @ParameterizedTest
    @CsvSource({
        "jump, unknown command: jump (help lists all)",
        "seek, seek: a word is missing (help shows the forms)",
        "seek yesterday, 'yesterday: no turn and no time, such as 14:03:05.2'",
        "step 2 parsecs, 'parsecs: use turn, frame or message'",
        "break, break: a condition is missing (help shows the forms)",
        "break sum ~ 3, '~: use =, !=, < or >'",
        "break seat first, first: no number",
        "break hash green, green: no hash",
        "break sum < many, many: no number",
        "diff 1 two, two: no number"})
    void shouldSayWhatIsWrong(final String line, final String complaint)
    {
        assertEquals(complaint, assertThrows(IllegalArgumentException.class, () -> debugger.execute(line)).getMessage());
    }

    @Test
    void shouldEndAndHelp()
    {
        assertTrue(Arrays.asList(run("help").split("\n")).get(0).startsWith("seek TURN"), out.toString());
        assertFalse(debugger.execute("quit"));
    }

    @Test
    void shouldFindThePlantedChangeAtItsFirstTurn()
    {
        final byte[] log = DebuggedRoom.log(COUNT);
        final WhatIf changed = whatIf(log, DebuggedRoom.type(1), DebuggedRoom.type(2));
        assertTrue(changed.hasNewer());
        final List<String> difference = changed.compare(past.roomId(), Long.MAX_VALUE / 2);
        // 36 is the first sum that is counted on doubly: by 9.
        run("seek start");
        run("break sum = 45");
        run("run");
        assertEquals("room " + past.roomId() + ": turn " + past.turn() + " differs", difference.get(0));
        assertEquals(List.of("  sum: 45 -> 54"), difference.subList(1, difference.size()));
    }

    @Test
    void shouldFindNoDifferenceOfTheSameRules()
    {
        final WhatIf same = whatIf(DebuggedRoom.log(COUNT), DebuggedRoom.type(1), DebuggedRoom.unchanged());
        assertTrue(same.hasNewer());
        assertEquals(List.of(), same.compare(past.roomId(), Long.MAX_VALUE / 2));
        assertFalse(whatIf(DebuggedRoom.log(COUNT), DebuggedRoom.type(1)).hasNewer());
    }

    private String run(final String line)
    {
        out.getBuffer().setLength(0);
        assertTrue(debugger.execute(line), line);
        return out.toString().replace(System.lineSeparator(), "\n");
    }

    private static WhatIf whatIf(final byte[] log, final RoomType... types)
    {
        return new WhatIf(DebuggedRoom.history(log), past(log).config(), List.of(types));
    }

    private static RoomPast past(final byte[] log)
    {
        final RoomPast past = new RoomPast(DebuggedRoom.history(log),
            RoomPast.rooms(DebuggedRoom.history(log)).get(0), () -> new HostContext().roomType(DebuggedRoom.type(1)));
        past.seekEnd();
        return past;
    }
}
