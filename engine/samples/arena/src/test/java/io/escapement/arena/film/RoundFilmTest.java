package io.escapement.arena.film;

import io.escapement.arena.room.FilmedArena;
import io.escapement.arena.room.RoundTime;
import io.escapement.gateway.ContentSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Films of an arena that was empty for a while, then had a round, and then a part of another. */
class RoundFilmTest
{
    private static final int BEGINS = 1_200;
    private static final long ENDS = BEGINS + RoundTime.ROUND;
    private static final FilmedArena ARENA = new FilmedArena();

    private static byte[] logOfPause;
    private static byte[] logOfNext;
    private static byte[] logOfClosed;

    private record Picture(int subStep, byte[] bytes)
    {
    }

    @BeforeAll
    static void play()
    {
        ARENA.join(1);
        ARENA.playUntil(BEGINS);
        ARENA.leaveForAWhile();
        ARENA.join(2);
        ARENA.join(3);
        ARENA.playUntil(ENDS);
        logOfPause = ARENA.log();
        ARENA.playUntil(ENDS + FilmedArena.pause() + 1_000);
        logOfNext = ARENA.log();
        ARENA.leaveForEver();
        logOfClosed = ARENA.log();
    }

    private static byte[] film(final byte[] log, final long endedAt)
    {
        return RoundFilm.of(FilmedArena.past(log, ARENA.roomId()), endedAt, () -> { });
    }

    static List<Picture> pictures(final byte[] film)
    {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(film)))
        {
            final List<Picture> pictures = new ArrayList<>();
            final ByteBuffer all = ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
            while (all.hasRemaining())
            {
                final int subStep = all.getInt();
                final byte[] bytes = new byte[all.getInt()];
                all.get(bytes);
                pictures.add(new Picture(subStep, bytes));
            }
            return pictures;
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    static List<Integer> subSteps(final byte[] film)
    {
        return pictures(film).stream().map(Picture::subStep).toList();
    }

    static List<byte[]> bytes(final byte[] film)
    {
        return pictures(film).stream().map(Picture::bytes).toList();
    }

    @Test
    void shouldShowARoundAsItWasSeen()
    {
        final byte[] film = film(logOfPause, ENDS);
        final List<Picture> pictures = pictures(film);
        assertEquals(1 + RoundTime.ROUND / 12, pictures.size());
        for (int i = 0; i < pictures.size(); i++)
        {
            final Picture picture = pictures.get(i);
            assertEquals(12 * i, picture.subStep);
            // The first is of the join, before a frame.
            if (i > 0)
            {
                assertArrayEquals(ARENA.picture(BEGINS + picture.subStep), picture.bytes, "picture " + i);
            }
        }
        assertTrue(film.length < RoundFilm.MAX_LENGTH / 4, film.length + " bytes");
    }

    @Test
    void shouldShowTheSameWhileTheNextRoundIsPlayedAndAfterTheRoomHasClosed()
    {
        final byte[] film = film(logOfPause, ENDS);
        assertArrayEquals(film, film(logOfNext, ENDS));
        assertArrayEquals(film, film(logOfClosed, ENDS));
    }

    @Test
    void shouldShowNothingOfARoundThatHasNotEnded()
    {
        final long next = ENDS + FilmedArena.pause() + RoundTime.ROUND;
        for (final long endedAt : List.of(next, ARENA.subStep() + 1, Long.MAX_VALUE))
        {
            assertEquals(RoundFilm.NOT_ENDED, assertThrows(
                ContentSource.Unavailable.class, () -> film(logOfNext, endedAt)).getMessage());
        }
        assertNull(film(logOfClosed, next), "it was never finished");
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, BEGINS, RoundTime.ROUND - 1, RoundTime.ROUND, ENDS - 2, ENDS - 1,
        ENDS + 1, ENDS + 2, ENDS + 720})
    void shouldHaveNoFilmWhereNoRoundEnded(final long endedAt)
    {
        assertNull(film(logOfNext, endedAt));
    }

    @Test
    void shouldHaveNoFilmOfAnUnknownRoom()
    {
        assertNull(RoundFilm.of(FilmedArena.past(logOfNext, ARENA.roomId() + 1), ENDS, () -> { }));
    }

    @Test
    void shouldHaveNoFilmIfTheLogBeginsLater()
    {
        final byte[] within = ARENA.endOf(logOfPause, logOfPause.length / 2);
        final RoundTime begin = RoundTime.of(FilmedArena.past(within, ARENA.roomId()).host().logic(ARENA.roomId()));
        assertTrue(begin.isInRound(ENDS) && begin.subStep() > BEGINS + 1_000, begin::toString);
        assertNull(film(within, ENDS), "within the round");
        assertNull(film(ARENA.endOf(logOfNext, 1), ENDS), "after the round");
        assertNotNull(film(ARENA.endOf(logOfPause, Integer.MAX_VALUE), ENDS), "the whole log");
    }

    @Test
    void shouldRest()
    {
        final int[] rests = {0};
        RoundFilm.of(FilmedArena.past(logOfPause, ARENA.roomId()), ENDS, () -> rests[0]++);
        assertTrue(rests[0] > RoundTime.ROUND / 2, rests[0] + " rests");
    }
}
