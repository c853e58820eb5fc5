package io.escapement.perf.players;

import io.escapement.perf.process.Findings;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** Two players, ten moves a second each, by hand. */
@Timeout(10)
class ScoreTest
{
    private static final long START_NS = ms(1_000);
    private static final int SEATS = 2;
    private static final int STATE = 64;

    private final UnsafeBuffer move = new UnsafeBuffer(new byte[Wire.MOVE_LENGTH]);
    private final UnsafeBuffer state = new UnsafeBuffer(new byte[STATE]);
    private final PhaseScore phase = new PhaseScore(new Phase(20, 1_000), 1);
    private final Score score = new Score(new PhaseScore[]{phase}, 2, SEATS, false);
    private final Bot[] bots = {new Bot(0, 1, null), new Bot(1, 1, null)};

    @BeforeEach
    void begin()
    {
        bots[1].seatIndex = 1;
        score.start(0, START_NS);
    }

    @Test
    void shouldMeasureFromThePlannedSend()
    {
        // The third move is planned at 100 ms, whenever it leaves.
        send(2, 1);
        answer(bots[0], 2, 1, START_NS + ms(130));
        final Findings found = findings();
        assertEquals(30, maxMs(found.total(PlayersRun.PING + ".0")), 1);
        assertEquals(1, found.value(PlayersRun.ANSWERED + ".0"));
        assertEquals(1, found.value(PlayersRun.IN_TIME + ".0"));
        assertEquals(0, found.value(PlayersRun.CHECKSUM_DIFFERENCE));
    }

    @Test
    void shouldCountWhatIsLateAsAnsweredAndNotInTime()
    {
        send(0, 1);
        answer(bots[0], 0, 1, START_NS + ms(41));
        final Findings found = findings();
        assertEquals(1, found.value(PlayersRun.ANSWERED + ".0"));
        assertEquals(0, found.value(PlayersRun.IN_TIME + ".0"));
    }

    @Test
    void shouldMeasureEachMoveToTheFirstStateThatHoldsIt()
    {
        send(0, 1);
        send(2, 2);
        send(4, 3);
        state(1, true, 0, 0);
        score.onState(bots[0], state, 0, STATE, START_NS + ms(10));
        // Both moves are in it, planned at 0 and at 100 ms.
        state(2, true, 2, 0);
        score.onState(bots[0], state, 0, STATE, START_NS + ms(150));
        state(3, true, 2, 0);
        score.onState(bots[0], state, 0, STATE, START_NS + ms(170));
        final Findings found = findings();
        final Histogram moveToState = found.total(PlayersRun.MOVE_TO_STATE);
        assertEquals(2, moveToState.getTotalCount());
        assertEquals(150, maxMs(moveToState), 1);
        assertEquals(50, moveToState.getMinNonZeroValue() / 1e6, 1);
        assertEquals(1, found.value(PlayersRun.MOVES_UNSEEN));
        assertEquals(3, found.value(PlayersRun.STATES_SEEN));
    }

    @Test
    void shouldMeasureGapsAndTheOneThatIsOpenAtTheEnd()
    {
        state(1, true, 0, 0);
        score.onState(bots[0], state, 0, STATE, START_NS + ms(20));
        state(2, true, 0, 0);
        score.onState(bots[0], state, 0, STATE, START_NS + ms(60));
        score.stop(bots, START_NS + ms(500));
        final Histogram gaps = findings().total(PlayersRun.GAP);
        assertEquals(4, gaps.getTotalCount());
        // The other player saw none at all.
        assertEquals(500, maxMs(gaps), 2);
        assertEquals(1, gaps.getCountBetweenValues(ms(439), ms(441)));
        assertEquals(1, gaps.getCountBetweenValues(ms(39), ms(41)));
    }

    @Test
    void shouldSeeThatSomethingIsWrong()
    {
        send(0, 1);
        send(2, 2);
        answer(bots[0], 2, 2, START_NS);
        answer(bots[0], 0, 1, START_NS);
        assertEquals(1, findings().value(PlayersRun.ORDER_FAULTS), "answers in another order");

        answer(bots[1], 0, 1, START_NS);
        assertEquals(2, findings().value(PlayersRun.ORDER_FAULTS), "another player's answer");
    }

    @Test
    void shouldSeeThatBytesWereChanged()
    {
        send(0, 1);
        Wire.move(move, phase.plannedNs(0) + 1, 1, 0);
        score.onAnswer(bots[0], move, 0, Wire.MOVE_LENGTH, START_NS);
        assertNotEquals(0, findings().value(PlayersRun.CHECKSUM_DIFFERENCE));
    }

    @Test
    void shouldSeeThatStatesAreBroken()
    {
        state(5, true, 0, 0);
        score.onState(bots[0], state, 0, STATE, START_NS);
        score.onState(bots[0], state, 0, STATE, START_NS);
        assertEquals(1, findings().value(PlayersRun.BROKEN_STATES), "twice the same");
        state(6, true, 0, 0);
        score.onState(bots[0], state, 0, STATE - Integer.BYTES, START_NS);
        assertEquals(2, findings().value(PlayersRun.BROKEN_STATES), "cut");
        state(7, true, 0, 0);
        state.putInt(12, SEATS + 1);
        score.onState(bots[0], state, 0, STATE, START_NS);
        assertEquals(3, findings().value(PlayersRun.BROKEN_STATES), "of another room");
    }

    @Test
    void shouldCountStatesThatCameBeforeItsPartBegan()
    {
        final Score before = new Score(new PhaseScore[]{new PhaseScore(new Phase(20, 100), 1)}, 2, SEATS, false);
        state(1, false, 0, 0);
        before.onState(bots[0], state, 0, STATE, START_NS);
        state(2, true, 0, 0);
        before.onState(bots[0], state, 0, STATE, START_NS);
        score.follow(before);
        state(3, true, 0, 0);
        score.onState(bots[0], state, 0, STATE, START_NS);
        assertEquals(2, findings().value(PlayersRun.STATES_SEEN));
    }

    private void send(final int place, final int number)
    {
        score.sent(phase, Wire.move(move, phase.plannedNs(place), number, place % 2));
    }

    private void answer(final Bot bot, final int place, final int number, final long nowNs)
    {
        Wire.move(move, phase.plannedNs(place), number, place % 2);
        score.onAnswer(bot, move, 0, Wire.MOVE_LENGTH, nowNs);
    }

    private void state(final long number, final boolean isCounted, final int first, final int second)
    {
        Wire.state(state, STATE, number, isCounted, SEATS);
        Wire.lastMove(state, 0, first);
        Wire.lastMove(state, 1, second);
    }

    private Findings findings()
    {
        return score.findings(START_NS + ms(1_000));
    }

    private static double maxMs(final Histogram histogram)
    {
        return histogram.getMaxValue() / 1e6;
    }

    private static long ms(final long ms)
    {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
