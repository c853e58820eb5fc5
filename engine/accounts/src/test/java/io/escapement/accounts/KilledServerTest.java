package io.escapement.accounts;

import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A server on H2 is killed and restarted on the same file. */
@RealTime("a database server is killed")
class KilledServerTest
{
    private static final int SAVES = 300;
    private static final long EXIT_S = 10;

    private final AtomicInteger acknowledged = new AtomicInteger();

    @Test
    void shouldFindAcknowledgedSaves(@TempDir final Path folder)
    {
        final String url = "jdbc:h2:file:" + folder.resolve("accounts");
        try (ChildJvm server =
            new ChildJvm(KilledServer.class, List.of("-Xmx256m"), List.of(url), this::onLine))
        {
            Tests.await(() -> acknowledged.get() >= SAVES, "the server to save");
            // Killed by its handle, which keeps the pipe open for the last acknowledgements.
            server.handle().destroyForcibly();
            server.exitStatus();
        }
        try (World world = new World(url))
        {
            final int kills = world.list(1).get(0).kills();
            // The save in progress at the kill may have been committed.
            assertTrue(kills == acknowledged.get() || kills == acknowledged.get() + 1,
                kills + " stored, " + acknowledged + " acknowledged");
            assertEquals(0, world.logIn("ann", World.PASSWORD).status());
        }
    }

    private void onLine(final String line)
    {
        // The full stop excludes a truncated last line.
        if (line.startsWith(KilledServer.ACKNOWLEDGED) && line.endsWith("."))
        {
            acknowledged.set(Integer.parseInt(line, KilledServer.ACKNOWLEDGED.length(), line.length() - 1, 10));
        }
    }
}
