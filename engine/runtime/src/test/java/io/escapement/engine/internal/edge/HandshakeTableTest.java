package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Every control message in every state of a connection: the reply, the refusal that is counted, the next state. */
class HandshakeTableTest
{
    @ParameterizedTest(name = "{0}: {1} -> {2}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        NEW        | HELLO          | CHALLENGED | Challenge                  | -
        NEW        | HELLO_VERSION  | ENDING     | Reject PROTOCOL_VERSION    | PROTOCOL_VERSION
        NEW        | HELLO_SCHEMA   | ENDING     | Reject PROTOCOL_VERSION    | PROTOCOL_VERSION, UNKNOWN_VERSION
        NEW        | PROOF          | NEW        | -                          | OUT_OF_ORDER
        NEW        | BAD_PROOF      | NEW        | -                          | OUT_OF_ORDER
        NEW        | RESUME         | NEW        | -                          | OUT_OF_ORDER
        NEW        | STAND          | NEW        | -                          | OUT_OF_ORDER
        NEW        | LOG_IN         | NEW        | -                          | OUT_OF_ORDER
        NEW        | FEED           | NEW        | -                          | OUT_OF_ORDER
        NEW        | KEEPALIVE      | NEW        | -                          | -
        NEW        | GOODBYE        | ENDING     | -                          | -
        NEW        | ATTACH         | NEW        | -                          | WRONG_STREAM
        NEW        | MALFORMED      | NEW        | -                          | BAD_BLOCK_LENGTH
        NEW        | FRAGMENT       | NEW        | -                          | NOT_UNFRAGMENTED
        CHALLENGED | HELLO          | CHALLENGED | -                          | OUT_OF_ORDER
        CHALLENGED | HELLO_VERSION  | CHALLENGED | -                          | OUT_OF_ORDER
        CHALLENGED | HELLO_SCHEMA   | CHALLENGED | -                          | UNKNOWN_VERSION
        CHALLENGED | PROOF          | WELCOMED   | Welcome                    | -
        CHALLENGED | BAD_PROOF      | ENDING     | Reject BAD_CREDENTIALS     | BAD_CREDENTIALS
        CHALLENGED | RESUME         | ENDING     | Reject UNKNOWN_TRUNK       | UNKNOWN_TRUNK
        CHALLENGED | STAND          | STANDBY    | Standby at 0, which leads in 0 | -
        CHALLENGED | BAD_STAND      | ENDING     | Reject BAD_CREDENTIALS     | BAD_CREDENTIALS
        CHALLENGED | LOG_IN         | CHALLENGED | -                          | OUT_OF_ORDER
        CHALLENGED | FEED           | CHALLENGED | -                          | OUT_OF_ORDER
        CHALLENGED | KEEPALIVE      | CHALLENGED | -                          | -
        CHALLENGED | GOODBYE        | ENDING     | -                          | -
        CHALLENGED | ATTACH         | CHALLENGED | -                          | WRONG_STREAM
        CHALLENGED | MALFORMED      | CHALLENGED | -                          | BAD_BLOCK_LENGTH
        CHALLENGED | FRAGMENT       | CHALLENGED | -                          | NOT_UNFRAGMENTED
        VERIFYING  | HELLO          | VERIFYING  | -                          | OUT_OF_ORDER
        VERIFYING  | HELLO_VERSION  | VERIFYING  | -                          | OUT_OF_ORDER
        VERIFYING  | HELLO_SCHEMA   | VERIFYING  | -                          | UNKNOWN_VERSION
        VERIFYING  | PROOF          | VERIFYING  | -                          | OUT_OF_ORDER
        VERIFYING  | BAD_PROOF      | VERIFYING  | -                          | OUT_OF_ORDER
        VERIFYING  | RESUME         | VERIFYING  | -                          | OUT_OF_ORDER
        VERIFYING  | STAND          | VERIFYING  | -                          | OUT_OF_ORDER
        VERIFYING  | LOG_IN         | VERIFYING  | -                          | OUT_OF_ORDER
        VERIFYING  | FEED           | VERIFYING  | -                          | OUT_OF_ORDER
        VERIFYING  | KEEPALIVE      | VERIFYING  | -                          | -
        VERIFYING  | GOODBYE        | ENDING     | -                          | -
        VERIFYING  | ATTACH         | VERIFYING  | -                          | WRONG_STREAM
        VERIFYING  | MALFORMED      | VERIFYING  | -                          | BAD_BLOCK_LENGTH
        VERIFYING  | FRAGMENT       | VERIFYING  | -                          | NOT_UNFRAGMENTED
        STANDBY    | HELLO          | STANDBY    | -                          | OUT_OF_ORDER
        STANDBY    | HELLO_VERSION  | STANDBY    | -                          | OUT_OF_ORDER
        STANDBY    | HELLO_SCHEMA   | STANDBY    | -                          | UNKNOWN_VERSION
        STANDBY    | PROOF          | WELCOMED   | Welcome                    | -
        STANDBY    | BAD_PROOF      | ENDING     | Reject BAD_CREDENTIALS     | BAD_CREDENTIALS
        STANDBY    | RESUME         | STANDBY    | Reject UNKNOWN_TRUNK       | UNKNOWN_TRUNK
        STANDBY    | STAND          | STANDBY    | -                          | OUT_OF_ORDER
        STANDBY    | LOG_IN         | STANDBY    | -                          | OUT_OF_ORDER
        STANDBY    | FEED           | STANDBY    | -                          | OUT_OF_ORDER
        STANDBY    | KEEPALIVE      | STANDBY    | KeepaliveReply             | -
        STANDBY    | GOODBYE        | ENDING     | -                          | -
        STANDBY    | ATTACH         | STANDBY    | -                          | WRONG_STREAM
        STANDBY    | MALFORMED      | STANDBY    | -                          | BAD_BLOCK_LENGTH
        STANDBY    | FRAGMENT       | STANDBY    | -                          | NOT_UNFRAGMENTED
        WELCOMED   | HELLO          | WELCOMED   | -                          | OUT_OF_ORDER
        WELCOMED   | HELLO_VERSION  | WELCOMED   | -                          | OUT_OF_ORDER
        WELCOMED   | HELLO_SCHEMA   | WELCOMED   | -                          | UNKNOWN_VERSION
        WELCOMED   | PROOF          | WELCOMED   | -                          | OUT_OF_ORDER
        WELCOMED   | BAD_PROOF      | WELCOMED   | -                          | OUT_OF_ORDER
        WELCOMED   | RESUME         | WELCOMED   | -                          | OUT_OF_ORDER
        WELCOMED   | STAND          | WELCOMED   | -                          | OUT_OF_ORDER
        WELCOMED   | LOG_IN         | WELCOMED   | -                          | -
        WELCOMED   | FEED           | WELCOMED   | EntryRefused 7 NO_FEED     | NO_FEED
        WELCOMED   | KEEPALIVE      | WELCOMED   | KeepaliveReply             | -
        WELCOMED   | GOODBYE        | ENDING     | -                          | -
        WELCOMED   | ATTACH         | WELCOMED   | -                          | WRONG_STREAM
        WELCOMED   | MALFORMED      | WELCOMED   | -                          | BAD_BLOCK_LENGTH
        WELCOMED   | FRAGMENT       | WELCOMED   | -                          | NOT_UNFRAGMENTED
        ENDING     | HELLO          | ENDING     | -                          | -
        ENDING     | HELLO_VERSION  | ENDING     | -                          | -
        ENDING     | PROOF          | ENDING     | -                          | -
        ENDING     | BAD_PROOF      | ENDING     | -                          | -
        ENDING     | RESUME         | ENDING     | -                          | -
        ENDING     | STAND          | ENDING     | -                          | -
        ENDING     | LOG_IN         | ENDING     | -                          | -
        ENDING     | FEED           | ENDING     | -                          | -
        ENDING     | KEEPALIVE      | ENDING     | -                          | -
        ENDING     | GOODBYE        | ENDING     | -                          | -
        ENDING     | ATTACH         | ENDING     | -                          | -
        ENDING     | MALFORMED      | ENDING     | -                          | -
        ENDING     | FRAGMENT       | ENDING     | -                          | -
        """)
    void shouldFollowTheTable(
        final ControlStream.State from,
        final String message,
        final ControlStream.State to,
        final String reply,
        final String refusal)
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = clientIn(edge, from);
        send(client, message);
        assertEquals(null == reply ? List.of() : List.of(reply), client.takeReplies(), "replies");
        assertEquals(null == refusal ? List.of() : List.of(refusal.split(", ")), edge.refusals(), "refusals");
        assertEquals(to, state(edge, client), "next state");
    }

    private static SteppedClient clientIn(final SteppedEdge edge, final ControlStream.State state)
    {
        final SteppedClient client = new SteppedClient(edge);
        edge.isAuthenticatorHeld = ControlStream.State.VERIFYING == state;
        if (ControlStream.State.NEW != state && ControlStream.State.ENDING != state)
        {
            client.hello();
        }
        if (ControlStream.State.VERIFYING == state || ControlStream.State.WELCOMED == state)
        {
            client.send(ClientMessages.proof("right"));
        }
        if (ControlStream.State.STANDBY == state)
        {
            client.send(ClientMessages.stand("right"));
        }
        if (ControlStream.State.ENDING == state)
        {
            client.send(ClientMessages.goodbye());
        }
        client.takeReplies();
        return client;
    }

    private static void send(final SteppedClient client, final String message)
    {
        switch (message)
        {
            case "HELLO" -> client.hello();
            case "HELLO_VERSION" -> client.send(
                ClientMessages.hello(TrunkMessages.PROTOCOL_VERSION + 1, SteppedClient.IDENTITY));
            case "HELLO_SCHEMA" -> client.send(ClientMessages.helloOfVersion(99));
            case "PROOF" -> client.send(ClientMessages.proof("right"));
            case "BAD_PROOF" -> client.send(ClientMessages.proof("wrong"));
            case "RESUME" -> client.resume("right");
            case "STAND" -> client.send(ClientMessages.stand("right"));
            case "BAD_STAND" -> client.send(ClientMessages.stand("wrong"));
            case "LOG_IN" -> client.send(ClientMessages.logIn(1));
            case "FEED" -> client.send(ClientMessages.feed(7, 0, 1, false));
            case "KEEPALIVE" -> client.send(ClientMessages.keepalive());
            case "GOODBYE" -> client.send(ClientMessages.goodbye());
            case "ATTACH" -> client.send(ClientMessages.attach(1, 1));
            case "MALFORMED" -> client.send(ClientMessages.malformed());
            case "FRAGMENT" -> client.sendFragmented(ClientMessages.keepalive());
            default -> throw new AssertionError(message);
        }
    }

    /** The state, from what it holds; NEW and ENDING hold nothing, but only NEW takes a Hello. */
    private static ControlStream.State state(final SteppedEdge edge, final SteppedClient client)
    {
        if (1 == edge.agent.handshakes())
        {
            assertEquals(1, edge.transport.open(), "publications");
            return edge.authentications.isEmpty() ? ControlStream.State.CHALLENGED : ControlStream.State.VERIFYING;
        }
        if (1 == edge.counter("trunks up"))
        {
            assertEquals(1, edge.transport.open(), "publications");
            return ControlStream.State.WELCOMED;
        }
        if (1 == edge.transport.open())
        {
            return ControlStream.State.STANDBY;
        }
        assertEquals(0, edge.transport.open(), "publications");
        assertEquals(0, edge.agent.held(), "held");
        client.hello();
        return 1 == edge.agent.handshakes() ? ControlStream.State.NEW : ControlStream.State.ENDING;
    }
}
