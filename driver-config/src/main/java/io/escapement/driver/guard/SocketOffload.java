package io.escapement.driver.guard;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;

/**
 * Linux's UDP segmentation offload, by two socket options that Java does not have: the kernel cuts one large send into
 * datagrams (UDP_SEGMENT, "GSO"), and joins datagrams of one sender on receipt (UDP_GRO).
 */
final class SocketOffload
{
    /** More segments in a call are refused by the kernel. */
    static final int MAX_SEGMENTS = 64;

    private static final int SOL_UDP = 17;
    private static final int UDP_SEGMENT = 103;
    private static final int UDP_GRO = 104;
    private static final int PROBE_LENGTH = 1_408;

    private SocketOffload()
    {
    }

    /** Why this process cannot use it, or null if it can. Opens and closes a socket. */
    static String obstacle()
    {
        if (!System.getProperty("os.name").startsWith("Linux"))
        {
            return "the system is not Linux";
        }
        try (DatagramChannel channel = DatagramChannel.open())
        {
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return segment(channel, PROBE_LENGTH) && join(channel) ? null : "the kernel has no UDP_SEGMENT or UDP_GRO";
        }
        catch (final IOException | IllegalStateException | LinkageError ex)
        {
            return ex.getMessage();
        }
    }

    /**
     * Cut sends that are longer than a length into datagrams of this length.
     *
     * @param length 0 for one datagram a send.
     */
    static boolean segment(final DatagramChannel channel, final int length)
    {
        return setOption(descriptor(channel), UDP_SEGMENT, length);
    }

    /** Join what arrives from one sender. */
    static boolean join(final DatagramChannel channel)
    {
        return setOption(descriptor(channel), UDP_GRO, 1);
    }

    /** The number by which the kernel knows a socket. */
    static int descriptor(final DatagramChannel channel)
    {
        try
        {
            final Method method = channel.getClass().getDeclaredMethod("getFDVal");
            method.setAccessible(true);
            return (int)method.invoke(channel);
        }
        catch (final NoSuchMethodException | IllegalAccessException | InvocationTargetException ex)
        {
            throw new IllegalStateException("the JDK's socket has no descriptor: " + ex, ex);
        }
        catch (final RuntimeException ex)
        {
            throw new IllegalStateException(
                "the JVM needs --add-opens java.base/sun.nio.ch=ALL-UNNAMED", ex);
        }
    }

    /** As {@link #segment(DatagramChannel, int)}, without allocation. */
    static boolean segment(final int descriptor, final int length)
    {
        return setOption(descriptor, UDP_SEGMENT, length);
    }

    private static boolean setOption(final int descriptor, final int option, final int value)
    {
        final Memory memory = C.VALUE.get();
        memory.setInt(0, value);
        return 0 == C.setsockopt(descriptor, SOL_UDP, option, memory, Integer.BYTES);
    }

    /** Loads the C library on the first call. */
    private static final class C
    {
        static final ThreadLocal<Memory> VALUE = ThreadLocal.withInitial(() -> new Memory(Integer.BYTES));

        static
        {
            Native.register(C.class, "c");
        }

        static native int setsockopt(int descriptor, int level, int option, Pointer value, int length);
    }
}
