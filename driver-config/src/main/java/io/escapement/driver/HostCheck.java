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
 * Compares a host with the requirements of a profile. A finding is fatal if the profile cannot work with it. If it
 * slows the profile down or may fail later, it is a warning. The check has no side effects.
 */
final class HostCheck
{
    /** One window is being read while another arrives. With less, one trunk's burst makes another lose packets. */
    private static final long WINDOWS_PER_TRUNK = 2;
    /** Terms of an image or a publication. A metadata page follows them. */
    private static final int TERMS = LogBufferDescriptor.PARTITION_COUNT;
    private static final Set<String> SPINNING = Set.of("noop", "spin", "yield", NoOpIdleStrategy.class.getName(),
        BusySpinIdleStrategy.class.getName(), YieldingIdleStrategy.class.getName());
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "hugetlbfs", "");

    private final List<Finding> findings = new ArrayList<>();
    private final DriverProfile profile;
    private final MediaDriver.Context context;
    private final HostFacts facts;

    enum Severity
    {
        /** The driver runs, but slower than it could, or may fail later. */
        WARNING,
        /** The driver cannot run. */
        FATAL
    }

    /**
     * A requirement that the host does not meet.
     *
     * @param severity of the consequence.
     * @param text     the actual and the required value.
     * @param remedy   a command or setting that fixes it.
     */
    record Finding(Severity severity, String text, String remedy)
    {
        @Override
        public String toString()
        {
            return severity + ": " + text + System.lineSeparator() + "    fix: " + remedy;
        }
    }

    private HostCheck(final DriverProfile profile, final MediaDriver.Context context, final HostFacts facts)
    {
        this.profile = profile;
        this.context = context;
        this.facts = facts;
    }

    /**
     * Compare a host with a profile and the settings that override it.
     *
     * @param profile to run with.
     * @param context with the profile applied, of a driver that is not launched yet.
     * @param facts   about the host.
     * @return the findings, unordered.
     */
    static List<Finding> check(
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

    /** Whether all findings are warnings. */
    static boolean canRun(final List<Finding> findings)
    {
        return findings.stream().noneMatch((finding) -> Severity.FATAL == finding.severity);
    }

    private void receiveBuffer()
    {
        final long window = context.initialWindowLength();
        final long configured = context.socketRcvbufLength();
        final long needed = Math.max(window, WINDOWS_PER_TRUNK * profile.trunks() * window);
        if (configured < needed)
        {
            fatal("a receive buffer of " + SystemUtil.formatSize(configured) + " is less than the " +
                SystemUtil.formatSize(needed) + " that " + profile.trunks() + " trunks with windows of " +
                SystemUtil.formatSize(window) + " need",
                Configuration.SOCKET_RCVBUF_LENGTH_PROP_NAME + "=" + SystemUtil.formatSize(needed));
        }
        final long target = Math.max(configured, needed);
        final String remedy = "sysctl -w net.core.rmem_max=" + target;
        if (HostFacts.UNKNOWN == facts.receiveBufferMax())
        {
            warn("net.core.rmem_max is unreadable, it must be at least " + target, remedy);
        }
        else if (facts.receiveBufferMax() < needed)
        {
            fatal("net.core.rmem_max is " + facts.receiveBufferMax() + ", the windows of " + profile.trunks() +
                " trunks need " + needed, remedy);
        }
        else if (facts.receiveBufferMax() < configured)
        {
            warn("net.core.rmem_max is " + facts.receiveBufferMax() + ", " +
                Configuration.SOCKET_RCVBUF_LENGTH_PROP_NAME + " is " + configured, remedy);
        }
    }

    private void sendBuffer()
    {
        final long configured = context.socketSndbufLength();
        final String remedy = "sysctl -w net.core.wmem_max=" + configured;
        if (HostFacts.UNKNOWN == facts.sendBufferMax())
        {
            warn("net.core.wmem_max is unreadable, it must be at least " + configured, remedy);
        }
        else if (0 != configured && Math.min(configured, facts.sendBufferMax()) < context.mtuLength())
        {
            fatal("net.core.wmem_max is " + facts.sendBufferMax() + " and " +
                Configuration.SOCKET_SNDBUF_LENGTH_PROP_NAME + " is " + configured + ", a datagram needs " +
                context.mtuLength(), "sysctl -w net.core.wmem_max=" + Math.max(configured, context.mtuLength()));
        }
        else if (facts.sendBufferMax() < configured)
        {
            warn("net.core.wmem_max is " + facts.sendBufferMax() + ", " +
                Configuration.SOCKET_SNDBUF_LENGTH_PROP_NAME + " is " + configured, remedy);
        }
    }

    private void store()
    {
        final HostFacts.Store store = facts.store();
        final long files = DriverLauncher.filesLength(context);
        final long needed = files + 2L * profile.trunks() * logLength(context.publicationTermBufferLength());
        final GuardLimits guard = profile.guardLimits();
        final long admitted = files + (long)guard.sessionLimit() * logLength(guard.maxTermLength());
        final String place = store.type() + " at " + store.path();
        if (HostFacts.UNKNOWN == store.free())
        {
            warn("free space at " + store.path() + " is unreadable, " + megabytes(needed) + " are needed",
                "df -h " + store.path());
        }
        else if (store.size() < needed)
        {
            fatal(place + " has " + megabytes(store.size()) + ", the streams of " + profile.trunks() +
                " trunks need " + megabytes(needed), grow(store, Math.max(needed, admitted)));
        }
        else if (store.free() < needed)
        {
            fatal(place + " has " + megabytes(store.free()) + " free, the streams of " + profile.trunks() +
                " trunks need " + megabytes(needed), "du -xh -d1 " + store.path() + " (and delete stale files)");
        }
        else if (store.free() < admitted)
        {
            warn(place + " has " + megabytes(store.free()) + " free, the " + guard.sessionLimit() +
                " sessions that guards admit on a socket may need " + megabytes(admitted),
                grow(store, store.size() - store.free() + admitted));
        }
        if (!IN_MEMORY.contains(store.type()))
        {
            warn(store.path() + " is on a disk (" + store.type() + "), writing its pages back stalls the driver",
                "use shared memory, --aeron-dir=/dev/shm/aeron");
        }
    }

    private void cores()
    {
        final int spinning = spinningThreads();
        if (spinning >= facts.cores())
        {
            fatal("spinning threads: " + spinning + ", cores: " + facts.cores() +
                "; every other thread would wait for milliseconds",
                "--profile=" + (facts.cores() <= 2 ? "solo, inside the engine" : "shared"));
        }
        else if (facts.cores() < profile.cores())
        {
            warn("cores: " + facts.cores() + ", the profile needs " + profile.cores(),
                "--profile=" + (facts.cores() <= 2 ? "solo, inside the engine" : "shared"));
        }
    }

    private void surroundings()
    {
        if (!facts.governor().isEmpty() && !"performance".equals(facts.governor()))
        {
            warn("the CPU frequency governor is " + facts.governor() + ", so each burst starts at a low frequency",
                "cpupower frequency-set -g performance");
        }
        if (facts.isSwapOn())
        {
            warn("swap is on, so the memory of an idle driver may be swapped out", "swapoff -a");
        }
        if ("always".equals(facts.hugePages()))
        {
            warn("transparent huge pages are always on, and their allocation stalls threads",
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
        // Aeron reads the property when the driver starts. Before that a context holds only the setters' values.
        final String name = null == strategy ? System.getProperty(property, "") : strategy.getClass().getName();
        return SPINNING.contains(name) ? 1 : 0;
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
            "use a larger file system, --aeron-dir=...";
    }

    /** Rounded up, in the syntax of mount. */
    private static String megabytes(final long length)
    {
        return ((length + (1 << 20) - 1) >> 20) + "m";
    }

    private void warn(final String text, final String remedy)
    {
        findings.add(new Finding(Severity.WARNING, text, remedy));
    }

    private void fatal(final String text, final String remedy)
    {
        findings.add(new Finding(Severity.FATAL, text, remedy));
    }
}
