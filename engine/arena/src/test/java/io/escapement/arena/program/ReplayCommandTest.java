package io.escapement.arena.program;

import io.escapement.arena.ArenaTypes;
import io.escapement.arena.DatabaseCharacters;
import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.RoomCommands;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.TurnLog;
import io.escapement.rooms.log.TurnLogReader;
import io.escapement.rooms.log.TurnLogWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ReplayCommandTest
{
    private static final long ROOM = 7;
    private static final int TURNS = 30;

    @TempDir
    Path directory;

    private final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final RoomCommandEncoder encoder = new RoomCommandEncoder();
    private final StringWriter out = new StringWriter();
    private Path whole;
    private Path cutOff;
    private Path empty;

    @BeforeEach
    void record() throws IOException
    {
        whole = directory.resolve("whole");
        cutOff = directory.resolve("cut-off");
        empty = directory.resolve("empty");
        final ByteSink bytes = new ByteSink();
        final HostContext context = new HostContext().outputs(new NoOutputs());
        for (final RoomType type : ArenaTypes.all(new DatabaseCharacters()))
        {
            context.roomType(type);
        }
        final TurnLog log = new TurnLogWriter(bytes, context.header());
        Files.write(empty, bytes.toArray());
        final RoomHost host = new RoomHost(context.turnLog(log));
        final int typeId = context.header().types().get(1).typeId();
        for (int turn = 1; turn <= TURNS; turn++)
        {
            host.beginTurn(turn * 20_000_000L);
            if (1 == turn)
            {
                host.onCommand(command, 0, encoder.linkUp(command, 0, 0, 9));
                for (long roomId = ROOM; roomId < ROOM + 2; roomId++)
                {
                    host.onCommand(command, 0,
                        encoder.openRoom(command, 0, roomId, typeId, roomId, 0, 0, command, 0, 0));
                }
            }
            host.endTurn();
            if (0 == turn % 10)
            {
                host.logStateHash();
            }
        }
        Files.write(cutOff, bytes.toArray());
        log.close();
        Files.write(whole, bytes.toArray());
    }

    @Test
    void shouldCompareAWholeLog()
    {
        assertEquals(0, replay(whole));
        assertTrue(out.toString().startsWith("same: "), out.toString());
    }

    @Test
    void shouldCompareARoomAloneAndWriteALogThatReplays() throws IOException
    {
        final Path cut = directory.resolve("cut");
        assertEquals(0, replay(whole, "--room", Long.toString(ROOM), "--cut", cut.toString()));
        assertTrue(out.toString().contains("room " + ROOM + " alone: "), out.toString());
        assertEquals(0, replay(cut));
        assertTrue(TurnLogReader.open(cut).turnCount() > 0);
    }

    @Test
    void shouldHaveAStatusForARecordingThatEndsInTheMiddle()
    {
        assertEquals(ReplayCommand.CUT_OFF, replay(cutOff));
        assertTrue(out.toString().contains("ends in the middle"), out.toString());
        assertEquals(ReplayCommand.CUT_OFF, replay(cutOff, "--room", Long.toString(ROOM)));
        assertEquals(0, replay(cutOff, "--until", "5"));
    }

    @Test
    void shouldHaveAStatusForAReplayThatComparedNothing()
    {
        assertEquals(ReplayCommand.NOTHING_COMPARED, replay(empty));
        assertTrue(out.toString().contains("nothing compared"), out.toString());
        assertEquals(ReplayCommand.NOTHING_COMPARED, replay(whole, "--until", "0"));
        assertEquals(ReplayCommand.NOTHING_COMPARED, replay(whole, "--room", "99"));
    }

    @Test
    void shouldFailWhenATurnDiffers() throws IOException
    {
        final TurnLogReader reader = TurnLogReader.open(whole);
        final ByteSink bytes = new ByteSink();
        try (TurnLogWriter log = new TurnLogWriter(bytes, reader.header()))
        {
            while (reader.nextTurn())
            {
                log.turnStart(reader.turn(), reader.nowNs());
                reader.forEachCommand(log::command);
                log.turnEnd(3 == reader.turn() ? 1 : reader.outputHash());
            }
        }
        final Path other = Files.write(directory.resolve("other"), bytes.toArray());
        assertEquals(ReplayCommand.DIFFERENT, replay(other));
        assertTrue(out.toString().startsWith("DIFFERENT from turn 3: "), out.toString());
        assertEquals(ReplayCommand.DIFFERENT, replay(other, "--room", Long.toString(ROOM)));
    }

    @Test
    void shouldListTheStatusesInItsHelp()
    {
        Escapement.commandLine().setOut(new PrintWriter(out)).execute("replay", "--help");
        for (final String line : new String[]{"Exit status", "3", "Nothing was compared", "4", "in the middle"})
        {
            assertTrue(out.toString().contains(line), out.toString());
        }
        assertTrue(Program.complaint(2, "replay", whole.toString(), "--cut", "x").contains("--cut needs --room"));
    }

    private int replay(final Path log, final String... options)
    {
        final String[] arguments = new String[options.length + 2];
        arguments[0] = "replay";
        arguments[1] = log.toString();
        System.arraycopy(options, 0, arguments, 2, options.length);
        out.getBuffer().setLength(0);
        return Escapement.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(out)).execute(arguments);
    }
}
