package io.escapement.engine;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.KeepaliveDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Invalid messages of a trunk: the reply, and the counter. After each test an honest trunk is still served, the room
 * has received only valid messages, and the engine has reported no fault.
 */
class BadInputTest
{
    private static final int TYPE = 1;
    private static final int SEATS = 3;
    private static final byte[] PAYLOAD = new byte[8];
    private static final byte[] NONE = {};
    /** Of the first message of a Send that begins a batch. */
    private static final int PAYLOAD_LENGTH_OFFSET = TrunkMessages.ENTRY_HEADER_LENGTH +
        MessageHeaderDecoder.ENCODED_LENGTH + SendDecoder.BLOCK_LENGTH + SendDecoder.MessagesDecoder.HEADER_SIZE +
        SendDecoder.MessagesDecoder.sbeBlockLength();

    private final AtomicInteger messages = new AtomicInteger();
    private final CachedNanoClock clock = new CachedNanoClock();
    private final TestEngine engine = new TestEngine(new EngineContext()
        .loops(1)
        .roomType(RoomType.of(TYPE, "counting", 1, Counting::new).seats(SEATS))
        .clock(clock)
        .trunks(new TrunkServerContext().rates(5_000, 1_000)
            .playerTokenNs(TimeUnit.SECONDS.toNanos(1))
            .logInService((trunkId, credentials, reply) -> reply.onReply(0, credentials[0]))
            .secret(TestTrunk.SECRET, false)));
    private final RoomHandle room = engine.engine().openRoom(TYPE);
    private final RawTrunk honest = player(RawTrunk.attached(engine, 0), 1);
    private int sent;

    @AfterEach
    void shouldStillServeTheHonestTrunk()
    {
        final long before = honest.count("Event");
        honest.sendMessage(0, room.roomId(), 0, 1, ++sent, PAYLOAD);
        engine.await("the honest one's message", honest::poll, () -> honest.count("Event") > before);
        assertEquals(sent, messages.get(), "the room has seen the honest one's messages alone");
        honest.close();
        engine.close();
    }

    @Test
    void shouldRejectAWrongProof()
    {
        try (RawTrunk raw = greeted())
        {
            final byte[] proof = raw.rightProof();
            proof[5] ^= 1;
            raw.proof(proof);
            raw.awaitReceived("Reject " + TrunkCode.BAD_CREDENTIALS.value());
            assertCounted(TrunkCode.BAD_CREDENTIALS, 1);
            // The same connection permits no second attempt.
            raw.proof(raw.rightProof());
            honest.keepalive();
            honest.awaitReceived("template 37");
            raw.poll();
            assertEquals(0, raw.count("Welcome false"));
        }
    }

    @Test
    void shouldRejectAnotherVersionOfTheProtocol()
    {
        try (RawTrunk raw = new RawTrunk(engine))
        {
            raw.open(TrunkMessages.CONTROL_STREAM_ID);
            raw.hello(99);
            raw.awaitReceived("Reject " + TrunkCode.PROTOCOL_VERSION.value());
            assertCounted(TrunkCode.PROTOCOL_VERSION, 1);
        }
    }

    @Test
    void shouldRejectAResumeOfAnotherTrunk()
    {
        try (RawTrunk raw = greeted())
        {
            raw.resume(4_711, 1, 2);
            raw.awaitReceived("Reject " + TrunkCode.UNKNOWN_TRUNK.value());
        }
        try (RawTrunk raw = greeted())
        {
            raw.resume(honest.trunkId, honest.resumeHigh, honest.resumeLow + 1);
            raw.awaitReceived("Reject " + TrunkCode.UNKNOWN_TRUNK.value());
            assertCounted(TrunkCode.UNKNOWN_TRUNK, 2);
        }
    }

    @Test
    void shouldNotAttachToAnotherTrunk()
    {
        try (RawTrunk raw = RawTrunk.welcome(engine))
        {
            // A trunk that could be attached with the right token.
            raw.open(TrunkMessages.loopStreamId(0));
            raw.attach(0, raw.trunkId, raw.attachToken + 1);
            raw.await("a count", () -> 1 == edge("BAD_ATTACH"));
            // The right token, but the trunk is attached already.
            raw.attach(0, honest.trunkId, honest.attachToken);
            raw.await("a count", () -> 2 == edge("BAD_ATTACH"));
            raw.sendMessage(0, room.roomId(), 0, 1, 1, PAYLOAD);
            raw.await("a count", () -> 1 == edge("NOT_ATTACHED"));
        }
    }

