package io.escapement.engine;

import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import io.escapement.engine.Durability.Level;
import io.escapement.engine.internal.durable.JournalSettings;
import io.escapement.engine.spi.ReplicatedLog;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Options of durability: defaults, and refusals by name. */
class DurabilityTest
{
    @TempDir
    Path directory;

    @Test
    void shouldHaveDefaults()
    {
        final Durability durability = Durability.journal(directory);
        durability.conclude(List.of());
        assertEquals(Level.RECORDED, durability.level());
        final JournalSettings options = durability.journalSettings();
        assertFalse(options.isSynced());
        assertEquals(64 * 1_024 * 1_024, options.segmentLength());
        assertEquals(8 * 1_024 * 1_024, options.tailLength());
        assertEquals(PrivateFiles.hasSharedMemory() ? PrivateFiles.memory() : null, options.tailDirectory());
        assertFalse(Durability.memory().isJournal());
    }

    @Test
    void shouldTakeWhatIsSet()
    {
        final Durability durability = Durability.journal(directory).acknowledge(Level.SYNCED).segmentLength(262_144)
            .tailLength(131_072).tailDirectory(directory).syncIntervalNs(5).turnsUnderWay(3).bytesUnderWay(65_536)
            .replayBudgetNs(7).snapshotIntervalNs(8).keepNs(10).acceptOtherSettings(true);
        durability.conclude(List.of());
        assertEquals(
            new JournalSettings(directory, true, 262_144, 131_072, directory, 5, 3, 65_536, true, 10),
            durability.journalSettings());
        assertEquals(7, durability.replayBudgetNs());
        assertEquals(8, durability.snapshotIntervalNs());
        assertEquals(9, Durability.replicated((loops, receiver) -> null).replayBudgetNs(9).replayBudgetNs());
        assertEquals(Level.RECORDED, Durability.replicated((loops, receiver) -> null).level());
        assertEquals(Level.SYNCED, Durability.replicated(new SyncedLog()).level());
        assertNull(Durability.journal(directory).withoutTail().journalSettings().tailDirectory());
    }

    @Test
    void shouldCountTailsWhereTheyAre()
    {
        final Durability durability = Durability.journal(directory).segmentLength(262_144)
            .tailLength(131_072).bytesUnderWay(65_536).tailDirectory(directory);
        durability.conclude(List.of());
        assertEquals(2 * (4_096 + 131_072 + 131_072 / 8), durability.memoryLength(2, directory));
        assertEquals(0, durability.memoryLength(2, Path.of("/proc")));
        assertEquals(0, Durability.memory().memoryLength(2, directory));
        assertEquals(17, Durability.replicated(new SyncedLog()).memoryLength(2, directory));
    }

    @Test
    void shouldRefuseByName()
    {
        refused("durability.acknowledge: MEMORY", (options) -> options.acknowledge(Level.MEMORY));
        refused("durability.segmentLength: 100", (options) -> options.segmentLength(100));
        refused("durability.tailLength: 200000", (options) -> options.tailLength(200_000));
        // A quarter of its longest turn would hold no command of a room to another of its loop.
        refused("durability.tailLength: 65536", (options) -> options.tailLength(65_536));
        refused("durability.tailDirectory: null", (options) -> options.tailDirectory(null));
        refused("durability.tailDirectory: " + directory.resolve("none"),
            (options) -> options.tailDirectory(directory.resolve("none")));
        refused("durability.syncIntervalNs: 0", (options) -> options.syncIntervalNs(0));
        refused("durability.turnsUnderWay: 0", (options) -> options.turnsUnderWay(0));
        refused("durability.bytesUnderWay: 0", (options) -> options.bytesUnderWay(0));
        refused("durability.bytesUnderWay: 131072: use at most half of tailLength, 65536",
            (options) -> options.bytesUnderWay(131_072).tailLength(131_072));
        refused("durability.segmentLength: 12288: use at least twice tailLength, 16777216",
            (options) -> options.segmentLength(12_288));
        refused("durability.replayBudgetNs: 0", (options) -> options.replayBudgetNs(0));
        refused("durability.snapshotIntervalNs: -1", (options) -> options.snapshotIntervalNs(-1));
        refused("durability.keepNs: -1", (options) -> options.keepNs(-1));
        refused("durability.keepNs: 9223372036854775807", (options) -> options.keepNs(Long.MAX_VALUE));
        assertTrue(assertThrows(ConfigException.class, () -> Durability.memory().withoutTail()).getMessage()
            .startsWith("durability.withoutTail: true: only a journal has this option"));
        assertTrue(assertThrows(ConfigException.class, () -> Durability.memory().replayBudgetNs(1)).getMessage()
            .startsWith("durability.replayBudgetNs: 1: memory() has no snapshots"));
        assertThrows(ConfigException.class, () -> Durability.journal(null));
    }

    @Test
    void shouldBeFrozenOnceConcluded()
    {
        final Durability durability = Durability.journal(directory);
        durability.conclude(List.of());
        durability.conclude(List.of());
        assertThrows(IllegalStateException.class, () -> durability.syncIntervalNs(1));
    }

    private void refused(final String start, final UnaryOperator<Durability> change)
    {
        final String message = assertThrows(ConfigException.class,
            () -> change.apply(Durability.journal(directory)).conclude(List.of())).getMessage();
        assertTrue(message.startsWith(start), message);
    }

    private static final class SyncedLog implements ReplicatedLog
    {
        @Override
        public Node join(final int loops, final Receiver receiver)
        {
            return null;
        }

        @Override
        public boolean isSynced()
        {
            return true;
        }

        @Override
        public long memoryLength(final Path memory)
        {
            return 17;
        }
    }
}
