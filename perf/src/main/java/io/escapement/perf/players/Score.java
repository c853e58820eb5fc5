package io.escapement.perf.players;

import io.escapement.perf.process.Findings;
import io.escapement.perf.process.IntervalRecorder;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/** What the bots heard in a part of a run. One thread; nothing here allocates but making and telling it. */
final class Score
{
    private static final int CODES = 2_048;

    final PhaseScore[] phases;
    private final int players;
    private final int seats;
    /** Moves of more than is taken have gaps: they say little of when states come. */
    private final boolean isOverload;
    private final IntervalRecorder moveToState;
    private final IntervalRecorder gaps;
    private final long[] refusalsByCode = new long[CODES];
    private final int firstNumber;
    private int current;
    private boolean isWatching;
    private long sent;
    private long answered;
    private long refused;
    private long sentSum;
    private long answeredSum;
    private long orderFaults;
    private long brokenStates;
    private long statesSeen;
    private long movesSeen;

    Score(final PhaseScore[] phases, final int players, final int seats, final boolean isOverload)
    {
        this.phases = phases;
        this.players = players;
        this.seats = seats;
        this.isOverload = isOverload;
        firstNumber = phases[0].firstNumber;
        long durationMs = 0;
        for (final PhaseScore phase : phases)
        {
            durationMs += phase.phase.durationMs();
        }
        final long durationNs = TimeUnit.MILLISECONDS.toNanos(durationMs);
        moveToState = new IntervalRecorder(durationNs, IntervalRecorder.DEFAULT_INTERVALS);
        gaps = new IntervalRecorder(durationNs, IntervalRecorder.DEFAULT_INTERVALS);
    }

    /** The server begins to count before the bots are told: what was seen meanwhile is this one's. */
    void follow(final Score other)
    {
        statesSeen = other.statesSeen;
    }

    void start(final int phase, final long nowNs)
    {
        current = phase;
        phases[phase].start(nowNs);
        if (0 == phase)
        {
            moveToState.start(nowNs);
            gaps.start(nowNs);
            isWatching = true;
        }
    }

    /** Gaps count until here; those that are open as well. */
    void stop(final Bot[] bots, final long nowNs)
    {
        isWatching = false;
        for (final Bot bot : bots)
        {
            gaps.record(nowNs, nowNs - Math.max(bot.stateNs, phases[0].startNs));
        }
    }

    void sent(final PhaseScore phase, final long checksum)
    {
        phase.sent++;
        sent++;
        sentSum += checksum;
    }

    boolean isAllAnswered()
    {
        return answered + refused >= sent;
    }

    /** How much was heard of the moves, to see whether anything still comes. */
    long heard()
    {
        return answered + refused;
    }

    void onAnswer(final Bot bot, final DirectBuffer buffer, final int offset, final int length, final long nowNs)
    {
        final long plannedNs = Wire.plannedNs(buffer, offset);
        final int number = Wire.number(buffer, offset);
        if (length != Wire.MOVE_LENGTH || number <= bot.answered || bot.order != Wire.player(buffer, offset))
        {
            orderFaults++;
        }
        bot.answered = number;
        answered++;
        answeredSum += Wire.checksum(plannedNs, number, Wire.player(buffer, offset));
        int phase = current;
        while (phase > 0 && plannedNs < phases[phase].startNs)
        {
            phase--;
        }
        phases[phase].answered(plannedNs, nowNs - plannedNs);
    }

    void onRefused(final int code)
    {
        refused++;
        refusalsByCode[Math.max(0, Math.min(CODES - 1, code))]++;
    }

    void onState(final Bot bot, final DirectBuffer buffer, final int offset, final int length, final long nowNs)
    {
        if (!Wire.isWholeState(buffer, offset, length, seats) ||
            Wire.stateNumber(buffer, offset) <= bot.stateNumber)
        {
            brokenStates++;
            return;
        }
        bot.stateNumber = Wire.stateNumber(buffer, offset);
        if (Wire.isCounted(buffer, offset))
        {
            statesSeen++;
        }
        if (isWatching)
        {
            gaps.record(nowNs, nowNs - Math.max(bot.stateNs, phases[0].startNs));
        }
        bot.stateNs = nowNs;
        final int number = Wire.lastMove(buffer, offset, bot.seatIndex);
        if (number > bot.seen)
        {
            seen(bot, number, nowNs);
        }
    }

    /** One state may be the first for several moves. */
    private void seen(final Bot bot, final int number, final long nowNs)
    {
        final PhaseScore phase = phases[0];
        for (int i = Math.max(bot.seen + 1, firstNumber); i <= number && !isOverload; i++)
        {
            movesSeen++;
            moveToState.record(nowNs, nowNs - phase.plannedNs((long)(i - firstNumber) * players + bot.order));
        }
        bot.seen = number;
    }

    /** Everything, once: states that count are from then on those of the part that follows. */
    Findings findings(final long endNs)
    {
        final Findings findings = new Findings()
            .put(PlayersRun.SENT, sent)
            .put(PlayersRun.ANSWERED, answered)
            .put(PlayersRun.CHECKSUM_DIFFERENCE, sentSum - answeredSum)
            .put(PlayersRun.ORDER_FAULTS, orderFaults)
            .put(PlayersRun.BROKEN_STATES, brokenStates)
            .put(PlayersRun.STATES_SEEN, statesSeen)
            .put(PlayersRun.MOVES_UNSEEN, isOverload ? 0 : sent - movesSeen)
            .put(PlayersRun.HEARD, refused);
        for (int code = 0; code < CODES; code++)
        {
            if (0 != refusalsByCode[code])
            {
                findings.put(PlayersRun.HEARD + "." + code, refusalsByCode[code]);
            }
        }
        for (int i = 0; i < phases.length; i++)
        {
            phases[i].tell(findings, i);
        }
        statesSeen = 0;
        return findings.add(PlayersRun.MOVE_TO_STATE, moveToState.stop(endNs))
            .add(PlayersRun.GAP, gaps.stop(endNs));
    }
}
