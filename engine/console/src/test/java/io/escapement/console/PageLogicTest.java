package io.escapement.console;

import io.escapement.testsupport.JavaScriptModules;
import java.nio.file.Path;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The page's logic without a browser; about 2 s, which the language takes to start. */
class PageLogicTest
{
    private static final Path PAGE = Path.of("src/main/resources/io/escapement/console/page");

    @Test
    void shouldPassTheChecksOfItsModule()
    {
        try (JavaScriptModules modules = new JavaScriptModules())
        {
            modules.load(PAGE.resolve("logic.js"));
            final Value failures = modules.load(Path.of("src/test/resources/io/escapement/console/logic-test.mjs"))
                .getMember("failures");
            assertEquals("", failures.asString());
        }
    }
}
