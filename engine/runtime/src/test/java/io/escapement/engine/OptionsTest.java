package io.escapement.engine;

import io.aeron.driver.MediaDriver;
import io.escapement.config.ConfigException;
import io.escapement.driver.Cores;
import io.escapement.driver.HostFacts;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.spi.Authenticator;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomType;
import io.escapement.testsupport.LoggedLines;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Wrong options are refused with option, value and remedy before anything is opened. */
class OptionsTest
{
    @TempDir
    Path directory;

    @Test
    void shouldNameTheOptionAndItsValue()
    {
        assertTrue(refusal(() -> Engine.launch(new EngineContext())).startsWith("roomType: none"));
        refused("loops: 65", (context) -> context.loops(65));
        refused("ringSlots: 100", (context) -> context.ringSlots(100));
        refused("ringSlots: 0", (context) -> context.ringSlots(0));
        refused("inboxSlots: 8", (context) -> context.inboxSlots(8));
        refused("phaseGroups: 0", (context) -> context.phaseGroups(0));
        refused("phaseGroups: 65", (context) -> context.phaseGroups(65));
        refused("trunks.limit: 0", (context) -> context.trunks().limit(0));
        refused("trunks.keepaliveNs: -1", (context) -> context.trunks().keepaliveNs(-1));
        refused("trunks.queueLength: 1000", (context) -> context.trunks().queueLength(1_000));
        refused("trunks.queueMemory: 1000000", (context) -> context.trunks().queueMemory(1_000_000));
        refused("trunks.feedGroup: 224.0.1.8:40500: expected ADDRESS:PORT of a multicast group",
            (context) -> context.trunks().feedGroup("224.0.1.8:40500"));
        refused("trunks.feedGroup: 224.0.1.7: expected", (context) -> context.trunks().feedGroup("224.0.1.7"));
        refused("trunks.feedGroup: 224.0.1.7:40500: set trunks.udp too", (context) -> context.trunks(
            new TrunkServerContext().ipc(true).secret(TestTrunk.SECRET, true).feedGroup("224.0.1.7:40500")));
        refused("trunks.slowNs: 0", (context) -> context.trunks().slowNs(0));
        refused("trunks.termLength: 1000", (context) -> context.trunks().termLength(1_000));
        refused("trunks.statePatienceNs: 0", (context) -> context.trunks().statePatienceNs(0));
        refused("trunks.largestFrame: -1", (context) -> context.trunks().largestFrame(-1));
        refused("trunks.playerTokenNs: 0", (context) -> context.trunks().playerTokenNs(0));
        refused("trunks.rates: 0, 5", (context) -> context.trunks().rates(0, 5));
        refused("trunks.udp.ingress: nonsense: expected HOST:PORT",
            (context) -> context.trunks().udp("nonsense", "127.0.0.1:1"));
        refused("driverProfile: fast: expected one of", (context) -> context.driverContext(null).driverProfile("fast"));
        refused("aeronDirectory: /nowhere: remove driverContext, driverProfile, driverCores, driverDirectory",
            (context) -> context.aeronDirectory("/nowhere").driverProfile("solo"));
        refused("trunks.udp: none: set udp, or ipc to true", (context) -> context.trunks(new TrunkServerContext()));
        refused("trunks.authenticator: null: set a secret or an authenticator",
            (context) -> context.trunks(new TrunkServerContext().ipc(true)));
    }

    @Test
    void shouldNameACoreThatIsNotThere()
    {
        final List<Integer> usable = Cores.usable();
        refused("cores: 900: this process may use " + usable, (context) -> context.cores(900));
        refused("cores: " + usable.get(0) + ": name each core once", (context) ->
            context.threadingMode(ThreadingMode.SHARED).loops(1).cores(usable.get(0), usable.get(0)));
        refused("cores: [0, 1]: at most 1, one for each thread", (context) -> context.cores(0, 1));
        refused("driverCores: 900: this process may use " + usable, (context) ->
            context.threadingMode(ThreadingMode.DEDICATED).driverCores(900));
        refused("driverCores: [" + usable.get(0) + "]: at most 0, one for each thread", (context) ->
            context.driverCores(usable.get(0)));
        refused("driverCores: " + usable.get(0) + ": it is one of cores too", (context) ->
            context.threadingMode(ThreadingMode.DEDICATED).cores(usable.get(0)).driverCores(usable.get(0)));
    }

