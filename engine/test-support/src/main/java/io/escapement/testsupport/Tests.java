package io.escapement.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting, seeds, free ports and directories for tests. */
public final class Tests
{
    /** Only what hangs takes longer, on any host. */
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(120);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final int FIRST_PORT = 10_000;
    /** Linux gives out ports from 32,768 on. */
    private static final int SYSTEM_PORTS = 32_768;
    private static final int PORTS_IN_BLOCK = 64;
    /** A datagram on the loopback interface has arrived when it was sent. */
    private static final int ARRIVAL_MS = 1_000;

    /** The first port of each block, bound as long as this JVM lives: no other JVM gives out the ports above it. */
    private static final List<DatagramSocket> BLOCKS = new ArrayList<>();
    private static int lastPort;
    private static int endPort;

    private Tests()
    {
    }

    /**
     * Whether the build runs the larger numbers, {@code -Descapement.tests=full}.
     *
     * @return true in full form.
     */
    public static boolean isFull()
    {
        return "full".equals(System.getProperty("escapement.tests"));
    }

    /** Warnings and worse of a logger and the loggers below it, from the start of the test class on. */
    public static List<String> warnings(final String logger)
    {
        return CapturedLog.warnings(logger);
    }

    /**
     * A seed for a test with random steps, different each time. The test prints it when it fails, and
     * {@code -Descapement.seed} repeats it.
     *
     * @return the seed.
     */
    public static long seed()
    {
        return Long.getLong("escapement.seed", new SplittableRandom().nextLong());
    }

    /**
     * Wait for a condition, and fail when it hangs.
     *
     * @param condition evaluated repeatedly. It may do a step of work itself.
     * @param message   names the condition.
     */
    public static void await(final BooleanSupplier condition, final String message)
    {
        await(condition, () -> message);
    }

    /**
     * Wait for a condition, and fail when it hangs.
     *
     * @param condition evaluated repeatedly. It may do a step of work itself.
     * @param message   names the condition and its state when the time is over.
     */
    public static void await(final BooleanSupplier condition, final Supplier<String> message)
    {
        await(HANG_NS, condition, message);
    }

    static void await(final long limitNs, final BooleanSupplier condition, final Supplier<String> message)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - startNs > limitNs)
            {
                throw new AssertionError("timed out waiting for " + message.get());
            }
            // The limit of the build's whole test also interrupts.
            if (Thread.currentThread().isInterrupted())
            {
                throw new AssertionError("interrupted while waiting for " + message.get());
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }

    /**
     * A UDP port of the loopback interface that is free now and reserved for this test. It is below the range of the
     * system: while a process that used it is down, the system does not give it out by chance.
     *
     * @return the port.
     */
    public static int freePort()
    {
        return freePorts(1);
    }

    /**
     * Several ports in a row, as {@link #freePort()}.
     *
     * @param count of the ports.
     * @return the first of them.
     */
    public static synchronized int freePorts(final int count)
    {
        int free = 0;
        while (free < count)
        {
            if (++lastPort >= endPort)
            {
                final DatagramSocket block = newBlock();
                BLOCKS.add(block);
                lastPort = block.getLocalPort() + 1;
                endPort = block.getLocalPort() + PORTS_IN_BLOCK;
                free = 0;
            }
            final DatagramSocket socket = bound(lastPort);
            free = null == socket ? 0 : free + 1;
            if (null != socket)
            {
                socket.close();
            }
        }
        return lastPort - count + 1;
    }

    private static DatagramSocket newBlock()
    {
        while (true)
        {
            final int blocks = (SYSTEM_PORTS - FIRST_PORT) / PORTS_IN_BLOCK;
            final DatagramSocket socket =
                bound(FIRST_PORT + PORTS_IN_BLOCK * ThreadLocalRandom.current().nextInt(blocks));
            if (null != socket)
            {
                return socket;
            }
        }
    }

    private static DatagramSocket bound(final int port)
    {
        try
        {
            return new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
        catch (final BindException ex)
        {
            return null;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Whether the loopback interface delivers multicast, which the kernel of a container may not do.
     *
     * @return true if a datagram to a group has arrived.
     */
    public static boolean hasMulticast()
    {
        final InetAddress loopback = InetAddress.getLoopbackAddress();
        try (MulticastSocket socket = new MulticastSocket(freePort()))
        {
            final NetworkInterface network = NetworkInterface.getByInetAddress(loopback);
            final InetSocketAddress group = new InetSocketAddress("224.0.1.7", socket.getLocalPort());
            socket.joinGroup(group, network);
            socket.setNetworkInterface(network);
            socket.setSoTimeout(ARRIVAL_MS);
            socket.send(new DatagramPacket(new byte[1], 1, group));
            socket.receive(new DatagramPacket(new byte[1], 1));
            return true;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    /**
     * Write a file that only its owner may use, as secrets require.
     *
     * @param file made, or written over.
     * @param text for it.
     * @return the file.
     */
    public static Path writeSecret(final Path file, final String text)
    {
        try
        {
            if (!Files.exists(file))
            {
                Files.createFile(
                    file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            return Files.writeString(file, text);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * The name of a directory that does not exist yet, in shared memory where the host has it.
     *
     * @return its path.
     */
    public static Path newDirectory()
    {
        final Path memory = Path.of("/dev/shm");
        final Path parent = Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        return parent.resolve("escapement-test-" + ProcessHandle.current().pid() + "-" +
            Long.toHexString(ThreadLocalRandom.current().nextLong()));
    }
}
