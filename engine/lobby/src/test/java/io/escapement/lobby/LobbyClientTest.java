package io.escapement.lobby;

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
import io.escapement.lobby.codecs.LobbyCode;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Bots of an engine with two loops, who come through a trunk: rooms are on any loop. */
class LobbyClientTest implements TrunkListener
{
    private static final int LOBBY = 1;
    private static final int TABLE = 2;
    private static final int NO_BOTS = RoomLogic.FIRST_APPLICATION_CODE + 99;
    private static final byte[] SECRET = "a secret of the trunks of this test".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NO_TOKEN = {};

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final List<ClientSeat> joined = new ArrayList<>();
    private final Map<Long, LobbyClient> botByPlayerMap = new TreeMap<>();
    private Aeron aeron;
    private TrunkClient client;

    @Test
    void shouldJoinOrCreateInOneCallOnAllLoops()
    {
        final RoomType table = RoomType.of(TABLE, "table", 1, Table::new).seats(2);
        final EngineContext context = new EngineContext().loops(2)
            .trunks(new TrunkServerContext().ipc(true).secret(SECRET, true))
            .monitor(new MonitorContext().stalls(TimeUnit.SECONDS.toNanos(1), (stall) -> {}))
            .errorHandler(faults::add)
            .roomType(Lobby.type(LOBBY, new Lobby.Context().opens(table, 3)).seats(64))
            .roomType(table);
        try (Engine engine = Engine.launch(context);
            Aeron players = Aeron.connect(
                new Aeron.Context().aeronDirectoryName(engine.aeronDirectory()).useConductorAgentInvoker(true));
            TrunkClient trunk = TrunkClient.connect(
                new TrunkContext().aeron(players).ipc().identity("tests").secret(SECRET).listener(this)))
        {
            aeron = players;
            client = trunk;
            await("the trunk", () -> TrunkClient.State.UP == client.state());
            play(engine.openRoom(LOBBY).roomId());
        }
        assertEquals(List.of(), faults);
    }

    private void play(final long lobby)
    {
        final List<LobbyClient> bots = new ArrayList<>();
        for (long player = 7; player < 12; player++)
        {
            bots.add(enter(lobby, player));
        }
        final List<CompletableFuture<ClientSeat>> seats = new ArrayList<>();
        // All at once: the lobby has no answer before the others have asked.
        bots.forEach((bot) -> seats.add(bot.joinOrCreate(TABLE, Map.of(0, "desert"), new byte[]{7})));
        await("seats", () -> seats.stream().allMatch(CompletableFuture::isDone));
        final Map<Long, Integer> seatsByRoomMap = new TreeMap<>();
        seats.forEach((seat) -> seatsByRoomMap.merge(seat.join().roomId(), 1, Integer::sum));
        assertEquals(List.of(1, 2, 2), seatsByRoomMap.values().stream().sorted().toList());
        assertEquals(2, seatsByRoomMap.keySet().stream().map((roomId) -> roomId >>> 54).distinct().count(), "loops");
        await("the list", () -> 3 == rooms(bots.get(0)));

        final CompletableFuture<ClientSeat> full = bots.get(0).create(TABLE, Map.of(), NO_TOKEN);
        assertEquals(LobbyCode.ALREADY_ASKED.value(),
            codeOf(bots.get(0).joinOrCreate(TABLE, Map.of(), NO_TOKEN)));
        await("the refusal", full::isDone);
        assertEquals(LobbyCode.TYPE_LIMIT.value(), codeOf(full));
        final CompletableFuture<ClientSeat> refused =
            enter(lobby, 12).joinOrCreate(TABLE, Map.of(0, "desert"), new byte[]{1});
        await("the room's refusal", refused::isDone);
        assertEquals(NO_BOTS, codeOf(refused));
    }

    private static int codeOf(final CompletableFuture<ClientSeat> future)
    {
        return ((LobbyClient.RefusedException)assertThrows(CompletionException.class, future::join).getCause()).code();
    }

    private static int rooms(final LobbyClient bot)
    {
        int rooms = 0;
        for (int row = 0; row < Lobby.SCHEMA.capacity(Lobby.ROOMS); row++)
        {
            rooms += bot.rooms().isPresent(Lobby.ROOMS, row) ? 1 : 0;
        }
        return rooms;
    }

    private LobbyClient enter(final long lobby, final long playerId)
    {
        final int before = joined.size();
        await("to send a join", () ->
            SendStatus.SENT == client.join(playerId, lobby, playerId, NO_TOKEN, buffer, 0, 0));
        await("a seat", () -> joined.size() > before);
        return botByPlayerMap.get(playerId);
    }

    private void await(final String message, final BooleanSupplier condition)
    {
        Tests.await(() ->
        {
            aeron.conductorAgentInvoker().invoke();
            client.poll();
            botByPlayerMap.values().forEach(LobbyClient::poll);
            return condition.getAsBoolean();
        }, message);
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat seat)
    {
        final LobbyClient bot = botByPlayerMap.get(seat.playerId());
        if (null == bot || !bot.onJoined(requestId, seat))
        {
            botByPlayerMap.put(seat.playerId(), new LobbyClient(client, seat, NO_TOKEN));
            joined.add(seat);
        }
    }

    @Override
    public void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        botByPlayerMap.values().forEach((bot) -> bot.onRefused(roomId, reference, code));
    }

    @Override
    public void onEvent(final ClientSeat seat, final DirectBuffer message, final int offset, final int length)
    {
        botByPlayerMap.get(seat.playerId()).onEvent(seat, message, offset, length);
    }

    @Override
    public void onState(final ClientSeat seat, final DirectBuffer message, final int offset, final int length)
    {
        botByPlayerMap.get(seat.playerId()).onState(seat, message, offset, length);
    }

    /** A table that refuses players whose argument is 1. */
    private static final class Table implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            Lobby.publishLabels(room, args, offset, length);
        }

        @Override
        public int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
        {
            return 1 == args.getByte(offset) ? NO_BOTS : ACCEPT;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            throw new IllegalStateException("players send no messages here");
        }
    }
}
