package io.escapement.testsupport;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Keeps what tests log away from the console, since they provoke warnings on purpose, and prints it when one of them
 * fails. JUnit finds this class by META-INF/services.
 */
public final class CapturedLog extends Handler implements TestExecutionListener
{
    /** The newest lines, of which a class that fails rarely needs more. */
    private static final int MAX_LINES = 1_000;

    private final Formatter formatter = new SimpleFormatter();
    private final Deque<String> lines = new ArrayDeque<>();

    @Override
    public void testPlanExecutionStarted(final TestPlan plan)
    {
        final Logger root = LogManager.getLogManager().getLogger("");
        for (final Handler handler : root.getHandlers())
        {
            root.removeHandler(handler);
        }
        root.addHandler(this);
    }

    @Override
    public synchronized void executionStarted(final TestIdentifier test)
    {
        if (test.isContainer())
        {
            lines.clear();
        }
    }

    @Override
    public synchronized void executionFinished(final TestIdentifier test, final TestExecutionResult result)
    {
        if (TestExecutionResult.Status.FAILED == result.getStatus())
        {
            System.out.println("Logged in " + test.getLegacyReportingName() + " and the tests before it:");
            lines.forEach(System.out::print);
            lines.clear();
        }
    }

    @Override
    public synchronized void publish(final LogRecord line)
    {
        if (lines.size() == MAX_LINES)
        {
            lines.remove();
        }
        lines.add(formatter.format(line));
    }

    @Override
    public void flush()
    {
    }

    @Override
    public void close()
    {
    }
}
