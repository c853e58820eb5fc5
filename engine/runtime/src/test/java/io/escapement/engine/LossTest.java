package io.escapement.engine;

import io.escapement.codecs.TrunkMessages;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Trunks and feeds over a network that loses, delays, doubles and reorders datagrams: each message is accepted once,
 * each event arrives once and in order, and each player's copy becomes the state of its room. A relay of the test is
 * the network, and where Linux allows it, a link with netem.
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

    /** A client at each loss, at the same time, in rooms of two loops. Only Linux has other loopback addresses. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldDeliverOnceOverARelayThatLoses()
    {
        final String ingress = "127.0.0.1:" + Tests.freePort();
        final String response = "127.0.0.1:" + Tests.freePort();
        try (ChildJvm server = server(JAVA, ingress, response, 2, 2))
        {
            final List<String> rooms = rooms(server);
            assertEquals(2, rooms.stream().map(Long::parseLong).map(TrunkMessages::loopOf).distinct().count());
            final List<LossyRelay> relays = new ArrayList<>();
            final List<ChildJvm> clients = new ArrayList<>();
            for (int i = 0; i < LOSSES.length; i++)
            {
                final String feed = "127.0.0.2:" + Tests.freePort();
                final LossyRelay relay = keep(new LossyRelay(ingress, response, feed, LOSSES[i], SEED + i));
                relays.add(relay);
                clients.add(keep(client(JAVA, relay.ingress(), relay.response(), feed, i, rooms)));
            }
            awaitPlaying(clients);
            final long startNs = System.nanoTime();
            Tests.await(() -> System.nanoTime() - startNs > PLAY_NS && hasGaps(clients) &&
                relays.stream().allMatch((relay) -> relay.lostData() > 0 && relay.lostOfFeeds() > 0),
                () -> "loss in each direction and on feeds, seed " + SEED + ": " + relays + clients.stream()
                    .map(ChildJvm::lines).toList());
            settle(server, rooms);
            for (int i = 0; i < LOSSES.length; i++)
            {
                stop(clients.get(i), server, LOSSES[i]);
            }
            stop(server);
        }
        finally
        {
            CloseHelper.closeAll(opened);
        }
    }

    /** Two clients in a room at each loss, one loss after the other. */
    @Test
    void shouldDeliverOnceOverALinkThatLoses()
    {
        final String obstacle = Namespaces.obstacle(directory);
        assumeTrue(null == obstacle, () -> "no namespaces with netem here: " + obstacle);
        try (Namespaces namespaces = Namespaces.open(directory))
        {
            final String ingress = Namespaces.ENGINE_HOST + ":" + Tests.freePort();
            final String response = Namespaces.ENGINE_HOST + ":" + Tests.freePort();
            try (ChildJvm server = server(namespaces.engineJava(), ingress, response, 1, LOSSES.length))
            {
                final String feed = Namespaces.CLIENT_HOST + ":0";
                for (int i = 0; i < LOSSES.length; i++)
                {
                    namespaces.impair("limit 10000 delay 20ms reorder 2% duplicate 1% loss " + 100 * LOSSES[i] + "%");
                    final List<String> room = rooms(server).subList(i, i + 1);
                    final String java = namespaces.clientJava();
                    try (ChildJvm first = client(java, ingress, response, feed, 2 * i, room);
                        ChildJvm second = client(java, ingress, response, feed, 2 * i + 1, room))
                    {
                        final List<ChildJvm> clients = List.of(first, second);
                        awaitPlaying(clients);
                        final long startNs = System.nanoTime();
                        Tests.await(() -> System.nanoTime() - startNs > LINK_PLAY_NS && hasGaps(clients),
                            "time to lose packets");
                        settle(server, room);
                        stop(first, server, LOSSES[i]);
                        stop(second, server, LOSSES[i]);
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

    private static ChildJvm server(
        final String java, final String ingress, final String response, final int loops, final int rooms)
    {
        final ChildJvm server = new ChildJvm(java, LossServer.class, FLAGS,
            List.of(ingress, response, Integer.toString(loops), Integer.toString(rooms)));
        Tests.await(
            () -> null != server.valueOf(LossServer.READY) || !server.isAlive(), () -> server.lines().toString());
        assertNotNull(server.valueOf(LossServer.READY), () -> server.lines().toString());
        return server;
    }

    private static List<String> rooms(final ChildJvm server)
    {
        return List.of(server.valueOf(LossServer.READY).split(" "));
    }

    private static ChildJvm client(
        final String java,
        final String ingress,
        final String response,
        final String feed,
        final int number,
        final List<String> rooms)
    {
        final List<String> arguments = new ArrayList<>(
            List.of(ingress, response, feed, Integer.toString(1 + number * LossClient.PLAYERS)));
        arguments.addAll(rooms);
        return new ChildJvm(java, LossClient.class, FLAGS, arguments);
    }

    private static void awaitPlaying(final List<ChildJvm> clients)
    {
        Tests.await(() -> clients.stream().allMatch((client) -> client.lines().contains(LossClient.PLAYING)),
            () -> clients.stream().map(ChildJvm::lines).toList().toString());
    }

    private static boolean hasGaps(final List<ChildJvm> clients)
    {
        return clients.stream().allMatch((client) -> client.lines().contains(LossClient.GAP));
    }

    /** The network loses packets until the clients have left, so the last difference may be lost too. */
    private static void settle(final ChildJvm server, final List<String> rooms)
    {
        rooms.forEach(server::send);
        Tests.await(() -> rooms.stream().allMatch((room) -> null != server.valueOf(LossServer.STATE + room + " ")),
            () -> server.lines().toString());
    }

    private static void stop(final ChildJvm client, final ChildJvm server, final double loss)
    {
        client.send("");
        final String text = "loss " + loss + ", seed " + SEED + ": ";
        assertEquals(0, client.exitStatus(), () -> text + client.lines());
        System.out.println(text + client.lines());
        assertNull(client.valueOf(LossServer.WRONG), () -> text + client.lines());
        final List<String> copies =
            client.lines().stream().filter((line) -> line.startsWith(LossServer.STATE)).toList();
        assertEquals(LossClient.PLAYERS, copies.size(), () -> text + client.lines());
        assertTrue(server.lines().containsAll(copies), () -> text + client.lines() + " of " + server.lines());
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
