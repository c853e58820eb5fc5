package io.escapement.cluster;

import io.escapement.config.internal.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A directory is replaced by a new one as a whole, wherever the process is killed. */
final class NodeDirectoryTest
{
    private static final String OLD = "old";
    private static final String NEW = "new";
    private static final String VOTE = "vote";

    @TempDir
    private Path directory;

    @BeforeEach
    void write() throws IOException
    {
        write("archive/log", OLD);
        write("cluster/terms", OLD);
        write("cluster/node-state.dat", VOTE);
        write("behind", "the cause");
    }

    @Test
    void shouldUseWhatWasFilledAndKeepTheVote() throws IOException
    {
        try (NodeDirectory node = new NodeDirectory(directory))
        {
            node.prepare();
            assertTrue(node.isBehind());
            fill(node.newFilling());
            node.useFilling();
            assertFalse(node.isBehind());
        }
        shouldBeFilled();
    }

    @Test
    void shouldKeepItsOwnUntilTheNewOneIsComplete() throws IOException
    {
        try (NodeDirectory node = new NodeDirectory(directory))
        {
            fill(node.newFilling());
        }
        try (NodeDirectory node = new NodeDirectory(directory))
        {
            node.prepare();
            assertTrue(node.isBehind());
            assertEquals(OLD, read("archive/log"));
            assertEquals(OLD, read("cluster/terms"));
            final Path filling = node.newFilling();
            assertFalse(Files.exists(filling));
        }
    }

    @Test
    void shouldNotBeReadBeforeItIsReplaced() throws IOException
    {
        write("escapement.lock", "");
        NodeDirectory.ofStopped(directory).close();
        fill(directory.resolve("filling"));
        write("filling/complete", "");
        final IllegalStateException refusal =
            assertThrows(IllegalStateException.class, () -> NodeDirectory.ofStopped(directory));
        assertTrue(refusal.getMessage().contains("the next start replaces it"), refusal.getMessage());
    }

    /** By the number of steps that were done. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void shouldBeReplacedByTheNextStartAfterAKill(final int steps) throws IOException
    {
        final Path filling = directory.resolve("filling");
        fill(filling);
        write("filling/cluster/node-state.dat", VOTE);
        write("filling/complete", "");
        final List<Step> all = List.of(
            () -> delete(directory.resolve("cluster")),
            () -> Files.move(filling.resolve("cluster"), directory.resolve("cluster")),
            () -> delete(directory.resolve("archive")),
            () -> Files.move(filling.resolve("archive"), directory.resolve("archive")),
            () -> Files.delete(directory.resolve("behind")));
        for (final Step step : all.subList(0, steps))
        {
            step.run();
        }
        try (NodeDirectory node = new NodeDirectory(directory))
        {
            node.prepare();
            assertFalse(node.isBehind());
        }
        shouldBeFilled();
    }

    /** A part of a step. */
    private interface Step
    {
        void run() throws IOException;
    }

    private void shouldBeFilled() throws IOException
    {
        assertEquals(NEW, read("archive/log"));
        assertEquals(NEW, read("cluster/terms"));
        assertEquals(VOTE, read("cluster/node-state.dat"));
        try (Stream<Path> files = Files.list(directory))
        {
            assertEquals(List.of("archive", "cluster", "escapement.lock"),
                files.map((file) -> file.getFileName().toString()).sorted().toList());
        }
    }

    private void fill(final Path filling) throws IOException
    {
        final String name = filling.getFileName().toString();
        write(name + "/archive/log", NEW);
        write(name + "/cluster/terms", NEW);
    }

    private void write(final String name, final String text) throws IOException
    {
        final Path file = directory.resolve(name);
        PrivateFiles.createDirectories("node", file.getParent());
        Files.writeString(file, text);
    }

    private String read(final String name) throws IOException
    {
        return Files.readString(directory.resolve(name));
    }

    private static void delete(final Path path) throws IOException
    {
        final List<Path> files = new ArrayList<>();
        try (Stream<Path> walked = Files.walk(path))
        {
            walked.forEach(files::add);
        }
        for (int i = files.size() - 1; i >= 0; i--)
        {
            Files.delete(files.get(i));
        }
    }
}
