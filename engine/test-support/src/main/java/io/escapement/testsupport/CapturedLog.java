package io.escapement.testsupport;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Keeps what tests log away from the console, because they provoke warnings on purpose, and prints it when a test of
 * the class fails. JUnit finds this class by META-INF/services.
 */
public final class CapturedLog extends Handler implements TestExecutionListener
{
    /** The newest lines. A failing class rarely needs more. */
    private static final int MAX_LINES = 1_000;

    private final Deque<LogRecord> lines = new ArrayDeque<>();
    private List<Handler> console = List.of();

    @Override
    public void testPlanExecutionStarted(final TestPlan plan)
    {
        final Logger root = LogManager.getLogManager().getLogger("");
        console = List.of(root.getHandlers());
        console.forEach(root::removeHandler);
        root.addHandler(this);
    }

    @Override
    public void testPlanExecutionFinished(final TestPlan plan)
    {
        final Logger root = LogManager.getLogManager().getLogger("");
        root.removeHandler(this);
        console.forEach(root::addHandler);
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
            lines.forEach((line) -> console.forEach((handler) -> handler.publish(line)));
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
        lines.add(line);
    }

    static List<String> warnings(final String logger)
    {
        for (final Handler handler : LogManager.getLogManager().getLogger("").getHandlers())
        {
            if (handler instanceof CapturedLog)
            {
                return ((CapturedLog)handler).warningsOf(logger);
            }
        }
        throw new IllegalStateException("JUnit has not started this listener");
    }

    private synchronized List<String> warningsOf(final String logger)
    {
        return lines.stream()
            .filter((line) -> line.getLevel().intValue() >= Level.WARNING.intValue())
            .filter((line) -> (line.getLoggerName() + ".").startsWith(logger + "."))
            .map(LogRecord::getMessage).toList();
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
