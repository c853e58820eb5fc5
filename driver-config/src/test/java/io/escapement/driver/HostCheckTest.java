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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(30)
class HostCheckTest
{
    private static final long MIB = 1 << 20;
    private static final HostFacts.Store ROOMY = store("tmpfs", 16_384 * MIB, 8_192 * MIB);

    private final DriverProfile shared = DriverProfile.load("shared");

    @TempDir
    private Path root;

    @ParameterizedTest
    @ValueSource(strings = {"dedicated", "shared", "solo", "cloud"})
    void shouldFindNothingOnAHostThatHasAll(final String name)
    {
        assertEquals(List.of(), HostCheck.check(DriverProfile.load(name), host(4 * MIB, 4 * MIB, ROOMY, 8)));
    }

    @Test
    void shouldFindAReceiveBufferTooShortForTheWindows()
    {
        // 8 trunks, two windows of 128 KiB each.
        final HostFacts host = host(2 * MIB - 1, 4 * MIB, ROOMY, 8);
        assertFound(HostCheck.Severity.FATAL, "net.core.rmem_max is 2097151, the windows of 8 trunks need 2097152",
            "sysctl -w net.core.rmem_max=2097152", HostCheck.check(shared, host));
    }

    @Test
    void shouldFindAReceiveBufferShorterThanAskedFor()
    {
        final MediaDriver.Context context = shared.newContext().socketRcvbufLength(3 << 20);
        assertFound(HostCheck.Severity.WARNING, "net.core.rmem_max is 2097152, aeron.socket.so_rcvbuf is 3145728",
            "sysctl -w net.core.rmem_max=3145728",
            HostCheck.check(shared, context, host(2 * MIB, 4 * MIB, ROOMY, 8)));
    }

    @Test
    void shouldFindAReceiveBufferTooShortForTheProfileItself()
    {
        Tests.withProperties(Map.of("aeron.rcv.initial.window.length", "1m"), () ->
        {
            final List<HostCheck.Finding> findings = HostCheck.check(shared, host(64 * MIB, 4 * MIB, ROOMY, 8));
            assertFound(HostCheck.Severity.FATAL, "a receive buffer of 2m is less than the 16m that 8 trunks with " +
                "windows of 1m need", "aeron.socket.so_rcvbuf=16m", findings);
        });
    }

    @Test
    void shouldSayThatBuffersAreNotKnown()
    {
        final List<HostCheck.Finding> findings = HostCheck.check(
            shared, host(HostFacts.UNKNOWN, HostFacts.UNKNOWN, ROOMY, 8));
        assertEquals(2, findings.size());
        assertTrue(HostCheck.canWork(findings));
        assertTrue(findings.get(0).text().startsWith("net.core.rmem_max cannot be read here"));
        assertTrue(findings.get(1).text().startsWith("net.core.wmem_max cannot be read here"));
    }

    @Test
    void shouldFindASendBufferShorterThanAskedFor()
    {
        assertFound(HostCheck.Severity.WARNING, "net.core.wmem_max is 212992, aeron.socket.so_sndbuf is 1048576",
            "sysctl -w net.core.wmem_max=1048576",
            HostCheck.check(shared, host(4 * MIB, 212_992, ROOMY, 8)));
    }

    @Test
    void shouldFindASendBufferTooShortForADatagram()
    {
        assertFound(HostCheck.Severity.FATAL,
            "net.core.wmem_max is 1407 and aeron.socket.so_sndbuf is 1048576, a datagram needs 1408",
            "sysctl -w net.core.wmem_max=1048576",
            HostCheck.check(shared, host(4 * MIB, 1_407, ROOMY, 8)));
    }

    @Test
    void shouldFindAFileSystemTooSmall()
    {
        // What containers have unless told otherwise, and cloud's 32 streams of 1.5 MiB beside the driver's own 48 MiB.
        final List<HostCheck.Finding> findings = HostCheck.check(
            DriverProfile.load("cloud"), host(4 * MIB, 4 * MIB, store("tmpfs", 64 * MIB, 64 * MIB), 8));
        assertFound(HostCheck.Severity.FATAL, "tmpfs at /dev/shm has 64m, a way in and out for 16 trunks takes ",
            "mount -o remount,size=", findings);
        assertTrue(findings.get(0).mend().contains("--shm-size="));
    }

    @Test
    void shouldFindAFileSystemThatIsFull()
    {
        assertFound(HostCheck.Severity.FATAL, "tmpfs at /dev/shm has 10m left, a way in and out for 8 trunks takes ",
            "du -xh -d1 /dev/shm",
            HostCheck.check(shared, host(4 * MIB, 4 * MIB, store("tmpfs", 8_192 * MIB, 10 * MIB), 8)));
    }

    @Test
    void shouldFindAFileSystemThatStrangersCanFill()
    {
        // 128 sessions of three terms of 1 MiB.
        assertFound(HostCheck.Severity.WARNING, "tmpfs at /dev/shm has 300m left, the 128 sessions that guards let in",
            "mount -o remount,size=",
            HostCheck.check(shared, host(4 * MIB, 4 * MIB, store("tmpfs", 400 * MIB, 300 * MIB), 8)));
    }