    @Test
    void shouldRefuseEntriesBeforeTheLoopIsAttached()
    {
        try (RawTrunk raw = new RawTrunk(engine))
        {
            raw.open(TrunkMessages.loopStreamId(0));
            raw.sendMessage(0, room.roomId(), 0, 1, 1, PAYLOAD);
            raw.await("a count", () -> 1 == edge("NOT_ATTACHED"));
        }
    }

    @Test
    void shouldRefuseSeatsThatAreNotItsOwn()
    {
        try (RawTrunk raw = player(RawTrunk.attached(engine, 0), 2))
        {
            // The honest one's seat, one of another generation, one that never was.
            raw.sendMessage(0, room.roomId(), 0, 1, 1_000, PAYLOAD);
            raw.awaitReceived("Refused " + RefusalCode.FOREIGN_SEAT.value());
            assertLoopCounted(RefusalCode.FOREIGN_SEAT, 1);
            raw.sendMessage(0, room.roomId(), 1, 9, 1, PAYLOAD);
            raw.awaitReceived("Refused " + RefusalCode.STALE_SEAT.value());
            raw.sendMessage(0, room.roomId(), 60_000, 1, 1, PAYLOAD);
            raw.await("an answer", () -> 2 == raw.count("Refused " + RefusalCode.STALE_SEAT.value()));
            assertLoopCounted(RefusalCode.STALE_SEAT, 2);
            raw.leave(0, room.roomId(), 0, 1);
            raw.await("an answer", () -> 2 == raw.count("Refused " + RefusalCode.FOREIGN_SEAT.value()));
        }
    }

    @Test
    void shouldRefuseAnOldSequence()
    {
        try (RawTrunk raw = player(RawTrunk.attached(engine, 0), 2))
        {
            raw.sendMessage(0, room.roomId(), 1, 1, 5, PAYLOAD);
            raw.awaitReceived("Event");
            sent++;
            raw.sendMessage(0, room.roomId(), 1, 1, 5, PAYLOAD);
            raw.awaitReceived("Refused " + RefusalCode.OLD_SEQUENCE.value());
            assertLoopCounted(RefusalCode.OLD_SEQUENCE, 1);
        }
    }

    @Test
    void shouldAdmitOrRefuseEachMessageOfASend()
    {
        try (RawTrunk raw = player(RawTrunk.attached(engine, 0), 2))
        {
            raw.begin();
            raw.addAll(room.roomId(), 1, 1, PAYLOAD, 5, 5, 6);
            raw.end(0);
            raw.await("two events", () -> 2 == raw.count("Event"));
            sent += 2;
            raw.awaitReceived("Refused " + RefusalCode.OLD_SEQUENCE.value());
            assertLoopCounted(RefusalCode.OLD_SEQUENCE, 1);
        }
    }

    @Test
    void shouldRefuseBatchesWithoutEntries()
    {
        try (RawTrunk raw = player(RawTrunk.attached(engine, 0), 2))
        {
            raw.sendBytes(TrunkMessages.loopStreamId(0), NONE);
            raw.await("an answer", () -> 1 == raw.count("EntryRefused " + RefusalCode.TOO_SHORT.value()));
            raw.begin();
            raw.addAll(room.roomId(), 1, 1, PAYLOAD);
            raw.end(0);
            raw.await("an answer", () -> 2 == raw.count("EntryRefused " + RefusalCode.TOO_SHORT.value()));
            assertEquals(2, edge("TOO_SHORT"));
        }
    }

