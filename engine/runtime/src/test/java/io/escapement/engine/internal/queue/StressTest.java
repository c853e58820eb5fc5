package io.escapement.engine.internal.queue;

import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jcstress.Main;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs the jcstress tests of this package, which look for results that the memory model must rule out. */
@RealTime("jcstress, for seconds a test")
class StressTest
{
    private static final int TESTS = 3;
    /** Agrona needs it. */
    private static final String FLAG = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";
    private static final long SECONDS = 120;
    private static final long FULL_SECONDS = 1_800;
    private static final boolean IS_FULL = Tests.isFull();
    /** One set of JVM flags and a second a test, long enough to find a missing fence every time. */
    private static final List<String> SHORT =
        List.of("-m", "sanity", "-sc", "false", "-jvmArgs", FLAG, "-time", "1000", "-iters", "1");

    @Test
    void shouldHandOverCommandsAndWakeTheReader(@TempDir final Path directory)
    {
        final List<String> arguments =
            new ArrayList<>(List.of("-t", getClass().getPackageName(), "-r", directory.toString()));
        arguments.addAll(IS_FULL ? List.of("-m", "quick", "-jvmArgsPrepend", FLAG) : SHORT);
        try (ChildJvm stress = new ChildJvm(Main.class, List.of(), arguments, directory))
        {
            assertTrue(stress.awaitExit(IS_FULL ? FULL_SECONDS : SECONDS), () -> stress.lines().toString());
            final int status = stress.exitStatus();
            final String output = String.join("\n", stress.lines());
            assertEquals(0, status, output);
            assertTrue(output.contains("All remaining tests: " + TESTS + " matching"), output);
        }
    }
}
