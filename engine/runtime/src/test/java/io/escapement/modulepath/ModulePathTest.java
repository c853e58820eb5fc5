package io.escapement.modulepath;

import io.escapement.testsupport.ChildJvm;
import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

/** An engine runs on the module path with the exports and the flags that a user has. */
class ModulePathTest
{
    private static final long EXIT_S = 60;

    @Test
    void shouldOpenARoomOnTheModulePath()
    {
        // Test classes stay on the class path. A package of a module is never loaded from there.
        final String modulePath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter((element) -> isModule(new File(element)))
            .collect(Collectors.joining(File.pathSeparator));
        try (ChildJvm program = new ChildJvm(ModularProgram.class, List.of(
            "--module-path", modulePath, "--add-modules", "io.escapement.engine",
            "--add-opens", "java.base/jdk.internal.misc=org.agrona"), List.of()))
        {
            assertEquals(0, program.exitStatus(), () -> String.join("\n", program.lines()));
            assertEquals("io.escapement.codecs", program.valueOf("ConfigException in "));
            assertEquals("io.escapement.driver", program.valueOf("DriverProfile in "));
            assertEquals("io.escapement.engine", program.valueOf("Engine in "));
            assertEquals("io.escapement.engine", program.valueOf("LoopRecorder in "));
            assertEquals("io.escapement.engine", program.valueOf("LogInService in "));
            assertEquals("io.escapement.rooms", program.valueOf("Room in "));
            assertEquals("org.agrona", program.valueOf("DirectBuffer in "));
            assertNotNull(program.valueOf(ModularProgram.RAN), () -> String.join("\n", program.lines()));
        }
    }

    private static boolean isModule(final File element)
    {
        return new File(element, "module-info.class").exists() || !element.getName().endsWith("-tests.jar") &&
            element.getName().matches(
            "(escapement-[cdhr]|aeron-(client|driver)|agrona|disruptor|HdrHistogram|jna|netty|picocli).*\\.jar");
    }
}
