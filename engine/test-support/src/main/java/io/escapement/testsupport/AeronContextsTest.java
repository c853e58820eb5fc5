package io.escapement.testsupport;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * How the programs of all modules make the parts of Aeron. Aeron's defaults are for hosts that trust each other. The
 * last module of the build runs this.
 */
final class AeronContextsTest
{
    /** Of a module's classes, from the top level. */
    private static final int DEPTH = 4;
    private static final Set<String> CLOCKS =
        Set.of("io.escapement.driver.internal.SteadyClocks", "io.escapement.driver.DriverLauncher");
    private static final Set<String> CONTEXTS = Set.of(
        "io.aeron.Aeron$Context", "io.aeron.driver.MediaDriver$Context", "io.aeron.archive.Archive$Context",
        "io.aeron.cluster.ConsensusModule$Context", "io.aeron.cluster.ClusterBackup$Context",
        "io.aeron.cluster.service.ClusteredServiceContainer$Context");
    /** The launcher gives clocks to the driver of a profile. */
    private static final Set<String> LAUNCHED = Set.of("io.escapement.driver.DriverProfile",
        "io.escapement.driver.DriverCommand");

    private static JavaClasses classes;

    @BeforeAll
    static void readClasses() throws IOException
    {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve(".mvn")))
        {
            root = root.getParent();
        }
        final Path top = root;
        try (Stream<Path> directories = Files.find(root, DEPTH,
            (path, attributes) -> path.endsWith(Path.of("target", "classes")) &&
                !path.startsWith(top.resolve("perf")) && !path.startsWith(top.resolve("engine/samples/examples")) &&
                !path.startsWith(top.resolve("engine/simulator")) &&
                !path.toString().contains("/test-")))
        {
            classes = new ClassFileImporter().importPaths(directories.toList());
        }
    }

    /** Else a wall clock that is set, or a pause of the process, has the parts take each other for dead. */
    @Test
    void shouldHaveSteadyClocks()
    {
        final List<String> makers = classes.stream().filter(AeronContextsTest::makesContext).map(JavaClass::getName)
            .filter((name) -> !LAUNCHED.contains(name)).toList();
        assertTrue(makers.size() >= 4, makers::toString);
        assertEquals(List.of(), makers.stream().filter((name) -> classes.get(name).getAccessesFromSelf().stream()
            .noneMatch((access) -> CLOCKS.contains(access.getTargetOwner().getName()))).toList());
    }

    /** Otherwise the directory of an active driver is also deleted. */
    @Test
    void shouldNotDeleteTheDirectoryOfAnActiveDriver()
    {
        assertEquals(List.of(), classes.stream().flatMap((type) -> type.getAccessesFromSelf().stream())
            .filter((access) -> "dirDeleteOnStart".equals(access.getName()))
            .map((access) -> access.getOriginOwner().getName())
            .filter((name) -> !"io.escapement.driver.DriverLauncher".equals(name)).toList());
    }

    private static boolean makesContext(final JavaClass type)
    {
        return type.getConstructorCallsFromSelf().stream().map(JavaAccess::getTargetOwner)
            .anyMatch((owner) -> CONTEXTS.contains(owner.getName()));
    }
}
