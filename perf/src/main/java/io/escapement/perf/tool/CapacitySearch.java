package io.escapement.perf.tool;

import io.escapement.perf.crowd.CrowdFigures;
import io.escapement.perf.crowd.CrowdPlan;
import io.escapement.perf.crowd.LoadPhase;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Table;
import io.escapement.perf.rig.Measurements;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Adds rooms until the engine, or a peer, exceeds a limit. Fresh processes for every step. */
final class CapacitySearch
{
    /** Limit: answers arrived too late. */
    static final String PING = "ping";
    /** Limit: too many room-frames never ran. */
    static final String MISSED = "missed";
    /** Limit: too many states did not arrive. */
    static final String DROPPED = "dropped";
    /** Limit: the process of the load was at work all the time. The next size would measure that process. */
    static final String LOAD = "load-bound";
    /** No limit was reached in the steps allowed. */
    static final String NONE = "none";
    static final double A_QUARTER_MORE = 1.25;

    private static final double PING_LIMIT_MS = 40;
    private static final double LOSS_LIMIT = 0.001;
    /** By how much sending may take longer than planned. */
    private static final double MAX_DELAY = 1.01;
    private static final Chart LATENCY = new Chart("ping at the last size that held", "ms", CrowdCommand.MS_NS);

    private static final List<Figure<Measurements>> FIGURES = List.of(
        new Figure<>("ping p99 ms", "pingP99Ms", 2, (run) -> CrowdCommand.pingP99Ms(run, 0)),
        new Figure<>("missed share", "missedShare", 5, CapacitySearch::missedShare),
        new Figure<>("delivered", "deliveredShare", 5, CapacitySearch::deliveredShare),
        new Figure<>("server cpu", "serverCpu", 2,
            (run) -> CrowdCommand.ratio(run, CrowdFigures.SERVER_CPU_NS, CrowdFigures.SERVER_NS)),
        new Figure<>("ns/state", "cpuNsPerState", 0, CrowdCommand::cpuNsPerState),
        new Figure<>("ns/move", "cpuNsPerMove", 0, CrowdCommand::cpuNsPerMove),
        new Figure<>("bots at work", "botsAtWork", 2,
            (run) -> CrowdCommand.ratio(run, CrowdFigures.BOTS_BUSY_NS, CrowdFigures.BOTS_NS)));

    /**
     * The result of a search.
     *
     * @param players   of the last size that held, 0 if no size held.
     * @param pingP99Ms of that size.
     * @param limit     that the next size exceeded.
     * @param cpuNsPerState processor time of the server at that size, NaN if the figure is no result.
     */
    record Found(int players, double pingP99Ms, String limit, double cpuNsPerState, double cpuNsPerMove)
    {
        static Found none(final String limit)
        {
            return new Found(0, Double.NaN, limit, Double.NaN, Double.NaN);
        }
    }

    private final CrowdCommand command;
    private final Table table;
    private final int steps;
    private final int stepMs;
    private final double growth;
    private final List<Json> tried = new ArrayList<>();

    /**
     * Searches of the same kind, with one table.
     *
     * @param command that runs the sizes.
     * @param steps   most sizes of a search.
     * @param stepMs  measured time of each.
     * @param growth  of the rooms from a size that holds to the next.
     */
    CapacitySearch(final CrowdCommand command, final int steps, final int stepMs, final double growth)
    {
        this.command = command;
        this.steps = steps;
        this.stepMs = stepMs;
        this.growth = growth;
        table = command.table(Figure.heads(FIGURES, "run", "players", "rooms", "held       "));
    }

    /**
     * Search: more rooms at each step until a limit is exceeded. If the first size exceeds it, half of the rooms until
     * one holds, and from there on more again.
     *
     * @param number of the search.
     * @param side   name of the peer that is searched, or null for the engine.
     * @param change of the plan that makes it so.
     */
    Found run(final int number, final String side, final UnaryOperator<CrowdPlan> change)
    {
        final String name = null == side ? Integer.toString(number) : number + " " + side;
        int rooms = command.plan.rooms;
        // The smallest size that did not hold, and why.
        int least = Integer.MAX_VALUE;
        String exceeded = NONE;
        int held = 0;
        Measurements heldRun = null;
        for (int step = 0; step < steps && rooms > 0 && rooms < least; step++)
        {
            final int players = rooms * command.plan.seats;
            command.progress("run " + name + ": " + players + " players");
            final Measurements run = step(name, change, rooms, players);
            final String limit = null == run ? DROPPED : limit(run);
            final boolean isLast = step == steps - 1 || 1 == rooms;
            command.faultIf(null == heldRun && !NONE.equals(limit) && isLast,
                "run " + name + ": no size held, the last of " + players + " players did not hold (" + limit + ")");
            tried.add(Figure.put(
                new Json().put("search", name).put("players", players).put("limit", limit), FIGURES, run));
            command.row(table, Figure.cells(FIGURES, run, name, Integer.toString(players), Integer.toString(rooms),
                NONE.equals(limit) ? "yes" : "no: " + limit));
            if (NONE.equals(limit))
            {
                held = players;
                heldRun = run;
                rooms = Math.max(rooms + 1, (int)Math.round(rooms * growth));
            }
            else
            {
                least = rooms;
                exceeded = limit;
                rooms = null == heldRun ? rooms / 2 : rooms;
            }
        }
        if (null == heldRun)
        {
            return Found.none(exceeded);
        }
        command.series(LATENCY, "run " + name, heldRun.intervals(CrowdFigures.PING + ".0"));
        final boolean isResult = CrowdCommand.isResult(heldRun);
        return new Found(held, CrowdCommand.pingP99Ms(heldRun, 0), rooms < least ? NONE : exceeded,
            isResult ? CrowdCommand.cpuNsPerState(heldRun) : Double.NaN,
            isResult ? CrowdCommand.cpuNsPerMove(heldRun) : Double.NaN);
    }

    /** The sizes of all searches with their figures. */
    List<Json> tried()
    {
        return List.copyOf(tried);
    }

    /** The measurements, null if the load closed a trunk or a process did not finish. */
    private Measurements step(
        final String name, final UnaryOperator<CrowdPlan> change, final int rooms, final int players)
    {
        try
        {
            final Measurements run = command.run(change, rooms, 0,
                List.of(List.of(new LoadPhase(command.movesPerSecond(rooms), stepMs)))).get(0);
            command.account("run " + name + ", " + players, run);
            command.checkContent(players + " players: ", run);
            return run;
        }
        catch (final IllegalStateException ex)
        {
            command.note(players + " players: " + ex.getMessage());
            return null;
        }
    }

    /** A share that is NaN did not hold. */
    private static String limit(final Measurements run)
    {
        final boolean isUnanswered = run.value(CrowdFigures.ANSWERED) < run.value(CrowdFigures.SENT);
        final boolean isDelayed =
            run.value(CrowdFigures.TOOK_NS + ".0") > MAX_DELAY * run.value(CrowdFigures.PLANNED_NS + ".0");
        if (ProcessUse.isLoadBound(run))
        {
            return LOAD;
        }
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
