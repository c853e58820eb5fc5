package io.escapement.matchmaking;

import io.escapement.matchmaking.codecs.MatchmakingEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.bench.RoomBench;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The types of engine/guide/matchmaking.md match four players of one rating. */
class GuideTypesTest
{
    private static final int ARENA = 9;
    private static final int RATINGS = 5;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    private int duels;

    @Test
    void shouldOpenAMatch()
    {
        final RoomType match = RoomType.of(7, "duel", 1, Duel::new).seats(4)
            .admission(RoomType.Admission.BY_RESERVATION).closeWhenEmptyNs(TimeUnit.SECONDS.toNanos(1));
        final RoomType matchmaker = Matchmaker.type(8, new MatchmakerContext(match.id(), 4)
            .initialRange(50).rangePerSecond(10).maxRange(500)
            .timeoutNs(TimeUnit.SECONDS.toNanos(60))
            .ratingService(RATINGS)
            .findTypeId(ARENA));
        final RoomBench bench = RoomBench.of(matchmaker, match).service(RATINGS, (orderKey, request) -> rating());
        for (int player = 1; player <= match.seats(); player++)
        {
            bench.join(player).send(buffer, 0, new MatchmakingEncoder().enqueue(buffer, 0, 0, 1, 0));
        }
        bench.runFor(TimeUnit.SECONDS.toNanos(1));
        assertEquals(1, duels);
        assertEquals(List.of(), bench.failures());
    }

    private static byte[] rating()
    {
        final UnsafeBuffer answer = new UnsafeBuffer(new byte[64]);
        return Arrays.copyOf(answer.byteArray(), new MatchmakingEncoder().rating(answer, 0, 1_200));
    }

    private final class Duel implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            duels++;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            throw new IllegalStateException("no player has joined");
        }
    }
}
