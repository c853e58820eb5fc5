package io.escapement.gateway;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Netty stays in the classes that touch sockets, and the rest of the program does not know it. */
class ArchitectureTest
{
    private static final JavaClasses CLASSES = new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages("io.escapement.gateway", "io.escapement.client", "io.escapement.driver");

    @Test
    void shouldKeepNettyInTheGateway()
    {
        assertTrue(CLASSES.contain("io.escapement.client.TrunkClient"));
        noClasses().that().resideOutsideOfPackage("io.escapement.gateway..")
            .should().dependOnClassesThat().resideInAPackage("io.netty..").check(CLASSES);
    }

    @Test
    void shouldLetSessionsKnowNeitherSocketsNorAeron()
    {
        noClasses().that().haveNameMatching(
            ".*\\.gateway\\.(Sessions|Places?|Player.*|Connections|AddressLimits(\\$.*)?|Upstream)")
            .should().dependOnClassesThat().resideInAnyPackage("io.netty..", "io.aeron..").check(CLASSES);
    }
}
