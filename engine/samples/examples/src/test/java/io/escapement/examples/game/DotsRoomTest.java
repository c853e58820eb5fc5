package io.escapement.examples.game;

import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static io.escapement.examples.game.DotsRoom.BAD_MOVE;
import static io.escapement.examples.game.DotsRoom.FIELD;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** A bench runs the room without an engine, turn by turn. */
class DotsRoomTest
{
    private final UnsafeBuffer move = new UnsafeBuffer(new byte[DotsRoom.MOVE_LENGTH]);
    private final SyncedCopy copy = new SyncedCopy(DotsRoom.SCHEMA);
    private final RoomBench bench = RoomBench.of(DotsRoom.type());
    private final BenchSeat ann = bench.join(1);

    @Test
    void shouldShowEachDotToAll()
    {
        final BenchSeat ben = bench.join(2);
        move(ben, 10, 20);
        play();
        assertEquals(10, copy.longValue(DotsRoom.X, ben.index()));
        assertEquals(20, copy.longValue(DotsRoom.Y, ben.index()));
        assertEquals(FIELD / 2, copy.longValue(DotsRoom.X, ann.index()));
        ben.leave();
        play();
        assertFalse(copy.isPresent(DotsRoom.DOTS, ben.index()));
    }

    @Test
    void shouldScoreAndMoveTheCoin()
    {
        play();
        final long x = copy.longValue(DotsRoom.COIN_X, 0);
        final long y = copy.longValue(DotsRoom.COIN_Y, 0);
        move(ann, (int)x, (int)y);
        play();
        assertEquals(1, copy.longValue(DotsRoom.SCORE, ann.index()));
        assertNotEquals(x * FIELD + y, copy.longValue(DotsRoom.COIN_X, 0) * FIELD + copy.longValue(DotsRoom.COIN_Y, 0));
    }

    @Test
    void shouldRefuseWhatIsNoPosition()
    {
        ann.send("nonsense");
        move(ann, FIELD, 0);
        move(ann, 0, FIELD);
        play();
        assertEquals(List.of(BAD_MOVE, BAD_MOVE, BAD_MOVE), ann.refusals());
        assertEquals(List.of(), bench.failures());
    }

    /** A replay gives the same bytes, and so does a room that is restored again and again. */
    @Test
    void shouldReplayAndSurvive()
    {
        for (int i = 0; i < FIELD; i += 10)
        {
            move(ann, i, i);
            bench.step(1);
        }
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }

    /** The second compiler allocates a little in this thread when it gives up code, so one of ten looks must find 0. */
    @Test
    void shouldAllocateNothing()
    {
        long bytes = Long.MAX_VALUE;
        for (int i = 1; i <= 10_000 && 0 != bytes; i++)
        {
            move(ann, i % FIELD, i * 7 % FIELD);
            bench.step(1);
            bytes = 0 == i % 1_000 ? bench.allocatedBytesOverLast(100) : bytes;
        }
        assertEquals(0, bytes);
    }

    private void move(final BenchSeat seat, final int x, final int y)
    {
        move.putShort(0, (short)x, LITTLE_ENDIAN);
        move.putShort(Short.BYTES, (short)y, LITTLE_ENDIAN);
        seat.send(move, 0, move.capacity());
    }

    /** Run a frame, and apply to the copy what Ann has received. */
    private void play()
    {
        bench.step(1);
        for (final byte[] message : ann.states())
        {
            copy.apply(new UnsafeBuffer(message), 0, message.length);
        }
    }
}
