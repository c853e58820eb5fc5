package io.escapement.engine;

import io.escapement.engine.monitor.Stall;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

/** An engine on free ports of the loopback, turned by hand unless it was given threads. */
final class TestEngine implements AutoCloseable
{
    private static final int PATIENCE_SECONDS = 15;

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final EngineContext context;
    private final Engine engine;
    private final String ingress;
    private final String response;
    private final boolean isInvoked;

    TestEngine(final EngineContext context)
    {
        this(context, ThreadingMode.INVOKER);
    }

    TestEngine(final EngineContext context, final ThreadingMode mode)
    {
        ingress = "127.0.0.1:" + freePort();
        response = "127.0.0.1:" + freePort();
        isInvoked = ThreadingMode.INVOKER == mode;
        this.context = context;
        if (null == context.trunks().authenticator())
        {
            context.trunks().secret(TestTrunk.SECRET, true);
        }
        context.trunks().udp(ingress, response);
        if (context.hasEmbeddedDriver() && !context.driver().hasContext())
        {
            context.driverContext(TestTrunk.driverContext());
        }
        engine = Engine.launch(context
            .threadingMode(mode)
            .errorHandler(this::onError));
    }

    static int freePort()
    {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    Engine engine()
    {
        return engine;
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

    /** What faults the engine told of. A test that expects some takes them out. */
    List<Throwable> errors()
    {
        return errors;
    }

    private void onError(final Throwable ex)
    {
        // How long a turn took says here how busy the machine was.
        if (!(ex instanceof Stall))
        {
            errors.add(ex);
        }
    }

    int turn()
    {
        return isInvoked ? engine.invoke() : 0;
    }

    void await(final String what, final BooleanSupplier condition)
    {
        await(what, () -> 0, condition);
    }

    void await(final String what, final TestTrunk trunk, final BooleanSupplier condition)
    {
        await(what, trunk::poll, condition);
    }

    void await(final String what, final List<TestTrunk> trunks, final BooleanSupplier condition)
    {
        await(what, () -> trunks.stream().mapToInt(TestTrunk::poll).sum(), condition);
    }

    /** Turn the engine, if it has no threads, and whatever else has none, until something has come true. */
    void await(final String what, final IntSupplier others, final BooleanSupplier condition)
    {
        await(what, PATIENCE_SECONDS, others, condition);
    }

    void await(final String what, final int seconds, final IntSupplier others, final BooleanSupplier condition)
    {
        final long patienceNs = TimeUnit.SECONDS.toNanos(seconds);
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            if (0 == turn() + others.getAsInt())
            {
                LockSupport.parkNanos(1_000);
            }
            if (System.nanoTime() - startNs > patienceNs)
            {
                fail("waited in vain for " + what);
            }
        }
    }

    /** Drain in a thread of its own, while the trunks go on as their processes would. */
    DrainReport drain(final TestTrunk trunk, final long timeoutNs)
    {
        return drain(null == trunk ? () -> {} : trunk::poll, timeoutNs);
    }

    DrainReport drain(final Runnable others, final long timeoutNs)
    {
        final FutureTask<DrainReport> draining = new FutureTask<>(() -> engine.drain(timeoutNs));
        final Thread thread = new Thread(draining, "draining");
        thread.start();
        final long startNs = System.nanoTime();
        while (thread.isAlive())
        {
            others.run();
            if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS))
            {
                fail("waited in vain for the engine to drain");
            }
        }
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
        assertEquals(List.of(), errors, () -> "the engine told of faults, the first: " + trace());
    }

    private String trace()
    {
        final StringWriter out = new StringWriter();
        errors.get(0).printStackTrace(new PrintWriter(out));
        return out.toString();
    }
}
