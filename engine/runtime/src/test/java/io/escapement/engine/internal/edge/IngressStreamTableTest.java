package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.engine.internal.queue.ControlSignal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every event in every state of a link to a loop: the signal to the loop, the publication, whether it is read. */
class IngressStreamTableTest
{
    private SteppedClient standby;

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        # state    | event         | signal | publication | read  | refusal
        UNBOUND    | ATTACH        | ATTACH | READY       | true  | -
        UNBOUND    | ATTACH_TOKEN  | -      | -           | true  | BAD_ATTACH
        UNBOUND    | ATTACH_TRUNK  | -      | -           | true  | BAD_ATTACH
        UNBOUND    | SEND          | -      | -           | true  | NOT_ATTACHED
        UNBOUND    | IMAGE_GONE    | -      | -           | false | -
        UNBOUND    | TRUNK_GONE    | -      | -           | true  | -
        UNBOUND    | TIMEOUT       | -      | -           | false | HANDSHAKE_TIMEOUT
        UNBOUND    | ATTACHED      | -      | -           | true  | -
        UNBOUND    | DETACHED      | -      | -           | true  | -
        UNBOUND    | STANDBY       | -      | READY       | true  | -
        UNBOUND    | STANDBY_TOKEN | -      | -           | true  | BAD_ATTACH
        STANDBY    | STANDBY       | -      | READY       | true  | -
        STANDBY    | ATTACH        | ATTACH | READY       | true  | -
        STANDBY    | ATTACH_TOKEN  | -      | READY       | true  | BAD_ATTACH
        STANDBY    | SEND          | -      | READY       | true  | NOT_ATTACHED
        STANDBY    | IMAGE_GONE    | -      | CLOSED      | false | -
        STANDBY    | TRUNK_GONE    | -      | READY       | true  | -
        STANDBY    | CLIENT_GONE   | -      | CLOSED      | false | -
        STANDBY    | STANDBY_TOKEN | -      | READY       | true  | BAD_ATTACH
        STANDBY    | TIMEOUT       | -      | READY       | true  | -
        STANDBY    | ATTACHED      | -      | READY       | true  | -
        STANDBY    | DETACHED      | -      | READY       | true  | -
        CONNECTING | ATTACH        | -      | PENDING     | true  | -
        CONNECTING | SEND          | -      | PENDING     | true  | NOT_ATTACHED
        CONNECTING | MADE          | ATTACH | READY       | true  | -
        CONNECTING | REFUSED       | -      | CLOSED      | false | -
        CONNECTING | IMAGE_GONE    | -      | PENDING     | false | -
        CONNECTING | TRUNK_GONE    | -      | PENDING     | false | -
        CONNECTING | TIMEOUT       | -      | PENDING     | true  | -
        CONNECTING | ATTACHED      | -      | PENDING     | true  | -
        CONNECTING | DETACHED      | -      | PENDING     | true  | -
        CANCELLED  | MADE          | -      | CLOSED      | false | -
        CANCELLED  | REFUSED       | -      | CLOSED      | false | -
        CANCELLED  | TRUNK_GONE    | -      | PENDING     | false | -
        OFFERED    | ATTACH        | -      | READY       | true  | -
        OFFERED    | SEND          | -      | READY       | true  | NOT_ATTACHED
        OFFERED    | IMAGE_GONE    | DETACH | READY       | false | -
        OFFERED    | TRUNK_GONE    | DETACH | READY       | false | -
        OFFERED    | ATTACHED      | -      | READY       | true  | -
        OFFERED    | DETACHED      | -      | READY       | true  | -
        ATTACHED   | ATTACH        | -      | READY       | true  | -
        ATTACHED   | SEND          | -      | READY       | true  | -
        ATTACHED   | IMAGE_GONE    | DETACH | READY       | false | -
        ATTACHED   | TRUNK_GONE    | DETACH | READY       | false | -
        ATTACHED   | TIMEOUT       | -      | READY       | true  | -
        ATTACHED   | ATTACHED      | -      | READY       | true  | -
        ATTACHED   | DETACHED      | -      | READY       | true  | -
        DETACHING  | IMAGE_GONE    | -      | READY       | false | -
        DETACHING  | TRUNK_GONE    | -      | READY       | false | -
        DETACHING  | ATTACHED      | -      | READY       | false | -
        DETACHING  | DETACHED      | -      | CLOSED      | false | -
        """)
    void shouldFollowTheTable(
        final IngressStream.State from,
        final String event,
        final String signal,
        final StreamPublication.State publication,
        final boolean isRead,
        final String refusal)
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        final MemoryTransport.MemoryImage image = linkIn(edge, client, from);
        final List<String> before = edge.refusals();
        apply(edge, client, image, event);
        assertEquals(null == signal ? List.of() : List.of(signal), edge.takeSignals(0), "signals");
        assertEquals(publication, null == image.response ? null : image.response.state, "publication");
        final List<String> refusals = new ArrayList<>(edge.refusals());
        before.forEach(refusals::remove);
        assertEquals(null == refusal ? List.of() : List.of(refusal), refusals, "refusals");
        image.send(ClientMessages.malformed());
        edge.step();
        assertEquals(isRead ? 0 : 1, image.unread(), "unread fragments");
    }

    @Test
    void shouldAttachAgainAsAResumeOnlyAfterTheLoopHasReleasedTheOldPublication()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        final MemoryTransport.MemoryImage old = client.attached(0, 0);
        assertEquals(List.of("ATTACH"), edge.takeSignals(0));
        edge.transport.disconnect(old);
        edge.step();
        assertEquals(List.of("DETACH"), edge.takeSignals(0));
        final MemoryTransport.MemoryImage image = client.connect(0);
        image.send(ClientMessages.attach(client.trunkId, client.attachToken));
        edge.step(5);
        assertEquals(List.of(), edge.takeSignals(0), "the loop has the old publication");
        edge.takeSignals(0);
        edge.release(0);
        edge.step(2);
        assertEquals(List.of("ATTACH"), edge.takeSignals(0));
        assertEquals(StreamPublication.State.CLOSED, old.response.state);
        assertEquals(StreamPublication.State.READY, image.response.state);
    }

    @Test
    void shouldOfferNoPublicationBeforeItIsConnected()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        final MemoryTransport.MemoryImage image = client.connect(0);
        image.send(ClientMessages.attach(client.trunkId, client.attachToken));
        edge.transport.isHoldingResponses = true;
        edge.step();
        image.response.isConnected = false;
        edge.transport.make(image.response);
        edge.step(5);
        assertEquals(List.of(), edge.takeSignals(0));
        image.response.isConnected = true;
        edge.step();
        assertEquals(List.of("ATTACH"), edge.takeSignals(0));
    }

    @Test
    void shouldRefuseASecondAttachOfATrunkToALoop()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        client.attached(0, 0);
        final MemoryTransport.MemoryImage second = client.connect(0);
        second.send(ClientMessages.attach(client.trunkId, client.attachToken));
        edge.step(2);
        assertEquals(List.of("BAD_ATTACH"), edge.refusals());
        assertEquals(null, second.response);
        client.attached(1, 0);
    }

    @Test
    void shouldRepeatASignalThatAFullInboxRefused()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        edge.fillInbox(0);
        final MemoryTransport.MemoryImage image = client.connect(0);
        image.send(ClientMessages.attach(client.trunkId, client.attachToken));
        edge.step(5);
        edge.takeSignals(0);
        edge.step();
        assertEquals(List.of("ATTACH"), edge.takeSignals(0));
        edge.fillInbox(0);
        edge.transport.disconnect(image);
        edge.step(5);
        edge.takeSignals(0);
        edge.step(5);
        assertEquals(List.of("DETACH"), edge.takeSignals(0), "once");
        assertTrue(edge.agent.held() > 0);
    }

    private MemoryTransport.MemoryImage linkIn(
        final SteppedEdge edge, final SteppedClient client, final IngressStream.State state)
    {
        final boolean isHeld = IngressStream.State.CONNECTING == state || IngressStream.State.CANCELLED == state;
        edge.transport.isHoldingResponses = isHeld;
        final MemoryTransport.MemoryImage image = edge.transport.connect(TrunkMessages.loopStreamId(0));
        edge.step();
        if (IngressStream.State.UNBOUND == state)
        {
            return image;
        }
        if (IngressStream.State.STANDBY == state)
        {
            standby = SteppedClient.standingBy(edge);
            image.send(ClientMessages.attach(TrunkMessages.NO_TRUNK, standby.standbyToken));
            edge.step(3);
            return image;
        }
        image.send(ClientMessages.attach(client.trunkId, client.attachToken));
        edge.step(3);
        if (IngressStream.State.ATTACHED == state)
        {
            edge.signal(ControlSignal.ATTACHED, 0, 0);
            edge.step();
        }
        if (IngressStream.State.CANCELLED == state || IngressStream.State.DETACHING == state)
        {
            edge.transport.disconnect(image);
            edge.step();
        }
        edge.takeSignals(0);
        return image;
    }

    private void apply(
        final SteppedEdge edge,
        final SteppedClient client,
        final MemoryTransport.MemoryImage image,
        final String event)
    {
        switch (event)
        {
            case "ATTACH" -> image.send(ClientMessages.attach(client.trunkId, client.attachToken));
            case "ATTACH_TOKEN" -> image.send(ClientMessages.attach(client.trunkId, client.attachToken + 1));
            case "ATTACH_TRUNK" -> image.send(ClientMessages.attach(client.trunkId + 1, client.attachToken));
            case "STANDBY" ->
            {
                standby = null == standby ? SteppedClient.standingBy(edge) : standby;
                image.send(ClientMessages.attach(TrunkMessages.NO_TRUNK, standby.standbyToken));
            }
            case "STANDBY_TOKEN" -> image.send(ClientMessages.attach(TrunkMessages.NO_TRUNK, 0));
            case "CLIENT_GONE" -> standby.disconnect();
            case "SEND" -> image.send(ClientMessages.send(SteppedEdge.roomId(0), 0, 1));
            case "IMAGE_GONE" -> edge.transport.disconnect(image);
            case "TRUNK_GONE" -> client.disconnect();
            case "MADE" -> edge.transport.make(image.response);
            case "REFUSED" -> edge.transport.refuse(image.response);
            case "TIMEOUT" -> edge.pass(SteppedEdge.HANDSHAKE_NS);
            case "ATTACHED" -> edge.signal(ControlSignal.ATTACHED, 0, 0);
            case "DETACHED" ->
            {
                edge.transport.responses.forEach((response) -> response.isWithLoop = false);
                edge.signal(ControlSignal.DETACHED, 0, 0);
            }
            default -> throw new AssertionError(event);
        }
        edge.step(3);
    }
}
