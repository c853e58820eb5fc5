package io.escapement.driver;

import io.aeron.driver.MediaDriver;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.RealTimes;
import io.escapement.testsupport.Tests;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.AgentInvoker;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The driver's thread for names and tasks, which does next to nothing. */
@RealTime("how often a thread sleeps in half a second")
class ExecutorThreadTest
{
    private static final Path TASKS = Path.of("/proc/self/task");

    @Test
    void shouldRarelyWakeTheIdleExecutorThread() throws IOException
    {
        Assumptions.assumeTrue(Files.isDirectory(TASKS), "only Linux counts context switches of a thread");
        final Set<Path> others = tasksNamed("aeron-executor");
        try (MediaDriver driver = DriverLauncher.launch(DriverProfile.load("solo"),
            new MediaDriver.Context().aeronDirectoryName(Tests.newDirectory().toString())))
        {
            final AgentInvoker invoker = driver.sharedAgentInvoker();
            final Set<Path> started = new HashSet<>();
            // A thread sets its name after it has started.
            Tests.await(() ->
            {
                started.addAll(tasksNamed("aeron-executor"));
                started.removeAll(others);
                return !started.isEmpty();
            }, "a thread of that name");
            final Path executor = started.iterator().next();
            final long before = sleepsOf(executor);
            RealTimes.hold(TimeUnit.MILLISECONDS.toNanos(500), () -> invoker.invoke() >= 0, "a driver that is invoked");
            final long sleeps = sleepsOf(executor) - before;
            assertTrue(sleeps > 0 && sleeps < 150, sleeps + " times in half a second");
        }
    }

    private static Set<Path> tasksNamed(final String name)
    {
        final Set<Path> named = new HashSet<>();
        for (final File task : TASKS.toFile().listFiles())
        {
            try
            {
                if (name.equals(Files.readString(task.toPath().resolve("comm")).strip()))
                {
                    named.add(task.toPath());
                }
            }
            catch (final IOException ex)
            {
                // The thread ended concurrently.
            }
        }
        return named;
    }

    private static long sleepsOf(final Path task) throws IOException
    {
        return Files.readAllLines(task.resolve("status")).stream()
            .filter((line) -> line.startsWith("voluntary_ctxt_switches:"))
            .mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElseThrow();
    }
}
