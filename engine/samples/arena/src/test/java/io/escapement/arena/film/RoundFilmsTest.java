package io.escapement.arena.film;

import io.escapement.arena.ArenaGame;
import io.escapement.arena.room.RoundTime;
import io.escapement.gateway.ContentSource;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Requests for films, as a gateway passes them on. */
class RoundFilmsTest
{
    private final RoundFilms films = new RoundFilms();

    private static byte[] await(final CompletableFuture<byte[]> answer)
    {
        Tests.await(answer::isDone, "the answer");
        return answer.join();
    }

    private static String refusal(final CompletableFuture<byte[]> answer)
    {
        Tests.await(answer::isDone, "the answer");
        return ((ContentSource.Unavailable)assertThrows(CompletionException.class, answer::join).getCause())
            .getMessage();
    }

    @Test
    void shouldMakeAFilmFromAJournalThatIsInUse(@TempDir final Path directory)
    {
        final ArenaGame game = new ArenaGame();
        try (JournaledArena arena = new JournaledArena(directory, game))
        {
            films.open(arena.operator());
            arena.join(1);
            arena.join(2);
            final long endedAt = RoundTime.ROUND;
            final String path = arena.roomId() + "/" + endedAt;
            arena.playUntil(endedAt - 600);
            arena.awaitFiles();
            assertEquals(RoundFilm.NOT_ENDED, refusal(films.get(path)));
            arena.playUntil(endedAt + 2_400);
            arena.awaitFiles();
            assertTrue(arena.snapshots() >= 2, arena.snapshots() + " snapshots");
            final String other = arena.roomId() + "/" + (endedAt + 1);
            assertNull(await(films.get(other)));
            Tests.await(() -> !films.get(path).isCompletedExceptionally(), "another look");
            final byte[] film = await(films.get(path));
            final List<Integer> subSteps = RoundFilmTest.subSteps(film);
            final List<byte[]> pictures = RoundFilmTest.bytes(film);
            assertEquals(1 + RoundTime.ROUND / 12, subSteps.size());
            for (int i = 1; i < subSteps.size(); i++)
            {
                assertArrayEquals(arena.picture(subSteps.get(i)), pictures.get(i), "picture " + i);
            }
            assertSame(film, await(films.get(path)), "kept");
            for (final String bad : List.of("1/" + endedAt, (arena.roomId() + 1) + "/" + endedAt,
                (arena.roomId() + (1L << 60)) + "/" + endedAt))
            {
                assertNull(await(films.get(bad)), bad);
            }
        }
    }

    @Test
    void shouldSayThatThereIsNoLog()
    {
        try (JournaledArena arena = new JournaledArena(null, new ArenaGame()))
        {
            films.open(arena.operator());
            assertEquals(RoundFilms.NO_LOG, refusal(films.get(arena.roomId() + "/" + RoundTime.ROUND)));
        }
    }

    @Test
    void shouldHaveNoneWithoutAnEngine()
    {
        assertNull(await(films.get("5/21600")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "5", "5/", "/5", "5/a", "-5/21600", "5/-1", "05/21600", "5/021600", "5/21600/",
        "9999999999999999999/21600", "5/9999999999999999999", "0/21600", "5/0", "5/2160.0"})
    void shouldNotReadALogForABadPath(final String path)
    {
        try (JournaledArena arena = new JournaledArena(null, new ArenaGame()))
        {
            films.open(arena.operator());
            // Not even a look at whether there is a log.
            assertNull(await(films.get(path)));
        }
    }

    @Test
    void shouldRefuseMoreThanWait()
    {
        final CountDownLatch isHeld = new CountDownLatch(1);
        final CountDownLatch ends = new CountDownLatch(1);
        final AtomicInteger reads = new AtomicInteger();
        final List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (int i = 0; i <= RoundFilms.QUEUE_LIMIT; i++)
        {
            answers.add(films.get("1/" + i, 1, i, (roomId) ->
            {
                reads.incrementAndGet();
                isHeld.countDown();
                Tests.await(() -> 0 == ends.getCount(), "the end");
                throw new IllegalArgumentException("none");
            }));
            Tests.await(() -> 0 == isHeld.getCount(), "the first");
        }
        assertEquals(RoundFilms.BUSY, refusal(films.get("1/99", 1, 99, (roomId) -> null)));
        assertSame(answers.get(1), films.get("1/1", 1, 1, (roomId) -> null), "it waits for the same");
        ends.countDown();
        answers.forEach((answer) -> assertNull(await(answer)));
        assertNull(await(films.get("1/1", 1, 1, (roomId) ->
        {
            throw new AssertionError("it was read again");
        })));
        assertEquals(1 + RoundFilms.QUEUE_LIMIT, reads.get());
    }

    @Test
    void shouldNotShowAFaultAsAFilm()
    {
        final CompletableFuture<byte[]> answer = films.get("1/2", 1, 2, (roomId) ->
        {
            throw new StackOverflowError();
        });
        Tests.await(answer::isDone, "the answer");
        assertTrue(answer.isCompletedExceptionally());
    }
}
