package io.escapement.matchmaking;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.matchmaking.codecs.MatchmakingCode;
import io.escapement.rooms.bench.BenchSeat;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Players that another room asks a match for. */
class AskedPlayersTest
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private MatchRig rig = new MatchRig(new MatchmakerContext(MatchRig.MATCH, 2), 2);

    @AfterEach
    void shouldReplayAndContinue()
    {
        assertEquals(List.of(), rig.bench.failures());
        rig.bench.replayAndCompare();
        rig.bench.restoreAndCompare();
    }

    @Test
    void shouldMatchThemWithEachOtherAndWithThosePresent()
    {
        rig.ask(11, 1_000);
        rig.ask(12, 1_900);
        rig.ask(13, 1_010);
        rig.bench.runFor(SECOND_NS);
        assertTrue(rig.answer(11) > 0);
        assertEquals(rig.answer(11), rig.answer(13));
        assertEquals(List.of("13:1010:0", "11:1000:1"), rig.openedMap.get(rig.answer(11)));
        assertEquals(2, rig.bench.host().seatsOccupied(rig.answer(11)));
        assertEquals(0, rig.answer(12));
        final MatchRig.Player present = rig.join(14);
        present.enqueue(1_900);
        rig.bench.runFor(SECOND_NS);
        assertEquals("matched " + rig.answer(12), present.lastEvent());
        assertNotEquals(rig.answer(11), rig.answer(12));
    }

    @Test
    void shouldRemoveThemByTimeAndBySignal()
    {
        rig.ask(11, 1_000);
        rig.bench.runFor(59 * SECOND_NS);
        assertEquals(0, rig.answer(11));
        rig.bench.runFor(2 * SECOND_NS);
        assertEquals(-MatchmakingCode.TIMED_OUT.value(), rig.answer(11));
        rig.ask(12, 1_000);
        rig.cancelAsked(12);
        assertEquals(-MatchmakingCode.CANCELLED.value(), rig.answer(12));
        rig.cancelAsked(12);
        rig.ask(13, 1_000);
        rig.bench.runFor(SECOND_NS);
        assertEquals(0, rig.answer(13), "it is alone");
    }

    @Test
    void shouldAbandonAMatchThatIsCancelledBeforeAllSeatsAreReserved()
    {
        rig.ask(11, 1_000);
        rig.ask(12, 1_000);
        while (rig.openedMap.isEmpty())
        {
            rig.bench.step(1);
        }
        rig.cancelAsked(11);
        rig.bench.runFor(SECOND_NS);
        assertEquals(-MatchmakingCode.CANCELLED.value(), rig.answer(11));
        assertEquals(0, rig.answer(12));
        assertEquals(1, rig.abandoned.size());
        assertEquals(0, rig.bench.host().seatsOccupied(rig.abandoned.get(0)));
        rig.ask(13, 1_000);
        rig.bench.runFor(SECOND_NS);
        assertTrue(rig.answer(12) > 0);
        assertEquals(rig.answer(12), rig.answer(13));
    }

    @Test
    void shouldHaveOneTicketForAPlayer()
    {
        rig.ask(11, 1_000);
        final MatchRig.Player same = rig.join(11);
        same.enqueue(1_000);
        assertEquals(List.of(MatchmakingCode.ALREADY_QUEUED.value()), same.seat.refusals());
        final MatchRig.Player other = rig.join(12);
        other.enqueue(2_000);
        rig.ask(12, 1_000);
        assertEquals(-MatchmakingCode.ALREADY_QUEUED.value(), rig.answer(12));
        rig.ask(11, 1_000);
        assertEquals(-MatchmakingCode.ALREADY_QUEUED.value(), rig.answer(11));
        rig.bench.runFor(SECOND_NS);
        assertEquals(Map.of(), rig.openedMap);
    }

    @Test
    void shouldLimitThem()
    {
        rig = new MatchRig(new MatchmakerContext(MatchRig.MATCH, 62).askedLimit(4), 62);
        for (int player = 1; player <= 5; player++)
        {
            rig.ask(player, 1_000);
        }
        assertEquals(0, rig.answer(4));
        assertEquals(-RefusalCode.QUEUE_FULL.value(), rig.answer(5));
        rig.cancelAsked(2);
        rig.ask(6, 1_000);
        assertEquals(0, rig.answer(6));
    }

    @Test
    void shouldOpenMatchesWithItsOwnSettings()
    {
        final byte[] settings = "map=pit".getBytes(StandardCharsets.US_ASCII);
        final long other = rig.bench.open(rig.types[0], new UnsafeBuffer(settings), 0, settings.length);
        for (int player = 1; player <= 4; player++)
        {
            final BenchSeat seat = rig.bench.join(player);
            rig.new Player(player > 2 ? seat.join(other) : seat).enqueue(1_000);
        }
        rig.bench.runFor(SECOND_NS);
        assertEquals(List.of("", "map=pit"), rig.settings.stream().sorted().toList());
    }
}
