package io.escapement.server;

import io.escapement.testsupport.RealTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A journal of this JDK is run by another one, to the same states. */
@RealTime("another JDK of this machine")
class OtherJdkTest
{
    private static final String OTHER = System.getProperty("escapement.other.java", "");

    @TempDir
    Path directory;

    @Test
    void shouldRunAJournalToTheSameStateOnAnotherJdk() throws IOException, InterruptedException
    {
        assumeTrue(!OTHER.isEmpty(), "-Descapement.other.java names no java of another version");
        final Path journal = directory.resolve("journal");
        final String listen = Program.freeEndpoint();
        final String respond = Program.freeEndpoint();
        try (Program server = new Program("serve", "--demo-accounts", "--journal", journal.toString(),
            "--listen", listen, "--respond", respond, "--database", "jdbc:h2:mem:other-jdk"))
        {
            server.awaitLine("ready ");
            try (Program bots = new Program("bots", "--server", listen, "--respond", respond, "--rooms", "2",
                "--seats", "4", "--trunks", "2", "--seconds", "2", "--warm-up", "1"))
            {
                assertEquals(0, bots.awaitEnd(60), bots.lines::toString);
            }
            assertEquals(0, server.end(), server.lines::toString);
        }
        final StringWriter out = new StringWriter();
        assertEquals(0, Escapement.commandLine().setOut(new PrintWriter(out)).execute(
            "recover", "--run", journal.toString()), out.toString());
        assertTrue(out.toString().contains("loop 0: the same: "), out.toString());

        final List<String> command = new ArrayList<>(List.of(OTHER));
        command.addAll(ChildCommand.program());
        command.addAll(List.of("recover", "--run", journal.toString()));
        final Process other = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String text = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, other.waitFor(), text);
        assertEquals(states(out.toString()), states(text));
    }

    private static List<String> states(final String text)
    {
        return text.lines().filter((line) -> line.contains("state hash")).toList();
    }
}