    @Test
    void shouldTieTheDriversThreadsToTheirCores()
    {
        final List<Integer> all = Cores.usable();
        final int core = all.get(all.size() - 1);
        final Map<String, List<Integer>> usableByThreadMap = new ConcurrentHashMap<>();
        final MediaDriver.Context driver = TestTrunk.driverContext().nanoClock(() ->
        {
            usableByThreadMap.computeIfAbsent(Thread.currentThread().getName(), (name) -> Cores.usable());
            return SystemNanoClock.INSTANCE.nanoTime();
        });
        try (TestEngine engine = new TestEngine(new EngineContext().roomType(EchoRoom.type()).loops(1)
            .driverContext(driver).driverCores(core), ThreadingMode.DEDICATED))
        {
            engine.await("the driver's threads",
                () -> usableByThreadMap.keySet().containsAll(Set.of("sender", "receiver", "driver-conductor")));
        }
        assertEquals(List.of(core), usableByThreadMap.get("sender"));
        assertEquals(all, usableByThreadMap.get("receiver"), "one core was named");
        assertEquals(all, usableByThreadMap.get("driver-conductor"), "one core was named");
    }

    @Test
    void shouldTieThreadsToTheirCores() throws Exception
    {
        final int core = Cores.usable().get(Cores.usable().size() - 1);
        final List<List<Integer>> usable = new CopyOnWriteArrayList<>();
        final RoomType type = RoomType.of(1, "cores", 1, () ->
        {
            usable.add(Cores.usable());
            return new EchoRoom();
        });
        try (TestEngine engine = new TestEngine(
            new EngineContext().roomType(type).loops(1).cores(core), ThreadingMode.SOLO))
        {
            engine.engine().openRoom(1);
            engine.await("a room", () -> !usable.isEmpty());
            assertEquals(List.of(List.of(core)), usable);
        }
    }

    @Test
    void shouldRefuseToSpinWithoutCores()
    {
        final int cores = Runtime.getRuntime().availableProcessors();
        refused("idle: BUSY, with " + (cores + 1) + " threads on " + cores + " cores",
            (context) -> context.threadingMode(ThreadingMode.SHARED).loops(cores).idle(Idle.BUSY));
    }

    @Test
    void shouldAddUpWhatTrunksAndStrangersCost()
    {
        final long response = 3 * 262_144 + 4_096;
        final long session = 3 * 1_048_576 + 4_096;
        // 64 trunks with a stream for control and two for loops; 128 handshakes; 384 places of sessions.
        final long needed = 1_000_000 + (192 + 128) * response + 384 * session;
        final TrunkServerContext trunks = new TrunkServerContext();
        final HostFacts.Store small = new HostFacts.Store("/small", "tmpfs", needed, needed - 1);
        final String message = assertThrows(ConfigException.class,
            () -> Sizing.checkMemory(small, trunks, 2, 1_000_000, 1_048_576)).getMessage();
        assertTrue(
            message.startsWith("trunks.limit: 1000000 bytes of the driver and tails + 320 responses x"), message);
        assertTrue(message.contains(" + 384 sessions of trunks and strangers x"), message);
        assertTrue(message.contains("= " + needed + " bytes, and /small has " + (needed - 1) + " left"), message);
        assertTrue(message.contains("--shm-size"), message);
        Sizing.checkMemory(
            new HostFacts.Store("/large", "tmpfs", needed, needed), trunks, 2, 1_000_000, 1_048_576);
    }

    @Test
    void shouldAddUpWhatFeedsCost()
    {
        final TrunkServerContext trunks = new TrunkServerContext().limit(1).termLength(65_536).udp("a:1", "a:2")
            .ipc(true).secret(TestTrunk.SECRET, Authenticator.Verdict.ACCEPTED.feed(true));
        // Two loops with a feed over UDP and one over shared memory each, a trunk and two handshakes, and six places.
        final long needed = 4 * (3 * 1_048_576 + 4_096L) + (5 + 6) * (3 * 65_536 + 4_096);
        final HostFacts.Store small = new HostFacts.Store("/small", "tmpfs", needed, needed - 1);
        final String message = assertThrows(ConfigException.class,
            () -> Sizing.checkMemory(small, trunks, 2, 0, 65_536)).getMessage();
        assertTrue(message.contains(
            " + 5 responses x (3 x 65536 + 4096) + 4 feeds x (3 x 1048576 + 4096) + 6 sessions"), message);
        Sizing.checkMemory(new HostFacts.Store("/large", "tmpfs", needed, needed), trunks, 2, 0, 65_536);

        assertEquals(3, Sizing.feeds(new TrunkServerContext().udp("a:1", "a:2").udp("a:3", "a:4")
            .authenticator((challenge, credentials) -> Authenticator.Verdict.REFUSED), 3), "it may grant them");
        assertEquals(0, Sizing.feeds(trunks.secret(TestTrunk.SECRET, Authenticator.Verdict.TRUSTED), 3));
        assertEquals(2_097_152, trunks.termLength(2_097_152).feedTermLength());
    }

