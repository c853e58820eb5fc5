package io.escapement.server;

import io.aeron.driver.MediaDriver;
import io.escapement.arena.ArenaGame;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.console.Console;
import io.escapement.console.ConsoleContext;
import io.escapement.driver.DriverDirectory;
import io.escapement.engine.Durability;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.RoomHandle;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.ProposalRunner;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
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
    private static final List<RoomType> TYPES = new ArenaGame().roomTypes();
    private static final int TYPE_ID = TYPES.get(1).id();

    @TempDir
    Path directory;

    private final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final RoomEncoder encoder = new RoomEncoder();
    private final StringWriter out = new StringWriter();
    private final ProposalWriter proposal = new ProposalWriter(0);
    private final ByteSink bytes = new ByteSink();
    private Path whole;
    private Path cutOff;
    private Path empty;

    @BeforeEach
    void record() throws IOException
    {
        whole = directory.resolve("whole");
        cutOff = directory.resolve("cut-off");
        empty = directory.resolve("empty");
        final HostContext context = new HostContext().outputs(NoOutputs.NONE);
        TYPES.forEach(context::roomType);
        final LogWriter log = new LogWriter(bytes, context.header());
        Files.write(empty, bytes.toArray());
        final ProposalRunner runner = new ProposalRunner(context);
        for (int turn = 1; turn <= TURNS; turn++)
        {
            proposal.clear();
            if (1 == turn)
            {
                proposal.add(command, 0, encoder.linkUp(command, 0, 9, 0));
                for (long roomId = ROOM; roomId < ROOM + 2; roomId++)
                {
                    proposal.add(command, 0,
                        encoder.openRoom(command, 0, roomId, roomId, 0, 0, TYPE_ID, command, 0, 0));
                }
            }
            final int length = proposal.finish(
                0, turn, turn * 20_000_000L, runner.host().turn(), runner.outputHash());
            log.append(proposal.buffer(), 0, length);
            runner.run(proposal.buffer(), 0, length);
            if (0 == turn % 10)
            {
                log.appendHashes(runner.host().turn(), runner.outputHash(), runner.host().stateHash());
            }
        }
        Files.write(cutOff, bytes.toArray());
        log.end();
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
        assertTrue(LogFile.open(cut).proposals() > 0);
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
        final LogFile log = LogFile.open(whole);
        final ByteSink changed = new ByteSink();
        final LogWriter writer = new LogWriter(changed, log.config());
        final ProposalReader turn = new ProposalReader();
        while (log.next())
        {
            if (0 == turn.wrap(log.buffer(), log.offset(), log.length()))
            {
                proposal.clear();
                while (turn.nextCommand())
                {
                    proposal.add(turn.buffer(), turn.commandOffset(), turn.commandLength());
                }
                writer.append(proposal.buffer(), 0, proposal.finish(turn.incarnation(), turn.number(), turn.nowNs(),
                    turn.hashedTurn(), 3 == turn.hashedTurn() ? 1 : turn.outputHash()));
            }
        }
        final Path other = Files.write(directory.resolve("other"), changed.toArray());
        assertEquals(ReplayCommand.DIFFERENT, replay(other));
        assertTrue(out.toString().startsWith("DIFFERENT from turn 3: output hash is "), out.toString());
        assertEquals(ReplayCommand.DIFFERENT, replay(other, "--room", Long.toString(ROOM)));
    }

    @Test
    void shouldReplayTheRecordingOfAnEngine() throws IOException
    {
        final Path recording = directory.resolve("recording");
        final long roomId = run(new EngineContext().recordTo(recording), (engine) -> true);
        assertEquals(0, replay(recording));
        assertTrue(out.toString().startsWith("same: "), out.toString());
        assertEquals(0, replay(recording, "--loop", "1"));
        assertEquals("escapement: --loop: 2: " + recording + " has no such loop, but [0, 1]",
            refusal(recording, "--loop", "2"));
        assertEquals(0, execute("recover", "--run", recording.toString()));
        assertRoom(recording, roomId);
        // Without its end record it is that of a server which was killed.
        final Path log = recording.resolve("loop-1.00000000000000000000.journal");
        final byte[] whole = Files.readAllBytes(log);
        Files.write(log, Arrays.copyOf(whole, whole.length - LogRecords.HEADER_LENGTH));
        assertEquals(ReplayCommand.CUT_OFF, replay(recording, "--loop", "1"));
        whole[whole.length / 2] ^= 4;
        Files.write(log, whole);
        assertEquals(ReplayCommand.DIFFERENT, replay(recording));
        assertTrue(out.toString().startsWith("escapement: " + log + ": "), out.toString());
        assertEquals(1, out.toString().lines().count(), out.toString());
    }

    @Test
    void shouldReplayAJournalAndCutARoomThatBeginsWithASnapshot() throws IOException
    {
        final Path young = directory.resolve("young");
        assertRoom(young, run(new EngineContext().durability(Durability.journal(young)), (engine) -> true));
        final Path journal = directory.resolve("journal");
        final EngineContext context =
            new EngineContext().durability(Durability.journal(journal).snapshotIntervalNs(1_000_000));
        final long roomId = run(context, (engine) -> engine.counter("escapement loop 0: snapshots") > 0);
        assertEquals(0, replay(journal));
        assertEquals(0, replay(journal, "--room", Long.toString(roomId)), out.toString());
        final Path cut = directory.resolve("cut");
        assertEquals(0, replay(journal, "--room", Long.toString(roomId), "--cut", cut.toString()), out.toString());
        assertEquals(0, replay(cut), out.toString());
        assertEquals(ReplayCommand.NOTHING_COMPARED, replay(journal, "--room", "99"));
    }

    @Test
    void shouldSayInOneLineWhyALogCannotBeRead() throws IOException
    {
        final Path none = directory.resolve("none");
        assertEquals("escapement: LOG: " + none + ": no such file or directory", refusal(none));
        assertEquals("escapement: DIR: " + directory +
            ": has no log of a journal, a recording or a server of a cluster", refusal(directory));
        assertEquals("escapement: --amendments: x: only the log of a cluster's server has it",
            refusal(whole, "--amendments", "x"));
        assertEquals(2, execute("recover", whole.toString()));
        assertEquals("escapement: DIR: " + whole + ": no such directory", out.toString().trim());
        final byte[] damaged = Files.readAllBytes(whole);
        damaged[damaged.length / 2] ^= 4;
        assertError("damaged at offset ", Files.write(directory.resolve("damaged"), damaged));
        final Path part = Files.write(directory.resolve("a.journal"), damaged);
        assertEquals("escapement: LOG: " + part + ": is a part of a log: name its directory", refusal(part));
        final ByteSink other = new ByteSink();
        new LogWriter(other, new HostConfig().addType(99, 1, 0, "unknown"));
        final Path unknown = Files.write(directory.resolve("unknown"), other.toArray());
        assertError("the log needs Type[typeId=99, ", unknown);
        assertError("the log needs Type[typeId=99, ", unknown, "--room", "1");
        assertEquals("escapement: --cut: " + whole + ": is there already",
            refusal(whole, "--room", "7", "--cut", whole.toString()));
    }

    @Test
    void shouldDebugARoomOfAJournalAndOfAFile() throws IOException
    {
        final Path journal = directory.resolve("debugged");
        final long roomId = run(new EngineContext().durability(Durability.journal(journal)), (engine) -> true);
        assertEquals(2, execute("debug", journal.toString()));
        assertTrue(out.toString().contains("--room: none: name one of [[" + roomId + "], ["), out.toString());
        final Path saved = directory.resolve("saved");
        assertEquals(0, execute("debug", journal.toString(), "--room", Long.toString(roomId), "-e", "seek end",
            "-e", "show", "-e", "save " + saved), out.toString());
        assertTrue(out.toString().contains("  room.type = " + TYPES.get(1).name() + "\n"), out.toString());
        assertEquals(0, execute("debug", journal.toString(), "--room", Long.toString(roomId), "-e", "seek start",
            "-e", "what-if drop"), out.toString());
        assertTrue(out.toString().contains("{\"OpenRoom\":{\"roomId\": " + roomId + ","), out.toString());
        assertTrue(out.toString().contains("  room.type: " + TYPES.get(1).name() + " -> none\n"), out.toString());
        assertEquals(0, execute("debug", saved.toString(), "-e", "show room"), out.toString());
        assertTrue(out.toString().contains("  room.frameRate = "), out.toString());
        // A file that is there is not overwritten, and the commands after it are not executed.
        assertEquals(1, execute("debug", saved.toString(), "-e", "save " + saved, "-e", "show"));
        assertEquals(1, out.toString().lines().count(), out.toString());
        assertEquals(2, execute("debug", journal.toString(), "--room", Long.toString(Long.MAX_VALUE)));
        assertEquals("escapement: --room: " + Long.MAX_VALUE + ": no loop of the log has it", out.toString().trim());
        assertEquals(2, execute("debug", journal.toString(), "--compare", "1h"));
        assertTrue(out.toString().contains("--types: none: name a jar with a newer version"), out.toString());
    }

    @Test
    void shouldDebugARoomOfARunningServerThroughItsConsole()
    {
        final MonitorContext monitor = new MonitorContext();
        final ConsoleContext options = new ConsoleContext().observe(monitor);
        final Durability journal = Durability.journal(directory.resolve("running"));
        run(new EngineContext().monitor(monitor).durability(journal), (engine) ->
        {
            try (Console console = Console.launch(options.engine(engine)))
            {
                assertEquals(2, execute("debug", console.url()));
                assertEquals(1, execute("debug", console.viewUrl(), "--room", "1"));
                assertTrue(out.toString().contains("this token may look, and operate nothing"), out.toString());
                assertEquals(1, execute("debug", console.url(), "--room", Long.toString(Long.MAX_VALUE)));
                assertTrue(out.toString().contains("no loop has room"), out.toString());
                execute("debug", console.url(), "--room", "1", "-e", "show room");
                // The journal's thread writes the files at its own pace.
                return out.toString().contains("room.type = ");
            }
        });
    }

    @Test
    void shouldListTheStatusesInItsHelp()
    {
        Escapement.commandLine().setOut(new PrintWriter(out)).execute("replay", "--help");
        for (final String line : new String[]{"Exit status", "3", "No turn was compared", "4", "is cut off"})
        {
            assertTrue(out.toString().contains(line), out.toString());
        }
        assertTrue(Program.complaint(2, "replay", whole.toString(), "--cut", "x").contains("--cut: x: set --room too"));
    }

    private String refusal(final Path log, final String... options)
    {
        assertEquals(2, replay(log, options));
        return out.toString().trim();
    }

    private void assertError(final String fault, final Path log, final String... options)
    {
        assertEquals(ReplayCommand.DIFFERENT, replay(log, options));
        assertTrue(out.toString().startsWith("escapement: " + log + ": " + fault), out.toString());
        assertEquals(1, out.toString().lines().count(), out.toString());
    }

    private void assertRoom(final Path log, final long roomId) throws IOException
    {
        final Path cut = directory.resolve("room");
        assertEquals(0, replay(log, "--room", Long.toString(roomId), "--cut", cut.toString()), out.toString());
        assertEquals(0, replay(cut), out.toString());
        Files.delete(cut);
    }

    /** Run an engine of two loops with a room on the first one, which is returned. */
    private long run(final EngineContext context, final Predicate<Engine> isEnough)
    {
        TYPES.forEach(context::roomType);
        context.threadingMode(ThreadingMode.INVOKER).loops(2)
            .driverContext(new MediaDriver.Context().aeronDirectoryName(DriverDirectory.temporary())
                .threadingMode(io.aeron.driver.ThreadingMode.INVOKER).termBufferSparseFile(true)
                .dirDeleteOnStart(true).dirDeleteOnShutdown(true))
            .trunks(new TrunkServerContext().ipc(true).secret(new byte[32], false));
        try (Engine engine = Engine.launch(context))
        {
            final RoomHandle first = engine.openRoom(TYPE_ID);
            final RoomHandle second = engine.openRoom(TYPE_ID);
            Tests.await(() ->
            {
                engine.invoke();
                return RoomHandle.State.OPENED == first.state() && first.state() == second.state() &&
                    isEnough.test(engine);
            }, "the rooms");
            return first.roomId();
        }
    }

    private int replay(final Path log, final String... options)
    {
        final String[] arguments = new String[options.length + 2];
        arguments[0] = "replay";
        arguments[1] = log.toString();
        System.arraycopy(options, 0, arguments, 2, options.length);
        return execute(arguments);
    }

    private int execute(final String... arguments)
    {
        out.getBuffer().setLength(0);
        return Escapement.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(out)).execute(arguments);
    }
}
