package io.escapement.engine;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.escapement.engine.internal.queue.Wakeup;
import io.escapement.testsupport.DesignRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Which part may know which. The arrows are those of the layout, and no package is in a cycle. */
class ArchitectureTest
{
    private static final JavaClasses CLASSES = new ClassFileImporter()
        .withImportOption(DesignRules.MAIN_CLASSES)
        .importPackages("io.escapement");
    private static final Path PUBLIC_TYPES = Path.of("src/test/resources/public-types.txt");
    private static final int MOST_PUBLIC_TYPES = 115;

    @Test
    void shouldSeeAllModules()
    {
        for (final String known : new String[]{
            "io.escapement.engine.Engine", "io.escapement.client.TrunkClient", "io.escapement.rooms.RoomLogic",
            "io.escapement.driver.DriverLauncher", "io.escapement.codecs.TrunkMessages",
            "io.escapement.http.HttpServer"})
        {
            assertTrue(CLASSES.contain(known), known);
        }
    }

    /** Rooms has the rig that records a host. Tests of the engine see the output of a host at its links. */
    @Test
    void shouldRecordNoHostInTests()
    {
        assertEquals(Set.of(), DesignRules.testImplementations(
            "io.escapement.rooms.output.Outputs", "io.escapement.rooms.output.HostListener"));
    }

    @Test
    void shouldHaveTheArrowsOfTheLayout()
    {
        layeredArchitecture().consideringOnlyDependenciesInLayers()
            .layer("engine").definedBy("io.escapement.engine..")
            .layer("client").definedBy("io.escapement.client..")
            .layer("rooms").definedBy("io.escapement.rooms..")
            .layer("driver-config").definedBy("io.escapement.driver..")
            .layer("http").definedBy("io.escapement.http..")
            .layer("codecs").definedBy("io.escapement.codecs..")
            .whereLayer("engine").mayNotBeAccessedByAnyLayer()
            .whereLayer("client").mayNotBeAccessedByAnyLayer()
            .whereLayer("driver-config").mayOnlyBeAccessedByLayers("engine")
            .whereLayer("http").mayOnlyBeAccessedByLayers("engine")
            .whereLayer("rooms").mayOnlyBeAccessedByLayers("engine")
            .whereLayer("codecs").mayOnlyBeAccessedByLayers("engine", "client", "rooms")
            .check(CLASSES);
    }

    @Test
    void shouldHaveLayersInTheEngine()
    {
        layeredArchitecture().consideringOnlyDependenciesInLayers()
            .layer("engine").definedBy("io.escapement.engine")
            .layer("edge").definedBy("io.escapement.engine.internal.edge")
            .layer("service").definedBy("io.escapement.engine.internal.service")
            .layer("watch").definedBy("io.escapement.engine.internal.monitor")
            .layer("loop").definedBy("io.escapement.engine.internal.loop")
            .layer("durable").definedBy("io.escapement.engine.internal.durable")
            .layer("queue").definedBy("io.escapement.engine.internal.queue")
            .whereLayer("engine").mayNotBeAccessedByAnyLayer()
            .whereLayer("edge").mayOnlyBeAccessedByLayers("engine")
            .whereLayer("service").mayOnlyBeAccessedByLayers("engine")
            .whereLayer("watch").mayOnlyBeAccessedByLayers("engine")
            .whereLayer("durable").mayOnlyBeAccessedByLayers("engine", "loop")
            .whereLayer("queue").mayNotAccessAnyLayer()
            .check(CLASSES);
    }

    @Test
    void shouldHaveNoCycles()
    {
        slices().matching("io.escapement.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void shouldWriteOwnFieldsOnly()
    {
        DesignRules.OWN_FIELDS.check(CLASSES);
    }

    @Test
    void shouldHaveNoInternalInterfaceOfOneClass() throws IOException
    {
        assertEquals(List.of(),
            DesignRules.needlessInterfaces(Path.of("target", "classes"), Path.of("target", "test-classes")),
            "let their users name the class");
    }

    @Test
    void shouldLetLoopsReachNothingThatWaits()
    {
        // A wake-up parks its thread, when that is what its idle strategy is for.
        noClasses().that().resideInAnyPackage(
                "io.escapement.engine.internal.loop..", "io.escapement.engine.internal.queue..")
            .and().doNotBelongToAnyOf(Wakeup.class)
            .should().dependOnClassesThat().resideInAnyPackage(
                "java.io..", "java.net..", "java.nio.file..", "java.sql..", "java.util.concurrent.locks..",
                "io.aeron.driver..", "io.escapement.http..", "com.sun..")
            .check(CLASSES);
    }

    /** Only a server of metrics needs HTTP, and only HTTP needs Netty: an engine without metrics loads neither. */
    @Test
    void shouldKeepNettyInTheHttpServer()
    {
        noClasses().that().resideOutsideOfPackage("io.escapement.http..")
            .should().dependOnClassesThat().resideInAPackage("io.netty..").check(CLASSES);
        noClasses().that().resideInAPackage("io.escapement.engine..").and().haveSimpleNameNotEndingWith("MetricsServer")
            .should().dependOnClassesThat().resideInAPackage("io.escapement.http..").check(CLASSES);
    }

    @Test
    void shouldKeepTheClientSmall()
    {
        classes().that().resideInAPackage("io.escapement.client..")
            .should().onlyDependOnClassesThat().resideInAnyPackage(
                "io.escapement.client..", "io.escapement.codecs..", "io.escapement.config..", "io.aeron",
                "io.aeron.logbuffer", "io.aeron.exceptions", "org.agrona..", "java..", "javax.crypto..")
            .check(CLASSES);
    }

    /**
     * Each public type is a promise (engine/STABILITY.md), so a new one is added to the list on purpose. Generated
     * codecs are the wire's promise and are not counted, and the HTTP server is no promise.
     */
    @Test
    void shouldHaveThePublicTypesThatAreListed() throws IOException
    {
        final TreeSet<String> found = new TreeSet<>();
        for (final JavaClass type : CLASSES)
        {
            final String name = type.getPackageName() + ".";
            final boolean isGenerated = name.startsWith("io.escapement.codecs.player.") ||
                name.startsWith("io.escapement.codecs.room.") || name.startsWith("io.escapement.codecs.trunk.");
            if (type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC) && !isGenerated &&
                !name.contains(".internal.") && !name.startsWith("io.escapement.testsupport.") &&
                !name.startsWith("io.escapement.engine.ledger.") && !name.startsWith("io.escapement.http."))
            {
                found.add(type.getName());
            }
        }
        final TreeSet<String> listed = new TreeSet<>(Files.readAllLines(PUBLIC_TYPES));
        final List<String> added = new ArrayList<>(found);
        added.removeAll(listed);
        final List<String> removed = new ArrayList<>(listed);
        removed.removeAll(found);
        assertEquals(List.of(), added,
            "public, but not in " + PUBLIC_TYPES + ": make them package-private or list them");
        assertEquals(List.of(), removed, "in " + PUBLIC_TYPES + ", but not public any more");
        assertTrue(found.size() <= MOST_PUBLIC_TYPES,
            () -> found.size() + " public types, at most " + MOST_PUBLIC_TYPES);
    }
}
