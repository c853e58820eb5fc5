package io.escapement.engine;

import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Trunks over a network that loses, delays, doubles and reorders datagrams: each message is accepted once, and each
 * event arrives once and in order. A relay of the test is the network, and where Linux allows it, a link with netem.
 */
@RealTime("a network that loses packets, and processes")
class LossTest
{
    private static final double[] LOSSES = {0.001, 0.01, 0.1};
    private static final long PLAY_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long LINK_PLAY_NS = TimeUnit.SECONDS.toNanos(3);
    private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xmx256m");
    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final long SEED = Tests.seed();

    @TempDir
    Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();

    /** A client at each loss, at the same time. */
    @Test
    void shouldDeliverOnceOverARelayThatLoses()
    {
        final String ingress = "127.0.0.1:" + Tests.freePort();
        final String response = "127.0.0.1:" + Tests.freePort();
        try (ChildJvm server = server(JAVA, ingress, response))
        {
            final List<LossyRelay> relays = new ArrayList<>();
            final List<ChildJvm> clients = new ArrayList<>();
            for (int i = 0; i < LOSSES.length; i++)
            {
                final LossyRelay relay = keep(new LossyRelay(ingress, response, LOSSES[i], SEED + i));
                relays.add(relay);
                clients.add(keep(client(JAVA, relay.ingress(), relay.response(), server, i)));
            }
            awaitPlaying(clients);
            final long startNs = System.nanoTime();
            Tests.await(() -> System.nanoTime() - startNs > PLAY_NS &&
                relays.stream().allMatch((relay) -> relay.lostData() > 0), "loss in each direction");
            for (int i = 0; i < LOSSES.length; i++)
            {
                stop(clients.get(i), LOSSES[i]);
            }
            stop(server);
        }
        finally
        {
            CloseHelper.closeAll(opened);
        }
    }

    /** A client after the other, at each loss. */
    @Test
    void shouldDeliverOnceOverALinkThatLoses()
    {
        final String obstacle = Namespaces.obstacle(directory);
        assumeTrue(null == obstacle, () -> "no namespaces with netem here: " + obstacle);
        try (Namespaces namespaces = Namespaces.open(directory))
        {
            final String ingress = Namespaces.ENGINE_HOST + ":" + Tests.freePort();
            final String response = Namespaces.ENGINE_HOST + ":" + Tests.freePort();
            try (ChildJvm server = server(namespaces.engineJava(), ingress, response))
            {
                for (int i = 0; i < LOSSES.length; i++)
                {
                    namespaces.impair("limit 10000 delay 20ms reorder 2% duplicate 1% loss " + 100 * LOSSES[i] + "%");
                    try (ChildJvm client = client(namespaces.clientJava(), ingress, response, server, i))
                    {
                        awaitPlaying(List.of(client));
                        final long startNs = System.nanoTime();
                        Tests.await(() -> System.nanoTime() - startNs > LINK_PLAY_NS, "time to lose packets");
                        stop(client, LOSSES[i]);
                    }
                }
                stop(server);
            }
        }
    }

    private <T extends AutoCloseable> T keep(final T part)
    {
        opened.add(part);
        return part;
    }

    private static ChildJvm server(final String java, final String ingress, final String response)
    {
        final ChildJvm server = new ChildJvm(java, LossServer.class, FLAGS, List.of(ingress, response));
        Tests.await(
            () -> null != server.valueOf(LossServer.READY) || !server.isAlive(), () -> server.lines().toString());
        assertNotNull(server.valueOf(LossServer.READY), () -> server.lines().toString());
        return server;
    }

    private static ChildJvm client(
        final String java, final String ingress, final String response, final ChildJvm server, final int number)
    {
        return new ChildJvm(java, LossClient.class, FLAGS, List.of(ingress, response,
            server.valueOf(LossServer.READY), Integer.toString(1 + number * LossClient.PLAYERS)));
    }

    private static void awaitPlaying(final List<ChildJvm> clients)
    {
        Tests.await(() -> clients.stream().allMatch((client) -> client.lines().contains(LossClient.PLAYING)),
            () -> clients.stream().map(ChildJvm::lines).toList().toString());
    }

    private static void stop(final ChildJvm client, final double loss)
    {
        client.send("");
        final String text = "loss " + loss + ", seed " + SEED + ": ";
        assertEquals(0, client.exitStatus(), () -> text + client.lines());
        System.out.println(text + client.lines());
        assertNull(client.valueOf(LossServer.WRONG), () -> text + client.lines());
        assertEquals("[]", client.valueOf(LossClient.REFUSALS), () -> text + client.lines());
        // A trunk that was lost is back, because the client has left its seats in order.
        assertTrue(number(client, LossClient.EVENTS) == number(client, LossClient.SENT) ||
            number(client, LossClient.LOSSES) > 0, () -> text + client.lines());
        assertTrue(number(client, LossServer.NAKS) > 0, () -> text + client.lines());
        assertTrue(number(client, LossServer.RETRANSMITS) > 0, () -> text + client.lines());
    }

    private static void stop(final ChildJvm server)
    {
        server.send("");
        assertEquals(0, server.exitStatus(), () -> server.lines().toString());
        assertNull(server.valueOf(LossServer.WRONG), () -> server.lines().toString());
        assertTrue(number(server, LossServer.NAKS) > 0, () -> server.lines().toString());
        assertTrue(number(server, LossServer.RETRANSMITS) > 0, () -> server.lines().toString());
    }

    private static long number(final ChildJvm child, final String prefix)
    {
        return Long.parseLong(child.valueOf(prefix));
    }
}
