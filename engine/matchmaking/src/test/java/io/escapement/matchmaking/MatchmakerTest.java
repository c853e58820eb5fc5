package io.escapement.matchmaking;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.matchmaking.codecs.MatchmakingCode;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.replay.Replay;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MatchmakerTest
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    /** On the bench a frame begins a match, and the next three open the room, reserve the seats, notify the players. */
    private static final int FRAMES_OF_MATCH = 5;

    private MatchRig rig;
    private long lastPlayerId;

    @AfterEach
    void shouldNotHaveFailed()
    {
        assertEquals(List.of(), rig.bench.failures());
        rig.bench.replayAndCompare();
        rig.bench.restoreAndCompare();
    }

    @Test
    void shouldMatchPlayersWhoseRatingsAreNear()
    {
        rig = new MatchRig(new MatchmakerContext(MatchRig.MATCH, 2), 2);
        final List<MatchRig.Player> players = enqueue(1_000, 2_000, 1_050, 2_051);
        rig.bench.step(FRAMES_OF_MATCH);
        final long roomId = players.get(0).roomId();
        assertEquals("matched " + roomId, players.get(0).lastEvent());
        assertEquals("matched " + roomId, players.get(2).lastEvent());
        assertEquals("queued 0", players.get(1).lastEvent());
        assertEquals("queued 0", players.get(3).lastEvent());
        assertEquals(List.of("3:1050:0", "1:1000:1"), rig.openedMap.get(roomId));
        assertEquals(-1, players.get(1).seat.join(roomId).index());
        assertNotEquals(-1, players.get(0).seat.join(roomId).index());
        assertNotEquals(-1, players.get(2).seat.join(roomId).index());
    }

    @Test
    void shouldWidenTheRangeOfBothPlayers()
    {
        rig = new MatchRig(
            new MatchmakerContext(MatchRig.MATCH, 2).initialRange(50).rangePerSecond(10).maxRange(100), 2);
        final MatchRig.Player first = enqueue(1_000).get(0);
        rig.bench.runFor(10 * SECOND_NS);
        final List<MatchRig.Player> others = enqueue(1_100, 1_101);
        rig.bench.runFor(SECOND_NS);
        assertEquals("queued 0", first.lastEvent(), "the second and the third are nearer");
        assertEquals("matched " + others.get(0).roomId(), others.get(1).lastEvent());
        final MatchRig.Player fourth = enqueue(1_100).get(0);
        rig.bench.runFor(4 * SECOND_NS);
        assertEquals("queued 0", first.lastEvent());
        rig.bench.runFor(2 * SECOND_NS);
        assertEquals("matched " + first.roomId(), fourth.lastEvent());
    }

    @Test
    void shouldKeepPartiesTogether()
    {
        rig = new MatchRig(new MatchmakerContext(MatchRig.MATCH, 4), 4);
        final List<MatchRig.Player> two = party(77, 1_000, 1_020);
        final MatchRig.Player alone = enqueue(1_011).get(0);
        final List<MatchRig.Player> others = party(78, 1_010, 1_020);
        assertEquals(List.of("queued 1", "queued 0"), two.get(0).events());
        assertEquals(List.of("queued 0"), two.get(1).events());
        rig.bench.step(FRAMES_OF_MATCH);
        final long roomId = two.get(0).roomId();
        for (final MatchRig.Player member : List.of(two.get(0), two.get(1), others.get(0), others.get(1)))
        {
            assertEquals("matched " + roomId, member.lastEvent());
        }
        assertEquals("queued 0", alone.lastEvent());
        assertEquals(4, rig.bench.host().seatsOccupied(roomId));
    }

    @Test
    void shouldLetAPartyWaitSinceItIsComplete()
    {
        rig = new MatchRig(new MatchmakerContext(MatchRig.MATCH, 3)
            .initialRange(50).rangePerSecond(10).timeoutNs(20 * SECOND_NS), 3);
        final MatchRig.Player alone = enqueue(1_090).get(0);
        final MatchRig.Player first = rig.join(50);
        first.enqueue(1_000, 9, 2);
        rig.bench.runFor(10 * SECOND_NS);
        final MatchRig.Player second = rig.join(51);
        second.enqueue(1_000, 9, 2);
        rig.bench.runFor(3 * SECOND_NS);
        assertEquals("queued 0", alone.lastEvent(), "the range of the party is 80");
        rig.bench.runFor(2 * SECOND_NS);
        assertEquals("matched " + alone.roomId(), first.lastEvent());
        assertEquals("matched " + alone.roomId(), second.lastEvent());
    }

    @Test
    void shouldRemoveTheTicketOfAPartyWithAnyMember()
    {
        rig = new MatchRig(new MatchmakerContext(MatchRig.MATCH, 4), 4);
        final List<MatchRig.Player> party = party(77, 1_000, 1_000, 1_000);
        party.get(1).seat.disconnect();
        assertEquals("removed MEMBER_LEFT", party.get(0).lastEvent());
        assertEquals("removed MEMBER_LEFT", party.get(2).lastEvent());
        assertEquals("queued 0", party.get(1).lastEvent());
        for (final MatchRig.Player member : List.of(party.get(0), party.get(2)))
        {
            member.enqueue(1_000, 77, 2);
        }
        party.get(2).cancel();
        assertEquals("removed CANCELLED", party.get(0).lastEvent());
        assertEquals("removed CANCELLED", party.get(2).lastEvent());
        party.get(0).enqueue(1_000, 77, 2);
        assertEquals("queued 1", party.get(0).lastEvent());
        party.get(0).seat.leave();
        party.get(2).enqueue(1_000, 77, 2);
        assertEquals("queued 1", party.get(2).lastEvent(), "it is the first member of another ticket");
        rig.bench.step(FRAMES_OF_MATCH);
        assertTrue(rig.openedMap.isEmpty());
    }

    @Test
    void shouldTimeOut()
    {
        rig = new MatchRig(new MatchmakerContext(MatchRig.MATCH, 2).timeoutNs(3 * SECOND_NS), 2);
        final MatchRig.Player alone = enqueue(1_000).get(0);
        final MatchRig.Player incomplete = rig.join(50);
        incomplete.enqueue(1_000, 9, 2);
        rig.bench.runFor(2 * SECOND_NS);
        final MatchRig.Player late = enqueue(2_000).get(0);
        rig.bench.runFor(2 * SECOND_NS);
        assertEquals("removed TIMED_OUT", alone.lastEvent());
        assertEquals("removed TIMED_OUT", incomplete.lastEvent());
        assertEquals("queued 0", late.lastEvent());
        assertEquals(0, alone.enqueue(1_000));
        assertEquals("queued 0", alone.lastEvent());
    }

    @Test
    void shouldRefuseByACode()
    {
        rig = new MatchRig(new MatchmakerContext(MatchRig.MATCH, 3).waitingLimit(4), 3);
        final List<MatchRig.Player> party = party(77, 1_000, 1_000);
        final MatchRig.Player other = rig.join(50);
        other.enqueue(1_000, 77, 2);
        other.enqueue(1_000, 77, 3);
        other.enqueue(1_000, 0, 2);
        other.enqueue(1_000, 77, 1);
        other.enqueue(1_000, 78, 4);
        other.cancel();
        assertEquals(List.of(MatchmakingCode.PARTY_FULL.value(), MatchmakingCode.BAD_REQUEST.value(),
            MatchmakingCode.BAD_REQUEST.value(), MatchmakingCode.BAD_REQUEST.value(),
            MatchmakingCode.BAD_REQUEST.value(), MatchmakingCode.NOT_QUEUED.value()), other.seat.refusals());
        party.get(0).enqueue(1_000);
        assertEquals(List.of(MatchmakingCode.ALREADY_QUEUED.value()), party.get(0).seat.refusals());
        enqueue(5_000, 6_000);
        final MatchRig.Player fifth = enqueue(7_000).get(0);
        assertEquals(List.of(MatchmakingCode.QUEUE_FULL.value()), fifth.seat.refusals());
        fifth.seat.send("hello");
        assertEquals(RefusalCode.TOO_SHORT.value(), fifth.seat.refusals().get(1));
    }

    @Test
    void shouldReleaseAllSeatsIfOneIsRefused()
    {
        rig = new MatchRig(new MatchmakerContext(MatchRig.MATCH, 3).timeoutNs(10 * SECOND_NS), 2);
        final List<MatchRig.Player> players = enqueue(1_000, 1_000, 1_000);
        rig.bench.step(2 * FRAMES_OF_MATCH);
        assertEquals(1, rig.openedMap.size(), "another one is tried after a pause");
        assertEquals(List.copyOf(rig.openedMap.keySet()), rig.abandoned);
        assertEquals(0, rig.bench.host().seatsOccupied(rig.abandoned.get(0)));
        players.forEach((player) -> assertEquals("queued 0", player.lastEvent()));
        rig.bench.runFor(SECOND_NS);
        assertEquals(2, rig.openedMap.size());
        rig.bench.runFor(10 * SECOND_NS);
        players.forEach((player) -> assertEquals("removed TIMED_OUT", player.lastEvent()));
    }

    @Test
    void shouldReleaseAllSeatsIfAPlayerLeavesAtAnyTime()
    {
        for (int frames = 2; frames <= FRAMES_OF_MATCH; frames++)
        {
            rig = new MatchRig(new MatchmakerContext(MatchRig.MATCH, 3), 3);
            final List<MatchRig.Player> players = enqueue(1_000, 1_000, 1_000);
            rig.bench.step(frames);
            assertEquals(1, rig.openedMap.size());
            players.get(1).seat.leave();
            // The replies that were pending have arrived with the turn.
            final long roomId = rig.openedMap.keySet().iterator().next();
            final boolean hasMatched = players.get(0).lastEvent().startsWith("matched");
            assertEquals(frames >= FRAMES_OF_MATCH - 1, hasMatched, "after " + frames);
            assertEquals(hasMatched ? List.of() : List.of(roomId), rig.abandoned);
            assertEquals(hasMatched ? 3 : 0, rig.bench.host().seatsOccupied(roomId));
            if (!hasMatched)
            {
                final MatchRig.Player fourth = rig.join(50);
                fourth.enqueue(1_000);
                rig.bench.step(FRAMES_OF_MATCH);
                assertEquals("matched " + players.get(0).roomId(), fourth.lastEvent());
                assertEquals(3, rig.bench.host().seatsOccupied(fourth.roomId()));
            }
        }
    }

    @Test
    void shouldAskTheServiceForRatings()
    {
        rig = new MatchRig(new MatchmakerContext(MatchRig.MATCH, 2).ratingService(MatchRig.SERVICE), 2);
        rig.ratings(Map.of(1L, 1_000, 2L, 2_000, 3L, 1_010));
        final List<MatchRig.Player> players = enqueue(5, 5, 9_000, 5);
        rig.bench.step(FRAMES_OF_MATCH);
        assertEquals("matched " + players.get(0).roomId(), players.get(2).lastEvent());
        assertEquals("queued 0", players.get(1).lastEvent());
        assertEquals(List.of(MatchmakingCode.NO_RATING.value()), players.get(3).seat.refusals());
        assertEquals(List.of(), players.get(3).events());
    }

    @Test
    void shouldLeaveRequestsForAMatch()
    {
        for (final int requests : new int[]{3, 4})
        {
            rig = new MatchRig(
                new MatchmakerContext(MatchRig.MATCH, 2).ratingService(MatchRig.SERVICE), 2, 16, requests);
            lastPlayerId = 0;
            rig.ratings(Map.of(1L, 1_000, 2L, 1_000));
            final List<MatchRig.Player> players = enqueue(0, 0);
            rig.bench.step(FRAMES_OF_MATCH);
            final boolean isBusy = 3 == requests;
            assertEquals(isBusy ? List.of(MatchmakingCode.BUSY.value()) : List.of(), players.get(1).seat.refusals());
            assertEquals(isBusy, players.get(1).events().isEmpty());
            assertEquals(isBusy ? 0 : 1, rig.openedMap.size());
        }
    }

    @Test
    void shouldRefuseToReplayWithOtherOptions()
    {
        rig = new MatchRig(options(), 2);
        enqueue(1_000, 1_010);
        rig.bench.step(FRAMES_OF_MATCH);
        final byte[] log = rig.bench.log();
        assertEquals(0, refusals(log, options()));
        final List<MatchmakerContext> others = List.of(
            new MatchmakerContext(MatchRig.MATCH, 3).maxRange(200),
            new MatchmakerContext(MatchRig.HALL, 2).maxRange(200),
            options().waitingLimit(9), options().initialRange(9), options().rangePerSecond(9), options().maxRange(201),
            options().timeoutNs(9), options().reservationNs(9), options().ratingService(9), options().findTypeId(9));
        for (int i = 0; i < others.size(); i++)
        {
            assertEquals(1, refusals(log, others.get(i)), "options " + i);
        }
    }

    private static MatchmakerContext options()
    {
        return new MatchmakerContext(MatchRig.MATCH, 2).maxRange(200);
    }

    private static int refusals(final byte[] log, final MatchmakerContext options)
    {
        final HostContext context = new HostContext().outputs(new CapturedOutputs());
        for (final RoomType type : new MatchRig(options, 2).types)
        {
            context.roomType(type);
        }
        final LogFile file = LogFile.openUnfinished(new UnsafeBuffer(log), 0, log.length);
        try
        {
            assertTrue(new Replay(file, context).run().isSame());
            return 0;
        }
        catch (final IllegalArgumentException ex)
        {
            assertTrue(ex.getMessage().contains("matchmaker"), ex::getMessage);
            return 1;
        }
    }

    @Test
    void shouldRefuseWrongOptions()
    {
        rig = new MatchRig(new MatchmakerContext(MatchRig.MATCH, 2), 2);
        assertThrows(IllegalArgumentException.class, () -> new MatchmakerContext(MatchRig.MATCH, 63));
        assertThrows(IllegalArgumentException.class, () -> new MatchmakerContext(MatchRig.MATCH, 0));
        assertThrows(IllegalArgumentException.class, () -> new MatchmakerContext(1, 2).timeoutNs(0));
        assertThrows(IllegalArgumentException.class, () -> new MatchmakerContext(1, 2).maxRange(70_000));
        assertThrows(IllegalArgumentException.class,
            () -> Matchmaker.type(1, new MatchmakerContext(1, 2).initialRange(60).maxRange(50)));
        final MatchmakerContext concluded = new MatchmakerContext(1, 2);
        Matchmaker.type(1, concluded);
        assertThrows(IllegalStateException.class, () -> concluded.waitingLimit(5));
    }

    /** Players with these ratings who wait alone; their ids count from 1. */
    private List<MatchRig.Player> enqueue(final int... ratings)
    {
        final List<MatchRig.Player> players = new ArrayList<>();
        for (final int rating : ratings)
        {
            players.add(rig.join(++lastPlayerId));
            players.get(players.size() - 1).enqueue(rating);
        }
        return players;
    }

    private List<MatchRig.Player> party(final long partyId, final int... ratings)
    {
        final List<MatchRig.Player> players = new ArrayList<>();
        for (final int rating : ratings)
        {
            players.add(rig.join(++lastPlayerId));
            players.get(players.size() - 1).enqueue(rating, partyId, ratings.length);
        }
        return players;
    }
}
