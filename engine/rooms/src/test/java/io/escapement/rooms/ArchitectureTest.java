package io.escapement.rooms;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Rooms are deterministic because there is nothing they could ask: no clock, no thread, no driver, no random source.
 * These rules read the compiled main classes and keep it so. What may be used is a list; widening it is a decision.
 */
@Timeout(120)
class ArchitectureTest
{
    private static final String ROOMS = "io.escapement.rooms..";
    private static final String CODECS = "io.escapement.codecs..";
    private static final String THREAD_GUARD = "io.escapement.rooms.host.ThreadGuard";
    private static final String BENCH_PACKAGE = "io.escapement.rooms.bench";
    private static final String LOG_PACKAGE = "io.escapement.rooms.log";

    private static final Set<String> PACKAGES = Set.of(
        "java.lang", "java.lang.annotation",
        "java.nio", "java.nio.charset",
        "java.util.function",
        "org.agrona", "org.agrona.collections", "org.agrona.sbe");

    private static final Set<String> CLASSES = Set.of(
        "java.util.ArrayDeque", "java.util.ArrayList", "java.util.Arrays", "java.util.BitSet", "java.util.Collection",
        "java.util.Collections", "java.util.Comparator", "java.util.Deque", "java.util.HashMap", "java.util.HashSet",
        "java.util.HexFormat", "java.util.Iterator", "java.util.LinkedHashMap", "java.util.List", "java.util.Map",
        "java.util.Map$Entry", "java.util.NoSuchElementException", "java.util.Objects", "java.util.PriorityQueue",
        "java.util.Queue", "java.util.Set", "java.util.TreeMap", "java.util.TreeSet",
        // System.Logger names the first in a signature; the second is what String.chars() returns.
        "java.util.ResourceBundle", "java.util.stream.IntStream",
        "java.util.zip.CRC32C", "java.util.zip.Checksum",
        "org.agrona.concurrent.UnsafeBuffer");

    // Within the packages above.
    private static final Set<String> NOT_THESE = Set.of(
        "java.lang.ClassLoader", "java.lang.InheritableThreadLocal", "java.lang.Process", "java.lang.ProcessBuilder",
        "java.lang.ProcessHandle", "java.lang.Runtime", "java.lang.Thread", "java.lang.ThreadGroup",
        "java.lang.ThreadLocal",
        "org.agrona.IoUtil", "org.agrona.MarkFile", "org.agrona.SystemUtil", "org.agrona.UnsafeApi");

    // RoomBench counts the bytes that a thread allocated, and the JVM tells that through these only.
    private static final Set<String> BENCH_PACKAGES = Set.of("java.lang.management", "com.sun.management");

    // A turn log is a file to those who keep it. Hosts see a sink and know no files.
    private static final Set<String> LOG_PACKAGES = Set.of("java.io", "java.nio.channels", "java.nio.file");

    private static final Set<String> SYSTEM_CALLS = Set.of(
        "nanoTime", "currentTimeMillis", "identityHashCode", "getenv", "getProperty", "getProperties", "exit", "gc",
        "load", "loadLibrary", "getLogger", "in", "out", "err");

    private static JavaClasses mainClasses;

    @BeforeAll
    static void readClasses()
    {
        mainClasses = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.escapement");
    }

    @Test
    void shouldHaveReadTheClassesItJudges()
    {
        assertTrue(mainClasses.contain("io.escapement.rooms.RoomLogic"));
        assertTrue(mainClasses.contain("io.escapement.codecs.room.MessageHeaderDecoder"));
    }

    @Test
    void shouldUseOnlyWhatIsListed()
    {
        classes().that().resideInAPackage(ROOMS)
            .should(dependOnNothingButTheListed())
            .because("whatever else a room could ask would not be in the log")
            .allowEmptyShould(true)
            .check(mainClasses);
    }

    @Test
    void shouldReachNoTransportNoDatabaseAndNoReflection()
    {
        noClasses().that().resideInAPackage(ROOMS)
            .should().dependOnClassesThat().resideInAnyPackage(
                "io.aeron..", "com.lmax..", "java.sql..", "javax.sql..", "org.slf4j..", "java.util.logging..",
                "java.lang.reflect..", "java.util.concurrent..", "java.net..", "org.agrona.concurrent.ringbuffer..",
                "org.agrona.concurrent.status..", "org.agrona.concurrent.errors..")
            .because("rooms know bytes and time, and nothing of the machine")
            .allowEmptyShould(true)
            .check(mainClasses);
    }

