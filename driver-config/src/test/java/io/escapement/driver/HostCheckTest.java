package io.escapement.driver;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HostCheckTest
{
    private static final long MIB = 1 << 20;
    private static final HostFacts.Store ROOMY = store("tmpfs", 16_384 * MIB, 8_192 * MIB);

    private final DriverProfile shared = DriverProfile.load("shared");

    @TempDir
    private Path root;

    @ParameterizedTest
    @ValueSource(strings = {"dedicated", "shared", "solo", "cloud"})
    void shouldFindNothingOnAFitHost(final String name)
    {
        assertEquals(List.of(), check(DriverProfile.load(name), host(4 * MIB, 4 * MIB, ROOMY, 8)));
    }

    @Test
    void shouldFindAReceiveBufferTooShortForTheWindows()
    {
        // 8 trunks, two windows of 128 KiB each.
        final HostFacts host = host(2 * MIB - 1, 4 * MIB, ROOMY, 8);
        assertFound(HostCheck.Severity.FATAL, "net.core.rmem_max is 2097151, the windows of 8 trunks need 2097152",
            "sysctl -w net.core.rmem_max=2097152", check(shared, host));
    }

    @Test
    void shouldWarnOfAReceiveBufferShorterThanConfigured()
    {
        final MediaDriver.Context context = shared.newContext().socketRcvbufLength(3 << 20);
        assertFound(HostCheck.Severity.WARNING, "net.core.rmem_max is 2097152, aeron.socket.so_rcvbuf is 3145728",
            "sysctl -w net.core.rmem_max=3145728",
            HostCheck.check(shared, context, host(2 * MIB, 4 * MIB, ROOMY, 8)));
    }

    @Test
    void shouldFindAReceiveBufferConfiguredTooShort()
    {
        SystemProperties.with(Map.of("aeron.rcv.initial.window.length", "1m"), () ->
        {
            final List<HostCheck.Finding> findings = check(shared, host(64 * MIB, 4 * MIB, ROOMY, 8));
            assertFound(HostCheck.Severity.FATAL, "a receive buffer of 2m is less than the 16m that 8 trunks with " +
                "windows of 1m need", "aeron.socket.so_rcvbuf=16m", findings);
        });
    }

    @Test
    void shouldWarnOfUnreadableBufferLimits()
    {
        final List<HostCheck.Finding> findings = check(
            shared, host(HostFacts.UNKNOWN, HostFacts.UNKNOWN, ROOMY, 8));
        assertEquals(2, findings.size());
        assertTrue(HostCheck.canRun(findings));
        assertTrue(findings.get(0).text().startsWith("net.core.rmem_max is unreadable"));
        assertTrue(findings.get(1).text().startsWith("net.core.wmem_max is unreadable"));
    }

    @Test
    void shouldWarnOfASendBufferShorterThanConfigured()
    {
        assertFound(HostCheck.Severity.WARNING, "net.core.wmem_max is 212992, aeron.socket.so_sndbuf is 1048576",
            "sysctl -w net.core.wmem_max=1048576",
            check(shared, host(4 * MIB, 212_992, ROOMY, 8)));
    }

    @Test
    void shouldFindASendBufferTooShortForADatagram()
    {
        assertFound(HostCheck.Severity.FATAL,
            "net.core.wmem_max is 1407 and aeron.socket.so_sndbuf is 1048576, a datagram needs 1408",
            "sysctl -w net.core.wmem_max=1048576",
            check(shared, host(4 * MIB, 1_407, ROOMY, 8)));
    }

    @Test
    void shouldFindAFileSystemTooSmall()
    {
        // Docker's default, against cloud's 32 streams of 1.5 MiB and the driver's 48 MiB.
        final List<HostCheck.Finding> findings = check(
            DriverProfile.load("cloud"), host(4 * MIB, 4 * MIB, store("tmpfs", 64 * MIB, 64 * MIB), 8));
        assertFound(HostCheck.Severity.FATAL, "tmpfs at /dev/shm has 64m, the streams of 16 trunks need ",
            "mount -o remount,size=", findings);
        assertTrue(findings.get(0).remedy().contains("--shm-size="));
    }

    @Test
    void shouldFindAFileSystemThatIsFull()
    {
        assertFound(HostCheck.Severity.FATAL, "tmpfs at /dev/shm has 10m free, the streams of 8 trunks need ",
            "du -xh -d1 /dev/shm",
            check(shared, host(4 * MIB, 4 * MIB, store("tmpfs", 8_192 * MIB, 10 * MIB), 8)));
    }

    @Test
    void shouldWarnOfAFileSystemThatUnauthenticatedSessionsCanFill()
    {
        // 128 sessions of three terms of 1 MiB.
        assertFound(HostCheck.Severity.WARNING, "tmpfs at /dev/shm has 300m free, the 512 sessions that guards admit",
            "mount -o remount,size=",
            check(shared, host(4 * MIB, 4 * MIB, store("tmpfs", 400 * MIB, 300 * MIB), 8)));
    }

    @Test
    void shouldWarnOfADirectoryOnADisk()
    {
        assertFound(HostCheck.Severity.WARNING, "/dev/shm is on a disk (ext4)", "--aeron-dir=/dev/shm/aeron",
            check(shared, host(4 * MIB, 4 * MIB, store("ext4", 8_192 * MIB, 8_192 * MIB), 8)));
    }

    @Test
    void shouldWarnOfUnreadableFreeSpace()
    {
        assertFound(HostCheck.Severity.WARNING, "free space at /dev/shm is unreadable", "df -h /dev/shm",
            check(shared, host(4 * MIB, 4 * MIB, store("", HostFacts.UNKNOWN, HostFacts.UNKNOWN), 8)));
    }

    @Test
    void shouldFindTooManySpinningThreads()
    {
        final HostFacts host = host(4 * MIB, 4 * MIB, ROOMY, 2);
        assertFound(HostCheck.Severity.FATAL, "spinning threads: 2, cores: 2", "--profile=solo",
            check(DriverProfile.load("dedicated"), host));
        final HostFacts single = host(4 * MIB, 4 * MIB, ROOMY, 1);
        assertFound(HostCheck.Severity.FATAL, "spinning threads: 1, cores: 1", "--profile=solo",
            HostCheck.check(shared, shared.newContext().sharedIdleStrategy(BusySpinIdleStrategy.INSTANCE), single));
        final DriverProfile cloud = DriverProfile.load("cloud");
        assertFound(HostCheck.Severity.FATAL, "spinning threads: 2, cores: 2", "--profile=solo",
            HostCheck.check(cloud, cloud.newContext()
                .sharedNetworkIdleStrategy(BusySpinIdleStrategy.INSTANCE)
                .conductorIdleStrategy(YieldingIdleStrategy.INSTANCE), host));
    }

    @Test
    void shouldCountSpinningThreadsOfASystemProperty()
    {
        SystemProperties.with(
            Map.of("aeron.shared.idle.strategy", "org.agrona.concurrent.BusySpinIdleStrategy"), () ->
                assertFound(HostCheck.Severity.FATAL, "spinning threads: 1, cores: 1",
                    "--profile=solo", check(shared, host(4 * MIB, 4 * MIB, ROOMY, 1))));
    }

    @Test
    void shouldNotCountIdleStrategiesThatTheModeIgnores()
    {
        final DriverProfile dedicated = DriverProfile.load("dedicated");
        final MediaDriver.Context context = dedicated.newContext().threadingMode(ThreadingMode.INVOKER);
        assertTrue(HostCheck.canRun(HostCheck.check(dedicated, context, host(4 * MIB, 4 * MIB, ROOMY, 1))));
    }

    @Test
    void shouldWarnOfFewerCoresThanTheProfileNeeds()
    {
        assertFound(HostCheck.Severity.WARNING, "cores: 4, the profile needs 6", "--profile=shared",
            check(DriverProfile.load("dedicated"), host(4 * MIB, 4 * MIB, ROOMY, 4)));
    }

    @Test
    void shouldWarnOfTheGovernor()
    {
        assertFound(HostCheck.Severity.WARNING, "the CPU frequency governor is powersave",
            "cpupower frequency-set -g performance",
            check(shared, new HostFacts(8, 4 * MIB, 4 * MIB, ROOMY, "powersave", false, "madvise")));
    }

    @Test
    void shouldWarnOfSwap()
    {
        assertFound(HostCheck.Severity.WARNING, "swap is on", "swapoff -a",
            check(shared, new HostFacts(8, 4 * MIB, 4 * MIB, ROOMY, "performance", true, "madvise")));
    }

    @Test
    void shouldWarnOfTransparentHugePages()
    {
        assertFound(HostCheck.Severity.WARNING, "transparent huge pages are always on",
            "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
            check(shared, new HostFacts(8, 4 * MIB, 4 * MIB, ROOMY, "performance", false, "always")));
    }

    @Test
    void shouldReadFactsFromSystemFiles() throws IOException
    {
        write("proc/sys/net/core/rmem_max", "4194304\n");
        write("proc/sys/net/core/wmem_max", "212992\n");
        write("proc/swaps", "Filename Type Size Used Priority\n/dev/sda2 partition 8388604 0 -2\n");
        write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "schedutil\n");
        write("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
        final HostFacts facts = HostFacts.read(root, root.resolve("not/there/yet"));
        assertEquals(new HostFacts(Runtime.getRuntime().availableProcessors(), 4_194_304, 212_992, facts.store(),
            "schedutil", true, "always"), facts);
        assertEquals(root.toString(), facts.store().path());
        assertTrue(facts.store().free() > 0 && facts.store().size() >= facts.store().free());
    }

    @Test
    void shouldReplaceUnreadableFacts()
    {
        final HostFacts facts = HostFacts.read(root, root);
        assertEquals(HostFacts.UNKNOWN, facts.receiveBufferMax());
        assertEquals(HostFacts.UNKNOWN, facts.sendBufferMax());
        assertEquals("", facts.governor());
        assertEquals("", facts.hugePages());
        assertFalse(facts.isSwapOn());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldReadWholeNumbersFromThisHost() throws IOException
    {
        // Read by another program, because Java's reading of proc files is under test.
        final Process cat = new ProcessBuilder("cat", "/proc/sys/net/core/rmem_max").start();
        final String number = new String(cat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        final long expected = number.isEmpty() ? HostFacts.UNKNOWN : Long.parseLong(number);
        cat.onExit().join();
        assertEquals(expected, HostFacts.read(root).receiveBufferMax());
    }

    private static List<HostCheck.Finding> check(final DriverProfile profile, final HostFacts host)
    {
        return HostCheck.check(profile, profile.newContext(), host);
    }

    private void write(final String name, final String text) throws IOException
    {
        Files.createDirectories(root.resolve(name).getParent());
        Files.writeString(root.resolve(name), text);
    }

    private static HostFacts host(
        final long receiveBufferMax, final long sendBufferMax, final HostFacts.Store store, final int cores)
    {
        return new HostFacts(cores, receiveBufferMax, sendBufferMax, store, "performance", false, "madvise");
    }

    private static HostFacts.Store store(final String type, final long size, final long free)
    {
        return new HostFacts.Store("/dev/shm", type, size, free);
    }

    /** Exactly one finding of this severity; only warnings about few cores may accompany it. */
    private static void assertFound(
        final HostCheck.Severity severity,
        final String text,
        final String remedy,
        final List<HostCheck.Finding> findings)
    {
        final List<HostCheck.Finding> found = findings.stream()
            .filter((finding) -> finding.text().contains(text)).toList();
        assertEquals(1, found.size(), () -> text + " is not in " + findings);
        assertEquals(severity, found.get(0).severity());
        assertTrue(found.get(0).remedy().contains(remedy), found.get(0).remedy());
        assertEquals(HostCheck.Severity.WARNING == severity, HostCheck.canRun(findings));
        final long others = findings.stream()
            .filter((finding) -> !finding.equals(found.get(0)) && !finding.text().contains(", the profile needs"))
            .count();
        assertEquals(0, others, findings::toString);
    }
}
