package io.escapement.server;

import io.escapement.codecs.player.LeftDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.testsupport.RealTime;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A ban by a command in another process than the server and the gateway of the player. */
@RealTime("processes that share a database")
class BannedPlayerTest
{
    private static final String LEFT = "template " + LeftDecoder.TEMPLATE_ID;

    @Test
    void shouldRemoveThePlayerFromARunningServer(@TempDir final Path directory)
    {
        final String ingress = Program.freeEndpoint();
        final String response = Program.freeEndpoint();
        final String database = "jdbc:h2:file:" + directory.resolve("accounts") + ";AUTO_SERVER=TRUE";
        try (Program server = new Program("serve", "--demo-accounts", "--listen", ingress, "--respond", response,
            "--database", database);
            Program gateway = new Program("gateway", "--server", ingress, "--respond", response, "--web-port", "0"))
        {
            server.awaitLine(ServeCommand.READY);
            gateway.awaitLine("http://127.0.0.1:");
            final String url = gateway.line("http://");
            Program.awaitReady(url);
            try (WebPlayer ann = new WebPlayer(url, "Ann"); WebPlayer ben = new WebPlayer(url, "Ben"))
            {
                final long startNs = System.nanoTime();
                assertEquals("", Program.complaint(0, "account", "ban", "ann", "--database", database));
                final long bannedNs = System.nanoTime();
                ann.await(LEFT);
                final long leftNs = System.nanoTime();
                System.out.printf("ban: %d ms for the command, then %d ms until the player has left%n",
                    TimeUnit.NANOSECONDS.toMillis(bannedNs - startNs),
                    TimeUnit.NANOSECONDS.toMillis(leftNs - bannedNs));
                assertTrue(leftNs - bannedNs < TimeUnit.SECONDS.toNanos(10));
                ann.join();
                ann.await("refused " + TrunkCode.BAD_PLAYER_TOKEN.value());
                ben.ask(1);
                ben.await(WebPlayer.PAGE + 1);
                assertFalse(ben.received().contains(LEFT));
            }
            assertEquals(0, server.end(), server.lines::toString);
        }
    }
}
