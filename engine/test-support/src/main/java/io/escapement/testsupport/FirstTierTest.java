package io.escapement.testsupport;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * The line between the two tiers of tests. Bytes and a test clock decide the first tier: only classes that are
 * {@link RealTime} may ask the machine for its time, or wait for a while. All others wait with {@link Tests#await}. Its
 * limit fails a test only when something hangs. The last module runs this class, with the test classes of all modules.
 */
final class FirstTierTest
{
    /** Of a module's test classes, from the top level. */
    private static final int DEPTH = 4;

    private static final Set<String> CLOCKS = Set.of(
        "java.lang.System.nanoTime", "java.lang.System.currentTimeMillis", "java.time.Instant.now",
        Thread.class.getName() + ".sleep", "java.util.concurrent.TimeUnit.sleep",
        "java.util.concurrent.locks.LockSupport.parkNanos", "java.util.concurrent.locks.LockSupport.parkUntil",
        "java.lang.management.ThreadMXBean.getCurrentThreadCpuTime",
        "java.lang.management.ThreadMXBean.getThreadCpuTime",
        "org.junit.jupiter.api.Assertions.assertTimeout",
        "org.junit.jupiter.api.Assertions.assertTimeoutPreemptively");

    /** Where a parameter is a TimeUnit. */
    private static final Set<String> TIMED_WAITS = Set.of("await", "poll", "offer", "get", "tryAcquire", "tryLock",
        "waitFor", "awaitTermination", "invokeAll", "invokeAny", "exchange");

    /** They check recorded, merged, written and drawn values, by a test clock or with made-up values. */
    private static final Set<String> HISTOGRAMS_OF_MADE_UP_VALUES = Set.of(
        "io.escapement.arena.room.ArenaFightTest",
        "io.escapement.arena.room.ArenaRoomTest",
        "io.escapement.arena.room.HostileArenaTest",
        "io.escapement.console.LatencyHistoryTest",
        "io.escapement.engine.internal.loop.CommittedTurnsTest",
        "io.escapement.engine.internal.monitor.LoopMetricsTest",
        "io.escapement.perf.crowd.PartStatsTest",
        "io.escapement.perf.crowd.PhaseStatsTest",
        "io.escapement.perf.crowd.TcpRoomsTest",
        "io.escapement.perf.report.ChartTest",
        "io.escapement.perf.report.ReportTest",
        "io.escapement.perf.rig.MeasurementsTest",
        "io.escapement.perf.tool.CommandResult",
        "io.escapement.perf.tool.CrowdFaultsTest",
        "io.escapement.perf.tool.FaultsTest",
        "io.escapement.perf.tool.FramesCommandTest");

    private static final DescribedPredicate<JavaClass> REAL_TIME =
        DescribedPredicate.describe("are @RealTime", FirstTierTest::isRealTime);

    private static final DescribedPredicate<JavaClass> FIRST_TIER = DescribedPredicate.not(REAL_TIME);

    private static final DescribedPredicate<JavaAccess<?>> A_CLOCK =
        DescribedPredicate.describe("it is a clock or a timed wait", FirstTierTest::isClock);

    static final ArchRule NO_CLOCK = noClasses().that(FIRST_TIER).should().accessTargetWhere(A_CLOCK)
        .because("the first tier waits by Tests.await and takes the time from a test clock");

    private static JavaClasses classes;

    @BeforeAll
    static void readClasses() throws IOException
    {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve(".mvn")))
        {
            root = root.getParent();
        }
        try (Stream<Path> directories = Files.find(root, DEPTH,
            (path, attributes) -> path.endsWith(Path.of("target", "test-classes"))))
        {
            classes = new ClassFileImporter().importPaths(directories.toList());
        }
    }

    @Test
    void shouldNotDependOnTheMachinesTime()
    {
        NO_CLOCK.check(classes);
    }

    @Test
    void shouldMeasureNothing()
    {
        noClasses().that(FIRST_TIER)
            .and(DescribedPredicate.describe("measure",
                (type) -> !HISTOGRAMS_OF_MADE_UP_VALUES.contains(outermost(type).getName())))
            .should().dependOnClassesThat(resideInAPackage("org.HdrHistogram.."))
            .because("a limit on a measured value belongs to a class that is @RealTime").check(classes);
    }

    @Test
    void shouldUseNoHelperOfRealTime()
    {
        noClasses().that(FIRST_TIER).should().dependOnClassesThat(REAL_TIME)
            .because("the helper of a class that is @RealTime asks the machine for its time").check(classes);
    }

    private static boolean isRealTime(final JavaClass type)
    {
        // jcstress generates classes that measure, next to the classes with its tests.
        return outermost(type).isAnnotatedWith(RealTime.class) || outermost(type).getName().endsWith("_jcstress");
    }

    private static JavaClass outermost(final JavaClass type)
    {
        return type.getEnclosingClass().map(FirstTierTest::outermost).orElse(type);
    }

    private static boolean isClock(final JavaAccess<?> access)
    {
        final String owner = access.getTargetOwner().getName();
        final String name = access.getName();
        if (CLOCKS.contains(owner + "." + name))
        {
            return true;
        }
        final List<String> parameters = access.getTarget() instanceof CodeUnitAccessTarget target ?
            target.getRawParameterTypes().stream().map(JavaClass::getName).toList() : List.of();
        return TIMED_WAITS.contains(name) && parameters.contains("java.util.concurrent.TimeUnit") ||
            "java.lang.Thread".equals(owner) && "join".equals(name) && !parameters.isEmpty() ||
            "wait".equals(name) && List.of("long").equals(parameters);
    }
}