    @Test
    void shouldFindADirectoryOnADisk()
    {
        assertFound(HostCheck.Severity.WARNING, "/dev/shm is on a disk (ext4)", "--aeron-dir=/dev/shm/aeron",
            HostCheck.check(shared, host(4 * MIB, 4 * MIB, store("ext4", 8_192 * MIB, 8_192 * MIB), 8)));
    }

    @Test
    void shouldSayThatSpaceIsNotKnown()
    {
        assertFound(HostCheck.Severity.WARNING, "the space at /dev/shm cannot be read", "df -h /dev/shm",
            HostCheck.check(shared, host(4 * MIB, 4 * MIB, store("", HostFacts.UNKNOWN, HostFacts.UNKNOWN), 8)));
    }

    @Test
    void shouldFindMoreSpinningThreadsThanCoresCanBear()
    {
        final HostFacts host = host(4 * MIB, 4 * MIB, ROOMY, 2);
        assertFound(HostCheck.Severity.FATAL, "spinning threads: 2, cores: 2", "--profile=solo",
            HostCheck.check(DriverProfile.load("dedicated"), host));
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
    void shouldSeeSpinningThreadsThatASystemPropertyAsksFor()
    {
        Tests.withProperties(
            Map.of("aeron.shared.idle.strategy", "org.agrona.concurrent.BusySpinIdleStrategy"), () ->
                assertFound(HostCheck.Severity.FATAL, "spinning threads: 1, cores: 1",
                    "--profile=solo", HostCheck.check(shared, host(4 * MIB, 4 * MIB, ROOMY, 1))));
    }

    @Test
    void shouldNotCountThreadsThatTheModeDoesNotHave()
    {
        final DriverProfile dedicated = DriverProfile.load("dedicated");
        final MediaDriver.Context context = dedicated.newContext().threadingMode(ThreadingMode.INVOKER);
        assertTrue(HostCheck.canWork(HostCheck.check(dedicated, context, host(4 * MIB, 4 * MIB, ROOMY, 1))));
    }

    @Test
    void shouldFindFewerCoresThanTheProfileIsMadeFor()
    {
        assertFound(HostCheck.Severity.WARNING, "cores: 4, the profile is made for 6", "--profile=shared",
            HostCheck.check(DriverProfile.load("dedicated"), host(4 * MIB, 4 * MIB, ROOMY, 4)));
    }

    @Test
    void shouldWarnOfTheGovernor()
    {
        assertFound(HostCheck.Severity.WARNING, "the governor of cores' frequency is powersave",
            "cpupower frequency-set -g performance",
            HostCheck.check(shared, new HostFacts(8, 4 * MIB, 4 * MIB, ROOMY, "powersave", false, "madvise")));
    }

    @Test
    void shouldWarnOfSwap()
    {
        assertFound(HostCheck.Severity.WARNING, "swap is on", "swapoff -a",
            HostCheck.check(shared, new HostFacts(8, 4 * MIB, 4 * MIB, ROOMY, "performance", true, "madvise")));
    }

    @Test
    void shouldWarnOfTransparentHugePages()
    {
        assertFound(HostCheck.Severity.WARNING, "transparent huge pages are given out unasked",
            "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
            HostCheck.check(shared, new HostFacts(8, 4 * MIB, 4 * MIB, ROOMY, "performance", false, "always")));
    }

    @Test
    void shouldReadFactsFromTheSystemsFiles() throws IOException
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
    void shouldReadWhatTheSystemDoesNotTell()
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
        // Another program's word for it: what Java reads is under test.
        final Process cat = new ProcessBuilder("cat", "/proc/sys/net/core/rmem_max").start();
        final String number = new String(cat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        final long expected = number.isEmpty() ? HostFacts.UNKNOWN : Long.parseLong(number);
        cat.onExit().join();
        assertEquals(expected, HostFacts.read(root).receiveBufferMax());
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

    /** One finding of the severity that was meant, and at most warnings that there are few cores beside it. */
    private static void assertFound(
        final HostCheck.Severity severity,
        final String text,
        final String mend,
        final List<HostCheck.Finding> findings)
    {
        final List<HostCheck.Finding> found = findings.stream()
            .filter((finding) -> finding.text().contains(text)).toList();
        assertEquals(1, found.size(), () -> text + " is not in " + findings);
        assertEquals(severity, found.get(0).severity());
        assertTrue(found.get(0).mend().contains(mend), found.get(0).mend());
        assertEquals(HostCheck.Severity.WARNING == severity, HostCheck.canWork(findings));
        final long others = findings.stream()
            .filter((finding) -> !finding.equals(found.get(0)) && !finding.text().contains(", the profile is made for"))
            .count();
        assertEquals(0, others, findings::toString);
    }
}
