package io.escapement.lobby;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.lobby.codecs.LobbyCode;
import io.escapement.rooms.bench.BenchSeat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LobbyTest
{
    private static final Map<Integer, String> ANY = Map.of();
    private static final Map<Integer, String> DESERT = Map.of(0, "desert");
    private static final int HALL = LobbyRig.HALL;
    private static final int TABLE = LobbyRig.TABLE;
    private static final int FRAMES = 1_000;
    private static final int ROUNDS = 10;

    private LobbyRig rig = new LobbyRig(new Lobby.Context());

    @AfterEach
    void shouldReplayAndRestore()
    {
        assertEquals(List.of(), rig.bench.failures());
        rig.bench.replayAndCompare();
        rig.bench.restoreAndCompare();
    }

    @Test
    void shouldShowTheRoomsOfItsTypesAndTheirChanges()
    {
        final long desert = rig.open(HALL, Map.of(0, "desert", 7, "hard"));
        rig.open(LobbyRig.UNKNOWN, DESERT);
        final long arena = rig.open(LobbyRig.ARENA, ANY);
        final LobbyRig.Player ann = rig.join(1);
        rig.settle();
        assertEquals(List.of(desert + " type 3 0/3 0=desert 7=hard", arena + " type 4 0/2"), ann.rooms());
        final BenchSeat inHall = rig.bench.join(desert, 9, new UnsafeBuffer(new byte[0]), 0, 0);
        inHall.send("a label that is longer than thirty-two");
        rig.settle();
        assertEquals(List.of(desert + " type 3 1/3 7=hard", arena + " type 4 0/2"), ann.rooms());
        inHall.send("oasis");
        rig.settle();
        assertEquals(desert + " type 3 1/3 0=oasis 7=hard", ann.rooms().get(0));
        inHall.send("!");
        rig.settle();
        assertEquals(List.of(arena + " type 4 0/2"), ann.rooms());
    }

    @Test
    void shouldOpenARoomWithLabelsAndArgumentsAndReserveASeatInIt()
    {
        final LobbyRig.Player ann = rig.join(1);
        ann.ask(HALL, true, Map.of(0, "desert", 3, "für alle"), "map 7");
        final long first = ann.room();
        assertEquals(List.of(first + " map 7"), rig.opened);
        rig.settle();
        assertEquals(List.of(first + " type 3 1/3 0=desert 3=für alle"), ann.rooms());
        ann.create(HALL, DESERT);
        assertNotEquals(first, ann.room(), "create opens a room in any case");
        assertEquals(0, ann.seat.join(ann.room()).index());
    }

    @Test
    void shouldFindARoomWithAllLabelsAndASeatOrOpenOne()
    {
        final long forest = rig.open(HALL, Map.of(0, "forest", 1, "easy"));
        final long hard = rig.open(HALL, Map.of(0, "forest", 1, "hard"));
        final LobbyRig.Player ann = rig.join(1);
        ann.joinOrCreate(HALL, Map.of(1, "hard", 0, "forest"));
        assertEquals(hard, ann.room());
        final LobbyRig.Player ben = rig.join(6);
        ben.joinOrCreate(HALL, Map.of(1, "easy"));
        assertEquals(forest, ben.room());
        ann.joinOrCreate(HALL, Map.of(0, "fores"));
        final long opened = ann.room();
        assertTrue(opened != forest && opened != hard);
        for (int player = 2; player <= 5; player++)
        {
            final LobbyRig.Player other = rig.join(player);
            other.joinOrCreate(HALL, Map.of(1, "hard"));
            other.seat.join(other.room());
            assertEquals(player < 5, hard == other.room(), "player " + player);
        }
    }

    @Test
    void shouldMatchQuicklyIntoTheRoomWithMostPlayers()
    {
        final long empty = rig.open(TABLE, ANY);
        final long waiting = rig.open(TABLE, DESERT);
        rig.bench.join(waiting, 9, new UnsafeBuffer(new byte[0]), 0, 0);
        final LobbyRig.Player ann = rig.join(1);
        ann.joinOrCreate(TABLE, ANY);
        assertEquals(waiting, ann.room());
        final LobbyRig.Player ben = rig.join(2);
        ben.joinOrCreate(TABLE, ANY);
        assertEquals(empty, ben.room());
    }

    @Test
    void shouldSeatTwoWhoAskAtOnceInOneRoom()
    {
        final LobbyRig.Player ann = rig.join(1);
        final LobbyRig.Player ben = rig.join(2);
        final LobbyRig.Player eve = rig.join(3);
        final LobbyTurn turn = new LobbyTurn();
        turn.ask(ann, TABLE, DESERT).ask(ben, TABLE, DESERT).ask(eve, TABLE, DESERT).run();
        assertEquals(ann.room(), ben.room());
        assertNotEquals(ann.room(), eve.room(), "a table has two seats");
        assertEquals(2, rig.opened.size());
        assertEquals(2, rig.bench.host().seatsOccupied(ann.room()));
    }

    /** Players who are sent to full rooms first are refused by four of them, and then by the lobby. */
    @Test
    void shouldSendNoMorePlayersToARoomThanFit()
    {
        for (int hall = 0; hall < 6; hall++)
        {
            rig.open(HALL, ANY);
        }
        assertEquals(List.of(3, 3, 3, 3, 3, 3, 2), playersOfHalls());
    }

    @Test
    void shouldLetNoMorePlayersWaitForARoomThanFit()
    {
        assertEquals(List.of(3, 3, 3, 3, 3, 3, 2), playersOfHalls());
    }

    /** Twenty players ask at once; the players of each room, the most first. */
    private List<Integer> playersOfHalls()
    {
        final LobbyTurn turn = new LobbyTurn();
        final List<LobbyRig.Player> players = new ArrayList<>();
        for (int player = 1; player <= 20; player++)
        {
            players.add(rig.join(player));
            turn.ask(players.get(player - 1), HALL, ANY);
        }
        turn.run();
        final Map<Long, Integer> playersByRoomMap = new TreeMap<>();
        for (final LobbyRig.Player player : players)
        {
            playersByRoomMap.merge(player.room(), 1, Integer::sum);
            assertNotEquals(-1, player.seat.join(player.room()).index());
        }
        return playersByRoomMap.values().stream().sorted(Comparator.reverseOrder()).toList();
    }

    @Test
    void shouldLookElsewhereWhenARoomRefusesTheSeat()
    {
        final long locked = rig.open(HALL, DESERT);
        rig.bench.join(locked, 9, new UnsafeBuffer(new byte[0]), 0, 0).send("#");
        final LobbyRig.Player ann = rig.join(1);
        ann.joinOrCreate(HALL, DESERT);
        assertNotEquals(locked, ann.room());
        assertEquals(1, rig.opened.size() - 1);
    }

    @Test
    void shouldRefuseAPlayerAfterAFewRoomsHave()
    {
        for (int i = 0; i < 5; i++)
        {
            final long locked = rig.open(HALL, DESERT);
            rig.bench.join(locked, 90 + i, new UnsafeBuffer(new byte[0]), 0, 0).send("#");
        }
        final LobbyRig.Player ann = rig.join(1);
        ann.joinOrCreate(HALL, DESERT);
        assertEquals("NO_SEAT", ann.last());
        ann.joinOrCreate(HALL, DESERT);
        assertEquals(6, rig.opened.size(), "the fifth is tried, and then a room is opened");
    }

    @Test
    void shouldReserveOneSeatAtATimeForAPlayer()
    {
        final long first = rig.open(HALL, DESERT);
        final long second = rig.open(HALL, Map.of(0, "forest"));
        final LobbyRig.Player ann = rig.join(1);
        ann.joinOrCreate(HALL, DESERT);
        assertEquals(1, rig.bench.host().seatsOccupied(first));
        ann.joinOrCreate(HALL, Map.of(0, "forest"));
        assertEquals(0, rig.bench.host().seatsOccupied(first));
        assertEquals(1, rig.bench.host().seatsOccupied(second));
        ann.seat.leave();
        assertEquals(1, rig.bench.host().seatsOccupied(second), "the player is on the way there");
        rig.bench.runFor(LobbyRig.RESERVATION_NS + 1_000_000_000L);
        assertEquals(0, rig.bench.host().seatsOccupied(second));
    }

    @Test
    void shouldSendAPlayerToTheRoomInWhichItSits()
    {
        final long hall = rig.open(HALL, DESERT);
        rig.bench.join(hall, 1, new UnsafeBuffer(new byte[0]), 0, 0);
        final LobbyRig.Player ann = rig.join(1);
        ann.joinOrCreate(HALL, DESERT);
        assertEquals(hall, ann.room());
    }

    @Test
    void shouldLimitTheRoomsOfATypeAndOfAPlayer()
    {
        rig = new LobbyRig(new Lobby.Context().roomsPerPlayer(2));
        final LobbyRig.Player ann = rig.join(1);
        final LobbyRig.Player ben = rig.join(2);
        ann.create(TABLE, ANY);
        final BenchSeat atTable = ann.seat.join(ann.room());
        ann.create(HALL, ANY);
        ann.create(HALL, ANY);
        assertEquals("PLAYER_LIMIT", ann.last());
        ben.create(TABLE, ANY);
        rig.open(TABLE, ANY);
        ben.create(TABLE, ANY);
        assertEquals("TYPE_LIMIT", ben.last());
        atTable.send("!");
        ben.create(TABLE, ANY);
        assertNotEquals("TYPE_LIMIT", ben.last());
        ann.create(HALL, ANY);
        assertNotEquals("PLAYER_LIMIT", ann.last());
    }

    @Test
    void shouldCountRoomsThatOpen()
    {
        rig = new LobbyRig(new Lobby.Context().roomsPerPlayer(1));
        final List<LobbyRig.Player> players = List.of(rig.join(1), rig.join(2), rig.join(3), rig.join(4));
        final LobbyTurn turn = new LobbyTurn();
        players.forEach((player) -> turn.create(player, TABLE, ANY));
        turn.run();
        assertEquals("TYPE_LIMIT", players.get(3).last());
        assertEquals(LobbyRig.TABLES, rig.opened.size());
    }

    @Test
    void shouldRefuseRoomsThatPlayersDoNotOpenAndTypesThatItDoesNotShow()
    {
        final LobbyRig.Player ann = rig.join(1);
        ann.create(LobbyRig.UNKNOWN, ANY);
        assertEquals("UNKNOWN_TYPE", ann.last());
        ann.joinOrCreate(LobbyRig.ARENA, ANY);
        assertEquals("NOT_OPENABLE", ann.last());
        final long arena = rig.open(LobbyRig.ARENA, Map.of(0, "a", 1, "b", 2, "c", 3, "d", 4, "e"));
        ann.joinOrCreate(LobbyRig.ARENA, Map.of(0, "a", 1, "b", 2, "c", 3, "d", 4, "e"));
        assertEquals(arena, ann.room(), "more labels than a player may give a room");
    }

    @Test
    void shouldRefuseLabels()
    {
        rig = new LobbyRig(new Lobby.Context().labels(2, 6));
        final LobbyRig.Player ann = rig.join(1);
        for (final String value : List.of("", "seven77", "a\tb", "\u202Eabc", " a", "\u3164"))
        {
            ann.create(HALL, Map.of(0, value));
            assertEquals("BAD_LABEL", ann.last(), value);
        }
        ann.create(HALL, Map.of(8, "a"));
        assertEquals("BAD_LABEL", ann.last());
        ann.create(HALL, Map.of(0, "a", 1, "b", 2, "c"));
        assertEquals("TOO_MANY_LABELS", ann.last());
        ann.create(HALL, Map.of(7, "sixsix", 1, "b"));
        assertEquals(1, rig.opened.size());
    }

    @Test
    void shouldAnswerOneRequestOfAPlayerAtATime()
    {
        final LobbyRig.Player ann = rig.join(1);
        new LobbyTurn().create(ann, HALL, ANY).create(ann, HALL, DESERT).run();
        assertEquals("ALREADY_ASKED", ann.events().get(0));
        assertEquals(1, rig.opened.size());
    }

    @Test
    void shouldForgetTheRequestOfAPlayerWhoIsAway()
    {
        final LobbyRig.Player ann = rig.join(1);
        final LobbyRig.Player ben = rig.join(2);
        final LobbyTurn turn = new LobbyTurn();
        turn.ask(ann, TABLE, DESERT).ask(ben, TABLE, DESERT).away(ann).run();
        final LobbyRig.Player eve = rig.join(3);
        eve.joinOrCreate(TABLE, DESERT);
        assertEquals(ben.room(), eve.room(), "its seat counts no more");
        ann.joinOrCreate(HALL, ANY);
        assertEquals(1, ann.events().size());
    }

    @Test
    void shouldRefuseWhenItShowsAsManyRoomsAsItCan()
    {
        for (int i = 0; i < LobbyRooms.LIMIT; i++)
        {
            rig.open(LobbyRig.ARENA, ANY);
        }
        final long hidden = rig.open(HALL, DESERT);
        final LobbyRig.Player ann = rig.join(1);
        ann.joinOrCreate(HALL, DESERT);
        assertEquals("LOBBY_FULL", ann.last());
        rig.settle();
        assertEquals(LobbyRooms.LIMIT, ann.rooms().size());
        rig.bench.join(LobbyRooms.LIMIT, 9, new UnsafeBuffer(new byte[0]), 0, 0).send("!");
        rig.bench.join(hidden, 9, new UnsafeBuffer(new byte[0]), 0, 0);
        ann.joinOrCreate(HALL, DESERT);
        assertEquals("LOBBY_FULL", ann.last(), "it has a place and no label, which the directory does not repeat here");
    }

    @Test
    void shouldPassChatLinesOnAtALimitedRate()
    {
        rig = new LobbyRig(new Lobby.Context().chat(2, 1_000_000_000L));
        final LobbyRig.Player ann = rig.join(1, "Ann");
        final LobbyRig.Player ben = rig.join(2, "");
        ann.say("hello <b>");
        assertEquals("1 Ann: hello <b>", ben.last());
        ben.say("hi");
        assertEquals("2 : hi", ann.last());
        for (final String text : List.of("", "a\nb", "\u007F"))
        {
            ann.seat.refusals().clear();
            ann.say(text);
            assertEquals(List.of(LobbyCode.BAD_TEXT.value()), ann.seat.refusals(), text);
        }
        ann.seat.refusals().clear();
        ann.say("second");
        ann.say("third");
        assertEquals(List.of(LobbyCode.TOO_FAST.value()), ann.seat.refusals());
        rig.bench.runFor(1_000_000_000L);
        ann.say("third");
        assertEquals("1 Ann: third", ben.last());
        ann.say("fourth");
        assertEquals(2, ann.seat.refusals().size());
    }

    @Test
    void shouldHaveNoChatWithABurstOfZero()
    {
        rig = new LobbyRig(new Lobby.Context().chat(0, 1));
        final LobbyRig.Player ann = rig.join(1);
        ann.say("hello");
        assertEquals(List.of(LobbyCode.NO_CHAT.value()), ann.seat.refusals());
    }

    @Test
    void shouldRefuseBadNames()
    {
        for (final String name : List.of("a\tb", "n".repeat(33), "\u202EnnA", " "))
        {
            assertEquals(List.of(LobbyCode.BAD_NAME.value()), rig.join(7, name).seat.refusals(), name);
        }
    }

    @Test
    void shouldKeepItsListThroughAResetOfTheDirectory()
    {
        rig = new LobbyRig(new Lobby.Context().roomsPerPlayer(1));
        final LobbyRig.Player ann = rig.join(1);
        ann.create(HALL, DESERT);
        final long kept = ann.room();
        final long closed = rig.open(HALL, Map.of(0, "forest"));
        rig.settle();
        directory(0, DirectoryChange.RESET, "");
        directory(kept, DirectoryChange.OPENED, "");
        directory(kept, DirectoryChange.LABEL, "oasis");
        rig.settle();
        assertEquals(List.of(kept + " type 3 0/3 0=oasis", closed + " type 3 0/3 0=forest"), ann.rooms());
        rig.bench.runFor(LobbyRooms.RESET_NS);
        rig.settle();
        assertEquals(List.of(kept + " type 3 0/3 0=oasis"), ann.rooms());
        ann.create(HALL, ANY);
        assertEquals("PLAYER_LIMIT", ann.last(), "it still knows who opened the room");
    }

    @Test
    void shouldSurviveHostileBytes()
    {
        final SplittableRandom random = new SplittableRandom(20_261_130);
        final LobbyRig.Player ann = rig.join(1);
        final LobbyRig.Player ben = rig.join(2);
        ben.ask(HALL, false, Map.of(0, "desert", 1, "easy"), "args");
        final UnsafeBuffer message = new UnsafeBuffer(new byte[512]);
        int refused = 0;
        for (int i = 0; i < 3_000; i++)
        {
            final int length = LobbyTurn.encode(message, i, HALL, false, Map.of(0, "desert", 1, "x" + i % 7), "args");
            for (int flips = random.nextInt(4); flips > 0; flips--)
            {
                final int at = random.nextInt(length);
                message.putByte(at, (byte)random.nextInt(256));
            }
            ann.seat.send(message, 0, 0 == random.nextInt(4) ? random.nextInt(length + 1) : length);
            refused += ann.seat.refusals().size();
            ann.seat.refusals().clear();
        }
        assertTrue(refused > 500, refused + " refusals");
        assertTrue(ann.events().size() > 500, ann.events().size() + " answers");
        ben.joinOrCreate(HALL, DESERT);
        assertTrue(ben.room() > 0);
    }

    @Test
    void shouldRefuseArgumentsThatAreNotALobbys()
    {
        final UnsafeBuffer args = new UnsafeBuffer("general".getBytes(StandardCharsets.UTF_8));
        for (final int length : new int[]{3, args.capacity()})
        {
            assertTrue(assertThrows(IllegalArgumentException.class,
                () -> Lobby.publishLabels(null, args, 0, length)).getMessage().contains(length + " bytes"));
        }
    }

    @Test
    void shouldNotAllocateInSteadyTraffic()
    {
        final long hall = rig.open(HALL, DESERT);
        final LobbyRig.Player ann = rig.join(1);
        // A new seat is an object of the host, so it is the same player.
        final BenchSeat inHall = rig.bench.join(hall, 1, new UnsafeBuffer(new byte[0]), 0, 0);
        final UnsafeBuffer ask = new UnsafeBuffer(new byte[512]);
        final int length = LobbyTurn.encode(ask, 1, HALL, false, DESERT, "args");
        final UnsafeBuffer label = new UnsafeBuffer("desert".getBytes(StandardCharsets.US_ASCII));
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && 0 != least; round++)
        {
            for (int frame = 0; frame < FRAMES; frame++)
            {
                ann.seat.send(ask, 0, length);
                inHall.send(label, 0, label.capacity());
                rig.bench.step(1);
                for (final List<?> received : List.of(
                    ann.seat.received(), ann.seat.events(), ann.seat.states(), inHall.received()))
                {
                    received.clear();
                }
            }
            least = Math.min(least, rig.bench.allocatedBytesOverLast(FRAMES));
        }
        assertEquals(0, least);
        assertEquals(1, rig.bench.host().seatsOccupied(hall));
    }

    private void directory(final long roomId, final DirectoryChange change, final String label)
    {
        final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
        final UnsafeBuffer value = new UnsafeBuffer(label.getBytes(StandardCharsets.UTF_8));
        final int length = new RoomEncoder().directoryEntry(
            command, 0, rig.bench.roomId(), roomId, HALL, 0, 3, 0, change, value, 0, value.capacity());
        assertEquals(RefusalCode.NONE.value(), rig.bench.command(command, 0, length));
    }
}
