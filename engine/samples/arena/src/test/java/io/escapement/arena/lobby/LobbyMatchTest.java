package io.escapement.arena.lobby;

import io.escapement.arena.ArenaGame;
import io.escapement.arena.client.ArenaSender;
import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.EnteredDecoder;
import io.escapement.arena.codecs.RefusedDecoder;
import io.escapement.arena.codecs.RoomCreatedDecoder;
import io.escapement.arena.codecs.RoomPageDecoder;
import io.escapement.arena.codecs.SeatReservedDecoder;
import io.escapement.arena.common.InMemoryCharacters;
import io.escapement.arena.common.Received;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.bench.BenchRequest;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static io.escapement.arena.common.Received.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Waiting for a match in the lobby: the lobby, its matchmakers and the arenas that they open. */
class LobbyMatchTest
{
    private static final long SECOND = 1_000_000_000L;
    private static final int LOBBY_AND_MATCHMAKERS = 4;

    private final InMemoryCharacters characters = new InMemoryCharacters();
    private final RoomBench bench = RoomBench.of(ArenaGame.all(characters))
        .service(InMemoryCharacters.SERVICE_ID, characters);
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final RoomEncoder encoder = new RoomEncoder();
    private List<Long> matchmakerIds;

    private final class Player
    {
        final BenchSeat seat;
        final ArenaSender say;
        final long characterId;

        Player(final long id, final int kills)
        {
            seat = bench.join(id);
            say = new ArenaSender(seat::send);
            characterId = characters.create(id, "fighter " + id);
            characters.characterByIdMap.get(characterId).kills = kills;
        }

        Player match(final int players)
        {
            say.quickMatch(77, characterId, players);
            return this;
        }

        /** The arena of its match, or 0. */
        long arenaId()
        {
            return 0 == Received.count(seat, SeatReservedDecoder.TEMPLATE_ID) ? 0 :
                Received.last(seat, new SeatReservedDecoder()).roomId();
        }
    }

    @BeforeEach
    void openMatchmakers()
    {
        matchmakerIds = LobbyTraffic.openMatchmakers(bench);
    }

    @AfterEach
    void shouldReplayToTheSame()
    {
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }

    @Test
    void shouldSeatTheFourOfAMatchInOneArena()
    {
        final List<Player> players = new ArrayList<>();
        for (int i = 1; i <= 4; i++)
        {
            players.add(new Player(i, 0).match(4));
            assertEquals(0, players.get(0).arenaId());
        }
        bench.runFor(SECOND);
        final long arenaId = players.get(0).arenaId();
        for (final Player player : players)
        {
            assertEquals(arenaId, player.arenaId());
            assertEquals(77, Received.last(player.seat, new SeatReservedDecoder()).requestId());
        }
        final Player fifth = new Player(5, 0);
        fifth.say.enterRoom(1, arenaId, fifth.characterId, "");
        assertRefused(ArenaCode.ROOM_FULL, fifth.seat);
        fifth.say.listRooms(1, 0, "quick");
        assertEquals(arenaId, Received.last(fifth.seat, new RoomPageDecoder()).rooms().next().roomId());
        final BenchSeat first = players.get(0).seat.join(arenaId);
        for (final Player player : players)
        {
            final BenchSeat seat = players.get(0) == player ? first : player.seat.join(arenaId);
            assertTrue(seat.isPresent());
            bench.runFor(SECOND / 10);
            assertEquals(player.characterId, Received.last(first, new EnteredDecoder()).characterId());
        }
        players.get(0).match(2);
        assertRefused(ArenaCode.SEATED_ELSEWHERE, players.get(0).seat);
    }

    @Test
    void shouldMatchEqualsFirstAndOthersLater()
    {
        // Its rating is 1,500, which is accepted after 8 s.
        final Player veteran = new Player(1, 20).match(2);
        final Player first = new Player(2, 0).match(2);
        bench.runFor(7 * SECOND);
        assertEquals(0, veteran.arenaId());
        final Player second = new Player(3, 1).match(2);
        bench.runFor(SECOND / 2);
        assertEquals(first.arenaId(), second.arenaId());
        assertNotEquals(0, first.arenaId());
        final Player third = new Player(4, 0).match(2);
        bench.runFor(7 * SECOND);
        assertEquals(0, veteran.arenaId());
        bench.runFor(2 * SECOND);
        assertEquals(veteran.arenaId(), third.arenaId());
        assertNotEquals(0, third.arenaId());
    }

    @Test
    void shouldGiveUpAfterAMinute()
    {
        final Player ann = new Player(1, 0).match(8);
        bench.runFor(59 * SECOND);
        assertEquals(List.of(), Received.refusals(ann.seat));
        bench.runFor(2 * SECOND);
        assertEquals(List.of(ArenaCode.MATCH_TIMED_OUT), Received.refusals(ann.seat));
        final Player bob = new Player(2, 0).match(2);
        ann.match(2);
        bench.runFor(SECOND);
        assertNotEquals(0, bob.arenaId());
        assertEquals(bob.arenaId(), ann.arenaId());
    }

