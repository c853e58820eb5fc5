package io.escapement.server;

import io.escapement.accounts.Credentials;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Strangers on 325 addresses of 13 networks, each within its limits, log in under invented names: at once as many as
 * fill the queues, and then 50 per second. An honest player logs in every half second, from a network after another.
 */
@RealTime("a server in a process, whose passwords are hashed at their full cost")
class LogInFloodTest
{
    private static final int NETWORKS = 13;
    private static final int ADDRESSES = 325;
    private static final int AT_ONCE = 2 * ADDRESSES;
    private static final int PER_SECOND = 50;
    private static final int SECONDS = 8;
    /** Open sockets of strangers, the oldest of which are closed. */
    private static final int SOCKETS = 700;
    private static final byte[] PASSWORD = "nobody would guess this".getBytes(StandardCharsets.US_ASCII);

    private final Deque<LoopbackPlayer> strangers = new ArrayDeque<>();
    private int attempts;

    @Test
    void shouldLetHonestPlayersInWithPasswordsAndTokens(@TempDir final Path directory) throws IOException
    {
        final Path secret = Tests.writeSecret(directory.resolve("secret"), "a secret of a test, long enough");
        try (Program server = new Program("serve", "--database", "jdbc:h2:file:" + directory.resolve("accounts"),
            "--secret-file", secret.toString(), "--listen", Program.freeEndpoint(),
            "--respond", Program.freeEndpoint(), "--web-port", "0"))
        {
            server.awaitLine("web http://127.0.0.1:");
            Program.awaitReady(server.line("web http://").substring("web ".length()));
            final URI gateway = URI.create(server.line("web http://").substring("web ".length()).trim());
            byte[] token = honest(gateway, 0, Credentials.signUp("Ann", PASSWORD, ""));
            for (int i = 0; i < AT_ONCE; i++)
            {
                attempt(gateway);
            }
            final long startNs = System.nanoTime();
            for (int honest = 1; honest <= 2 * SECONDS; honest++)
            {
                final long dueNs = startNs + TimeUnit.MILLISECONDS.toNanos(500L * honest);
                while (attempts - AT_ONCE < PER_SECOND * honest / 2)
                {
                    attempt(gateway);
                    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1) / PER_SECOND / 4);
                }
                final boolean isByToken = 0 == honest % 2;
                token = honest(gateway, honest, isByToken ? token : Credentials.logIn("ann", PASSWORD, ""));
                LockSupport.parkNanos(Math.max(0, dueNs - System.nanoTime()));
            }
            assertTrue(attempts >= AT_ONCE + PER_SECOND * SECONDS, "attempts " + attempts);
            for (final LoopbackPlayer stranger : strangers)
            {
                stranger.close();
            }
            assertEquals(0, server.end(), server.lines::toString);
        }
    }

    /** Log in from a network that did not before, and return credentials of the next log-in. */
    private static byte[] honest(final URI gateway, final int network, final byte[] credentials) throws IOException
    {
        try (LoopbackPlayer player = new LoopbackPlayer(gateway, "127.100." + network + ".1"))
        {
            player.logIn(credentials);
            assertEquals(0, player.status(), "log-in " + network);
            return player.sessionToken();
        }
    }

    private void attempt(final URI gateway) throws IOException
    {
        final int address = attempts++ % ADDRESSES;
        final LoopbackPlayer stranger = new LoopbackPlayer(
            gateway, "127.1." + address % NETWORKS + '.' + (1 + address / NETWORKS));
        stranger.logIn(Credentials.logIn("invented" + attempts, PASSWORD, ""));
        strangers.add(stranger);
        if (strangers.size() > SOCKETS)
        {
            strangers.remove().close();
        }
    }
}
