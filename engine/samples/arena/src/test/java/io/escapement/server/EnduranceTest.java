package io.escapement.server;

import io.escapement.arena.room.ArenaRoom;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.RealTimes;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A server with a journal and a gateway serves players for hours, and its process does not grow. Each round of players
 * ends with a sample of each {@link Curve}. The samples are in {@code target/endurance.csv}, and a curve that is not
 * flat fails the test. The default run has the fewest samples and takes some seconds:
 * <pre>
 * mvn -B verify -Pfull -pl engine/samples/arena -am -Dtest=EnduranceTest -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dsurefire.rerunFailingTestsCount=0 -Descapement.hours=8
 * </pre>
 */
@RealTime("a server that lives for hours")
class EnduranceTest
{
    private static final double HOURS = Double.parseDouble(System.getProperty("escapement.hours", "0"));
    private static final long RUN_NS = (long)(HOURS * TimeUnit.HOURS.toNanos(1));
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);
    /** The bots of a round play for half of it. */
    private static final int PARTS = 2;
    /** Versions of the arena, of the first rounds: a server keeps the classes of each. */
    private static final int NEW_JARS = 2;
    private static final String BROKEN = "broken.jar";
    /** The engine holds what was lost for 30 s. */
    private static final long LOSS_NS = TimeUnit.SECONDS.toNanos(90);
    /** A snapshot is due after five minutes, and the engine keeps two. */
    private static final long SNAPSHOT_SECONDS = 1_800;
    private static final long SEGMENT_SECONDS = 10_800;

    @TempDir
    Path directory;

    private final Path table = Path.of("target", "endurance.csv");
    private final StringBuilder rows = new StringBuilder();
    private final String listen = Program.freeEndpoint();
    private final String respond = Program.freeEndpoint();

    @Test
    @Timeout(value = 3, unit = TimeUnit.DAYS)
    void shouldNotGrow() throws IOException
    {
        assumeTrue(Files.exists(Path.of("/proc/self/maps")), "the figures of a process come from Linux");
        assumeTrue(RulesTest.isHangupReceived(), "the build runs with nohup, so that its processes ignore SIGHUP");
        final Path rules = Files.createDirectory(directory.resolve("rules"));
        for (int round = 0; round < NEW_JARS; round++)
        {
            RulesTest.jar(ArenaRoom.VERSION + 1 + round).writeTo(directory.resolve(jar(round)));
        }
        final Path journal = directory.resolve("journal");
        try (Program server = serve(rules, journal))
        {
            // A start would be refused.
            Files.writeString(rules.resolve(BROKEN), "not a jar");
            final ServerProbe probe = new ServerProbe(server.pid(), journal, directory);
            rows.append("seconds,").append(
                probe.curves().stream().map(Curve::name).collect(Collectors.joining(","))).append('\n');
            final long seconds = run(server, probe, rules);
            final int segments = probe.deletedFiles(".journal");
            final int snapshots = probe.deletedFiles(".snapshot");
            System.out.println(rows + "deleted segments " + segments + ", deleted snapshots " + snapshots +
                "; processor time of the server " + processorMs(server.pid()) / seconds +
                " ms per second, of the players " + processorMs(ProcessHandle.current().pid()) / seconds);
            assertTrue(snapshots > 0 || seconds < SNAPSHOT_SECONDS, "snapshots replace snapshots");
            assertTrue(segments > 0 || seconds < SEGMENT_SECONDS, "the journal deletes segments");
            assertEquals("", probe.curves().stream().map(Curve::growth).filter(Objects::nonNull)
                .collect(Collectors.joining("\n")));
            assertEquals(0, server.end(), server.lines::toString);
        }
    }

    /** Rounds of players, with a sample after each. Returns the seconds of all. */
    private long run(final Program server, final ServerProbe probe, final Path rules) throws IOException
    {
        final String metrics = "http://" + server.line("metrics ").substring("metrics ".length()) + "/";
        final long intervalNs = Math.min(MINUTE_NS, RUN_NS / Curve.MIN_SAMPLES);
        final EnduranceCrowd crowd = new EnduranceCrowd(
            listen, respond, server.line("web ").substring("web ".length()), intervalNs / PARTS);
        final long startNs = System.nanoTime();
        long lostNs = startNs - LOSS_NS;
        for (int round = 0; round < Curve.MIN_SAMPLES || System.nanoTime() - startNs < RUN_NS; round++)
        {
            final long roundNs = System.nanoTime();
            final boolean isLossy = roundNs - lostNs >= LOSS_NS;
            lostNs = isLossy ? roundNs : lostNs;
            crowd.play(round, isLossy);
            Program.awaitReady(metrics);
            reload(server, round, rules);
            RealTimes.hold(intervalNs - (System.nanoTime() - roundNs), server::isAlive, "the server runs");
            sample(probe, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs));
        }
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
    }

    private Program serve(final Path rules, final Path journal)
    {
        // A heap that is touched at the start, so that the rest of the resident memory shows.
        final Program server = new Program(List.of(ServerProbe.TRACKING, "-Xms192m", "-Xmx192m", "-XX:+AlwaysPreTouch",
            RUN_NS >= MINUTE_NS ? "-XX:TieredStopAtLevel=4" : "-XX:TieredStopAtLevel=1"),
            "serve", "--demo-accounts", "--trunk-limit", "12", "--listen", listen, "--respond", respond, "--mode",
            "SHARED", "--database", "jdbc:h2:file:" + directory.resolve("accounts"), "--journal", journal.toString(),
            "--types", rules.toString(), "--web-port", "0", "--metrics-port", "0");
        server.awaitLine("metrics ");
        Program.awaitReady(server.line("web ").substring("web ".length()));
        return server;
    }

    private static String jar(final int round)
    {
        return "arena-" + round + ".jar";
    }

    /** The rooms are taken over by the jar of this round. Later rounds load the last jar as if it were new. */
    private void reload(final Program server, final int round, final Path rules) throws IOException
    {
        final boolean isNew = round < NEW_JARS;
        final String name = jar(isNew ? round : NEW_JARS - 1);
        if (isNew)
        {
            Files.move(directory.resolve(name), rules.resolve(name));
        }
        else
        {
            Files.setLastModifiedTime(rules.resolve(name), FileTime.from(round, TimeUnit.SECONDS));
        }
        final long before = RulesTest.typesLines(server);
        server.signal("HUP");
        Tests.await(() -> RulesTest.typesLines(server) > before, "the reload");
        final String line = server.line("types ");
        assertTrue(line.startsWith("types " + name + ": rooms reloaded: ") && line.contains(BROKEN) &&
            isNew != line.contains(" reloaded: 0"), line);
    }

    private void sample(final ServerProbe probe, final long atSeconds) throws IOException
    {
        probe.sample(atSeconds);
        rows.append(atSeconds);
        probe.curves().forEach((curve) -> rows.append(',').append(curve.last()));
        rows.append('\n');
        // Each time, for a reader of a run that takes hours.
        Files.writeString(Files.createDirectories(table.getParent()).resolve(table.getFileName()), rows);
    }

    private static long processorMs(final long pid)
    {
        return ProcessHandle.of(pid).flatMap((process) -> process.info().totalCpuDuration()).map(Duration::toMillis)
            .orElse(0L);
    }
}
