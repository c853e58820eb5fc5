package io.escapement.engine;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.escapement.engine.internal.loop.Wakeup;
import org.junit.jupiter.api.Test;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Which part may know which. The arrows are those of the layout, and no package is in a cycle. */
class ArchitectureTest
{
    private static final JavaClasses CLASSES = new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages("io.escapement");

    @Test
    void shouldSeeAllModules()
    {
        for (final String known : new String[]{
            "io.escapement.engine.Engine", "io.escapement.client.TrunkClient", "io.escapement.rooms.RoomLogic",
            "io.escapement.driver.DriverLauncher", "io.escapement.codecs.TrunkMessages"})
        {
            assertTrue(CLASSES.contain(known), known);
        }
    }

    @Test
    void shouldHaveTheArrowsOfTheLayout()
    {
        layeredArchitecture().consideringOnlyDependenciesInLayers()
            .layer("engine").definedBy("io.escapement.engine..")
            .layer("client").definedBy("io.escapement.client..")
            .layer("rooms").definedBy("io.escapement.rooms..")
            .layer("driver-config").definedBy("io.escapement.driver..")
            .layer("codecs").definedBy("io.escapement.codecs..")
            .whereLayer("engine").mayNotBeAccessedByAnyLayer()
            .whereLayer("client").mayNotBeAccessedByAnyLayer()
            .whereLayer("driver-config").mayOnlyBeAccessedByLayers("engine")
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
            .layer("record").definedBy("io.escapement.engine.internal.record")
            .layer("watch").definedBy("io.escapement.engine.internal.monitor")
            .layer("loop").definedBy("io.escapement.engine.internal.loop")
            .layer("durable").definedBy("io.escapement.engine.internal.durable")
            .whereLayer("engine").mayNotBeAccessedByAnyLayer()
            .whereLayer("edge").mayOnlyBeAccessedByLayers("engine")
            .whereLayer("service").mayOnlyBeAccessedByLayers("engine")
            .whereLayer("record").mayOnlyBeAccessedByLayers("engine")
            .whereLayer("watch").mayOnlyBeAccessedByLayers("engine")
            .whereLayer("durable").mayOnlyBeAccessedByLayers("engine", "loop")
            .check(CLASSES);
    }

    @Test
    void shouldHaveNoCycles()
    {
        slices().matching("io.escapement.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void shouldLetLoopsReachNothingThatWaits()
    {
        // A wake-up parks its thread, when that is what its idle strategy is for.
        noClasses().that().resideInAPackage("io.escapement.engine.internal.loop..")
            .and().doNotBelongToAnyOf(Wakeup.class)
            .should().dependOnClassesThat().resideInAnyPackage(
                "java.io..", "java.net..", "java.nio.file..", "java.sql..", "java.util.concurrent.locks..",
                "io.aeron.driver..", "io.prometheus..", "com.sun..")
            .check(CLASSES);
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
}
