package io.escapement.engine;

import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.AcceptedDecoder;
import io.escapement.codecs.trunk.EntryRefusedDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.SeatResumedDecoder;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Clients with older versions of trunk.xml beside one with the engine's version, on one engine. */
class OlderClientTest
{
    private static final byte[] NONE = {};
    private static final byte[] PAYLOAD = {1, 2, 3};
    private static final long PLAYER = 7;
    /** The block lengths of version 0, from its schema. */
    private static final SchemaRules VERSION_0 = SchemaRules.of(702, 0, 0)
        .message(32, 2_048, 16).message(33, 2_048, 66).message(34, 2_048, 2).message(35, 2_048, 2)
        .message(36, 2_048, 20).data(64).message(37, 2_048, 16).message(38, 2_048, 20)
        .message(48, 16_384, 17).data(8_192).message(49, 16_384, 17).data(8_192)
        .message(50, 2_048, 40).message(51, 2_048, 24).message(52, 2_048, 17).message(53, 2_048, 17)
        .message(54, 2_048, 20).message(21, 2_048, 2)
        .build();

    private final TestEngine engine = new TestEngine(new EngineContext().loops(1).roomType(EchoRoom.type()));
    private final RoomHandle room = engine.engine().openRoom(1);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();

    @AfterEach
    void close()
    {
        engine.close();
    }

    @Test
    void shouldWriteTheVersionThatEachClientReads()
    {
        try (RawTrunk older = player(0, PLAYER); RawTrunk newer = player(1, PLAYER + 1))
        {
            refuse(older, 0);
            refuse(newer, 1);
            for (final byte[] message : older.messages)
            {
                assertEquals(0, VERSION_0.validate(new UnsafeBuffer(message), 0, message.length));
            }
            final UnsafeBuffer refused = last(older, RefusedDecoder.TEMPLATE_ID, 28);
            assertEquals(room.roomId(), refused.getLong(8, ByteOrder.LITTLE_ENDIAN));
            assertEquals(RefusalCode.OLD_SEQUENCE.value(), refused.getShort(26, ByteOrder.LITTLE_ENDIAN));
            last(older, EntryRefusedDecoder.TEMPLATE_ID, 28);

            for (final byte[] message : newer.messages)
            {
                assertEquals(1, SchemaRules.version(new UnsafeBuffer(message), 0));
                assertEquals(0, TrunkMessages.RULES.validate(new UnsafeBuffer(message), 0, message.length));
            }
            assertEquals(1, new RefusedDecoder().wrapAndApplyHeader(
                last(newer, RefusedDecoder.TEMPLATE_ID, 32), 0, header).seatIndex());
            assertEquals(1, new EntryRefusedDecoder().wrapAndApplyHeader(
                last(newer, EntryRefusedDecoder.TEMPLATE_ID, 32), 0, header).seatIndex());
        }
    }

    /** A version that has no field to ask for it never gets it. */
    @Test
    void shouldSendAcceptedOnlyToClientsThatAskForIt()
    {
        try (RawTrunk older = new RawTrunk(engine, 2); RawTrunk silent = new RawTrunk(engine, 3);
            RawTrunk asking = new RawTrunk(engine, 3))
        {
            older.isAcceptedWanted = true;
            asking.isAcceptedWanted = true;
            int seat = 0;
            for (final RawTrunk trunk : List.of(older, silent, asking))
            {
                join(trunk, PLAYER + seat);
                trunk.sendMessage(0, room.roomId(), seat, 1, 7, PAYLOAD);
                trunk.awaitReceived("Event");
                // The answer to this one comes behind Accepted of the first.
                trunk.sendMessage(0, room.roomId(), seat, 1, 1, PAYLOAD);
                trunk.awaitReceived("Refused " + RefusalCode.OLD_SEQUENCE.value());
                seat++;
            }
            final AcceptedDecoder accepted = new AcceptedDecoder().wrapAndApplyHeader(
                last(asking, AcceptedDecoder.TEMPLATE_ID, 32), 0, header);
            assertEquals(room.roomId(), accepted.roomId());
            assertEquals(2, accepted.seatIndex());
            assertEquals(1, accepted.generation());
            assertEquals(7, accepted.sequence());
            assertEquals(1, asking.count("template " + AcceptedDecoder.TEMPLATE_ID));
            assertEquals(0, older.count("template " + AcceptedDecoder.TEMPLATE_ID));
            assertEquals(0, silent.count("template " + AcceptedDecoder.TEMPLATE_ID));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldTakeTheVersionOfTheConnectionThatResumes(final int version)
    {
        try (RawTrunk first = player(1 - version, PLAYER); RawTrunk second = new RawTrunk(engine, version))
        {
            second.open(TrunkMessages.CONTROL_STREAM_ID);
            second.hello(TrunkMessages.PROTOCOL_VERSION);
            second.awaitReceived("Challenge");
            second.resume(first.trunkId, first.resumeHigh, first.resumeLow);
            second.awaitReceived("Welcome true");
            second.open(TrunkMessages.loopStreamId(0));
            second.attach(0, second.trunkId, second.attachToken);
            second.awaitReceived("template " + SeatResumedDecoder.TEMPLATE_ID);
            final UnsafeBuffer resumed = last(second, SeatResumedDecoder.TEMPLATE_ID, 0 == version ? 32 : 40);
            assertEquals(0 == version ? 0 : PLAYER,
                new SeatResumedDecoder().wrapAndApplyHeader(resumed, 0, header).playerId());
            for (final byte[] message : second.messages)
            {
                assertEquals(version, SchemaRules.version(new UnsafeBuffer(message), 0));
            }
        }
    }

    /** An attached trunk with a seat, which has received an event. */
    private RawTrunk player(final int version, final long playerId)
    {
        final RawTrunk trunk = new RawTrunk(engine, version);
        join(trunk, playerId);
        return trunk;
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

    private void refuse(final RawTrunk trunk, final int seatIndex)
    {
        trunk.sendMessage(0, room.roomId(), seatIndex, 1, 1, PAYLOAD);
        trunk.awaitReceived("Event");
        trunk.sendMessage(0, room.roomId(), seatIndex, 1, 1, PAYLOAD);
        trunk.awaitReceived("Refused " + RefusalCode.OLD_SEQUENCE.value());
        trunk.sendMessage(0, 5L << 54, seatIndex, 1, 2, PAYLOAD);
        trunk.awaitReceived("EntryRefused " + RefusalCode.UNKNOWN_ROOM.value());
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
