package io.escapement.matchmaking;

import io.escapement.matchmaking.codecs.MatchmakingCode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

class FindRoomTest
{
    private static final int PLAYERS = 4;
    /** On the bench a frame finds rooms, and the next two reserve the seats and notify the players. */
    private static final int FRAMES = 3;

    private final MatchRig rig = new MatchRig(
        new MatchmakerContext(MatchRig.MATCH, PLAYERS).findTypeId(MatchRig.HALL), PLAYERS);
    private long lastPlayerId;

    @AfterEach
    void shouldNotHaveFailed()
    {
        assertEquals(List.of(), rig.bench.failures());
        rig.bench.replayAndCompare();
        rig.bench.restoreAndCompare();
    }

    @Test
    void shouldFindTheFirstRoomWithAllLabels()
    {
        final long desert = hall("0=desert", "3=ranked");
        final long forest = hall("0=forest", "3=casual");
        final long other = hall("0=forest", "3=ranked");
        final MatchRig.Player any = find(1);
        final MatchRig.Player inForest = find(1, "0=forest");
        final MatchRig.Player ranked = find(1, "3=ranked", "0=forest");
        final MatchRig.Player nowhere = find(1, "0=fores");
        rig.bench.step(FRAMES);
        assertEquals("matched " + desert, any.lastEvent());
        assertEquals("matched " + forest, inForest.lastEvent());
        assertEquals("matched " + other, ranked.lastEvent());
        assertEquals("removed NO_ROOM", nowhere.lastEvent());
        assertNotEquals(-1, ranked.seat.join(other).index());
        assertEquals(1, rig.bench.host().seatsOccupied(other));
    }

    @Test
    void shouldFollowTheDirectory()
    {
        final long first = hall("0=desert");
        final long second = hall("0=desert");
        rig.signal(first, "0=");
        assertEquals(second, roomFound("0=desert"));
        rig.signal(first, "0=desert");
        assertEquals(first, roomFound("0=desert"));
        rig.signal(first, "close");
        assertEquals(second, roomFound("0=desert"));
        final long third = hall("3=ranked");
        assertEquals(second, roomFound("0=desert"), "the third room has the number of the first, not its labels");
        assertEquals(third, roomFound("3=ranked"));
    }

    @Test
    void shouldSendTicketsOfOneFrameToRoomsWithSeats()
    {
        final long first = hall("0=desert");
        final long second = hall("0=desert");
        final MatchRig.Player[] players = new MatchRig.Player[2 * MatchRig.HALL_SEATS + 1];
        for (int i = 0; i < players.length; i++)
        {
            players[i] = find(1, "0=desert");
        }
        rig.bench.step(FRAMES);
        for (int i = 0; i < players.length - 1; i++)
        {
            assertEquals("matched " + (i < MatchRig.HALL_SEATS ? first : second), players[i].lastEvent());
        }
        assertEquals("removed NO_ROOM", players[players.length - 1].lastEvent());
    }

    @Test
    void shouldSeatAPartyInOneRoom()
    {
        final long first = hall("0=desert");
        final long second = hall("0=desert");
        find(1, "0=desert");
        rig.bench.step(FRAMES);
        find(1, "0=desert");
        rig.bench.step(FRAMES);
        final MatchRig.Player leader = find(2, "0=desert");
        final MatchRig.Player stranger = rig.join(++lastPlayerId);
        stranger.find(leader.seat.index() + 1_000, 2, "0=forest");
        stranger.enqueue(1_000, leader.seat.index() + 1_000, 2);
        assertEquals(List.of(MatchmakingCode.BAD_REQUEST.value(), MatchmakingCode.BAD_REQUEST.value()),
            stranger.seat.refusals());
        final MatchRig.Player member = rig.join(++lastPlayerId);
        member.find(leader.seat.index() + 1_000, 2, "0=desert");
        rig.bench.step(FRAMES);
        assertEquals("matched " + second, leader.lastEvent());
        assertEquals("matched " + second, member.lastEvent());
        assertEquals(2, rig.bench.host().seatsOccupied(first));
        assertEquals(2, rig.bench.host().seatsOccupied(second));
    }

    @Test
    void shouldReserveAllSeatsOfAPartyInTheNextRoomIfOneIsRefused()
    {
        final long locked = hall("0=desert");
        final long second = hall("0=desert");
        rig.signal(locked, "lock");
        final MatchRig.Player leader = find(2, "0=desert");
        final MatchRig.Player member = rig.join(++lastPlayerId);
        member.find(leader.seat.index() + 1_000, 2, "0=desert");
        rig.bench.step(2 * FRAMES + 1);
        assertEquals("matched " + second, leader.lastEvent());
        assertEquals("matched " + second, member.lastEvent());
        assertEquals(0, rig.bench.host().seatsOccupied(locked));
        assertEquals(List.of(), rig.abandoned);
    }

    @Test
    void shouldReleaseTheSeatsOfAPartyIfAMemberLeaves()
    {
        final long room = hall("0=desert");
        final MatchRig.Player leader = find(2, "0=desert");
        final MatchRig.Player member = rig.join(++lastPlayerId);
        member.find(leader.seat.index() + 1_000, 2, "0=desert");
        rig.bench.step(1);
        member.seat.leave();
        assertEquals("removed MEMBER_LEFT", leader.lastEvent());
        assertEquals(0, rig.bench.host().seatsOccupied(room));
        final MatchRig.Player[] others = {find(1), find(1), find(1)};
        rig.bench.step(FRAMES);
        for (final MatchRig.Player other : others)
        {
            assertEquals("matched " + room, other.lastEvent());
        }
    }

    @Test
    void shouldRefuseMalformedLabels()
    {
        final MatchRig.Player player = rig.join(++lastPlayerId);
        player.find(0, 1, "8=desert");
        player.find(0, 1, "0=");
        assertEquals(List.of(MatchmakingCode.BAD_REQUEST.value(), MatchmakingCode.BAD_REQUEST.value()),
            player.seat.refusals());
    }

    private long roomFound(final String label)
    {
        final MatchRig.Player player = find(1, label);
        rig.bench.step(FRAMES);
        return player.roomId();
    }

    private long hall(final String... labels)
    {
        return rig.openHall(labels);
    }

    private MatchRig.Player find(final int partySize, final String... labels)
    {
        final MatchRig.Player player = rig.join(++lastPlayerId);
        player.find(1 == partySize ? 0 : player.seat.index() + 1_000, partySize, labels);
        return player;
    }
}