    @Test
    void shouldCancel()
    {
        final Player ann = new Player(1, 0).match(2);
        ann.say.cancelMatch(78);
        assertEquals(List.of(ArenaCode.MATCH_CANCELLED), Received.refusals(ann.seat));
        assertEquals(77, Received.last(ann.seat, new RefusedDecoder()).reference());
        ann.say.cancelMatch(78);
        assertRefused(ArenaCode.NO_MATCH_AWAITED, ann.seat);
        final Player bob = new Player(2, 0).match(2);
        bench.runFor(SECOND);
        assertEquals(0, bob.arenaId());
    }

    @Test
    void shouldCancelWhileTheServiceReadsTheCharacter()
    {
        bench.lateService(InMemoryCharacters.SERVICE_ID);
        final Player ann = new Player(1, 0).match(2);
        ann.say.cancelMatch(78);
        assertEquals(List.of(), Received.refusals(ann.seat));
        final BenchRequest request = bench.requests().get(0);
        request.answer(0, characters.answer(request.orderKey(), request.bytes()));
        assertEquals(List.of(ArenaCode.MATCH_CANCELLED), Received.refusals(ann.seat));
    }

    @Test
    void shouldNotMatchAPlayerThatLeftOrLostItsConnection()
    {
        final Player ann = new Player(1, 0).match(2);
        ann.seat.leave();
        final Player bob = new Player(2, 0).match(2);
        bench.runFor(SECOND);
        assertEquals(0, bob.arenaId());
        bob.seat.disconnect();
        final Player eve = new Player(3, 0).match(2);
        bench.runFor(SECOND);
        assertEquals(0, eve.arenaId());
        final Player pat = new Player(4, 0).match(2);
        bench.runFor(SECOND);
        assertNotEquals(0, eve.arenaId());
        assertEquals(eve.arenaId(), pat.arenaId());
    }

    @Test
    void shouldReserveNoSeatWhenOneOfTheMatchLeaves()
    {
        final Player ann = new Player(1, 0).match(2);
        final Player bob = new Player(2, 0).match(2);
        while (LOBBY_AND_MATCHMAKERS == bench.host().openRooms())
        {
            bench.step(1);
        }
        ann.seat.leave();
        bench.runFor(SECOND);
        assertEquals(0, bob.arenaId());
        assertEquals(LOBBY_AND_MATCHMAKERS, bench.host().openRooms(), "the arena is closed");
        final Player eve = new Player(3, 0).match(2);
        bench.runFor(2 * SECOND);
        assertNotEquals(0, bob.arenaId());
        assertEquals(bob.arenaId(), eve.arenaId());
    }

    @Test
    void shouldRefuseMatchesThatCannotBe()
    {
        final Player ann = new Player(1, 0);
        assertEquals(-1, ann.seat.join(matchmakerIds.get(0)).index(), "it would claim its rating there");
        for (final int players : new int[]{0, 3, 16, 254})
        {
            ann.match(players);
            assertRefused(ArenaCode.BAD_SEAT_COUNT, ann.seat);
        }
        ann.say.quickMatch(1, characters.create(2, "foreign"), 2);
        assertRefused(ArenaCode.UNKNOWN_CHARACTER, ann.seat);
        ann.say.createRoom(1, "Pit", 4, "courtyard", "");
        final long pit = Received.last(ann.seat, new RoomCreatedDecoder()).roomId();
        ann.match(2).match(4);
        assertRefused(ArenaCode.MATCH_AWAITED, ann.seat);
        final int refusals = Received.refusals(ann.seat).size();
        ann.say.enterRoom(1, pit, ann.characterId, "");
        assertEquals(refusals + 1, Received.refusals(ann.seat).size());
        assertRefused(ArenaCode.MATCH_AWAITED, ann.seat);
        ann.say.cancelMatch(1);
        ann.say.enterRoom(1, pit, ann.characterId, "");
        assertEquals(pit, ann.arenaId());
    }

    @Test
    void shouldNotSeatAPlayerThatUsedAnEarlierReservation()
    {
        final Player ann = new Player(1, 0);
        ann.say.createRoom(1, "Pit", 4, "courtyard", "");
        final long pit = Received.last(ann.seat, new RoomCreatedDecoder()).roomId();
        ann.say.enterRoom(1, pit, ann.characterId, "");
        ann.match(2);
        ann.seat.join(pit);
        new Player(2, 0).match(2);
        bench.runFor(SECOND);
        assertRefused(ArenaCode.SEATED_ELSEWHERE, ann.seat);
    }

    @Test
    void shouldRefuseWithoutAMatchmaker()
    {
        final Player ann = new Player(1, 0).match(2);
        bench.command(command, 0, encoder.closeRoom(command, 0, matchmakerIds.get(0)));
        assertEquals(List.of(ArenaCode.NO_MATCHMAKER), Received.refusals(ann.seat));
        ann.match(2);
        assertEquals(List.of(ArenaCode.NO_MATCHMAKER, ArenaCode.NO_MATCHMAKER), Received.refusals(ann.seat));
        LobbyTraffic.openMatchmakers(bench);
        ann.match(2);
        new Player(2, 0).match(2);
        bench.runFor(SECOND);
        assertNotEquals(0, ann.arenaId());
    }
}
