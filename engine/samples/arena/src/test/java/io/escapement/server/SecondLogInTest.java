package io.escapement.server;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.accounts.AccountsContext;
import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.CharacterCreatedDecoder;
import io.escapement.arena.codecs.CharacterListDecoder;
import io.escapement.arena.codecs.PongDecoder;
import io.escapement.arena.codecs.RefusedDecoder;
import io.escapement.arena.codecs.RoomCreatedDecoder;
import io.escapement.arena.codecs.RoomPageDecoder;
import io.escapement.arena.codecs.SeatReservedDecoder;
import io.escapement.arena.lobby.LobbyRoom;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.driver.DriverDirectory;
import io.escapement.engine.EngineContext;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.AwayReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.testsupport.RealTime;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.sbe.MessageDecoderFlyweight;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/** An account logs in while it is logged in, over trunks to a real server that the test steps by hand. */
@RealTime("a crowd of processes")
class SecondLogInTest
{
    private static final byte[] SECRET = "a secret of the trunks of this test".getBytes(StandardCharsets.US_ASCII);
    private static final long LOBBY = LobbyRoom.ROOM_ID;
    private static final String MOVED = "away from " + LOBBY + ", reason " + AwayReason.MOVED.ordinal();

    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final List<TestPlayer> players = new ArrayList<>();
    private String url;
    private String ingress;
    private String response;
    private GameServer server;
    private MediaDriver driver;
    private Aeron aeron;

