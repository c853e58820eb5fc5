package io.escapement.perf.crowd;

import io.escapement.perf.rig.IntervalRecorder;
import io.escapement.perf.rig.Measurements;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;

/** Statistics of the bots for one part of a run. One thread. Recording does not allocate. */
final class PartStats
{
    private static final int CODES = 2_048;

    final PhaseStats[] phases;
    private final int players;
    private final int seats;
    private final boolean isOverload;
    private final boolean hasStateAges;
    private final IntervalRecorder moveToState;
    private final IntervalRecorder gaps;
    private final IntervalRecorder stateAges;
    private final long[] refusalsByCode = new long[CODES];
    private int current;
    private boolean isRecordingGaps;
    private long sent;
    private long answered;
    private long refused;
    private long sentSum;
    private long answeredSum;
    private long orderFaults;
    private long brokenStates;
    private long statesSeen;
    private long movesSeen;

    /** @param hasStateAges whether the times in states are of this host's clock. */
    PartStats(final PhaseStats[] phases, final int players, final int seats, final boolean hasStateAges)
    {
        this.hasStateAges = hasStateAges;
        this.phases = phases;
        this.players = players;
        this.seats = seats;
        isOverload = phases.length > 1;
        final long plannedNs = TimeUnit.MILLISECONDS.toNanos(durationMs());
        moveToState = new IntervalRecorder(plannedNs);
        gaps = new IntervalRecorder(plannedNs);
        stateAges = new IntervalRecorder(plannedNs);
    }

    /**
     * Number the moves.
     *
     * @param first number of every bot's first move.
     * @return the first number of the next part.
     */
    int number(final int first, final int bots)
    {
        int next = first;
        for (final PhaseStats phase : phases)
        {
            phase.firstNumber = next;
            next += (int)(phase.phase.moves() / bots) + 1;
        }
        return next;
    }

    int durationMs()
    {
        return Stream.of(phases).mapToInt((phase) -> phase.phase.durationMs()).sum();
    }

    /** Take over the measured states seen before this part started here: the server starts to count earlier. */
    void follow(final PartStats before)
    {
        statesSeen = before.statesSeen;
    }

    void start(final int phase, final long nowNs)
    {
        current = phase;
        phases[phase].start(nowNs);
        if (0 == phase)
        {
            moveToState.start(nowNs);
            gaps.start(nowNs);
            stateAges.start(nowNs);
            isRecordingGaps = true;
        }
    }

    /** Stop the recording of gaps. Open gaps also count. */
    void stop(final Bot[] bots, final long nowNs)
    {
        isRecordingGaps = false;
        for (final Bot bot : bots)
        {
            recordGap(bot, nowNs);
        }
    }

    void onSent(final PhaseStats phase, final long checksum)
    {
        phase.onSent();
        sent++;
        sentSum += checksum;
    }

    /** Answers and refusals received. */
    long responses()
    {
        return answered + refused;
    }

    boolean isAllAnswered()
    {
        return responses() >= sent;
    }

    void onAnswer(final Bot bot, final DirectBuffer buffer, final int offset, final int length, final long nowNs)
    {
        final long plannedNs = CrowdMessages.plannedNs(buffer, offset);
        final int number = CrowdMessages.number(buffer, offset);
        final int player = CrowdMessages.player(buffer, offset);
        final boolean isNewer = bot.onAnswer(number);
        if (length != CrowdMessages.MOVE_LENGTH || !isNewer || bot.order != player)
        {
            orderFaults++;
        }
        answered++;
        answeredSum += CrowdMessages.checksum(plannedNs, number, player);
        int phase = current;
        while (phase > 0 && plannedNs < phases[phase].startNs)
        {
            phase--;
        }
        phases[phase].onAnswer(plannedNs, nowNs - plannedNs);
    }

    void onRefused(final int code)
    {
        refused++;
        refusalsByCode[Math.max(0, Math.min(CODES - 1, code))]++;
    }

    void onState(final Bot bot, final DirectBuffer buffer, final int offset, final int length, final long nowNs)
    {
        if (!CrowdMessages.isWholeState(buffer, offset, length, seats) ||
            !bot.onState(CrowdMessages.stateNumber(buffer, offset)))
        {
            brokenStates++;
            return;
        }
        if (CrowdMessages.isMeasured(buffer, offset))
        {
            statesSeen++;
        }
        if (isRecordingGaps)
        {
            recordGap(bot, nowNs);
            if (hasStateAges)
            {
                stateAges.record(nowNs, nowNs - CrowdMessages.stateNs(buffer, offset));
            }
        }
        bot.stateNs = nowNs;
        final int number = CrowdMessages.lastMove(buffer, offset, bot.seatIndex);
        if (number > bot.seen)
        {
            onSeen(bot, number, nowNs);
        }
    }

    /** The results. States that are measured from here on belong to the next part. */
    Measurements measurements(final long endNs)
    {
        final Measurements measurements = new Measurements()
            .put(CrowdFigures.SENT, sent)
            .put(CrowdFigures.ANSWERED, answered)
            .put(CrowdFigures.CHECKSUM_DIFFERENCE, sentSum - answeredSum)
            .put(CrowdFigures.ORDER_FAULTS, orderFaults)
            .put(CrowdFigures.BROKEN_STATES, brokenStates)
            .put(CrowdFigures.STATES_SEEN, statesSeen)
            .put(CrowdFigures.MOVES_UNSEEN, isOverload ? 0 : sent - movesSeen)
            .put(CrowdFigures.REFUSALS_RECEIVED, refused);
        for (int code = 0; code < CODES; code++)
        {
            if (0 != refusalsByCode[code])
            {
                measurements.put(CrowdFigures.REFUSALS_RECEIVED + "." + code, refusalsByCode[code]);
            }
        }
        for (int i = 0; i < phases.length; i++)
        {
            phases[i].addTo(measurements, i);
        }
        statesSeen = 0;
        return measurements.add(CrowdFigures.MOVE_TO_STATE, moveToState.stop(endNs))
            .add(CrowdFigures.GAP, gaps.stop(endNs))
            .add(CrowdFigures.STATE_AGE, stateAges.stop(endNs));
    }

    private void recordGap(final Bot bot, final long nowNs)
    {
        gaps.record(nowNs, nowNs - Math.max(bot.stateNs, phases[0].startNs));
    }

    /** One state may be the first for several moves. It is not measured, because under overload moves are missing. */
    private void onSeen(final Bot bot, final int number, final long nowNs)
    {
        final PhaseStats phase = phases[0];
        final int first = phase.firstNumber;
        for (int i = Math.max(bot.seen + 1, first); i <= number && !isOverload; i++)
        {
            movesSeen++;
            moveToState.record(nowNs, nowNs - phase.plannedNs((long)(i - first) * players + bot.order));
        }
        bot.seen = number;
    }
}
