package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each mistake in a client's options ends with a line that says what to change. */
class HandshakeFailureTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        CONNECTING | false | false | the conductor of the Aeron client is invoked or has a thread
        CONNECTING | true  | false | this is its endpoint for streams
        CONNECTING | true  | false | admits terms of 262144 bytes
        GREETED    | true  | false | check that host:2 is its endpoint for responses
        GREETED    | true  | true  | or another version of the protocol
        PROVEN     | true  | true  | took the credentials and did not answer
        """)
    void shouldSayWhereTheHandshakeStoppedAndWhatToChange(
        final State state, final boolean isOpen, final boolean hasImage, final String remedy)
    {
        final SteppedTrunk trunk = new SteppedTrunk((context) -> context.udp("host:1", "host:2"));
        trunk.control().isOpen = isOpen;
        if (State.CONNECTING != state)
        {
            trunk.advanceTo(state);
        }
        trunk.control().hasImage = hasImage;
        assertEquals("", trunk.client.failure());
        trunk.step(TrunkContext.CONNECT_TIMEOUT_DEFAULT_NS + 1);
        assertEquals(List.of("down 133"), trunk.callbacks);
        final String failure = trunk.client.failure();
        assertTrue(failure.startsWith("the engine at host:1: HANDSHAKE_TIMEOUT: "), failure);
        assertTrue(failure.contains(remedy), failure);
        assertEquals(1, failure.lines().count());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        128  | PROTOCOL_VERSION    | use the same release
        129  | APPLICATION_VERSION | does not accept application version 5
        130  | BAD_CREDENTIALS     | identity "gateway-7": give both sides the same secret
        132  | TOO_MANY_TRUNKS     | raise its trunks.limit
        135  | UNKNOWN_TRUNK       | connect without a ticket
        149  | ENGINE_STOPPING     | connect to another, or later
        152  | NOT_LEADING         | give the client all members
        2000 | APPLICATION_2000    | it ended the handshake
        """)
    void shouldSayWhatToChangeAfterAReject(final int code, final String name, final String remedy)
    {
        final SteppedTrunk trunk = new SteppedTrunk((context) -> context.udp("host:1", "host:2"));
        trunk.advanceTo(State.PROVEN);
        trunk.control().deliver(Messages.reject(code));
        trunk.step();
        final String failure = trunk.client.failure();
        assertTrue(failure.startsWith("the engine at host:1: " + name + ": "), failure);
        assertTrue(failure.contains(remedy), failure);
    }

    /** The engine's own refusal of this client's Hello is such an answer too. */
    @Test
    void shouldNameAnEngineWithAnotherVersionOfTheSchema()
    {
        final SteppedTrunk trunk = new SteppedTrunk((context) -> context.udp("host:1", "host:2"));
        trunk.advanceTo(State.GREETED);
        final byte[] reject = Messages.reject(128);
        reject[6]++;
        trunk.control().deliver(reject);
        trunk.step();
        assertEquals(List.of("down 128"), trunk.callbacks);
        assertEquals("the engine at host:1: PROTOCOL_VERSION: it does not speak version 1 of the protocol, or has " +
            "another version of trunk.xml than 0: use the same release of escapement on both sides",
            trunk.client.failure());
    }

    @Test
    void shouldNotTakeTheEndOfATrunkForAFailedHandshake()
    {
        final SteppedTrunk trunk = SteppedTrunk.in(State.UP);
        trunk.control().deliver(Messages.reject(149));
        trunk.step();
        assertEquals(State.DOWN, trunk.client.state());
        assertEquals("", trunk.client.failure());
    }
}
