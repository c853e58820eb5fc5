package io.escapement.accounts;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.sql.Connection;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Accounts depend on two interfaces of the engine, and on neither rooms nor trunks. */
class ArchitectureTest
{
    private static JavaClasses mainClasses;

    @BeforeAll
    static void readClasses()
    {
        mainClasses = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.escapement.accounts");
    }

    @Test
    void shouldImportTheClassesUnderTest()
    {
        assertTrue(mainClasses.contain("io.escapement.accounts.AccountService"));
        assertTrue(mainClasses.contain("io.escapement.accounts.codec.SaveProgressDecoder"));
    }

    @Test
    void shouldNotDependOnTransportOrRooms()
    {
        noClasses().should().dependOnClassesThat().resideInAnyPackage(
            "io.aeron..", "com.lmax..", "io.escapement.rooms..", "io.escapement.client..", "io.escapement.driver..",
            "java.net.http..", "java.nio.channels..")
            .check(mainClasses);
    }

    @Test
    void shouldDependOnlyOnTheInterfacesItImplements()
    {
        noClasses().should().dependOnClassesThat().haveNameMatching(
            "io\\.escapement\\.engine\\.(?!spi\\.AsyncService|spi\\.LogInService).*")
            .check(mainClasses);
    }

    @Test
    void shouldUseOnlyJdbc()
    {
        noClasses().should().dependOnClassesThat().resideInAnyPackage("org.h2..", "org.postgresql..")
            .check(mainClasses);
        noClasses().that().doNotHaveSimpleName("Database")
            .should().dependOnClassesThat().resideInAnyPackage("com.zaxxer..", "org.flywaydb..")
            .check(mainClasses);
    }

    @Test
    void shouldUseOnlyPreparedStatements()
    {
        noClasses().should().callMethod(Connection.class, "createStatement").check(mainClasses);
    }

    @Test
    void shouldHaveNoPackageCycles()
    {
        slices().matching("io.escapement.(**)").should().beFreeOfCycles().check(mainClasses);
    }
}
