package io.escapement.tokens;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.escapement.testsupport.DesignRules;
import java.util.List;
import org.junit.jupiter.api.Test;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tokens depend on the interface of log-ins, and only three types are public. */
class ArchitectureTest
{
    private static final JavaClasses MAIN =
        new ClassFileImporter().withImportOption(DesignRules.MAIN_CLASSES).importPackages("io.escapement.tokens");

    @Test
    void shouldNotDependOnTransportOrRooms()
    {
        noClasses().should().dependOnClassesThat().resideInAnyPackage(
            "io.aeron..", "com.lmax..", "io.escapement.rooms..", "io.escapement.client..", "io.escapement.driver..",
            "com.google..", "org.bouncycastle..")
            .check(MAIN);
    }

    @Test
    void shouldDependOnlyOnTheInterfaceOfLogIns()
    {
        noClasses().should().dependOnClassesThat().haveNameMatching(
            "io\\.escapement\\.engine\\.(?!spi\\.LogInService|Secrets).*")
            .check(MAIN);
    }

    @Test
    void shouldHaveThreePublicTypes()
    {
        assertEquals(List.of("TokenCode", "TokenLogIn", "TokenLogInContext"), MAIN.stream()
            .filter((type) -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
            .map((type) -> type.getSimpleName()).sorted().toList());
    }

    @Test
    void shouldWriteNoForeignField()
    {
        DesignRules.OWN_FIELDS.check(MAIN);
    }
}
