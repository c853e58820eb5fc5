package io.escapement.driver;

import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.escapement.driver.guard.GuardLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.agrona.SystemUtil;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * Compares a host with what a profile needs. What keeps the profile from working is fatal; what makes it slower, or
 * lets it fail later, is a warning. Opens nothing and changes nothing.
 */
public final class HostCheck
{
    /** Two windows a trunk: one that is being read, one that has come in since. With less, trunks drown each other. */
    private static final long WINDOWS_PER_TRUNK = 2;
    /** An image or a publication has three terms and a page that describes them. */
    private static final int TERMS = LogBufferDescriptor.PARTITION_COUNT;
    /** Aeron keeps four bytes that describe a counter for each of its value. */
    private static final long METADATA_PER_COUNTER_BYTE = 4;
    private static final Set<String> SPINNING = Set.of("noop", "spin", "yield", NoOpIdleStrategy.class.getName(),
        BusySpinIdleStrategy.class.getName(), YieldingIdleStrategy.class.getName());
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "hugetlbfs", "");

    private final List<Finding> findings = new ArrayList<>();
    private final DriverProfile profile;
    private final MediaDriver.Context context;
    private final HostFacts facts;

    /**
     * How bad it is.
     */
    public enum Severity
    {
        /** It will run, but not as well as it could. */
        WARNING,
        /** It cannot work. */
        FATAL
    }

    /**
     * Something that the host lacks.
     *
     * @param severity how bad it is.
     * @param text     what is so, and what ought to be.
     * @param mend     the command, or the setting, that mends it.
     */
    public record Finding(Severity severity, String text, String mend)
    {
        @Override
        public String toString()
        {
            return severity + ": " + text + System.lineSeparator() + "    mend: " + mend;
        }
    }

    private HostCheck(final DriverProfile profile, final MediaDriver.Context context, final HostFacts facts)
    {
        this.profile = profile;
        this.context = context;
        this.facts = facts;
    }

    /**
     * Compare a host with a profile and the system properties over it.
     *
     * @param profile to run with.
     * @param facts   about the host.
     * @return what the host lacks, in no order of weight; empty when it has all.
     */
    public static List<Finding> check(final DriverProfile profile, final HostFacts facts)
    {
        return check(profile, profile.newContext(), facts);
    }

    /**
     * Compare a host with a profile and what a program has set over it.
     *
     * @param profile to run with.
     * @param context of a driver that is not launched yet, to which the profile was applied.
     * @param facts   about the host.
     * @return what the host lacks, in no order of weight; empty when it has all.
     */
    public static List<Finding> check(
        final DriverProfile profile, final MediaDriver.Context context, final HostFacts facts)
    {
        final HostCheck check = new HostCheck(profile, context, facts);
        check.receiveBuffer();
        check.sendBuffer();
        check.store();
        check.cores();
        check.surroundings();
        return List.copyOf(check.findings);
    }

    /**
     * Whether a driver can be started all the same.
     *
     * @param findings of a check.
     * @return false if one of them is fatal.
     */
    public static boolean canWork(final List<Finding> findings)
    {
        return findings.stream().noneMatch((finding) -> Severity.FATAL == finding.severity);
    }

    private void receiveBuffer()
    {
        final long window = context.initialWindowLength();
        final long wanted = context.socketRcvbufLength();
        final long needed = Math.max(window, WINDOWS_PER_TRUNK * profile.trunks() * window);
        if (wanted < needed)
        {
            fatal("a receive buffer of " + SystemUtil.formatSize(wanted) + " is less than the " +
                SystemUtil.formatSize(needed) + " that " + profile.trunks() + " trunks with windows of " +
                SystemUtil.formatSize(window) + " need",
                Configuration.SOCKET_RCVBUF_LENGTH_PROP_NAME + "=" + SystemUtil.formatSize(needed));
        }
        final String mend = "sysctl -w net.core.rmem_max=" + Math.max(wanted, needed);
        if (HostFacts.UNKNOWN == facts.receiveBufferMax())
        {
            warn("net.core.rmem_max cannot be read here: it must be at least " + Math.max(wanted, needed), mend);
        }
        else if (facts.receiveBufferMax() < needed)
        {
            fatal("net.core.rmem_max is " + facts.receiveBufferMax() + ", the windows of " + profile.trunks() +
                " trunks need " + needed, mend);
        }
        else if (facts.receiveBufferMax() < wanted)
        {
            warn("net.core.rmem_max is " + facts.receiveBufferMax() + ", " +
                Configuration.SOCKET_RCVBUF_LENGTH_PROP_NAME + " is " + wanted, mend);
        }
    }

    private void sendBuffer()
    {
        final long wanted = context.socketSndbufLength();
        final String mend = "sysctl -w net.core.wmem_max=" + wanted;
        if (HostFacts.UNKNOWN == facts.sendBufferMax())
        {
            warn("net.core.wmem_max cannot be read here: it must be at least " + wanted, mend);
        }
        else if (0 != wanted && Math.min(wanted, facts.sendBufferMax()) < context.mtuLength())
        {
            fatal("net.core.wmem_max is " + facts.sendBufferMax() + " and " +
                Configuration.SOCKET_SNDBUF_LENGTH_PROP_NAME + " is " + wanted + ", a datagram needs " +
                context.mtuLength(), "sysctl -w net.core.wmem_max=" + Math.max(wanted, context.mtuLength()));
        }
        else if (facts.sendBufferMax() < wanted)
        {
            warn("net.core.wmem_max is " + facts.sendBufferMax() + ", " +
                Configuration.SOCKET_SNDBUF_LENGTH_PROP_NAME + " is " + wanted, mend);
        }
    }

    private void store()
    {
        final HostFacts.Store store = facts.store();
        final long needed = driverLength() + 2L * profile.trunks() * logLength(context.publicationTermBufferLength());
        final GuardLimits guard = profile.guardLimits();
        final long welcome = driverLength() + (long)guard.sessionLimit() * logLength(guard.maxTermLength());
        final String place = store.type() + " at " + store.path();
        if (HostFacts.UNKNOWN == store.free())
        {
            warn("the space at " + store.path() + " cannot be read: " + megabytes(needed) + " are needed",
                "df -h " + store.path());
        }
        else if (store.size() < needed)
        {
            fatal(place + " has " + megabytes(store.size()) + ", a way in and out for " + profile.trunks() +
                " trunks takes " + megabytes(needed), grow(store, Math.max(needed, welcome)));
        }
        else if (store.free() < needed)
        {
            fatal(place + " has " + megabytes(store.free()) + " left, a way in and out for " + profile.trunks() +
                " trunks takes " + megabytes(needed), "du -xh -d1 " + store.path() + " (and delete what is stale)");
        }
        else if (store.free() < welcome)
        {
            warn(place + " has " + megabytes(store.free()) + " left, the " + guard.sessionLimit() +
                " sessions that guards let in on a socket can take " + megabytes(welcome),
                grow(store, store.size() - store.free() + welcome));
        }
        if (!IN_MEMORY.contains(store.type()))
        {
            warn(store.path() + " is on a disk (" + store.type() + "): the driver waits when pages are written",
                "choose a directory in memory, --aeron-dir=/dev/shm/aeron");
        }
    }

    private void cores()
    {
        final int spinning = spinningThreads();
        if (spinning >= facts.cores())
        {
            fatal("spinning threads: " + spinning + ", cores: " + facts.cores() +
                "; they keep everything else waiting, for milliseconds",
                "--profile=" + (facts.cores() <= 2 ? "solo, inside the engine" : "shared"));
        }
        else if (facts.cores() < profile.cores())
        {
            warn("cores: " + facts.cores() + ", the profile is made for " + profile.cores(),
                "--profile=" + (facts.cores() <= 2 ? "solo, inside the engine" : "shared"));
        }
    }

    private void surroundings()
    {
        if (!facts.governor().isEmpty() && !"performance".equals(facts.governor()))
        {
            warn("the governor of cores' frequency is " + facts.governor() + ": each burst begins on a slow core",
                "cpupower frequency-set -g performance");
        }
        if (facts.isSwapOn())
        {
            warn("swap is on: memory of a quiet driver may be on a disk when it is wanted", "swapoff -a");
        }
        if ("always".equals(facts.hugePages()))
        {
            warn("transparent huge pages are given out unasked: making them stops threads at times",
                "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled");
        }
    }

    private int spinningThreads()
    {
        final ThreadingMode mode = context.threadingMode();
        int count = 0;
        if (ThreadingMode.DEDICATED == mode)
        {
            count += spins(context.senderIdleStrategy(), Configuration.SENDER_IDLE_STRATEGY_PROP_NAME);
            count += spins(context.receiverIdleStrategy(), Configuration.RECEIVER_IDLE_STRATEGY_PROP_NAME);
        }
        if (ThreadingMode.SHARED_NETWORK == mode)
        {
            count += spins(context.sharedNetworkIdleStrategy(), Configuration.SHARED_NETWORK_IDLE_STRATEGY_PROP_NAME);
        }
        if (ThreadingMode.SHARED == mode)
        {
            count += spins(context.sharedIdleStrategy(), Configuration.SHARED_IDLE_STRATEGY_PROP_NAME);
        }
        if (ThreadingMode.DEDICATED == mode || ThreadingMode.SHARED_NETWORK == mode)
        {
            count += spins(context.conductorIdleStrategy(), Configuration.CONDUCTOR_IDLE_STRATEGY_PROP_NAME);
        }
        return count;
    }

    private static int spins(final IdleStrategy strategy, final String property)
    {
        // Aeron reads the property when the driver starts: until then a context holds what was set by hand.
        final String name = null == strategy ? System.getProperty(property, "") : strategy.getClass().getName();
        return SPINNING.contains(name) ? 1 : 0;
    }

    private long driverLength()
    {
        return context.conductorBufferLength() + context.toClientsBufferLength() + context.errorBufferLength() +
            (1 + METADATA_PER_COUNTER_BYTE) * context.counterValuesBufferLength() + context.lossReportBufferLength();
    }

    private static long logLength(final int termLength)
    {
        return (long)TERMS * termLength + LogBufferDescriptor.LOG_META_DATA_LENGTH;
    }

    private static String grow(final HostFacts.Store store, final long length)
    {
        return "tmpfs".equals(store.type()) ?
            "mount -o remount,size=" + megabytes(length) + " " + store.path() +
                " (in a container: --shm-size=" + megabytes(length) + ")" :
            "choose a directory with more room, --aeron-dir=...";
    }

    /** As mount takes it, rounded up. */
    private static String megabytes(final long length)
    {
        return ((length + (1 << 20) - 1) >> 20) + "m";
    }

    private void warn(final String text, final String mend)
    {
        findings.add(new Finding(Severity.WARNING, text, mend));
    }

    private void fatal(final String text, final String mend)
    {
        findings.add(new Finding(Severity.FATAL, text, mend));
    }
}
