package io.escapement.server;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.accounts.AccountsContext;
import io.escapement.arena.lobby.LobbyRoom;
import io.escapement.driver.DriverDirectory;
import io.escapement.engine.Durability;
import io.escapement.engine.EngineContext;
import io.escapement.engine.monitor.Stall;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.testsupport.RealTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The game's rooms in a journal. */
@RealTime("servers that are stopped, killed and started on their journal")
class JournalTest
{
    private static final byte[] SECRET = "a secret of this test".getBytes(StandardCharsets.US_ASCII);
    private static final int TAIL_LENGTH = 8 * 1_024 * 1_024;

    @TempDir
    Path directory;

    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final StringWriter out = new StringWriter();

    @Test
    void shouldFindItsLobbyAgain()
    {
        assertEquals(0, lobbiesOfAStart());
        assertEquals(0, Escapement.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(out))
            .execute("recover", "--run", directory.resolve("journal").toString()), out.toString());
        assertTrue(out.toString().contains("loop 1") && out.toString().contains("incarnation 1"), out.toString());
        assertTrue(out.toString().contains("loop 0: the same: ") && out.toString().contains(", 2 rooms open"),
            out.toString());
        assertEquals(1, lobbiesOfAStart());
        assertEquals(1, lobbiesOfAStart());
        assertEquals(List.of(), faults);
    }

    /** The directory where it was started has it. */
    @Test
    void shouldServeOnAJournalUnlessToldOtherwise() throws IOException
    {
        final Path tails = Files.createDirectory(directory.resolve("tails"));
        try (Program server = serve("--tail", tails.toString()))
        {
            assertTrue(tails.toFile().list().length > 0);
            assertTrue(server.line("journal ").startsWith("journal " + directory.resolve("escapement-data") +
                ": 0 rooms of the last server; "), server.lines::toString);
            final String complaint = Program.complaint(
                1, "recover", directory.resolve("escapement-data").toString());
            assertTrue(complaint.endsWith("escapement-data: another engine uses it" + System.lineSeparator()),
                complaint);
            server.kill();
        }
        try (Program server = serve("--acknowledge", "SYNCED", "--tail", "none"))
        {
            assertEquals(0, tails.toFile().list().length, "the tail of the last server is in the journal now");
            // The matchmakers open after the lobby, some perhaps after the kill.
            assertTrue(
                server.line("journal ").matches(".*: [1-4] rooms of the last server; .*"), server.lines::toString);
            assertEquals(0, server.end(), server.lines::toString);
            server.awaitLine("stopped rooms are kept in " + directory.resolve("escapement-data"));
        }
    }

    private void onFault(final Throwable ex)
    {
        // Stalls depend on the load of the machine.
        if (!(ex instanceof Stall))
        {
            faults.add(ex);
        }
    }

    private Program serve(final String... more)
    {
        final List<String> arguments = new ArrayList<>(List.of("serve", "--demo-accounts", "--trunk-limit", "4",
            "--listen", Program.freeEndpoint(), "--respond", Program.freeEndpoint(), "--database",
            "jdbc:h2:mem:journal"));
        arguments.addAll(List.of(more));
        final Program server = Program.in(directory, arguments.toArray(String[]::new));
        server.awaitLine("ready ");
        return server;
    }

    private int lobbiesOfAStart()
    {
        Quiet.libraries();
        final Durability journal = Durability.journal(directory.resolve("journal"))
            .tailLength(TAIL_LENGTH).segmentLength(2 * TAIL_LENGTH).tailDirectory(directory);
        final GameServer server = GameServer.launch(new Types(List.of()),
            new AccountsContext().databaseUrl("jdbc:h2:file:" + directory.resolve("accounts"))
                .errorHandler(this::onFault),
            true,
            new EngineContext()
                .threadingMode(io.escapement.engine.ThreadingMode.INVOKER)
                .loops(2)
                .driverContext(new MediaDriver.Context()
                    .aeronDirectoryName(DriverDirectory.temporary())
                    .threadingMode(ThreadingMode.INVOKER)
                    .termBufferSparseFile(true)
                    .dirDeleteOnStart(true)
                    .dirDeleteOnShutdown(true))
                .trunks(new TrunkServerContext()
                    .udp(Program.freeEndpoint(), Program.freeEndpoint()).secret(SECRET, false))
                .durability(journal)
                .errorHandler(this::onFault));
        for (int i = 0; i < 20; i++)
        {
            server.engine().invoke();
        }
        final int lobbies = server.engine().recoveredRooms(LobbyRoom.TYPE_ID).size();
        server.stop(TimeUnit.SECONDS.toNanos(5));
        return lobbies;
    }
}
