package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each mistake of a client is a line on the engine's side, with the option to change, at most once in ten seconds. */
class HandshakeWarningsTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        wrong secret      | BAD_CREDENTIALS: give both sides the same secret
        other protocol    | PROTOCOL_VERSION: it does not speak version 1
        other schema      | PROTOCOL_VERSION: it does not speak version 1
        no Hello          | HANDSHAKE_TIMEOUT: it sent no Hello
        no proof          | HANDSHAKE_TIMEOUT: it did not answer the challenge
        no verdict        | HANDSHAKE_TIMEOUT: the authenticator did not return
        wrong response    | HANDSHAKE_TIMEOUT: its response channel did not connect
        wrong response 2  | HANDSHAKE_TIMEOUT: its response channel did not connect
        too many trunks   | TOO_MANY_TRUNKS: all are in use
        too many at once  | TOO_MANY_HANDSHAKES: too many are open
        """)
    void shouldNameTheMistake(final String mistake, final String line)
    {
        final SteppedEdge edge = new SteppedEdge();
        make(mistake, edge);
        assertEquals(1, edge.warnings.size(), edge.warnings::toString);
        assertTrue(edge.warnings.get(0).contains(line), edge.warnings::toString);
    }

    @Test
    void shouldNotNameAClientThatConnectsAgainWithinItsHandshake()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = new SteppedClient(edge);
        client.hello();
        client.control.response.isConnected = false;
        client.disconnect();
        edge.pass(Handshakes.GIVE_UP_NS);
        SteppedClient.welcomed(edge);
        edge.pass(Handshakes.TIMEOUT_NS);
        assertEquals(List.of(), edge.warnings);
    }

    @Test
    void shouldNameAReasonOnceInTenSeconds()
    {
        final SteppedEdge edge = new SteppedEdge();
        for (int i = 0; i < 10; i++)
        {
            make("wrong secret", edge);
        }
        assertEquals(1, edge.warnings.size(), edge.warnings::toString);
        edge.pass(HandshakeWarnings.INTERVAL_NS);
        make("wrong secret", edge);
        assertEquals(2, edge.warnings.size(), edge.warnings::toString);
        assertTrue(edge.warnings.get(1).endsWith(" (and 9 others before)"), edge.warnings::toString);
    }

    @Test
    void shouldNotLetAStrangerForgeALine()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = new SteppedClient(edge);
        client.send(ClientMessages.hello(TrunkMessages.PROTOCOL_VERSION, "x\nERROR \u001b[2J"));
        client.send(ClientMessages.proof("wrong"));
        assertTrue(edge.warnings.get(0).contains("identity \"x?ERROR ?[2J\""), edge.warnings::toString);
    }

    private static void make(final String mistake, final SteppedEdge edge)
    {
        final SteppedClient client = new SteppedClient(edge);
        switch (mistake)
        {
            case "wrong secret" ->
            {
                client.hello();
                client.send(ClientMessages.proof("wrong"));
                client.disconnect();
            }
            case "other protocol" -> client.send(
                ClientMessages.hello(TrunkMessages.PROTOCOL_VERSION + 1, SteppedClient.IDENTITY));
            case "other schema" -> client.send(ClientMessages.helloOfVersion(99));
            case "no Hello" -> edge.pass(SteppedEdge.HANDSHAKE_NS);
            case "no proof" ->
            {
                client.hello();
                edge.pass(SteppedEdge.HANDSHAKE_NS);
            }
            case "no verdict" ->
            {
                edge.isAuthenticatorHeld = true;
                client.hello();
                client.send(ClientMessages.proof("right"));
                edge.pass(SteppedEdge.HANDSHAKE_NS);
            }
            case "wrong response" ->
            {
                client.hello();
                client.control.response.isConnected = false;
                edge.pass(SteppedEdge.HANDSHAKE_NS);
            }
            case "wrong response 2" ->
            {
                client.hello();
                client.control.response.isConnected = false;
                edge.pass(Handshakes.GIVE_UP_NS + 1);
                client.disconnect();
            }
            case "too many trunks" ->
            {
                for (int i = 0; i < SteppedEdge.TRUNK_LIMIT; i++)
                {
                    SteppedClient.welcomed(edge);
                }
                client.hello();
                client.send(ClientMessages.proof("right"));
            }
            case "too many at once" ->
            {
                for (int i = 0; i < SteppedEdge.HANDSHAKE_LIMIT; i++)
                {
                    new SteppedClient(edge).hello();
                }
                client.hello();
            }
            default -> throw new AssertionError(mistake);
        }
    }
}