    @Test
    void shouldAddUpTheHeapOfTheFirstRooms()
    {
        final List<RoomType> types = List.of(RoomType.of(1, "small", 1, () -> null).outputLimit(8_192),
            RoomType.of(2, "large", 1, () -> null).outputLimit(65_536));
        final long rooms = 2L * (8_192 + 65_536);
        final long needed = 3 * (rooms + 5);
        final String message = assertThrows(ConfigException.class,
            () -> Sizing.checkHeap((asked) -> needed - 1, 3, types, 5)).getMessage();
        assertTrue(message.startsWith("-Xmx: 3 loops x (5 of tables + " + rooms + " of a room of each type) = " +
            needed + " bytes of heap, and " + (needed - 1) + " are left: raise it"), message);
        Sizing.checkHeap((asked) -> needed, 3, types, 5);
        assertEquals(1_048_576 + 3 * 400 + 4 * 112 + 5 * 80, Sizing.tables(3, 4, 5));
        assertTrue(Sizing.freeHeap(Long.MAX_VALUE) > 0);
    }

    @Test
    void shouldAddUpTheDirectMemoryOfTrunks()
    {
        final TrunkServerContext trunks = new TrunkServerContext().queueMemory(262_144);
        final long needed = 3L * 262_144 + 2L * 64 * 3 * 8_192 + 512 * 16_384;
        final String message = assertThrows(ConfigException.class,
            () -> Sizing.checkDirectMemory((asked) -> needed - 1, trunks, 3)).getMessage();
        assertTrue(message.contains("= " + needed + " bytes of direct memory, and " + (needed - 1)), message);
        assertTrue(message.contains("-XX:MaxDirectMemorySize"), message);
        Sizing.checkDirectMemory((asked) -> asked, trunks, 3);
        assertTrue(Sizing.freeDirectMemory(1) > 0);
        refused("trunks.limit: 1 loops x 2147483647", (context) -> context.trunks().queueMemory(Integer.MAX_VALUE));
    }

    @Test
    void shouldDeriveEveryLimitFromTheTrunks()
    {
        assertEquals(64 * 4, Sizing.sessions(64, 3));
        assertEquals(2 * 64 * 4, Sizing.places(new TrunkServerContext(), 3));
        assertEquals(2 * 2 * 64 * 4, Sizing.places(new TrunkServerContext().udp("a:1", "a:2").udp("a:3", "a:4"), 3));
        final MediaDriver.Context tight = new MediaDriver.Context()
            .aeronDirectoryName(Tests.newDirectory().toString()).streamSessionLimit(64);
        refused("aeron.driver.stream.session.limit: 64: trunks.limit and loops need 256",
            (context) -> context.driverContext(tight));
        System.setProperty("escapement.guard.session.limit", "64");
        try
        {
            refused("escapement.guard.session.limit: 64: trunks.limit and loops need 256", (context) -> { });
        }
        finally
        {
            System.clearProperty("escapement.guard.session.limit");
        }
    }

    @Test
    void shouldFitWindowsToTheSocket()
    {
        final TrunkServerContext trunks = new TrunkServerContext();
        assertEquals(32_768, Sizing.window(131_072, trunks, 1 << 22));
        assertEquals(131_072, Sizing.window(131_072, new TrunkServerContext().limit(4), 1 << 22));
        final IntSupplier tooSmall = () -> Sizing.window(131_072, trunks, 212_992);
        final String message = assertThrows(ConfigException.class, tooSmall::getAsInt).getMessage();
        assertTrue(message.contains("sysctl -w net.core.rmem_max=4194304"), message);
        assertEquals(131_072, Sizing.windowFor(65_536));
        assertEquals(66_560, Sizing.windowFor(33_000));
        assertEquals(8_192, Sizing.windowFor(100));
    }

