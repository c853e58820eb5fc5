package io.escapement.perf.crowd;

import io.escapement.perf.rig.Measurements;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** Two players with ten moves per second each, stepped by hand. */
class PartStatsTest
{
    private static final long START_NS = ms(1_000);
    private static final int SEATS = 2;
    private static final int STATE = 64;

    private final UnsafeBuffer move = new UnsafeBuffer(new byte[CrowdMessages.MOVE_LENGTH]);
    private final UnsafeBuffer state = new UnsafeBuffer(new byte[STATE]);
    private final PhaseStats phase = new PhaseStats(new LoadPhase(20, 1_000));
    private final PartStats stats = new PartStats(new PhaseStats[]{phase}, 2, SEATS, true);
    private final Bot[] bots = {new Bot(0, 1, null), new Bot(1, 1, null)};

    @BeforeEach
    void begin()
    {
        bots[1].seatIndex = 1;
        stats.start(0, START_NS);
    }

    @Test
    void shouldMeasureFromThePlannedSend()
    {
        // The third move is planned at 100 ms, no matter when it is sent.
        send(2, 1);
        answer(bots[0], 2, 1, START_NS + ms(130));
        final Measurements run = measurements();
        assertEquals(30, maxMs(run.total(CrowdFigures.PING + ".0")), 1);
        assertEquals(1, run.value(CrowdFigures.ANSWERED + ".0"));
        assertEquals(1, run.value(CrowdFigures.IN_TIME + ".0"));
        assertEquals(0, run.value(CrowdFigures.CHECKSUM_DIFFERENCE));
    }

    @Test
    void shouldCountALateAnswerAsNotInTime()
    {
        send(0, 1);
        answer(bots[0], 0, 1, START_NS + ms(41));
        final Measurements run = measurements();
        assertEquals(1, run.value(CrowdFigures.ANSWERED + ".0"));
        assertEquals(0, run.value(CrowdFigures.IN_TIME + ".0"));
    }

    @Test
    void shouldMeasureEachMoveToTheFirstStateThatContainsIt()
    {
        send(0, 1);
        send(2, 2);
        send(4, 3);
        state(1, true, 0, 0);
        stats.onState(bots[0], state, 0, STATE, START_NS + ms(10));
        // It contains both moves, planned at 0 and at 100 ms.
        state(2, true, 2, 0);
        stats.onState(bots[0], state, 0, STATE, START_NS + ms(150));
        state(3, true, 2, 0);
        stats.onState(bots[0], state, 0, STATE, START_NS + ms(170));
        final Measurements run = measurements();
        final Histogram moveToState = run.total(CrowdFigures.MOVE_TO_STATE);
        assertEquals(2, moveToState.getTotalCount());
        assertEquals(150, maxMs(moveToState), 1);
        assertEquals(50, moveToState.getMinNonZeroValue() / 1e6, 1);
        assertEquals(1, run.value(CrowdFigures.MOVES_UNSEEN));
        assertEquals(3, run.value(CrowdFigures.STATES_SEEN));
    }

    @Test
    void shouldMeasureGapsIncludingThoseOpenAtTheEnd()
    {
        state(1, true, 0, 0);
        stats.onState(bots[0], state, 0, STATE, START_NS + ms(20));
        state(2, true, 0, 0);
        stats.onState(bots[0], state, 0, STATE, START_NS + ms(60));
        stats.stop(bots, START_NS + ms(500));
        final Histogram gaps = measurements().total(CrowdFigures.GAP);
        assertEquals(4, gaps.getTotalCount());
        // The other player saw no state.
        assertEquals(500, maxMs(gaps), 2);
        assertEquals(1, gaps.getCountBetweenValues(ms(439), ms(441)));
        assertEquals(1, gaps.getCountBetweenValues(ms(39), ms(41)));
    }