    @Test
    void shouldReadNoClockAndNoRandomSource()
    {
        noClasses().that().resideInAPackage(ROOMS)
            .should().dependOnClassesThat().haveNameMatching(
                "java\\.time\\.(Clock|Instant|InstantSource)|org\\.agrona\\.concurrent\\..*(Clock|Agent).*|" +
                "java\\.util\\.(Random|SplittableRandom|Date|Timer|TimerTask|UUID)|java\\.util\\.random\\..*|" +
                "java\\.security\\.SecureRandom")
            .because("time comes in with the turn, chance with the room's seed")
            .allowEmptyShould(true)
            .check(mainClasses);
    }

    @Test
    void shouldAskTheSystemNothing()
    {
        noClasses().that().resideInAPackage(ROOMS)
            .should().accessTargetWhere(isOneOf("java.lang.System", SYSTEM_CALLS))
            .orShould().accessTargetWhere(isOneOf("java.lang.Math", Set.of("random")))
            .orShould().accessTargetWhere(isOneOf("java.lang.Object", Set.of("wait", "notify", "notifyAll")))
            .because("the answer differs from run to run")
            .allowEmptyShould(true)
            .check(mainClasses);
    }

    @Test
    void shouldKnowThreadsInTheGuardAlone()
    {
        noClasses().that().resideInAPackage(ROOMS)
            .and().doNotHaveFullyQualifiedName(THREAD_GUARD)
            .and().resideOutsideOfPackage(BENCH_PACKAGE)
            .should().dependOnClassesThat().haveFullyQualifiedName("java.lang.Thread")
            .because("a host is driven by one thread and never asks by which")
            .allowEmptyShould(true)
            .check(mainClasses);
    }

    @Test
    void shouldHaveNoPackageCycles()
    {
        slices().matching("io.escapement.(**)")
            .should().beFreeOfCycles()
            .allowEmptyShould(true)
            .check(mainClasses);
    }

    @Test
    void shouldNotLetCodecsKnowAnythingAbove()
    {
        noClasses().that().resideInAPackage(CODECS)
            .should().dependOnClassesThat(DescribedPredicate.describe("are ours and not codecs", (type) ->
                type.getPackageName().startsWith("io.escapement.") &&
                !isInPackage(type, "io.escapement.codecs")))
            .because("the arrow is rooms -> codecs")
            .allowEmptyShould(true)
            .check(mainClasses);
    }

    private static ArchCondition<JavaClass> dependOnNothingButTheListed()
    {
        return new ArchCondition<>("depend on nothing but what is listed in " + ArchitectureTest.class.getSimpleName())
        {
            @Override
            public void check(final JavaClass origin, final ConditionEvents events)
            {
                for (final Dependency dependency : origin.getDirectDependenciesFromSelf())
                {
                    if (!isListed(origin, dependency.getTargetClass().getBaseComponentType()))
                    {
                        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                    }
                }
            }
        };
    }

    private static boolean isListed(final JavaClass origin, final JavaClass target)
    {
        final String name = target.getName();
        if (target.isPrimitive() || isInPackage(target, "io.escapement.rooms") ||
            isInPackage(target, "io.escapement.codecs"))
        {
            return true;
        }
        if ("java.lang.Thread".equals(name) && THREAD_GUARD.equals(origin.getName()))
        {
            return true;
        }
        if (isInPackage(origin, LOG_PACKAGE) && LOG_PACKAGES.contains(target.getPackageName()))
        {
            return true;
        }
        if (isInPackage(origin, BENCH_PACKAGE) &&
            ("java.lang.Thread".equals(name) || BENCH_PACKAGES.contains(target.getPackageName())))
        {
            return true;
        }
        return CLASSES.contains(name) || PACKAGES.contains(target.getPackageName()) && !isLeftOut(name);
    }

    private static boolean isLeftOut(final String name)
    {
        final int nested = name.indexOf('$');
        return NOT_THESE.contains(nested < 0 ? name : name.substring(0, nested));
    }

    private static boolean isInPackage(final JavaClass type, final String name)
    {
        return type.getPackageName().equals(name) || type.getPackageName().startsWith(name + '.');
    }

    private static DescribedPredicate<JavaAccess<?>> isOneOf(final String owner, final Set<String> members)
    {
        return DescribedPredicate.describe(owner + " " + members, (access) ->
            owner.equals(access.getTargetOwner().getName()) && members.contains(access.getTarget().getName()));
    }
}
