package io.escapement.cluster;

import io.aeron.cluster.ElectionState;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The course of a node's election: its states and errors with their times, and how often it has met the same error. It
 * has its own lock, because parts report errors while a closing node waits for them.
 */
final class ElectionRecord
{
    /** Timeouts occur every few seconds. */
    private static final int REPEATED = 3;
    /**
     * Aeron Cluster 1.51 counts a follower's turns of the last term, although the follower has since voted for another
     * leader. A leader of the older term may therefore commit, and run, turns that the group does not have.
     */
    private static final Pattern TRUNCATED =
        Pattern.compile("Truncating Cluster Log .*this\\.commitPosition=(\\d+) .*newPosition=(\\d+)");
    /** An election may last for hours while the other members are away. */
    private static final int MAX_STEPS = 100;

    private final Map<String, Integer> countByErrorMap = new HashMap<>();
    private ElectionState state = ElectionState.CLOSED;
    private String cause = "";
    private String repeated;
    private StringJoiner steps;
    private int stepCount;
    private long beginNs;
    private long lastNs;

    /**
     * A part of the node reports an error or an event. Any thread.
     *
     * @param error of the part.
     * @param nowNs of {@link System#nanoTime()}.
     */
    synchronized void onError(final Throwable error, final long nowNs)
    {
        final String text = String.valueOf(error.getMessage());
        if (ElectionState.CLOSED == state)
        {
            // The reason for an election arrives before its first state.
            cause = text;
        }
        else
        {
            add('"' + text + '"', nowNs);
        }
        // Warnings are the normal course of an election on a busy machine.
        if (NodeParts.isWarning(error))
        {
            return;
        }
        // Numbers of sessions and correlations differ each time.
        final String withoutNumbers = text.replaceAll("\\d+", "N");
        if (countByErrorMap.merge(withoutNumbers, 1, Integer::sum) >= REPEATED)
        {
            repeated = withoutNumbers;
        }
    }

    /** Whether an event says that the node's log is cut before turns that the node may have run. */
    static boolean isCutBehindTurns(final Throwable event)
    {
        final Matcher matcher = TRUNCATED.matcher(String.valueOf(event.getMessage()));
        return matcher.find() && Long.parseLong(matcher.group(1)) > Long.parseLong(matcher.group(2));
    }

    /**
     * Take the state of the consensus module's election.
     *
     * @param seen  just now.
     * @param nowNs of {@link System#nanoTime()}.
     * @return nanoseconds that an election took if it is over, otherwise 0.
     */
    synchronized long onState(final ElectionState seen, final long nowNs)
    {
        long tookNs = 0;
        if (seen != state)
        {
            if (ElectionState.CLOSED == state)
            {
                beginNs = nowNs;
                lastNs = nowNs;
                stepCount = 0;
                steps = new StringJoiner(", ");
            }
            add(seen.name(), nowNs);
            state = seen;
            tookNs = ElectionState.CLOSED == seen ? Math.max(1, nowNs - beginNs) : 0;
        }
        if (ElectionState.CLOSED == seen)
        {
            countByErrorMap.clear();
            repeated = null;
        }
        return tookNs;
    }

    /** The error that the election has met often enough, or null. Any thread. */
    synchronized String repeated()
    {
        return repeated;
    }

    /** The course of the last election, with the milliseconds after each step. Any thread. */
    synchronized String course()
    {
        return (cause.isEmpty() ? "" : "after \"" + cause + "\": ") + steps;
    }

    private void add(final String step, final long nowNs)
    {
        stepCount++;
        if (stepCount <= MAX_STEPS)
        {
            steps.add("+" + TimeUnit.NANOSECONDS.toMillis(nowNs - lastNs) + " " + step);
        }
        else if (MAX_STEPS + 1 == stepCount)
        {
            steps.add("...");
        }
        lastNs = nowNs;
    }
}
