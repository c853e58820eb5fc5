package io.escapement.server;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RoomEncoder;
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
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
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
    private final byte[] logged = DebuggedRoom.log(COUNT);
    private final RoomPast past = past(logged);
    private final Debugger debugger = new Debugger(
        past, () -> past(logged), new MessageText(List.of(DebuggedRoom.type(1))), new PrintWriter(out));

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
    @CsvSource({"message Message, 1", "message Add, 1", "message 7, 1", "seat 1, 1", "seat 0, 3", "sum = 10, 10",
        "sum != 0, 1", "sum > 9.5, 10"})
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
        "diff 1 two, two: no number",
        "what-if, what-if: a word is missing (help shows the forms)",
        "what-if not, not: use drop or send",
        "what-if drop 0, 0: drop 1 command or more",
        "what-if drop many, many: no number",
        "what-if drop seat, what-if: a word is missing (help shows the forms)",
        "what-if drop, no command to the room follows",
        "what-if send 0, what-if: a word is missing (help shows the forms)",
        "what-if send 0 bytes, what-if: a word is missing (help shows the forms)"})
    void shouldSayWhatIsWrong(final String line, final String complaint)
    {
        assertEquals(complaint,
            assertThrows(IllegalArgumentException.class, () -> debugger.execute(line)).getMessage());
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

    @Test
    void shouldFindTheTurnThatADroppedMessageChanges()
    {
        run("seek start");
        run("break sum = 3");
        run("run");
        final String place = debugger.place();
        final long third = messageTurn(3);
        assertEquals("  without turn " + third + " {\"seat\":1,\"Add\":{\"value\": 3}}\n" + differs(third) +
            "  sum: 6 -> 3\n", run("what-if drop"));
        assertEquals(place, debugger.place());
        final String two = run("what-if drop 2");
        assertTrue(two.contains("\"value\": 4}}\n" + differs(third) + "  sum: 6 -> 3\n"), two);
        assertEquals(differs(messageTurn(4)) + "  sum: 10 -> 6\n", run("what-if drop seat 0"));
        assertEquals(place, debugger.place());
    }

    @Test
    void shouldDropFromWithinATurn()
    {
        run("seek start");
        run("break message Add");
        run("run");
        assertEquals(1, past.message());
        final String place = debugger.place();
        final long second = messageTurn(2);
        final String dropped = run("what-if drop");
        assertTrue(dropped.endsWith(differs(second) + "  sum: 3 -> 1\n"), dropped);
        assertEquals(place, debugger.place());
        assertEquals(1, past.message());
    }

    @Test
    void shouldFindTheTurnOfADroppedJoin()
    {
        run("seek start");
        run("break message Join");
        run("run");
        final long join = past.turn();
        run("seek " + (join - 1));
        final String found = run("what-if drop");
        assertTrue(found.contains(differs(join)), found);
        assertTrue(found.contains("  the changed room sends other bytes\n"), found);
        assertTrue(found.contains("  seats[0]: player 5, generation 1 -> none\n"), found);
    }

    @Test
    void shouldFindRefusedMessagesAndTheEndOfAThrow()
    {
        run("seek last-failure");
        final long failed = past.turn();
        run("back");
        final String dropped = run("what-if drop");
        assertTrue(dropped.contains(differs(failed) + "  the logged room throws " +
            "java.lang.IllegalStateException: the sum of 210 and a debt\n"), dropped);
        // The room closes before the last positive number, which it refuses then.
        run("back 2");
        final String sent = run("what-if send 1 Add value=-1");
        assertTrue(sent.contains("  the changed room throws java.lang.IllegalStateException: the sum of 190 "), sent);
        assertTrue(sent.contains("  sum: 210 -> none\n"), sent);
        assertTrue(sent.contains("  the changed room refuses a command: UNKNOWN_ROOM\n"), sent);
    }

    @Test
    void shouldFindTheTurnThatASentMessageChanges()
    {
        run("seek start");
        run("break sum = 3");
        run("run");
        run("step");
        final String place = debugger.place();
        past.step();
        final long next = past.turn();
        run("back");
        assertEquals(place, debugger.place());
        final long sum = (long)Debugger.values(past).get("sum");
        final String changed = differs(next) + "  sum: " + sum + " -> " + (sum + 70) + "\n";
        assertEquals(changed, run("what-if send 0 Add value=70"));
        assertEquals(changed, run("what-if send 0 7 VALUE=70"));
        assertEquals(changed, run("what-if send 0 bytes 0800070063000000" + "4600000000000000"));
        assertEquals(differs(next) + "  the changed room sends other bytes\n  sum: " + sum + " -> " + (sum + 2_000) +
            "\n", run("what-if send 1 Add value=2000"));
        assertEquals(place, debugger.place());
    }

    /** Neither its sequence nor the count of callbacks is a difference, and later messages are still accepted. */
    @Test
    void shouldReportThatNothingDiffers()
    {
        run("seek start");
        run("break sum = 3");
        run("run");
        run("step");
        assertEquals("nothing differs\n", run("what-if send 0 Add value=0"));
        assertEquals("nothing differs\n", run("what-if send 1 Add"));
        final byte[] nothing = DebuggedRoom.logOf(0, 0, 5);
        final Debugger ofNothing = debugger(nothing, DebuggedRoom.type(1));
        ofNothing.execute("seek start");
        ofNothing.execute("break message Add");
        ofNothing.execute("run");
        ofNothing.execute("back");
        out.getBuffer().setLength(0);
        ofNothing.execute("what-if drop 2");
        final List<String> lines = out.toString().lines().toList();
        assertEquals(3, lines.size(), out.toString());
        assertEquals("nothing differs", lines.get(2));
    }

    @ParameterizedTest
    @CsvSource({
        "what-if send 3 Add value=1, seat 3: it has no player here",
        "what-if send 99999999999 Add value=1, seat 99999999999: no such seat",
        "what-if send first Add value=1, first: no number",
        "what-if send 0 Jump, 'Jump: no message of the schema, which has Add, AddMany'",
        "what-if send 0 Add height=1, height: no field of the block of Add",
        "what-if send 0 AddMany more=1, more: no field of the block of AddMany",
        "what-if send 0 Add value, value: use field=value",
        "what-if send 0 Add value=much, value=much: no integer",
        "what-if send 0 Add value=9223372036854775808, value=9223372036854775808: " +
            "use -9223372036854775807 to 9223372036854775807",
        "what-if send 0 AddMany level=10, level=10: use 0 to 9",
        "what-if send 0 AddMany mass=-1, mass=-1: use 0 to 18446744073709551614",
        "what-if send 0 AddMany ratio=wide, ratio=wide: no number",
        "what-if send 0 AddMany ratio=1e39, ratio=1e39: out of its range",
        "what-if send 0 AddMany colour=BLUE, 'colour=BLUE: use RED, GREEN'",
        "what-if send 0 AddMany tag=longer, tag=longer: use at most 4 bytes of US-ASCII",
        "what-if send 0 AddMany place=1, 'place: neither a number, an enum nor characters (send the message as bytes)'",
        "what-if send 0 bytes 0xff, 0xff: no bytes in hexadecimal digits",
        "what-if drop seat 2, seat 2: no message of it follows"})
    void shouldNameWhatCannotBeSent(final String line, final String complaint)
    {
        run("seek start");
        run("break sum = 3");
        run("run");
        assertEquals(complaint,
            assertThrows(IllegalArgumentException.class, () -> debugger.execute(line)).getMessage());
    }

    @Test
    void shouldNotSendAfterTheEndOrWithoutASchema()
    {
        assertEquals("seat 0: it has no player here", assertThrows(IllegalArgumentException.class,
            () -> debugger.execute("what-if send 0 Add")).getMessage());
        assertEquals("Add: room type 1 names no schema (send the message as bytes)",
            assertThrows(IllegalArgumentException.class,
                () -> debugger(logged, DebuggedRoom.unchanged()).execute("what-if send 0 Add")).getMessage());
        final Debugger atTheEnd = debugger(DebuggedRoom.logOf(1, 2), DebuggedRoom.type(1));
        assertEquals("no turn of the room follows in which it can be sent",
            assertThrows(IllegalArgumentException.class, () -> atTheEnd.execute("what-if send 0 Add")).getMessage());
        assertEquals("seat 1: its player is away here",
            assertThrows(IllegalArgumentException.class, () -> atTheEnd.execute("what-if send 1 Add")).getMessage());
        assertEquals("a message of 3000 bytes: send " + RoomCommands.MAX_PAYLOAD_LENGTH + " or less",
            assertThrows(IllegalArgumentException.class,
                () -> atTheEnd.execute("what-if send 0 bytes " + "00".repeat(3_000))).getMessage());
    }

    @Test
    void shouldEncodeFieldsOfAllKinds()
    {
        // The printer shows unsigned numbers of 64 bits as signed.
        assertEquals("{\"seat\":0,\"AddMany\":{\"value\": -5,\"level\": 9,\"mass\": -2,\"ratio\": 0.5," +
            "\"colour\": \"GREEN\",\"tag\": \"ab\",\"bonus\": -7,\"place\":{\"x\": 0},\"more\": [],\"note\": \"\"}}",
            encoded(
            "value=-5", "level=9", "mass=18446744073709551614", "ratio=0.5", "colour=green", "tag=ab", "bonus=-7"));
        final String empty = encoded();
        assertTrue(empty.contains("\"value\": 0,\"level\": 0,"), empty);
        assertTrue(empty.contains("\"bonus\": " + Integer.MIN_VALUE + ","), empty);
    }

    private static String encoded(final String... fields)
    {
        final MessageText messages = new MessageText(List.of(DebuggedRoom.type(1)));
        final DirectBuffer message = messages.encode(1, "addmany", List.of(fields));
        final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
        return messages.json(new UnsafeBuffer(command, 0,
            new RoomEncoder().message(command, 0, 1, 1, 0, 1, 0, message, 0, message.capacity())), 1);
    }

    private Debugger debugger(final byte[] log, final RoomType type)
    {
        return new Debugger(
            past(log), () -> past(log), new MessageText(List.of(type)), new PrintWriter(out));
    }

    private static String differs(final long turn)
    {
        return "room 1: turn " + turn + " differs\n";
    }

    /** The turn of the message that adds a number. */
    private long messageTurn(final int value)
    {
        final RoomPast found = past(logged);
        found.seek(0);
        int count = 0;
        while (count < value)
        {
            assertTrue(found.stepMessage());
            count += MessageText.isMessage(found.inputs(1).get(0).command()) ? 1 : 0;
        }
        return found.turn();
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