    @Test
    void shouldCountAnswersOutOfOrderOrOfAnotherPlayer()
    {
        send(0, 1);
        send(2, 2);
        answer(bots[0], 2, 2, START_NS);
        answer(bots[0], 0, 1, START_NS);
        assertEquals(1, measurements().value(CrowdFigures.ORDER_FAULTS), "answers in another order");

        answer(bots[1], 0, 1, START_NS);
        assertEquals(2, measurements().value(CrowdFigures.ORDER_FAULTS), "another player's answer");
    }

    @Test
    void shouldDetectChangedBytesByTheChecksum()
    {
        send(0, 1);
        CrowdMessages.move(move, phase.plannedNs(0) + 1, 1, 0);
        stats.onAnswer(bots[0], move, 0, CrowdMessages.MOVE_LENGTH, START_NS);
        assertNotEquals(0, measurements().value(CrowdFigures.CHECKSUM_DIFFERENCE));
    }

    @Test
    void shouldCountBrokenStates()
    {
        state(5, true, 0, 0);
        stats.onState(bots[0], state, 0, STATE, START_NS);
        stats.onState(bots[0], state, 0, STATE, START_NS);
        assertEquals(1, measurements().value(CrowdFigures.BROKEN_STATES), "a repeated state");
        state(6, true, 0, 0);
        stats.onState(bots[0], state, 0, STATE - Integer.BYTES, START_NS);
        assertEquals(2, measurements().value(CrowdFigures.BROKEN_STATES), "a truncated state");
        state(7, true, 0, 0);
        state.putInt(12, SEATS + 1);
        stats.onState(bots[0], state, 0, STATE, START_NS);
        assertEquals(3, measurements().value(CrowdFigures.BROKEN_STATES), "a state of another room");
    }

    @Test
    void shouldMeasureTheAgeOfStatesWhereTheyHaveTheTimeOfThisHost()
    {
        final PhaseStats other = new PhaseStats(new LoadPhase(20, 1_000));
        final PartStats durable = new PartStats(new PhaseStats[]{other}, 2, SEATS, false);
        durable.start(0, START_NS);
        state(1, true, 0, 0);
        stats.onState(bots[0], state, 0, STATE, START_NS + ms(7));
        durable.onState(bots[1], state, 0, STATE, START_NS + ms(7));
        assertEquals(7, maxMs(measurements().total(CrowdFigures.STATE_AGE)), 0.1);
        assertEquals(0, durable.measurements(START_NS + ms(1_000)).intervals(CrowdFigures.STATE_AGE).size());
    }

    @Test
    void shouldCountMeasuredStatesSeenBeforeThePartStarted()
    {
        final PartStats before = new PartStats(
            new PhaseStats[]{new PhaseStats(new LoadPhase(20, 100))}, 2, SEATS, false);
        state(1, false, 0, 0);
        before.onState(bots[0], state, 0, STATE, START_NS);
        state(2, true, 0, 0);
        before.onState(bots[0], state, 0, STATE, START_NS);
        stats.follow(before);
        state(3, true, 0, 0);
        stats.onState(bots[0], state, 0, STATE, START_NS);
        assertEquals(2, measurements().value(CrowdFigures.STATES_SEEN));
    }

    private void send(final int place, final int number)
    {
        stats.onSent(phase, CrowdMessages.move(move, phase.plannedNs(place), number, place % 2));
    }

    private void answer(final Bot bot, final int place, final int number, final long nowNs)
    {
        CrowdMessages.move(move, phase.plannedNs(place), number, place % 2);
        stats.onAnswer(bot, move, 0, CrowdMessages.MOVE_LENGTH, nowNs);
    }

    private void state(final long number, final boolean isMeasured, final int first, final int second)
    {
        CrowdMessages.state(state, STATE, number, isMeasured, SEATS, START_NS);
        CrowdMessages.lastMove(state, 0, first);
        CrowdMessages.lastMove(state, 1, second);
    }

    private Measurements measurements()
    {
        return stats.measurements(START_NS + ms(1_000));
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
