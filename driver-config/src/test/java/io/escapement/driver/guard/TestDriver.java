package io.escapement.driver.guard;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.status.CountersReader;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A small driver, bare or guarded, with a client. Unexpected errors of either fail the test on close. */
final class TestDriver implements AutoCloseable
{
    static final int TERM_LENGTH = 64 * 1_024;

    private static final long IDLE_NS = 50_000;

    private final List<String> errors = new ArrayList<>();
    private final MediaDriver driver;
    private final Aeron aeron;

    private TestDriver(final GuardLimits limits, final long establishedNs)
    {
        final MediaDriver.Context context = new MediaDriver.Context()
            .aeronDirectoryName(Tests.newDirectory().toString())
            .threadingMode(ThreadingMode.SHARED)
            .sharedIdleStrategy(new SleepingIdleStrategy(IDLE_NS))
            .publicationTermBufferLength(TERM_LENGTH)
            .ipcTermBufferLength(TERM_LENGTH)
            .termBufferSparseFile(true)
            // The driver touches each page of its counters when it starts.
            .counterValuesBufferLength(1_024 * 1_024)
            .imageLivenessTimeoutNs(1_000_000_000)
            .timerIntervalNs(50_000_000)
            .errorHandler(this::onError)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true);
        if (null != limits)
        {
            GuardedEndpoints.install(context, limits, establishedNs);
        }
        driver = MediaDriver.launch(context);
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(driver.aeronDirectoryName())
            .errorHandler(this::onError)
            .idleStrategy(new SleepingIdleStrategy(IDLE_NS)));
    }

    static TestDriver bare()
    {
        return new TestDriver(null, 0);
    }

    static TestDriver guarded()
    {
        return guarded(GuardLimits.DEFAULTS);
    }

    static TestDriver guarded(final GuardLimits limits)
    {
        return new TestDriver(limits, ResponsePins.ESTABLISHED_NS);
    }

    /** A host whose response has lasted for this time is established. */
    static TestDriver guarded(final GuardLimits limits, final long establishedNs)
    {
        return new TestDriver(limits, establishedNs);
    }

    Aeron aeron()
    {
        return aeron;
    }

    MediaDriver driver()
    {
        return driver;
    }

    /** A guard's counter, read from the counters file. */
    long count(final GuardCounter counter)
    {
        final CountersReader counters = aeron.countersReader();
        final int counterId = counters.findByTypeIdAndRegistrationId(counter.typeId(), 0);
        return counterId < 0 ? 0 : counters.getCounterValue(counterId);
    }

    /** Every counter is 0 except one. */
    void assertCounted(final GuardCounter expected, final long count)
    {
        for (final GuardCounter counter : GuardCounter.values())
        {
            assertEquals(counter == expected ? count : 0, count(counter), counter.toString());
        }
    }

    /** Remove an error that the test provokes. */
    void expectError(final String text)
    {
        synchronized (errors)
        {
            assertTrue(errors.removeIf((error) -> error.contains(text)), () -> text + " is not in " + errors);
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
        synchronized (errors)
        {
            assertEquals(List.of(), errors);
        }
    }

    private void onError(final Throwable ex)
    {
        synchronized (errors)
        {
            errors.add(ex.toString());
        }
    }
}
