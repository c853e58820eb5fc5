package io.escapement.perf.tool;

import io.escapement.perf.crowd.CrowdFigures;
import io.escapement.perf.crowd.LoadPhase;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Table;
import io.escapement.perf.rig.Measurements;
import java.util.ArrayList;
import java.util.List;

/** Adds rooms until the engine exceeds a limit. Fresh processes for every step. */
final class CapacitySearch
{
    /** Limit: answers came too late. */
    static final String PING = "ping";
    /** Limit: too many room-frames never ran. */
    static final String MISSED = "missed";
    /** Limit: too many states did not arrive. */
    static final String DROPPED = "dropped";
    /** No limit was reached in the steps allowed. */
    static final String NONE = "none";

    private static final double GROWTH = 1.25;
    private static final double PING_LIMIT_MS = 40;
    private static final double LOSS_LIMIT = 0.001;
    /** By how much sending may take longer than planned. */
    private static final double MAX_DELAY = 1.01;
    private static final Chart LATENCY = new Chart("ping at the last size that held", "ms", CrowdCommand.MS_NS);

    /**
     * The result of a search.
     *
     * @param players   of the last size that held, 0 if none did.
     * @param pingP99Ms of that size.
     * @param limit     that the next size exceeded.
     */
    record Found(int players, double pingP99Ms, String limit)
    {
    }

    private final CrowdCommand command;
    private final Table table;
    private final int steps;
    private final int stepMs;

    CapacitySearch(final CrowdCommand command, final int steps, final int stepMs)
    {
        this.command = command;
        this.steps = steps;
        this.stepMs = stepMs;
        table = command.table("run", "players", "rooms", "ping p99 ms", "missed share", "delivered", "server cpu",
            "bots at work", "held     ");
    }

    Found run(final int number)
    {
        int rooms = command.plan.rooms;
        Found held = new Found(0, Double.NaN, NONE);
        Measurements heldRun = null;
        for (int step = 0; step < steps && NONE.equals(held.limit()); step++)
        {
            final int players = rooms * command.plan.seats;
            command.progress("run " + number + ": " + players + " players");
            final int faultsBefore = command.faults();
            final Measurements run = step(rooms, players, 0 == step);
            final String limit = null == run ? DROPPED : limit(run);
            row(number, players, rooms, run, limit, command.faults() != faultsBefore);
            if (NONE.equals(limit))
            {
                held = new Found(players, CrowdCommand.pingP99Ms(run, 0), NONE);
                heldRun = run;
                rooms = Math.max(rooms + 1, (int)Math.round(rooms * GROWTH));
            }
            else
            {
                held = new Found(held.players(), held.pingP99Ms(), limit);
            }
        }
        if (null == heldRun)
        {
            command.fault("run " + number + ": the first size did not hold (" + held.limit() + "): use fewer --rooms");
        }
        else
        {
            command.series(LATENCY, "run " + number, heldRun.intervals(CrowdFigures.PING + ".0"));
        }
        return held;
    }

    /** The measurements, null if the load closed a trunk or a process did not finish. */
    private Measurements step(final int rooms, final int players, final boolean isFirst)
    {
        try
        {
            final Measurements run = command.run(rooms, 0,
                List.of(List.of(new LoadPhase(command.movesPerSecond(rooms), stepMs)))).get(0);
            command.checkContent(players + " players: ", run);
            return run;
        }
        catch (final IllegalStateException ex)
        {
            if (isFirst)
            {
                throw ex;
            }
            command.note(players + " players: " + ex.getMessage());
            return null;
        }
    }

    private void row(
        final int number,
        final int players,
        final int rooms,
        final Measurements run,
        final String limit,
        final boolean isFailed)
    {
        final List<String> cells = new ArrayList<>(
            List.of(Integer.toString(number), Integer.toString(players), Integer.toString(rooms)));
        cells.addAll(null == run ? List.of("-", "-", "-", "-", "-", limit) : List.of(
            CrowdCommand.text(CrowdCommand.pingP99Ms(run, 0), 2),
            CrowdCommand.text(missedShare(run), 5),
            CrowdCommand.text(deliveredShare(run), 5),
            CrowdCommand.text(CrowdCommand.ratio(run, CrowdFigures.SERVER_CPU_NS, CrowdFigures.SERVER_NS), 2),
            CrowdCommand.text(CrowdCommand.ratio(run, CrowdFigures.BOTS_BUSY_NS, CrowdFigures.BOTS_NS), 2),
            NONE.equals(limit) ? "yes" : "no: " + limit));
        table.row(isFailed, cells.toArray(new String[0]));
    }

    /** A share that is NaN did not hold. */
    private static String limit(final Measurements run)
    {
        final boolean isUnanswered = run.value(CrowdFigures.ANSWERED) < run.value(CrowdFigures.SENT);
        final boolean isDelayed =
            run.value(CrowdFigures.TOOK_NS + ".0") > MAX_DELAY * run.value(CrowdFigures.PLANNED_NS + ".0");
        if (isUnanswered || isDelayed || !(CrowdCommand.pingP99Ms(run, 0) <= PING_LIMIT_MS))
        {
            return PING;
        }
        if (!(missedShare(run) <= LOSS_LIMIT))
        {
            return MISSED;
        }
        return deliveredShare(run) >= 1 - LOSS_LIMIT ? NONE : DROPPED;
    }

    private static double missedShare(final Measurements run)
    {
        return CrowdCommand.ratio(run, CrowdFigures.MISSED, CrowdFigures.ROOM_FRAMES);
    }

    private static double deliveredShare(final Measurements run)
    {
        return CrowdCommand.ratio(run, CrowdFigures.STATES_SEEN, CrowdFigures.STATES_SENT);
    }
}