    @Test
    void shouldSayWhenTheLargestFrameDoesNotFit()
    {
        final int socketBuffer = 1 << 20;
        assertEquals(List.of(), warnings((trunks) -> trunks.socketBuffer(socketBuffer)));
        assertEquals(List.of(),
            warnings((trunks) -> trunks.socketBuffer(socketBuffer).limit(4).largestFrame(60_000)));
        assertEquals(List.of("trunks.largestFrame: 60000 requires windows of 120832 bytes, but they are 65536: half " +
            "of trunks.termLength is 131072, and trunks.limit 8 shares half of a trunks.socketBuffer of 1048576"),
            warnings((trunks) -> trunks.socketBuffer(socketBuffer).limit(8).largestFrame(60_000)));
        assertEquals(List.of("trunks.largestFrame: 60000 requires windows of 120832 bytes, but they are 32768: half " +
            "of trunks.termLength is 32768, and trunks.limit 4 shares half of a trunks.socketBuffer of 1048576"),
            warnings((trunks) ->
                trunks.socketBuffer(socketBuffer).limit(4).termLength(65_536).largestFrame(60_000)));
    }

    @Test
    void shouldReadSecretsFromPlacesThatOthersCannotRead() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("secret"), "  sixteen bytes or more\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertArrayEquals("sixteen bytes or more".getBytes(), Secrets.fromFile(file));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertTrue(refusal(() -> Secrets.fromFile(file)).endsWith("others may use it: chmod go-rwx " + file));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(file, "tiny");
        final String tooShort = refusal(() -> Secrets.fromFile(file));
        assertTrue(tooShort.contains("shorter than 16 bytes"), tooShort);
        assertFalse(tooShort.contains("tiny"), tooShort);
        assertTrue(refusal(() -> Secrets.fromFile(directory.resolve("none"))).contains("cannot be read"));
        assertEquals("environment variable: NO_SUCH_VARIABLE: not set",
            refusal(() -> Secrets.fromEnvironment("NO_SUCH_VARIABLE")));
    }

    @Test
    void shouldFreezeItsContext()
    {
        final EngineContext context = context();
        Engine.launch(context).close();
        assertThrows(IllegalStateException.class, () -> context.loops(2));
        assertThrows(IllegalStateException.class, () -> context.trunks().limit(2));
        assertThrows(IllegalStateException.class, () -> context.trunks().check());
        assertThrows(IllegalStateException.class, () -> context.trunks().conclude(0, 0, 0));
        assertThrows(IllegalStateException.class, () -> Engine.launch(context));
        final MonitorContext monitor = context.monitor();
        final List<Executable> setters = List.of(
            () -> monitor.histogramLog(directory), () -> monitor.intervalNs(1_000_000_000),
            () -> monitor.metricsPort(0), () -> monitor.metricsHost("localhost"), () -> monitor.stalls(1, null),
            () -> monitor.stallWarmUp(0), () -> monitor.governor(false),
            () -> monitor.ladder(1, 60, 30), () -> monitor.counter(1, "one"));
        setters.forEach((setter) -> assertThrows(IllegalStateException.class, setter));
    }

    private static List<String> warnings(final Consumer<TrunkServerContext> options)
    {
        try (LoggedLines warnings = new LoggedLines("io.escapement.engine"))
        {
            final EngineContext context = context();
            options.accept(context.trunks());
            Sizing.conclude(context.trunks(), HostFacts.read(Path.of("/dev/shm/none")), 1, 0, 65_536);
            return warnings.all();
        }
    }

    private static void refused(final String message, final Consumer<EngineContext> wrong)
    {
        final EngineContext context = context();
        wrong.accept(context);
        final String refusal = refusal(() -> Engine.launch(context).close());
        assertTrue(refusal.startsWith(message), refusal);
    }

    private static String refusal(final Runnable wrong)
    {
        final RuntimeException refusal = assertThrows(RuntimeException.class, wrong::run);
        assertTrue(refusal instanceof ConfigException, refusal::toString);
        return refusal.getMessage();
    }

    private static EngineContext context()
    {
        final MediaDriver.Context driver = TestTrunk.driverContext();
        return new EngineContext().roomType(EchoRoom.type()).threadingMode(ThreadingMode.INVOKER).loops(1)
            .driverContext(driver)
            .trunks(new TrunkServerContext().secret(TestTrunk.SECRET, true)
                .udp("127.0.0.1:" + Tests.freePort(), "127.0.0.1:" + Tests.freePort()));
    }
}
