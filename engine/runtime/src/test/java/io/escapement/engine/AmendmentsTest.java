package io.escapement.engine;

import io.escapement.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The file of an operator who lets a log go on in which a stack overflowed. */
class AmendmentsTest
{
    private static final int LOOPS = 2;

    @TempDir
    Path directory;

    @Test
    void shouldFailEachRoomInItsLoop() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("amendments"),
            "# after the update\n\n0 17 3 250\n1  18\t4 1 \n0 9223372036854775807 5 2\n");
        final Amendments amendments = Amendments.read(file, LOOPS);
        assertEquals(List.of("17 3 250", "9223372036854775807 5 2"), failures(amendments, 0));
        assertEquals(List.of("18 4 1"), failures(amendments, 1));
        assertEquals(List.of(), failures(Amendments.read(null, LOOPS), 0));
        assertEquals(List.of(), failures(Amendments.read(directory.resolve("none"), LOOPS), 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 17 3", "0 17 3 1 1", "2 17 3 1", "-1 17 3 1", "0 0 3 1", "0 17 3 0", "0 17 x 1", "0x1"})
    void shouldNameTheLineThatIsWrong(final String line) throws IOException
    {
        final Path file = Files.writeString(directory.resolve("amendments"), "0 17 3 1\n" + line + "\n");
        final String message =
            assertThrows(ConfigException.class, () -> Amendments.read(file, LOOPS)).getMessage();
        assertTrue(message.startsWith("durability.amendments: " + file + ":2: "), message);
    }

    @Test
    void shouldRefuseAFileThatCannotBeReadAndAJournal()
    {
        assertTrue(assertThrows(ConfigException.class, () -> Amendments.read(directory, LOOPS)).getMessage()
            .startsWith("durability.amendments: " + directory));
        assertThrows(ConfigException.class, () -> Durability.journal(directory).amendments(directory));
    }

    private static List<String> failures(final Amendments amendments, final int loop)
    {
        final List<String> failures = new ArrayList<>();
        amendments.apply(loop, (proposal, room, callback) -> failures.add(proposal + " " + room + " " + callback));
        return failures;
    }
}
