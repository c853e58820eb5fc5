package io.escapement.testsupport;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@link FirstTierTest} refuses a class of tests that asks for the time, and one that is {@link RealTime} may. */
class PlantedClockTest
{
    private static final String REAL_TIME = "@io.escapement.testsupport.RealTime(\"planted\") ";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {
        "System.nanoTime()", "System.currentTimeMillis()", "java.util.concurrent.TimeUnit.SECONDS.sleep(1)",
        "java.util.concurrent.locks.LockSupport.parkNanos(1)",
        "new java.util.concurrent.CountDownLatch(1).await(1, java.util.concurrent.TimeUnit.SECONDS)",
        "new Thread().join(1)", "new Object().wait(1)",
        "java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime()"})
    void shouldRefuse(final String call) throws IOException
    {
        final ClassFileImporter importer = new ClassFileImporter();
        final Path planted = compiled("refused", "", call);
        final AssertionError refusal =
            assertThrows(AssertionError.class, () -> FirstTierTest.NO_CLOCK.check(importer.importPath(planted)));
        assertTrue(refusal.getMessage().contains("Planted.java:5"), refusal.getMessage());
        FirstTierTest.NO_CLOCK.check(importer.importPath(compiled("allowed", REAL_TIME, call)));
    }

    private Path compiled(final String name, final String annotation, final String call) throws IOException
    {
        final Path root = Files.createDirectory(directory.resolve(name));
        final Path source = Files.writeString(root.resolve("Planted.java"),
            annotation + "class Planted\n{\n    void run() throws Exception\n    {\n        " + call + ";\n    }\n}\n");
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none",
            "-classpath", System.getProperty("java.class.path"), source.toString()));
        return root;
    }
}