    @Test
    void shouldRefuseTokensThatAreForgedForeignOrOld()
    {
        final String bad = "EntryRefused " + TrunkCode.BAD_PLAYER_TOKEN.value();
        try (RawTrunk raw = RawTrunk.attached(engine, 0))
        {
            final byte[] token = token(raw, 7);
            final byte[] forged = token.clone();
            forged[forged.length - 1] ^= 1;
            raw.join(0, 1, room.roomId(), 7, forged);
            raw.await("an answer", () -> 1 == raw.count(bad));
            raw.join(0, 1, room.roomId(), 8, token);
            raw.await("another player's", () -> 2 == raw.count(bad));
            raw.join(0, 1, room.roomId(), 7, token(honest, 7));
            raw.await("another trunk's", () -> 3 == raw.count(bad));
            raw.join(0, 1, room.roomId(), 7, NONE);
            raw.await("none", () -> 4 == raw.count(bad));
            raw.join(0, 1, room.roomId(), 7, new byte[64]);
            raw.await("nonsense", () -> 5 == raw.count(bad));
            assertCounted(TrunkCode.BAD_PLAYER_TOKEN, 5);
            clock.advance(TimeUnit.MILLISECONDS.toNanos(1_500));
            raw.join(0, 1, room.roomId(), 7, token);
            raw.awaitReceived("EntryRefused " + TrunkCode.PLAYER_TOKEN_EXPIRED.value());
            assertCounted(TrunkCode.PLAYER_TOKEN_EXPIRED, 1);
        }
    }

    @Test
    void shouldRefuseMalformedMessages()
    {
        final int stream = TrunkMessages.loopStreamId(0);
        try (RawTrunk raw = player(RawTrunk.attached(engine, 0), 2))
        {
            raw.begin();
            raw.add(room.roomId(), 1, 1, 1, new byte[TrunkMessages.MAX_PAYLOAD_LENGTH]);
            final byte[] longest = raw.frame();
            final UnsafeBuffer longer = new UnsafeBuffer(Arrays.copyOf(longest, longest.length + 1));
            longer.putShort(0, (short)(longer.capacity() - TrunkMessages.ENTRY_HEADER_LENGTH), LITTLE_ENDIAN);
            longer.putShort(PAYLOAD_LENGTH_OFFSET, (short)(TrunkMessages.MAX_PAYLOAD_LENGTH + 1), LITTLE_ENDIAN);
            assertRefused(raw, stream, longer.byteArray(), RefusalCode.DATA_TOO_LONG);
            assertEquals(1, edge("DATA_TOO_LONG"));
            // The valid entry before a malformed one is refused with it.
            raw.begin();
            raw.add(room.roomId(), 1, 1, 2, PAYLOAD);
            raw.add(room.roomId(), 1, 1, 3, PAYLOAD);
            final byte[] frame = raw.frame();
            final int second = frame.length / 2;
            assertRefused(raw, stream, changed(frame, second + 4, 99), RefusalCode.UNKNOWN_TEMPLATE);
            assertRefused(raw, stream, changed(frame, second + 6, 0), RefusalCode.WRONG_SCHEMA);
            assertRefused(raw, stream, changed(frame, second + 8, 99), RefusalCode.UNKNOWN_VERSION);
            assertRefused(raw, stream, changed(frame, second + 2, 1), RefusalCode.BAD_BLOCK_LENGTH);
            assertRefused(raw, stream, changed(frame, second + 18, 9), RefusalCode.BAD_GROUP_BLOCK);
            assertRefused(raw, stream, changed(frame, second + 19, 255), RefusalCode.BAD_GROUP_COUNT);
            assertRefused(raw, stream, Arrays.copyOf(frame, frame.length - 1), RefusalCode.TOO_SHORT);
            raw.sendBytes(stream, new byte[3_000]);
            raw.awaitReceived("EntryRefused " + TrunkCode.NOT_UNFRAGMENTED.value());
            assertTrue(edge("NOT_UNFRAGMENTED") > 0);
            // A message of the control stream.
            final byte[] keepalive = Arrays.copyOf(frame, 2 + 8 + KeepaliveDecoder.BLOCK_LENGTH);
            keepalive[0] = 8 + KeepaliveDecoder.BLOCK_LENGTH;
            keepalive[2] = KeepaliveDecoder.BLOCK_LENGTH;
            keepalive[4] = KeepaliveDecoder.TEMPLATE_ID;
            assertRefused(raw, stream, keepalive, TrunkCode.WRONG_STREAM.value(), "WRONG_STREAM");
        }
    }

