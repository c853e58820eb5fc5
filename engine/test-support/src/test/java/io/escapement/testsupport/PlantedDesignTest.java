package io.escapement.testsupport;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@link DesignRules} find the offences that are planted here, and nothing else. */
class PlantedDesignTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldFindFieldsThatAnotherClassWrites() throws IOException
    {
        compile("class Owner { int value; static final class Nested { void set(Owner o) { o.value++; } } }",
            "class Reader { int read(Owner o) { return o.value; } }");
        assertDoesNotThrow(() -> DesignRules.OWN_FIELDS.check(new ClassFileImporter().importPath(directory)));

        compile("class Stranger { void set(Owner o) { o.value = 1; } }");
        final AssertionError refusal = assertThrows(
            AssertionError.class, () -> DesignRules.OWN_FIELDS.check(new ClassFileImporter().importPath(directory)));
        assertTrue(refusal.getMessage().contains("Stranger.set"), refusal.getMessage());
    }

    @Test
    void shouldFindInterfacesWithoutASecondImplementation() throws IOException
    {
        compile("interface None { void run(); }",
            "interface One { void run(); }",
            "class Only implements One { public void run() { } }",
            "interface Lambda { void run(); }",
            "class Caller { Lambda lambda = () -> { }; }");
        assertEquals(List.of("io.escapement.planted.Lambda", "io.escapement.planted.None", "io.escapement.planted.One"),
            DesignRules.needlessInterfaces(directory).stream().sorted().toList());
    }

    @Test
    void shouldAllowInterfacesWithTwoImplementationsAndThoseOfUsers() throws IOException
    {
        compile("public interface ForUsers { void run(); interface Nested { } }",
            "@interface Mark { }",
            "interface Two { void run(); }",
            "class First implements Two { public void run() { } }",
            "enum Second implements Two { ONLY; public void run() { } }",
            "interface Reference { void run(); }",
            "class Caller { Reference lambda = () -> { }; Reference reference = this::toString; }");
        assertEquals(List.of(), DesignRules.needlessInterfaces(directory));
    }

    private void compile(final String... types) throws IOException
    {
        final String name = types[0].replaceFirst(".*?(class|interface) (\\w+).*", "$2");
        final Path source = Files.writeString(directory.resolve(name + ".java"),
            "package io.escapement.planted; " + String.join("\n", types));
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(
            null, null, null, "-proc:none", "-d", directory.toString(), "-classpath", directory.toString(),
            source.toString()));
    }
}