    @BeforeEach
    void start(@TempDir final Path directory)
    {
        Quiet.libraries();
        url = "jdbc:h2:file:" + directory.resolve("accounts");
        ingress = Program.freeEndpoint();
        response = Program.freeEndpoint();
        server = GameServer.launch(
            new Types(List.of()), new AccountsContext().databaseUrl(url).errorHandler(faults::add), true,
            new EngineContext()
                .threadingMode(ThreadingMode.INVOKER)
                .loops(2)
                .driverContext(driverContext())
                .trunks(new TrunkServerContext().udp(ingress, response).secret(SECRET, false))
                // A busy host may stall a turn.
                .monitor(new MonitorContext().stalls(TimeUnit.SECONDS.toNanos(1), (stall) -> {}))
                .errorHandler(faults::add));
        driver = MediaDriver.launch(driverContext());
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(driver.aeronDirectoryName())
            .useConductorAgentInvoker(true)
            .driverAgentInvoker(driver.sharedAgentInvoker()));
    }

    @AfterEach
    void stop()
    {
        CloseHelper.closeAll(players);
        CloseHelper.closeAll(aeron, driver, server);
        assertEquals(List.of(), faults);
    }

    @Test
    void shouldMoveTheSeatInTheLobby()
    {
        final TestPlayer first = newcomer();
        final TestPlayer second = again(first);
        assertEquals(List.of(), first.seatEvents, "a log-in alone moves no seat");
        join(second, LOBBY);
        await("the first to be notified", () -> !first.seatEvents.isEmpty());
        assertEquals(List.of(MOVED), first.seatEvents);
        first.to(LOBBY).lobbyChat(1, "still here?");
        await("a refusal", () -> !first.refusals.isEmpty());
        assertEquals(List.of(RefusalCode.FOREIGN_SEAT.value()), first.refusals);
        second.to(LOBBY).listRooms(1, 0, "");
        receive(second, new RoomPageDecoder());
        assertEquals(List.of(), second.seatEvents);
    }

    @Test
    void shouldFreeTheArenaSeatOfAPlayerInTheLobby()
    {
        checkArenaSeatIsFreed(false);
    }

    @Test
    void shouldFreeTheArenaSeatOfAPlayerThatLeftTheLobby()
    {
        checkArenaSeatIsFreed(true);
    }

    @Test
    void shouldKeepAllSeatsAfterASecondLogInOnTheSameTrunk()
    {
        final TestPlayer player = newcomer();
        final long arenaId = createArena(player, "The Pit");
        enter(player, arenaId, createCharacter(player));
        player.logIn("ann");
        await("a second token", () -> 2 == player.logIns());
        await("the request to be sent", () -> player.join(LOBBY));
        await("a refusal", () -> !player.refusals.isEmpty());
        assertEquals(List.of(RefusalCode.ALREADY_JOINED.value()), player.refusals);
        player.to(arenaId).ping(5);
        assertEquals(5, receive(player, new PongDecoder()).stamp());
        player.to(LOBBY).listRooms(1, 0, "");
        receive(player, new RoomPageDecoder());
        assertEquals(List.of(), player.seatEvents);
    }

    private void checkArenaSeatIsFreed(final boolean isOutOfLobby)
    {
        final TestPlayer first = newcomer();
        final long arenaId = createArena(first, "The Pit");
        final long otherId = createArena(first, "The Den");
        final long characterId = createCharacter(first);
        // The arena has 7 kills and the database 0: 7 in the database later proves that the arena saved them.
        database("UPDATE player_character SET kills = 7");
        enter(first, arenaId, characterId);
        database("UPDATE player_character SET kills = 0");
        if (isOutOfLobby)
        {
            await("the request to be sent", () -> first.leave(LOBBY));
            await("the lobby to be left", () -> !first.seatEvents.isEmpty());
            first.seatEvents.clear();
        }
        final TestPlayer second = again(first);
        assertTrue(first.isIn(arenaId), "a log-in alone moves no seat");
        join(second, LOBBY);
        final String kicked = "left " + arenaId + ", reason " + LeaveReason.KICKED.ordinal();
        final List<String> expected = isOutOfLobby ? List.of(kicked) : List.of(MOVED, kicked);
        await("the first to be notified", () -> first.seatEvents.size() >= expected.size());
        // The two events arrive on the streams of two loops, in either order.
        assertEquals(expected, first.seatEvents.stream().sorted().toList());
        first.to(arenaId).ping(5);
        await("a refusal", () -> !first.refusals.isEmpty());
        assertEquals(List.of(RefusalCode.STALE_SEAT.value()), first.refusals);
        enter(second, otherId, characterId);
        second.to(LOBBY).listCharacters(9);
        assertEquals(7, receive(second, new CharacterListDecoder()).characters().next().kills());
        assertEquals(1, Integer.parseInt(database("SELECT saves FROM player_character")));
        assertFalse(first.isIn(arenaId) || first.isIn(LOBBY));
        assertEquals(List.of(), second.seatEvents);
    }

    private TestPlayer newcomer()
    {
        final TestPlayer player = connect();
        player.signUp("ann");
        await("a token", () -> 1 == player.logIns());
        join(player, LOBBY);
        return player;
    }

    private TestPlayer again(final TestPlayer first)
    {
        final TestPlayer player = connect();
        player.logIn("ann");
        await("a token", () -> 1 == player.logIns());
        assertEquals(first.playerId(), player.playerId());
        return player;
    }

    private TestPlayer connect()
    {
        final TestPlayer player = new TestPlayer(aeron, ingress, response, SECRET);
        players.add(player);
        await("a trunk", player::isUp);
        return player;
    }

    private void join(final TestPlayer player, final long roomId)
    {
        await("the request to be sent", () -> player.join(roomId));
        await("a seat in " + roomId, () -> player.isIn(roomId));
    }

    private long createCharacter(final TestPlayer player)
    {
        player.to(LOBBY).createCharacter(1, "Knight");
        return receive(player, new CharacterCreatedDecoder()).characterId();
    }

    private long createArena(final TestPlayer player, final String name)
    {
        player.to(LOBBY).createRoom(1, name, 4, "courtyard", "");
        return receive(player, new RoomCreatedDecoder()).roomId();
    }

    /** Retries until the account's former arena has released its seat. */
    private void enter(final TestPlayer player, final long arenaId, final long characterId)
    {
        boolean isReserved = false;
        while (!isReserved)
        {
            player.to(LOBBY).enterRoom(3, arenaId, characterId, "");
            final RefusedDecoder refused = new RefusedDecoder();
            final boolean[] found = new boolean[2];
            await("an answer", () ->
            {
                found[0] = null != player.take(new SeatReservedDecoder());
                found[1] = null != player.take(refused);
                return found[0] || found[1];
            });
            isReserved = found[0];
            assertTrue(isReserved || ArenaCode.SEATED_ELSEWHERE == refused.code(), () -> "refused " + refused.code());
        }
        join(player, arenaId);
    }

    private <D extends MessageDecoderFlyweight> D receive(final TestPlayer player, final D decoder)
    {
        await("a " + decoder.getClass().getSimpleName(), () -> null != player.take(decoder));
        return decoder;
    }

    private static MediaDriver.Context driverContext()
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(DriverDirectory.temporary())
            .threadingMode(io.aeron.driver.ThreadingMode.INVOKER)
            .termBufferSparseFile(true)
            .publicationTermBufferLength(64 * 1_024)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true);
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            int work = server.engine().invoke() + driver.sharedAgentInvoker().invoke() +
                aeron.conductorAgentInvoker().invoke();
            for (final TestPlayer player : players)
            {
                work += player.poll();
            }
            if (0 == work)
            {
                LockSupport.parkNanos(1_000);
            }
            if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(60))
            {
                fail("timed out waiting for " + what);
            }
        }
    }

    /** Returns the first column of the first row of a query. H2 shares a file within the server's process. */
    private String database(final String sql)
    {
        try (Connection connection = DriverManager.getConnection(url);
            Statement statement = connection.createStatement())
        {
            if (!statement.execute(sql))
            {
                return null;
            }
            try (ResultSet rows = statement.getResultSet())
            {
                rows.next();
                return rows.getString(1);
            }
        }
        catch (final SQLException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
