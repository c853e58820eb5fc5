package io.escapement.examples.turns;

import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TableRoomTest
{
    private static final long SEED = 47;
    private final RoomBench bench = RoomBench.of(TableRoom.type());
    private BenchSeat ann;
    private BenchSeat ben;

    @AfterEach
    void shouldReplayAndRestore()
    {
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }

    @Test
    void shouldBeginWhenTwoAreThereAndShowEachMove()
    {
        ann = join(1, "Ann");
        ann.send("3");
        assertEquals(List.of(TableRoom.NOT_YOUR_TURN), ann.refusals());
        ben = join(2, "Ben");
        assertEquals(List.of("welcome", "here\t0\tAnn", "here\t1\tBen", "begin", "turn\t0\t60000\t60000"), ann.texts());
        assertEquals(List.of("welcome", "here\t0\tAnn", "here\t1\tBen", "begin", "turn\t0\t60000\t60000"), ben.texts());
        bench.runFor(TimeUnit.SECONDS.toNanos(5));
        ann.send("3");
        assertEquals(List.of("disc\t3\t0", "turn\t1\t57000\t60000"), last(ben, 2));
        ben.send("3");
        assertEquals(List.of("disc\t10\t1", "turn\t0\t57000\t62000"), last(ann, 2));
    }

    @Test
    void shouldRefuseWhatIsNotAMoveAndKeepTheTurn()
    {
        begin();
        ben.send("3");
        assertEquals(List.of(TableRoom.NOT_YOUR_TURN), ben.refusals());
        for (final String move : List.of("7", "-", "", "33", "/"))
        {
            ann.refusals().clear();
            ann.send(move);
            assertEquals(List.of(TableRoom.BAD_MOVE), ann.refusals(), move);
        }
        play("000000");
        ann.refusals().clear();
        ann.send("0");
        assertEquals(List.of(TableRoom.BAD_MOVE), ann.refusals());
        ann.send("1");
        assertEquals(List.of("disc\t1\t0"), last(ann, 2).subList(0, 1));
    }

    @Test
    void shouldEndWithFourInARowAndLetTheOtherBeginTheNextGame()
    {
        begin();
        play("3435363");
        assertEquals(List.of("disc\t24\t0", "over\t0\t1"), last(ben, 2));
        ben.send("0");
        assertEquals(List.of(TableRoom.NOT_YOUR_TURN), ben.refusals());
        bench.runFor(TableRoom.PAUSE_NS + TimeUnit.SECONDS.toNanos(1));
        assertEquals("begin", last(ann, 2).get(0));
        assertTrue(last(ann, 1).get(0).startsWith("turn\t1\t60000\t"), last(ann, 1).get(0));
    }

    @Test
    void shouldEndWhenTheClockOfAPlayerHasRun()
    {
        begin();
        bench.runFor(TimeUnit.SECONDS.toNanos(40));
        play("34");
        bench.runFor(TimeUnit.SECONDS.toNanos(21));
        assertTrue(last(ann, 1).get(0).startsWith("turn\t0\t22000\t"), last(ann, 1).get(0));
        bench.runFor(TimeUnit.SECONDS.toNanos(2));
        assertEquals("over\t1\t3", last(ann, 1).get(0));
    }

    @Test
    void shouldEndWhenAPlayerLeavesAndWaitForAnother()
    {
        begin();
        play("34");
        ann.leave();
        assertEquals(List.of("gone\t0", "over\t1\t4"), last(ben, 2));
        bench.runFor(2 * TableRoom.PAUSE_NS);
        assertEquals("over\t1\t4", last(ben, 1).get(0));
        join(3, "Eve");
        assertEquals("begin", last(ben, 2).get(0));
    }

    @Test
    void shouldShowTheBoardToWhoIsBack()
    {
        begin();
        play("34");
        ben.disconnect();
        bench.runFor(TimeUnit.SECONDS.toNanos(3));
        final BenchSeat back = join(2, "Ben");
        assertEquals(List.of("welcome", "here\t0\tAnn", "here\t1\tBen", "disc\t3\t0", "disc\t4\t1",
            "turn\t0\t59000\t62000"), back.texts());
    }

    @Test
    void shouldCloseAnEmptyTable()
    {
        begin();
        ann.leave();
        ben.leave();
        bench.runFor(TableRoom.EMPTY_NS + TimeUnit.SECONDS.toNanos(1));
        assertEquals(-1, join(4, "late").index());
    }

    @Test
    void shouldFindTheWinnersOfRandomGamesAsANaiveBoardDoes()
    {
        final Random random = new Random(SEED);
        int wins = 0;
        for (int game = 0; game < 300; game++)
        {
            final Board board = new Board();
            final int[][] naive = new int[Board.COLUMNS][6];
            boolean isOver = false;
            for (int move = 1; !isOver && !board.isFull(); move++)
            {
                final int column = random.nextInt(Board.COLUMNS);
                if (!board.isFree(column))
                {
                    continue;
                }
                final int cell = board.drop(column, move & 1);
                naive[cell % Board.COLUMNS][cell / Board.COLUMNS] = 1 + (move & 1);
                isOver = board.wins(cell);
                assertEquals(hasFour(naive), isOver);
            }
            wins += isOver ? 1 : 0;
        }
        assertTrue(wins > 200);
    }

    private static boolean hasFour(final int[][] discs)
    {
        for (int x = 0; x < 7; x++)
        {
            for (int y = 0; y < 6; y++)
            {
                final int disc = discs[x][y];
                if (0 != disc && (
                    x < 4 && disc == discs[x + 1][y] && disc == discs[x + 2][y] && disc == discs[x + 3][y] ||
                    y < 3 && disc == discs[x][y + 1] && disc == discs[x][y + 2] && disc == discs[x][y + 3] ||
                    x < 4 && y < 3 && disc == discs[x + 1][y + 1] && disc == discs[x + 2][y + 2] &&
                        disc == discs[x + 3][y + 3] ||
                    x < 4 && y >= 3 && disc == discs[x + 1][y - 1] && disc == discs[x + 2][y - 2] &&
                        disc == discs[x + 3][y - 3]))
                {
                    return true;
                }
            }
        }
        return false;
    }

    private void begin()
    {
        ann = join(1, "Ann");
        ben = join(2, "Ben");
    }

    /** Moves of both in turn, Ann's first. */
    private void play(final String columns)
    {
        for (int i = 0; i < columns.length(); i++)
        {
            (0 == (i & 1) ? ann : ben).send(columns.substring(i, i + 1));
        }
    }

    private BenchSeat join(final long playerId, final String name)
    {
        final UnsafeBuffer args = new UnsafeBuffer(name.getBytes(StandardCharsets.UTF_8));
        return bench.join(bench.roomId(), playerId, args, 0, args.capacity());
    }

    private static List<String> last(final BenchSeat seat, final int count)
    {
        return seat.texts().subList(seat.texts().size() - count, seat.texts().size());
    }
}
