package io.escapement.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * What tests of this module share.
 */
public final class Tests
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private Tests()
    {
    }

    /** Wait until something is so, and fail by the message when it is not in time. */
    public static void await(final BooleanSupplier condition, final String message)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - startNs > DEADLINE_NS)
            {
                throw new AssertionError("waited in vain for " + message);
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }

    /** Let time pass in which something must not happen. */
    public static void hold(final BooleanSupplier condition, final long milliseconds, final String message)
    {
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(milliseconds))
        {
            if (!condition.getAsBoolean())
            {
                throw new AssertionError("did not hold: " + message);
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }

    /** A port of this host that nobody uses now. */
    public static int freePort()
    {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** System properties for as long as something runs. */
    public static void withProperties(final Map<String, String> valueByNameMap, final Runnable run)
    {
        final Map<String, String> before = new HashMap<>();
        try
        {
            valueByNameMap.forEach((name, value) -> before.put(name, System.setProperty(name, value)));
            run.run();
        }
        finally
        {
            before.forEach((name, value) ->
            {
                if (null == value)
                {
                    System.clearProperty(name);
                }
                else
                {
                    System.setProperty(name, value);
                }
            });
        }
    }

    /** The name of a directory that does not exist yet, in memory where there is such a place. */
    public static Path newDirectory()
    {
        final Path memory = Path.of("/dev/shm");
        final Path parent = Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        return parent.resolve("escapement-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
    }
}
