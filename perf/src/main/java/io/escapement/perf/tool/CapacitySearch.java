package io.escapement.perf.tool;

import io.escapement.perf.players.Crowd;
import io.escapement.perf.players.Phase;
import io.escapement.perf.players.PlayersRun;
import io.escapement.perf.process.Findings;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Table;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Adds rooms until the engine does not hold what it was told to. Fresh processes for every step. */
final class CapacitySearch
{
    /** Answers came too late. */
    static final String PING = "ping";
    /** Too many room-frames never ran. */
    static final String MISSED = "missed";
    /** Too many states were not seen by those that they were for. */
    static final String DROPPED = "dropped";
    /** Nothing: there were no more steps to take. */
    static final String NONE = "none";

    private static final double GROWTH = 1.25;
    private static final double PING_LIMIT_MS = 40;
    private static final double LOST_LIMIT = 0.001;
    /** Moves that took longer than planned to be sent. */
    private static final double LATEST = 1.01;
    private static final Chart LATENCY = new Chart("ping at the last size that held", "ms", CrowdCommand.MS_NS);

    /**
     * What a run found.
     *
     * @param players   of the last size that held, 0 when none did.
     * @param pingP99Ms of that size.
     * @param limit     of the size after it.
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
        Crowd crowd = command.crowd();
        Found held = new Found(0, Double.NaN, NONE);
        Findings heldFindings = null;
        for (int step = 0; step < steps; step++)
        {
            command.progress("run " + number + ": " + crowd.players() + " players");
            final int faultsBefore = command.faults();
            final Findings found = step(crowd, 0 == step);
            final String limit = null == found ? DROPPED : limit(found);
            row(number, crowd, found, limit, command.faults() != faultsBefore);
            if (!NONE.equals(limit))
            {
                held = new Found(held.players(), held.pingP99Ms(), limit);
                break;
            }
            held = new Found(crowd.players(), pingP99Ms(found), NONE);
            heldFindings = found;
            crowd = crowd.withRooms(Math.max(crowd.rooms() + 1, (int)Math.round(crowd.rooms() * GROWTH)));
        }
        if (null == heldFindings)
        {
            command.fault("run " + number + ": the first size did not hold (" + held.limit() + "): take fewer rooms");
        }
        else
        {
            command.series(LATENCY, "run " + number, heldFindings.intervals(PlayersRun.PING + ".0"));
        }
        return held;
    }

    /** What was found, null when a trunk was closed or a process did not come to its end under the load. */
    private Findings step(final Crowd crowd, final boolean isFirst)
    {
        try
        {
            final Findings found = command.run(crowd, 0,
                List.of(List.of(new Phase(command.movesPerSecond(crowd), stepMs)))).get(0);
            command.checkContent(crowd.players() + " players: ", found);
            return found;
        }
        catch (final IllegalStateException ex)
        {
            if (isFirst)
            {
                throw ex;
            }
            command.note(crowd.players() + " players: " + ex.getMessage());
            return null;
        }
    }

    private void row(
        final int number, final Crowd crowd, final Findings found, final String limit, final boolean isFailed)
    {
        if (null == found)
        {
            table.row(isFailed, Integer.toString(number), Integer.toString(crowd.players()),
                Integer.toString(crowd.rooms()), "-", "-", "-", "-", "-", limit);
            return;
        }
        table.row(isFailed, Integer.toString(number), Integer.toString(crowd.players()),
            Integer.toString(crowd.rooms()), CrowdCommand.text(pingP99Ms(found), 2),
            CrowdCommand.text(missedShare(found), 5), CrowdCommand.text(deliveredShare(found), 5),
            CrowdCommand.text(CrowdCommand.share(found, PlayersRun.SERVER_CPU_NS, PlayersRun.SERVER_NS), 2),
            CrowdCommand.text(CrowdCommand.share(found, PlayersRun.BOTS_BUSY_NS, PlayersRun.BOTS_NS), 2),
            NONE.equals(limit) ? "yes" : "no: " + limit);
    }

    private static String limit(final Findings found)
    {
        final boolean isUnanswered = found.value(PlayersRun.ANSWERED) < found.value(PlayersRun.SENT);
        final boolean isLate =
            found.value(PlayersRun.TOOK_NS + ".0") > LATEST * found.value(PlayersRun.PLANNED_NS + ".0");
        // What a share cannot be told of did not hold.
        if (isUnanswered || isLate || !(pingP99Ms(found) <= PING_LIMIT_MS))
        {
            return PING;
        }
        if (!(missedShare(found) <= LOST_LIMIT))
        {
            return MISSED;
        }
        return deliveredShare(found) >= 1 - LOST_LIMIT ? NONE : DROPPED;
    }

    private static double pingP99Ms(final Findings found)
    {
        final Histogram ping = found.total(PlayersRun.PING + ".0");
        return 0 == ping.getTotalCount() ? Double.NaN : CrowdCommand.ms(ping.getValueAtPercentile(99));
    }

    private static double missedShare(final Findings found)
    {
        return CrowdCommand.ratio(found.value(PlayersRun.MISSED), found.value(PlayersRun.ROOM_FRAMES));
    }

    private static double deliveredShare(final Findings found)
    {
        return CrowdCommand.ratio(found.value(PlayersRun.STATES_SEEN), found.value(PlayersRun.STATES_SENT));
    }
}
