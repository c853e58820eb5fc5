package io.escapement.accounts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A server on H2 is killed and started again on the same file. */
@Timeout(60)
class KilledServerTest
{
    private static final int SAVES = 300;

    @Test
    void shouldFindWhatWasAcknowledged(@TempDir final Path folder) throws IOException, InterruptedException
    {
        final String url = "jdbc:h2:file:" + folder.resolve("accounts");
        final Path told = folder.resolve("told");
        final Process server = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED", "-Xmx256m",
            "-cp", System.getProperty("java.class.path"), KilledServer.class.getName(), url)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(told.toFile())
            .start();
        try
        {
            Tests.await(() -> acknowledged(told) >= SAVES, "the server to save");
        }
        finally
        {
            server.destroyForcibly().waitFor();
        }
        final int acknowledged = acknowledged(told);
        try (World world = new World(url))
        {
            final int kills = world.list(1).get(0).kills();
            // The one that was written when it died may be there, too.
            assertTrue(kills == acknowledged || kills == acknowledged + 1, kills + ", and told " + acknowledged);
            assertEquals(0, world.logIn("ann", World.PASSWORD).status());
        }
    }

    /** The last number that was told in full. */
    private static int acknowledged(final Path told)
    {
        try
        {
            final String text = Files.readString(told);
            final String[] lines = text.substring(0, text.lastIndexOf('\n') + 1).split("\n");
            final String last = lines[lines.length - 1];
            return last.isEmpty() ? 0 : Integer.parseInt(last);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
