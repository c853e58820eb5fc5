package io.escapement.matchmaking;

import io.escapement.matchmaking.codecs.MatchmakingEncoder;
import io.escapement.matchmaking.codecs.MessageHeaderDecoder;
import io.escapement.matchmaking.codecs.OpenMatchDecoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.simulator.Simulator;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A matchmaker and its matches under loss, kills, changes of the leader and faults of the disk. */
class MatchmakerSimulationTest
{
    private static final int SEEDS = 8;
    private static final int MATCHMAKER = 1;
    private static final int MATCH = 2;
    private static final long EMPTY_NS = 200_000_000;

    private int made;

    @Test
    void shouldMatchEachPlayerWithAnotherWhateverFails()
    {
        simulate(Matchmaker.type(MATCHMAKER, new MatchmakerContext(MATCH, 2))).run(SEEDS);
    }

    /** Planted: every second matchmaker has a wider range than its options say. */
    @Test
    void shouldFindAMatchmakerThatMatchesOtherPlayers()
    {
        final MatchmakerContext context = new MatchmakerContext(MATCH, 2);
        final MatchmakerContext wider = new MatchmakerContext(MATCH, 2).initialRange(500);
        final AssertionError found = assertThrows(AssertionError.class, () -> simulate(Matchmaker.type(
            MATCHMAKER, context, () -> new Matchmaker(0 == made++ % 2 ? context : wider))).run(SEEDS));
        assertTrue(found.getMessage().contains("seed "), found::getMessage);
    }

    private static Simulator simulate(final RoomType matchmaker)
    {
        return new Simulator(matchmaker.seats(16), RoomType.of(MATCH, "match", 1, MatchRoom::new).seats(2)
            .admission(RoomType.Admission.BY_RESERVATION).closeWhenEmptyNs(EMPTY_NS))
            .open(MATCHMAKER, 1)
            .script(MatchmakerSimulationTest::enqueue)
            .checkAfterEachTurn(MatchRoom.class, (match) -> assertNotEquals(match.first, match.second));
    }

    private static int enqueue(
        final long playerId, final long roomId, final SplittableRandom random, final MutableDirectBuffer buffer)
    {
        return new MatchmakingEncoder().enqueue(buffer, 0, 0, 1, 1_000 + random.nextInt(200));
    }

    /** Notes who plays. */
    private static final class MatchRoom implements RoomLogic
    {
        private long first;
        private long second;

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            final OpenMatchDecoder.PlayersDecoder players =
                new OpenMatchDecoder().wrapAndApplyHeader(args, offset, new MessageHeaderDecoder()).players();
            first = players.next().playerId();
            second = players.next().playerId();
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            // Nobody comes.
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putLong(first);
            writer.putLong(second);
        }

        @Override
        public void onRestore(final Room room, final int version, final StateReader reader)
        {
            first = reader.getLong();
            second = reader.getLong();
        }
    }
}
