package io.escapement.engine;

import io.aeron.driver.MediaDriver;
import io.escapement.engine.monitor.Stall;
import io.escapement.testsupport.Tests;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.NanoClock;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * An engine on free ports of the loopback interface. The test runs its duty cycles unless it has threads. The time of
 * its driver, and of its clients' drivers, then passes with these cycles. So does the time of the engine and its
 * clients if the engine's clock is a {@link CachedNanoClock}. A driver that the test configures runs in real time.
 */
final class TestEngine implements AutoCloseable
{
    /** Turns with work after which the deadline is checked. */
    private static final int MAX_TURNS = 256;
    /** Time that a turn takes. */
    private static final long TURN_NS = TimeUnit.MICROSECONDS.toNanos(100);
    /** Time that an idle engine with idle clients skips: Aeron connects by retries each 100 ms. */
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LIVENESS_NS = TimeUnit.MINUTES.toNanos(1);

    private final CachedNanoClock time;
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final EngineContext context;
    private final Engine engine;
    private final String ingress;
    private final String response;
    private final boolean isInvoked;
    private final boolean isStepped;
    private volatile Runnable errorTask;

    TestEngine(final EngineContext context)
    {
        this(context, ThreadingMode.INVOKER);
    }

    TestEngine(final EngineContext context, final ThreadingMode mode)
    {
        this(context, mode, "127.0.0.1:" + Tests.freePort(), "127.0.0.1:" + Tests.freePort());
    }

    /** An engine on the endpoints of one before, to which its clients return. */
    TestEngine(
        final EngineContext context, final ThreadingMode mode, final String ingress, final String response)
    {
        this.ingress = ingress;
        this.response = response;
        isInvoked = ThreadingMode.INVOKER == mode;
        this.context = context;
        time = context.clock() instanceof CachedNanoClock clock ? clock : new CachedNanoClock();
        if (null == context.trunks().authenticator())
        {
            context.trunks().secret(TestTrunk.SECRET, true);
        }
        context.trunks().udp(ingress, response);
        final boolean isOwnDriver = context.hasEmbeddedDriver() && !context.driver().hasContext();
        isStepped = isInvoked && isOwnDriver;
        if (isOwnDriver)
        {
            context.driverContext(driverContext());
        }
        engine = Engine.launch(context
            .threadingMode(mode)
            .errorHandler(this::onError));
    }

    /** For a client's driver, with the clock of the engine's. */
    MediaDriver.Context driverContext()
    {
        final MediaDriver.Context driver = TestTrunk.driverContext();
        // Time is skipped for a client too that the test does not poll for a while.
        return isStepped ? driver.nanoClock(time).imageLivenessTimeoutNs(LIVENESS_NS)
            .publicationConnectionTimeoutNs(LIVENESS_NS) : driver;
    }

    Engine engine()
    {
        return engine;
    }

    NanoClock clock()
    {
        return context.clock();
    }

    String aeronDirectory()
    {
        return context.hasEmbeddedDriver() ? context.driver().directory() : context.aeronDirectory();
    }

    String ingress()
    {
        return ingress;
    }

    String response()
    {
        return response;
    }

    /** Faults that the engine reported. A test that expects one removes it. */
    List<Throwable> errors()
    {
        return errors;
    }

    /** Run a task in the error handler, once. */
    void onNextError(final Runnable task)
    {
        errorTask = task;
    }

    private void onError(final Throwable ex)
    {
        final Runnable task = errorTask;
        errorTask = null;
        if (null != task)
        {
            task.run();
        }
        // Stalls depend on the load of the machine.
        if (!(ex instanceof Stall))
        {
            errors.add(ex);
        }
    }

    int turn()
    {
        time.advance(TURN_NS);
        return isInvoked ? engine.invoke() : 0;
    }

    void await(final String what, final BooleanSupplier condition)
    {
        // The timeouts of clients that are not polled must not expire.
        Tests.await(() -> isTrueAfterTurns(() -> 0, condition), what);
    }

    void await(final String what, final TestTrunk trunk, final BooleanSupplier condition)
    {
        await(what, trunk::poll, condition);
    }

    void await(final String what, final List<TestTrunk> trunks, final BooleanSupplier condition)
    {
        await(what, () -> trunks.stream().mapToInt(TestTrunk::poll).sum(), condition);
    }

    /** Run the duty cycles of everything that has no thread until a condition is true. */
    void await(final String what, final IntSupplier others, final BooleanSupplier condition)
    {
        Tests.await(() ->
        {
            if (isTrueAfterTurns(others, condition))
            {
                return true;
            }
            time.advance(IDLE_NS);
            return false;
        }, what);
    }

    /** Turns go on while they find work, so that only an idle engine parks. */
    private boolean isTrueAfterTurns(final IntSupplier others, final BooleanSupplier condition)
    {
        for (int i = 0; i < MAX_TURNS; i++)
        {
            if (condition.getAsBoolean())
            {
                return true;
            }
            if (0 == turn() + others.getAsInt())
            {
                return false;
            }
        }
        return false;
    }

    /** Drain in a separate thread, while this one polls the trunk. */
    DrainReport drain(final TestTrunk trunk, final long timeoutNs)
    {
        return drain(null == trunk ? () -> {} : trunk::poll, timeoutNs);
    }

    DrainReport drain(final Runnable others, final long timeoutNs)
    {
        final FutureTask<DrainReport> draining = new FutureTask<>(() -> engine.drain(timeoutNs));
        final Thread thread = new Thread(draining, "draining");
        thread.start();
        Tests.await(() ->
        {
            others.run();
            return !thread.isAlive();
        }, "the engine to drain");
        try
        {
            return draining.get();
        }
        catch (final InterruptedException | ExecutionException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    @Override
    public void close()
    {
        engine.close();
        assertEquals(List.of(), errors, () -> "faults of the engine, the first: " + trace());
    }

    private String trace()
    {
        final StringWriter out = new StringWriter();
        errors.get(0).printStackTrace(new PrintWriter(out));
        return out.toString();
    }
}
