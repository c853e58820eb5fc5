package io.escapement.rooms;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.escapement.testsupport.DesignRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Rooms are deterministic because they have no access to a clock, a thread, a driver or a random source. These rules
 * check the compiled main classes for that. The classes that may be used are listed; extending the list is a decision.
 */
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
        // For the logics of the open rooms; its order, which differs from run to run, is never used.
        "java.util.IdentityHashMap",
        // System.Logger names the first in a signature; the second is what String.chars() returns.
        "java.util.ResourceBundle", "java.util.stream.IntStream",
        "java.util.zip.CRC32C", "java.util.zip.Checksum",
        "org.agrona.concurrent.UnsafeBuffer");

    // The guard publishes the running room to a watchdog's thread.
    private static final Set<String> GUARD_CLASSES = Set.of(
        "java.lang.Thread", "java.lang.invoke.MethodHandles", "java.lang.invoke.MethodHandles$Lookup",
        "java.lang.invoke.VarHandle");

    // Within the packages above.
    private static final Set<String> NOT_THESE = Set.of(
        "java.lang.ClassLoader", "java.lang.InheritableThreadLocal", "java.lang.Process", "java.lang.ProcessBuilder",
        "java.lang.ProcessHandle", "java.lang.Runtime", "java.lang.Thread", "java.lang.ThreadGroup",
        "java.lang.ThreadLocal",
        "org.agrona.IoUtil", "org.agrona.MarkFile", "org.agrona.SystemUtil", "org.agrona.UnsafeApi");

    // RoomBench counts the bytes that a thread allocated, which the JVM publishes through these packages only.
    private static final Set<String> BENCH_PACKAGES = Set.of("java.lang.management", "com.sun.management");

    // Starts other JVMs for a bench, and reads what they wrote.
    private static final String OTHER_JVMS = "io.escapement.rooms.bench.OtherJvms";
    private static final Set<String> OTHER_JVMS_CLASSES = Set.of(
        "java.lang.Process", "java.lang.ProcessBuilder", "java.lang.ProcessBuilder$Redirect", "java.io.File",
        "java.io.IOException", "java.io.UncheckedIOException", "java.nio.file.CopyOption", "java.nio.file.Files",
        "java.nio.file.LinkOption", "java.nio.file.OpenOption", "java.nio.file.Path",
        "java.nio.file.attribute.FileAttribute", "java.util.ServiceLoader", "java.util.concurrent.TimeUnit");

    // Logs are kept in files. A host writes to a sink, and has no access to files.
    private static final Set<String> LOG_PACKAGES = Set.of("java.io", "java.nio.channels", "java.nio.file");

    private static final Set<String> SYSTEM_CALLS = Set.of(
        "nanoTime", "currentTimeMillis", "identityHashCode", "getenv", "getProperty", "getProperties", "exit", "gc",
        "load", "loadLibrary", "getLogger", "in", "out", "err");

    // The recording classes of HostRig, and the tests that cannot use them, each with its reason.
    private static final Set<String> HOST_DOUBLES = Set.of(
        "io.escapement.rooms.host.RecordedEvents", "io.escapement.rooms.host.RecordedOutputs",
        // Tests the repetition of CapturedOutputs, call by call.
        "io.escapement.rooms.output.CapturedOutputsTest$Noting",
        // Has the order of flushes among frames and callbacks.
        "io.escapement.rooms.host.HostTurnTest$Noting",
        // Writes the corpus, which has flushes, and lets the interface lose methods.
        "io.escapement.rooms.CorpusHost$Lines",
        // Handle output in the turn and allocate nothing.
        "io.escapement.rooms.steps.StepsAllocationTest$Services",
        "io.escapement.rooms.sync.SyncedStateAllocationTest$Players",
        // A world of clients that answers the output of a whole run, and its output by room.
        "io.escapement.rooms.scenario.ScenarioWorld", "io.escapement.rooms.scenario.OutputsByRoom",
        "io.escapement.rooms.scenario.Scenario$Failures");

    private static JavaClasses mainClasses;

    @BeforeAll
    static void readClasses()
    {
        mainClasses = new ClassFileImporter()
            .withImportOption(DesignRules.MAIN_CLASSES)
            .importPackages("io.escapement");
    }

    @Test
    void shouldReadTheClassesThatItChecks()
    {
        assertTrue(mainClasses.contain("io.escapement.rooms.RoomLogic"));
        assertTrue(mainClasses.contain("io.escapement.codecs.room.MessageHeaderDecoder"));
    }

    @Test
    void shouldUseOnlyTheListedClasses()
    {
        classes().that().resideInAPackage(ROOMS)
            .should(dependOnNothingButTheListed())
            .because("the input of a room must be in its log")
            .check(mainClasses);
    }

    @Test
    void shouldReachNoTransportNoDatabaseAndNoReflection()
    {
        noClasses().that().resideInAPackage(ROOMS)
            .and().doNotHaveFullyQualifiedName(OTHER_JVMS)
            .should().dependOnClassesThat().resideInAnyPackage(
                "io.aeron..", "com.lmax..", "java.sql..", "javax.sql..", "org.slf4j..", "java.util.logging..",
                "java.lang.reflect..", "java.util.concurrent..", "java.net..", "org.agrona.concurrent.ringbuffer..",
                "org.agrona.concurrent.status..", "org.agrona.concurrent.errors..")
            .because("rooms depend on bytes and time, and not on the machine")
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
            .because("time is part of the turn, and randomness comes from the room's seed")
            .check(mainClasses);
    }

    @Test
    void shouldNotCallTheSystem()
    {
        noClasses().that().resideInAPackage(ROOMS)
            .should().accessTargetWhere(isOneOf("java.lang.System", SYSTEM_CALLS))
            .orShould().accessTargetWhere(isOneOf("java.lang.Math", Set.of("random")))
            .orShould().accessTargetWhere(isOneOf("java.lang.Object", Set.of("wait", "notify", "notifyAll")))
            .because("the result differs from run to run")
            .check(mainClasses);
    }

    @Test
    void shouldUseThreadsInTheGuardOnly()
    {
        noClasses().that().resideInAPackage(ROOMS)
            .and().doNotHaveFullyQualifiedName(THREAD_GUARD)
            .and().resideOutsideOfPackage(BENCH_PACKAGE)
            .should().dependOnClassesThat().haveFullyQualifiedName("java.lang.Thread")
            .because("a host is driven by one thread, and only the guard compares threads")
            .check(mainClasses);
    }

    @Test
    void shouldHaveNoPackageCycles()
    {
        slices().matching("io.escapement.(**)")
            .should().beFreeOfCycles()
            .check(mainClasses);
    }

    @Test
    void shouldWriteOwnFieldsOnly()
    {
        DesignRules.OWN_FIELDS.check(mainClasses);
    }

    @Test
    void shouldHaveNoInternalInterfaceOfOneClass() throws IOException
    {
        assertEquals(List.of(),
            DesignRules.needlessInterfaces(Path.of("target", "classes"), Path.of("target", "test-classes")),
            "let their users name the class");
    }

    @Test
    void shouldRecordHostsOfTestsByOneRig()
    {
        assertEquals(HOST_DOUBLES, DesignRules.testImplementations(
            "io.escapement.rooms.output.Outputs", "io.escapement.rooms.output.HostListener"),
            "use HostRig, RecordedOutputs and RecordedEvents");
    }

    @Test
    void shouldNotUseInternalPackagesOfOtherModules()
    {
        noClasses().that().resideInAPackage(ROOMS)
            .should().dependOnClassesThat(DescribedPredicate.describe("are internal to another module", (type) ->
                type.getPackageName().startsWith("io.escapement.") && !isInPackage(type, "io.escapement.rooms") &&
                (type.getPackageName() + '.').contains(".internal.")))
            .because("internal packages change without notice")
            .check(mainClasses);
    }

    @Test
    void shouldNotLetCodecsDependOnRooms()
    {
        noClasses().that().resideInAPackage(CODECS)
            .should().dependOnClassesThat(DescribedPredicate.describe("are ours and not codecs", (type) ->
                type.getPackageName().startsWith("io.escapement.") &&
                !isInPackage(type, "io.escapement.codecs") && !isInPackage(type, "io.escapement.config")))
            .because("the arrow is rooms -> codecs")
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
            isInPackage(target, "io.escapement.codecs") || isInPackage(target, "io.escapement.config"))
        {
            return true;
        }
        if (THREAD_GUARD.equals(origin.getName()) && GUARD_CLASSES.contains(name))
        {
            return true;
        }
        if (isInPackage(origin, LOG_PACKAGE) && LOG_PACKAGES.contains(target.getPackageName()))
        {
            return true;
        }
        if (OTHER_JVMS.equals(origin.getName()) && OTHER_JVMS_CLASSES.contains(name))
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
