package io.escapement.arena.room;

import io.escapement.arena.client.BotBrain;
import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.common.InMemoryCharacters;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.LogHistory;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.RoomPast;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An arena with a planted fault fails in a fight, and again in a test of the log that was taken home. */
class ArenaBundleTest
{
    private static final int SEATS = 4;
    /** Characters begin with 5 deaths. */
    private static final int DEATHS = 7;
    private static final int LONG_ENOUGH = 20_000;

    @TempDir
    private Path directory;

    @Test
    void shouldThrowInATestWhatTheArenaThrew() throws IOException
    {
        final ArenaBench arena = new ArenaBench(SEATS);
        arena.characters.deathsLimit = DEATHS;
        for (int i = 1; i <= SEATS; i++)
        {
            arena.player(i, 2, 1).join().brain = new BotBrain(i, (playerId) -> false);
        }
        assertThrows(IllegalStateException.class, () -> arena.play(LONG_ENOUGH), "no room is left");
        final Throwable failure = arena.bench.failures().get(0);
        final Path bundle = bundle(arena.bench);

        final Throwable thrown =
            assertThrows(IllegalStateException.class, () -> RoomBench.of(LogFile.open(bundle), type()));

        assertEquals(failure.getMessage(), thrown.getMessage());
        assertEquals(framesOfArena(failure), framesOfArena(thrown));
        assertTrue(framesOfArena(thrown).toString().contains("ProgressSaves.sendQueued"), thrown.toString());
    }

    private Path bundle(final RoomBench bench) throws IOException
    {
        final byte[] log = bench.log();
        final RoomPast past = new RoomPast(LogHistory.of(
            LogFile.openUnfinished(new UnsafeBuffer(log), 0, log.length)), bench.roomId(),
            () -> new HostContext().roomType(type()));
        assertTrue(past.seekFailure());
        final ByteSink sink = new ByteSink();
        past.write(sink, Integer.MAX_VALUE, null);
        return Files.write(directory.resolve("arena.bundle"), sink.toArray());
    }

    private static RoomType type()
    {
        final InMemoryCharacters characters = new InMemoryCharacters();
        characters.deathsLimit = DEATHS;
        return ArenaRoom.type(SEATS, characters, new ArenaMaps());
    }

    private static List<String> framesOfArena(final Throwable thrown)
    {
        return Stream.of(thrown.getStackTrace()).map(StackTraceElement::toString)
            .filter((frame) -> frame.contains("io.escapement.arena")).filter((frame) -> !frame.contains(".ArenaB"))
            .toList();
    }
}
