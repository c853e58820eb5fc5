package io.escapement.engine.internal.edge;

import io.escapement.engine.internal.queue.ControlSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The edge reads, keeps and answers no more of a client than it must; replies that clients wait for are not lost. */
class EdgeStrangersTest
{
    private static final int FRAGMENTS_PER_POLL = 4;

    @Test
    void shouldNotReadAConnectionThatIsGivenUp()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = new SteppedClient(edge);
        client.send(ClientMessages.goodbye());
        final int before = client.control.deliveries;
        for (int i = 0; i < 1_000; i++)
        {
            client.control.send(ClientMessages.keepalive());
        }
        edge.step(5);
        assertEquals(before, client.control.deliveries);
        // It is passed over once a second, because the driver keeps an image that has bytes left.
        edge.pass(TimeUnit.SECONDS.toNanos(1));
        assertEquals(1, client.control.skips);
        assertEquals(0, client.control.unread());
    }

    @Test
    void shouldPassOverALoopStreamThatIsGivenUp()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = new SteppedClient(edge);
        final MemoryTransport.MemoryImage image = client.connect(0);
        edge.pass(SteppedEdge.HANDSHAKE_NS);
        image.send(ClientMessages.attach(1, 1));
        edge.pass(TimeUnit.SECONDS.toNanos(1));
        assertEquals(0, image.deliveries);
        assertTrue(image.skips > 0);
        assertEquals(0, image.unread());
    }

    @Test
    void shouldTakeFewBytesBeforeWelcome()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = new SteppedClient(edge);
        client.hello();
        final byte[] batch = ClientMessages.joined(ClientMessages.keepalive(), ClientMessages.keepalive(),
            ClientMessages.keepalive(), ClientMessages.keepalive(), ClientMessages.keepalive());
        final int length = batch.length;
        for (int i = 0; i < 10_000; i++)
        {
            client.control.send(batch);
        }
        edge.step((int)(SteppedEdge.HANDSHAKE_NS / SteppedEdge.STEP_NS) / 2);
        final int read = client.control.deliveries * length;
        assertTrue(read <= 4_096 + FRAGMENTS_PER_POLL * length, "bytes read: " + read);
        assertEquals(0, edge.agent.handshakes());
        assertEquals(List.of("OUT_OF_ORDER"), edge.refusals());
    }

    @Test
    void shouldLeaveHandshakesForOtherHosts()
    {
        final SteppedEdge edge = new SteppedEdge();
        final List<SteppedClient> clients = new ArrayList<>();
        for (int i = 0; i < SteppedEdge.HANDSHAKE_LIMIT; i++)
        {
            final SteppedClient client = new SteppedClient(edge, "10.0.0.1");
            client.hello();
            clients.add(client);
        }
        assertEquals(List.of("Challenge"), clients.get(0).takeReplies());
        assertEquals(List.of("Challenge"), clients.get(1).takeReplies());
        assertEquals(List.of("TOO_MANY_HANDSHAKES", "TOO_MANY_HANDSHAKES"), edge.refusals());
        final SteppedClient other = new SteppedClient(edge, "10.0.0.2");
        other.hello();
        assertEquals(List.of("Challenge"), other.takeReplies());
    }

    @Test
    void shouldKeepAReserveForAttachedAndGoodbye()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        final MemoryTransport.MemoryImage image = client.connect(0);
        image.send(ClientMessages.attach(client.trunkId, client.attachToken));
        edge.step(3);
        fillReplies(edge, client);
        edge.signal(ControlSignal.ATTACHED, 0, 0);
        edge.step();
        edge.signal(ControlSignal.SLOW, 0, 0);
        edge.step();
        client.control.response.isBlocked = false;
        edge.step(2);
        final List<String> replies = client.takeReplies();
        assertEquals(
            List.of("Attached 0", "Goodbye SLOW_CONSUMER"), replies.subList(replies.size() - 2, replies.size()));
    }

    @Test
    void shouldKeepTheReplyToALogInUntilItFits()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        client.send(ClientMessages.logIn(1));
        fillReplies(edge, client);
        edge.logIns.get(0).onReply(0, 7);
        edge.step(5);
        client.control.response.isBlocked = false;
        edge.step(3);
        final List<String> replies = client.takeReplies();
        assertEquals("LogInReply 1 NONE", replies.get(replies.size() - 1));
    }

    @Test
    void shouldReplyForALogInServiceThatDoesNot()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < SteppedEdge.LOG_IN_LIMIT; i++)
            {
                client.send(ClientMessages.logIn(i));
            }
            client.send(ClientMessages.logIn(99));
            edge.step(3);
            assertEquals(List.of("LogInReply 99 LOG_IN_BUSY"), client.takeReplies());
            for (long waitedNs = 0; waitedNs < 2 * SteppedEdge.LOG_IN_NS; waitedNs += SteppedEdge.STEP_NS)
            {
                client.send(ClientMessages.keepalive());
                edge.step(1);
            }
            final List<String> replies = new ArrayList<>(client.takeReplies());
            replies.removeIf((reply) -> reply.startsWith("KeepaliveReply"));
            assertEquals(IntStream.range(0, SteppedEdge.LOG_IN_LIMIT)
                .mapToObj((i) -> "LogInReply " + i + " SERVICE_FAILED").toList(), replies);
        }
        // It replies at last, too late.
        edge.logIns.forEach((reply) -> reply.onReply(0, 7));
        edge.step(3);
        assertEquals(List.of(), client.takeReplies());
        assertEquals(List.of(), edge.errors);
    }

    @Test
    void shouldAnswerARepeatedAttachAgain()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        final MemoryTransport.MemoryImage image = client.attached(0, 0);
        image.send(ClientMessages.attach(client.trunkId, client.attachToken));
        edge.step(2);
        assertEquals(List.of("Attached 0"), client.takeReplies());
        image.send(ClientMessages.attach(client.trunkId, client.attachToken + 1));
        edge.step(2);
        assertEquals(List.of(), client.takeReplies());
        assertEquals(List.of("BAD_ATTACH"), edge.refusals());
    }

    /** Keepalives whose replies the client does not take, until the edge drops some. */
    private static void fillReplies(final SteppedEdge edge, final SteppedClient client)
    {
        client.control.response.isBlocked = true;
        while (0 == edge.counter("replies dropped"))
        {
            client.control.send(ClientMessages.joined(ClientMessages.keepalive(), ClientMessages.keepalive(),
                ClientMessages.keepalive(), ClientMessages.keepalive()));
            edge.step();
        }
    }
}
