package io.escapement.engine;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The public types of the library, by name and number. Each is a promise (engine/STABILITY.md), so a new one is added
 * to the list on purpose. Generated codecs are the wire's promise and are not counted.
 */
class PublicApiTest
{
    private static final Path LIST = Path.of("src/test/resources/public-types.txt");
    private static final int MOST = 101;

    @Test
    void shouldHaveThePublicTypesThatAreListed() throws IOException
    {
        final TreeSet<String> found = new TreeSet<>();
        for (final JavaClass type : new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.escapement"))
        {
            final String name = type.getPackageName() + ".";
            final boolean isGenerated = name.startsWith("io.escapement.codecs.player.") ||
                name.startsWith("io.escapement.codecs.room.") || name.startsWith("io.escapement.codecs.trunk.");
            if (type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC) && !isGenerated &&
                !name.contains(".internal.") && !name.startsWith("io.escapement.testsupport.") &&
                !name.startsWith("io.escapement.engine.ledger."))
            {
                found.add(type.getName());
            }
        }
        final TreeSet<String> listed = new TreeSet<>(Files.readAllLines(LIST));
        final List<String> added = new ArrayList<>(found);
        added.removeAll(listed);
        final List<String> removed = new ArrayList<>(listed);
        removed.removeAll(found);
        assertEquals(List.of(), added, "public, but not in " + LIST + ": make them package-private or list them");
        assertEquals(List.of(), removed, "in " + LIST + ", but not public any more");
        assertTrue(found.size() <= MOST, () -> found.size() + " public types, at most " + MOST);
    }
}
