package io.escapement.engine.internal.monitor;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;

/**
 * Number and total time of the JVM's safepoints, for garbage collection and all other reasons. Because no platform bean
 * has them, they are read as jstat does, from HotSpot's performance data file (hsperfdata, version 2). A JVM without
 * that file (-XX:-UsePerfData) or with another version has no such counters.
 */
final class Safepoints implements AutoCloseable
{
    private static final int MAGIC = 0xCAFE_C0C0;
    private static final int BYTE_ORDER = 4;
    private static final int MAJOR_VERSION = 5;
    private static final int FIRST_ENTRY = 24;
    private static final int ENTRIES = 28;
    private static final int ENTRY_NAME = 4;
    private static final int ENTRY_TYPE = 12;
    private static final int ENTRY_VALUE = 16;
    private static final int NOT_FOUND = -1;

    private final FileChannel channel;
    private final ByteBuffer value = ByteBuffer.allocate(Long.BYTES);
    private final int countAt;
    private final int ticksAt;
    private final double nsPerTick;

    private Safepoints(final Path file) throws IOException
    {
        final ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file));
        if (MAGIC != all.getInt(0) || 2 != all.get(MAJOR_VERSION))
        {
            throw new IOException(file + ": not of version 2");
        }
        final ByteOrder order = 0 == all.get(BYTE_ORDER) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        all.order(order);
        value.order(order);
        countAt = find(all, "sun.rt.safepoints");
        ticksAt = find(all, "sun.rt.safepointTime");
        final int frequencyAt = find(all, "sun.os.hrt.frequency");
        if (NOT_FOUND == countAt || NOT_FOUND == ticksAt || NOT_FOUND == frequencyAt)
        {
            throw new IOException(file + ": has no safepoint counters");
        }
        nsPerTick = (double)TimeUnit.SECONDS.toNanos(1) / all.getLong(frequencyAt);
        channel = FileChannel.open(file, StandardOpenOption.READ);
    }

    /** The safepoints of this JVM, or null if they cannot be read. */
    static Safepoints ofThisJvm()
    {
        final HotSpotDiagnosticMXBean vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        // If a JVM writes no file, it may have the process id of a killed JVM with a remaining file.
        return null != vm && is(vm, "UsePerfData") && !is(vm, "PerfDisableSharedMem") ?
            in(Path.of("/tmp", "hsperfdata_" + System.getProperty("user.name"),
                Long.toString(ProcessHandle.current().pid()))) : null;
    }

    /** The safepoints in a file, or null if they cannot be read. */
    static Safepoints in(final Path file)
    {
        try
        {
            return new Safepoints(file);
        }
        catch (final IOException | IndexOutOfBoundsException ex)
        {
            return null;
        }
    }

    /** Number since the JVM started. */
    long count()
    {
        return read(countAt);
    }

    /** Total time since the JVM started. */
    long timeNs()
    {
        return (long)(read(ticksAt) * nsPerTick);
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(channel);
    }

    private long read(final int at)
    {
        try
        {
            value.clear();
            return Long.BYTES == channel.read(value, at) ? value.getLong(0) : 0;
        }
        catch (final IOException ex)
        {
            return 0;
        }
    }

    private static int find(final ByteBuffer all, final String name)
    {
        int at = all.getInt(FIRST_ENTRY);
        for (int i = all.getInt(ENTRIES); i > 0; i--)
        {
            if ('J' == all.get(at + ENTRY_TYPE) && isNamed(all, at + all.getInt(at + ENTRY_NAME), name))
            {
                return at + all.getInt(at + ENTRY_VALUE);
            }
            final int length = all.getInt(at);
            if (length <= 0)
            {
                return NOT_FOUND;
            }
            at += length;
        }
        return NOT_FOUND;
    }

    private static boolean isNamed(final ByteBuffer all, final int at, final String name)
    {
        final byte[] expected = (name + '\0').getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < expected.length; i++)
        {
            if (all.get(at + i) != expected[i])
            {
                return false;
            }
        }
        return true;
    }

    private static boolean is(final HotSpotDiagnosticMXBean vm, final String option)
    {
        return Boolean.parseBoolean(vm.getVMOption(option).getValue());
    }
}
