package io.escapement.engine;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.AcceptedDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A client that asks for Accepted beside a client that does not, on one engine. */
class AcceptedWantedTest
{
    private static final byte[] NONE = {};
    private static final byte[] PAYLOAD = {1, 2, 3};
    private static final long PLAYER = 7;

    private final TestEngine engine = new TestEngine(new EngineContext().loops(1).roomType(EchoRoom.type()));
    private final RoomHandle room = engine.engine().openRoom(1);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();

    @AfterEach
    void close()
    {
        engine.close();
    }

    @Test
    void shouldSendAcceptedOnlyToClientsThatAskForIt()
    {
        try (RawTrunk silent = new RawTrunk(engine); RawTrunk asking = new RawTrunk(engine))
        {
            asking.isAcceptedWanted = true;
            int seat = 0;
            for (final RawTrunk trunk : List.of(silent, asking))
            {
                join(trunk, PLAYER + seat);
                trunk.sendMessage(0, room.roomId(), seat, 1, 7, PAYLOAD);
                trunk.awaitReceived("Event");
                // The answer to this message arrives after Accepted of the first message.
                trunk.sendMessage(0, room.roomId(), seat, 1, 1, PAYLOAD);
                trunk.awaitReceived("Refused " + RefusalCode.OLD_SEQUENCE.value());
                seat++;
            }
            final AcceptedDecoder accepted = new AcceptedDecoder().wrapAndApplyHeader(
                last(asking, AcceptedDecoder.TEMPLATE_ID, 32), 0, header);
            assertEquals(room.roomId(), accepted.roomId());
            assertEquals(1, accepted.seatIndex());
            assertEquals(1, accepted.generation());
            assertEquals(7, accepted.sequence());
            assertEquals(1, asking.count("template " + AcceptedDecoder.TEMPLATE_ID));
            assertEquals(0, silent.count("template " + AcceptedDecoder.TEMPLATE_ID));
        }
    }

    private void join(final RawTrunk trunk, final long playerId)
    {
        trunk.open(TrunkMessages.CONTROL_STREAM_ID);
        trunk.hello(TrunkMessages.PROTOCOL_VERSION);
        trunk.awaitReceived("Challenge");
        trunk.proof(trunk.rightProof());
        trunk.awaitReceived("Welcome false");
        trunk.open(TrunkMessages.loopStreamId(0));
        trunk.attach(0, trunk.trunkId, trunk.attachToken);
        trunk.awaitReceived("Attached 0");
        trunk.join(0, 1, room.roomId(), playerId, NONE);
        trunk.await("a seat", () -> trunk.received.get(trunk.received.size() - 1).startsWith("Joined"));
    }

    private static UnsafeBuffer last(final RawTrunk trunk, final int templateId, final int length)
    {
        for (int i = trunk.messages.size() - 1; i >= 0; i--)
        {
            final UnsafeBuffer message = new UnsafeBuffer(trunk.messages.get(i));
            if (templateId == SchemaRules.templateId(message, 0))
            {
                assertEquals(length, message.capacity(), Arrays.toString(trunk.messages.get(i)));
                return message;
            }
        }
        throw new AssertionError("no message " + templateId + " in " + trunk.received);
    }
}
