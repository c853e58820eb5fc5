package io.escapement.matchmaking;

import io.aeron.Aeron;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.matchmaking.codecs.EnqueueEncoder;
import io.escapement.matchmaking.codecs.FindEncoder;
import io.escapement.matchmaking.codecs.LabelEncoder;
import io.escapement.matchmaking.codecs.MatchedDecoder;
import io.escapement.matchmaking.codecs.MessageHeaderDecoder;
import io.escapement.matchmaking.codecs.MessageHeaderEncoder;
import io.escapement.matchmaking.codecs.RemovedDecoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.Tests;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** Players of an engine with two loops, who come through a trunk: matches and open rooms are on any loop. */
class MatchmakerEngineTest implements TrunkListener
{
    private static final int MATCHMAKER = 1;
    private static final int MATCH = 2;
    private static final int HALL = 3;
    private static final byte[] SECRET = "a secret of the trunks of this test".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NO_TOKEN = {};

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final List<ClientSeat> joined = new ArrayList<>();
    private final List<Integer> refusals = new ArrayList<>();
    /** The room of the last Matched by player, or 0 after Removed. */
    private final Map<Long, Long> roomByPlayerMap = new TreeMap<>();
    private Aeron aeron;
    private TrunkClient client;

    @Test
    void shouldMatchPlayersAndFindRoomsOnAllLoops()
    {
        final EngineContext context = new EngineContext().loops(2)
            .trunks(new TrunkServerContext().ipc(true).secret(SECRET, true))
            .monitor(new MonitorContext().stalls(TimeUnit.SECONDS.toNanos(1), (stall) -> {}))
            .errorHandler(faults::add)
            .roomType(Matchmaker.type(MATCHMAKER, new MatchmakerContext(MATCH, 2).findTypeId(HALL)).seats(64))
            .roomType(RoomType.of(MATCH, "match", 1, Plain::new).seats(2)
                .admission(RoomType.Admission.BY_RESERVATION))
            .roomType(RoomType.of(HALL, "hall", 1, Plain::new).seats(1));
        try (Engine engine = Engine.launch(context);
            Aeron players = Aeron.connect(
                new Aeron.Context().aeronDirectoryName(engine.aeronDirectory()).useConductorAgentInvoker(true));
            TrunkClient trunk = TrunkClient.connect(
                new TrunkContext().aeron(players).ipc().identity("tests").secret(SECRET).listener(this)))
        {
            aeron = players;
            client = trunk;
            await("the trunk", () -> TrunkClient.State.UP == client.state());
            play(engine);
        }
        assertEquals(List.of(), faults);
    }

    private void play(final Engine engine)
    {
        final long matchmaker = engine.openRoom(MATCHMAKER).roomId();
        final ClientSeat ann = join(matchmaker, 7);
        final ClientSeat bob = join(matchmaker, 8);
        final long firstMatch = match(ann, bob);
        final long secondMatch = match(ann, bob);
        // The placement alternates.
        assertNotEquals(firstMatch >>> 54, secondMatch >>> 54, "loops");
        assertEquals(secondMatch, join(secondMatch, 7).roomId());
        assertEquals(secondMatch, join(secondMatch, 8).roomId());
        await("to send a join", () -> SendStatus.SENT == client.join(9, firstMatch, 9, NO_TOKEN, buffer, 0, 0));
        await("a stranger to be refused", () -> List.of(9).equals(refusals));

        final long red = openHall(engine, "red");
        final long blue = openHall(engine, "blue");
        assertEquals(blue, find(ann, "blue", blue));
        assertEquals(0, find(bob, "blue", 0), "its only seat is reserved");
        assertEquals(red, find(bob, "red", red));
        assertEquals(red, join(red, 8).roomId());
    }

    private long match(final ClientSeat... players)
    {
        roomByPlayerMap.clear();
        for (final ClientSeat seat : players)
        {
            new EnqueueEncoder().wrapAndApplyHeader(buffer, 0, header).partyId(0).partySize((short)1).rating(1_000);
            send(seat, EnqueueEncoder.BLOCK_LENGTH);
        }
        await("a match", () -> roomByPlayerMap.size() == players.length);
        final long roomId = roomByPlayerMap.get(players[0].playerId());
        for (final ClientSeat seat : players)
        {
            assertEquals(roomId, roomByPlayerMap.get(seat.playerId()));
        }
        return roomId;
    }

    /** Ask until the answer is the expected one, since the directory needs a moment. */
    private long find(final ClientSeat seat, final String label, final long expected)
    {
        roomByPlayerMap.clear();
        await(label, () ->
        {
            if (!roomByPlayerMap.containsKey(seat.playerId()))
            {
                roomByPlayerMap.put(seat.playerId(), -1L);
                sendFind(seat, label);
            }
            final long found = roomByPlayerMap.get(seat.playerId());
            if (found >= 0 && expected != found)
            {
                roomByPlayerMap.clear();
            }
            return found == expected;
        });
        return roomByPlayerMap.get(seat.playerId());
    }

    private void sendFind(final ClientSeat seat, final String value)
    {
        final FindEncoder find = new FindEncoder().wrapAndApplyHeader(buffer, 0, header).partyId(0).partySize((short)1);
        final LabelEncoder label = find.label1().key((short)0).length((short)value.length());
        for (int i = 0; i < value.length(); i++)
        {
            label.value(i, (short)value.charAt(i));
        }
        final short none = LabelEncoder.keyNullValue();
        find.label2().key(none);
        find.label3().key(none);
        find.label4().key(none);
        send(seat, FindEncoder.BLOCK_LENGTH);
    }

    private void send(final ClientSeat seat, final int blockLength)
    {
        await("to send", () ->
            SendStatus.SENT == client.send(seat, buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + blockLength));
    }

    private long openHall(final Engine engine, final String label)
    {
        final byte[] args = label.getBytes(StandardCharsets.US_ASCII);
        return engine.openRoom(HALL, new UnsafeBuffer(args), 0, args.length).roomId();
    }

    private ClientSeat join(final long roomId, final long playerId)
    {
        final int before = joined.size();
        await("to send a join", () ->
            SendStatus.SENT == client.join(playerId, roomId, playerId, NO_TOKEN, buffer, 0, 0));
        await("a seat", () -> joined.size() > before);
        return joined.get(before);
    }

    private void await(final String message, final BooleanSupplier condition)
    {
        Tests.await(() ->
        {
            aeron.conductorAgentInvoker().invoke();
            client.poll();
            return condition.getAsBoolean();
        }, message);
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat seat)
    {
        joined.add(seat);
    }

    @Override
    public void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        refusals.add((int)reference);
    }

    @Override
    public void onEvent(final ClientSeat seat, final DirectBuffer message, final int offset, final int length)
    {
        final MessageHeaderDecoder to = new MessageHeaderDecoder().wrap(message, offset);
        if (MatchedDecoder.TEMPLATE_ID == to.templateId())
        {
            roomByPlayerMap.put(
                seat.playerId(), new MatchedDecoder().wrapAndApplyHeader(message, offset, to).roomId());
        }
        else if (RemovedDecoder.TEMPLATE_ID == to.templateId())
        {
            roomByPlayerMap.put(seat.playerId(), 0L);
        }
    }

    /** The room of a match, or a hall whose argument is its label. */
    private static final class Plain implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            if (1 == room.seatLimit())
            {
                room.label(0, args, offset, length);
            }
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            throw new IllegalStateException("players send no messages here");
        }
    }
}
