package io.escapement.cluster;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** This module alone knows Aeron Archive and Aeron Cluster, and it uses only the engine's public packages. */
class ClusterArchitectureTest
{
    private static final JavaClasses CLASSES = new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages("io.escapement.cluster", "io.escapement.engine");

    @Test
    void shouldSeeTheEngineAndTheCluster()
    {
        assertTrue(CLASSES.contain("io.escapement.engine.Engine"));
        assertTrue(CLASSES.contain("io.escapement.cluster.ArchiveTails"));
    }

    @Test
    void shouldKeepArchiveAndClusterToThisModule()
    {
        noClasses().that().resideOutsideOfPackage("io.escapement.cluster..")
            .should().dependOnClassesThat().resideInAnyPackage("io.aeron.archive..", "io.aeron.cluster..")
            .check(CLASSES);
    }

    @Test
    void shouldUseOnlyThePublicPackagesOfTheEngine()
    {
        noClasses().that().resideInAPackage("io.escapement.cluster..")
            .should().dependOnClassesThat().resideInAnyPackage(
                "io.escapement.engine.internal..", "io.escapement.rooms.internal..")
            .check(CLASSES);
    }
}
