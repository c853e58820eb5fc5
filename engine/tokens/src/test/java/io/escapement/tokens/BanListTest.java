package io.escapement.tokens;

import io.escapement.testsupport.LoggedLines;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The file of banned players, polled by the test. */
class BanListTest
{
    private final TokenCounters counters = new TokenCounters();
    private final List<List<Long>> removed = new ArrayList<>();
    private Path file;
    private BanList bans;

    @BeforeEach
    void write(@TempDir final Path directory) throws IOException
    {
        file = Tests.writeSecret(directory.resolve("banned"), "13\n");
        bans = new BanList(file, BanList.read(file), counters, (ids) ->
            removed.add(Arrays.stream(ids).boxed().sorted().collect(Collectors.toList())));
    }

    @Test
    void shouldPassOnTheListThirtyTimesAfterAChange() throws IOException
    {
        final List<Long> first = List.of(13L, PlayerIds.ofText("13"));
        IntStream.range(0, 100).forEach((i) -> bans.poll());
        assertEquals(IntStream.range(0, BanList.REPEATS).mapToObj((i) -> first).toList(), removed);
        removed.clear();
        Files.writeString(file, "eve\n# 14\n\n 15 \n");
        bans.poll();
        final long eve = PlayerIds.ofText("eve");
        assertEquals(List.of(List.of(15L, PlayerIds.ofText("15"), eve).stream().sorted().toList()), removed);
        assertTrue(bans.isBanned("eve", eve) && bans.isBanned("15", 15) && bans.isBanned("15", PlayerIds.ofText("15")));
        assertFalse(bans.isBanned("13", 13) || bans.isBanned("14", 14) || bans.isBanned("ev", 1));
        assertEquals(2, counters.count(TokenCounter.BAN_LOADS));
    }

    @Test
    void shouldKeepTheListWhenTheFileCannotBeRead() throws IOException
    {
        bans.poll();
        try (LoggedLines log = new LoggedLines("io.escapement.tokens"))
        {
            Files.writeString(file, "a\n".repeat(BanList.MAX_LENGTH / 2 + 1));
            bans.poll();
            Files.writeString(file,
                IntStream.rangeClosed(0, BanList.MAX_ENTRIES).mapToObj((i) -> i + "\n").collect(Collectors.joining()));
            bans.poll();
            Files.delete(file);
            bans.poll();
            bans.poll();
            final String line = "list of banned players not loaded: " + file + ": ";
            assertEquals(List.of(line + "is longer than 4194304 bytes (1 players stay banned)",
                line + "has more than 10000 players (1 players stay banned)",
                line + file + " (1 players stay banned)"), log.all());
        }
        assertEquals(3, counters.count(TokenCounter.BAN_FAILURES));
        assertTrue(bans.isBanned("13", 13));
        Files.writeString(file, "");
        bans.poll();
        assertFalse(bans.isBanned("13", 13));
    }

    @Test
    void shouldGiveEachTextAnIdOfItsOwnRange() throws TokenRefusal
    {
        // A change of these numbers gives every player of a provider another id.
        assertEquals(5_936_966_430_532_751_371L, PlayerIds.ofText("ann"));
        final PlayerIds ids = new PlayerIds();
        assertEquals(PlayerIds.ofText("ann"), ids.of("ann"));
        assertEquals(PlayerIds.ofText("ann"), ids.of("ann"), "again");
        for (int i = 0; i < 10_000; i++)
        {
            final long id = ids.of("player " + i);
            assertTrue(id >= PlayerIds.OF_TEXT, "no number is an id of a text");
        }
        assertTrue(ids.isFirst(PlayerIds.OF_TEXT | 7, 1));
        assertTrue(ids.isFirst(PlayerIds.OF_TEXT | 7, 1));
        assertFalse(ids.isFirst(PlayerIds.OF_TEXT | 7, 3), "another text with the same id");
    }

    @Test
    void shouldRefuseATextWhoseIdIsTaken() throws TokenRefusal
    {
        final PlayerIds ids = new PlayerIds();
        assertTrue(ids.isFirst(PlayerIds.ofText("eve"), 2));
        assertEquals(TokenCode.PLAYER_ID_TAKEN, assertThrows(TokenRefusal.class, () -> ids.of("eve")).code());
    }
}
