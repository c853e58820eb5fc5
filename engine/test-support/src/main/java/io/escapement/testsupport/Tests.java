package io.escapement.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting, free ports and directories for tests. */
public final class Tests
{
    /** How long {@link #await(BooleanSupplier, String)} waits: longer than any host here is ever slow. */
    public static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    private static final int FIRST_PORT = 10_000;
    /** Linux gives out ports from 32,768 on. */
    private static final int SYSTEM_PORTS = 32_768;
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private Tests()
    {
    }

    /**
     * Whether the build runs the larger numbers, {@code -Pfull}.
     *
     * @return true in full form.
     */
    public static boolean isFull()
    {
        return "full".equals(System.getProperty("escapement.tests"));
    }

    /**
     * Wait for a condition, and fail when it does not come true within {@link #PATIENCE_NS}.
     *
     * @param condition evaluated again and again; it may do a step of work itself.
     * @param message   names the condition.
     */
    public static void await(final BooleanSupplier condition, final String message)
    {
        await(PATIENCE_NS, condition, message);
    }

    /**
     * Wait for a condition, and fail when it does not come true in time.
     *
     * @param patienceNs how long to wait.
     * @param condition  evaluated again and again; it may do a step of work itself.
     * @param message    names the condition.
     */
    public static void await(final long patienceNs, final BooleanSupplier condition, final String message)
    {
        await(patienceNs, condition, () -> message);
    }

    /**
     * Wait for a condition, and fail when it does not come true in time.
     *
     * @param patienceNs how long to wait.
     * @param condition  evaluated again and again; it may do a step of work itself.
     * @param message    names the condition and its state when the time is over.
     */
    public static void await(
        final long patienceNs, final BooleanSupplier condition, final Supplier<String> message)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - startNs > patienceNs)
            {
                throw new AssertionError("timed out waiting for " + message.get());
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }

    /**
     * Check for a while that a condition stays true.
     *
     * @param durationNs how long to check.
     * @param condition  that must not become false.
     * @param message    names the condition.
     */
    public static void hold(final long durationNs, final BooleanSupplier condition, final String message)
    {
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < durationNs)
        {
            if (!condition.getAsBoolean())
            {
                throw new AssertionError("did not hold: " + message);
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }

    /**
     * A UDP port of the loopback interface that is free now. It is below those that the system gives out, so that
     * nobody takes it by chance while a process that used it is down.
     */
    public static int freePort()
    {
        while (true)
        {
            final int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, SYSTEM_PORTS);
            try (DatagramSocket socket = new DatagramSocket(port, InetAddress.getLoopbackAddress()))
            {
                return socket.getLocalPort();
            }
            catch (final BindException ex)
            {
                // In use: try another one.
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
    }

    /** The name of a directory that does not exist yet, in shared memory where the host has it. */
    public static Path newDirectory()
    {
        final Path memory = Path.of("/dev/shm");
        final Path parent = Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        return parent.resolve("escapement-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
    }
}