    @Test
    void shouldRefuseUnknownRoomsAndFullRooms()
    {
        try (RawTrunk raw = player(RawTrunk.attached(engine, 0), 2))
        {
            raw.join(0, 9, room.roomId() + 1, 2, token(raw, 2));
            raw.awaitReceived("Refused " + RefusalCode.UNKNOWN_ROOM.value());
            assertLoopCounted(RefusalCode.UNKNOWN_ROOM, 1);
            raw.join(0, 9, room.roomId(), 2, token(raw, 2));
            raw.awaitReceived("Refused " + RefusalCode.ALREADY_JOINED.value());
            assertLoopCounted(RefusalCode.ALREADY_JOINED, 1);
            player(raw, 3);
            raw.join(0, 9, room.roomId(), 4, token(raw, 4));
            raw.awaitReceived("Refused " + RefusalCode.ROOM_FULL.value());
            assertLoopCounted(RefusalCode.ROOM_FULL, 1);
        }
    }

    @Test
    void shouldRefuseEntriesAboveTheRate()
    {
        try (RawTrunk raw = player(RawTrunk.attached(engine, 0), 2))
        {
            final String limited = "EntryRefused " + TrunkCode.RATE_LIMITED.value();
            for (int i = 1; i <= 1_000; i++)
            {
                raw.sendMessage(0, room.roomId(), 1, 1, i, PAYLOAD);
            }
            raw.await("all to be answered", () -> raw.count("Event") + raw.count(limited) >= 1_000);
            assertEquals(raw.count(limited), edge("RATE_LIMITED"));
            assertTrue(raw.count(limited) > 100, "shed: " + raw.count(limited));
            assertEquals(1_000, raw.count("Event") + raw.count(limited), "offered = accepted + shed");
            sent += (int)raw.count("Event");
        }
    }

    @Test
    void shouldIgnoreMalformedControlMessages()
    {
        try (RawTrunk raw = RawTrunk.welcome(engine))
        {
            // A second Hello is out of order and has no other effect.
            raw.hello(TrunkMessages.PROTOCOL_VERSION);
            raw.await("a count", () -> 1 == edge("OUT_OF_ORDER"));
            raw.sendBytes(TrunkMessages.CONTROL_STREAM_ID, new byte[100]);
            raw.keepalive();
            raw.awaitReceived("template 37");
        }
    }

    /** A trunk with one player in the room. The honest one joins first and has seat 0. */
    private RawTrunk player(final RawTrunk trunk, final int playerId)
    {
        trunk.join(0, playerId, room.roomId(), playerId, token(trunk, playerId));
        trunk.awaitReceived("Joined " + (playerId - 1) + ".1 at 0");
        return trunk;
    }

    private byte[] token(final RawTrunk trunk, final int playerId)
    {
        final int before = trunk.tokens.size();
        trunk.logIn(playerId, new byte[]{(byte)playerId});
        trunk.await("a token", () -> trunk.tokens.size() > before);
        return trunk.tokens.get(before);
    }

    private RawTrunk greeted()
    {
        final RawTrunk raw = new RawTrunk(engine);
        raw.open(TrunkMessages.CONTROL_STREAM_ID);
        raw.hello(TrunkMessages.PROTOCOL_VERSION);
        raw.awaitReceived("Challenge");
        return raw;
    }

    private void assertRefused(
        final RawTrunk raw, final int stream, final byte[] frame, final RefusalCode code)
    {
        assertRefused(raw, stream, frame, code.value(), code.name());
    }

    private void assertRefused(
        final RawTrunk raw, final int stream, final byte[] frame, final int code, final String name)
    {
        final long before = edge(name);
        raw.sendBytes(stream, frame);
        raw.awaitReceived("EntryRefused " + code);
        assertEquals(before + 1, edge(name), name);
    }

    private void assertCounted(final TrunkCode code, final long times)
    {
        assertEquals(times, edge(code.name()), code.name());
    }

    private void assertLoopCounted(final RefusalCode code, final long times)
    {
        assertEquals(times, engine.engine().counter("escapement loop 0: refused " + code), code.name());
    }

    private long edge(final String code)
    {
        return engine.engine().counter("escapement edge: refused " + code);
    }

    private static byte[] changed(final byte[] bytes, final int at, final int value)
    {
        final byte[] changed = bytes.clone();
        changed[at] = (byte)value;
        return changed;
    }

    /** Echoes and counts each message. */
    private final class Counting implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            messages.incrementAndGet();
            room.sendEvent(from, buffer, offset, length);
        }
    }
}
