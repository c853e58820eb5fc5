package io.escapement.testsupport;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@link FirstTierTest} refuses a class of tests that asks for the time, and one that is {@link RealTime} may. */
class PlantedClockTest
{
    /** Each on a line of the class. */
    private static final List<String> CALLS = List.of(
        "System.nanoTime();", "System.currentTimeMillis();", "java.util.concurrent.TimeUnit.SECONDS.sleep(1);",
        "java.util.concurrent.locks.LockSupport.parkNanos(1);",
        "new java.util.concurrent.CountDownLatch(1).await(1, java.util.concurrent.TimeUnit.SECONDS);",
        "new Thread().join(1);", "new Object().wait(1);",
        "java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();");

    @TempDir
    private Path directory;

    @Test
    void shouldRefuseEachClockAndTimedWait() throws IOException
    {
        final JavaClasses classes = compiled("class Planted { void run() throws Exception {");
        final AssertionError refusal = assertThrows(AssertionError.class, () -> FirstTierTest.NO_CLOCK.check(classes));
        for (int i = 0; i < CALLS.size(); i++)
        {
            assertTrue(refusal.getMessage().contains("(Planted.java:" + (2 + i) + ")"),
                CALLS.get(i) + " in " + refusal.getMessage());
        }
    }

    @Test
    void shouldAllowThemInRealTime() throws IOException
    {
        FirstTierTest.NO_CLOCK.check(compiled("@io.escapement.testsupport.RealTime(\"planted\") class Planted" +
            " { void run() throws Exception {"));
    }

    private JavaClasses compiled(final String begin) throws IOException
    {
        final Path source = Files.writeString(directory.resolve("Planted.java"),
            begin + "\n" + String.join("\n", CALLS) + "\n}}\nclass Harmless { }");
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none",
            "-classpath", System.getProperty("java.class.path"), source.toString()));
        return new ClassFileImporter().importPath(directory);
    }
}
