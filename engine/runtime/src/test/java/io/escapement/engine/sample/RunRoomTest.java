package io.escapement.engine.sample;

import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;

class RunRoomTest
{
    private static final int RIGHT = 1;

    private final RoomBench bench = RoomBench.of(RunRoom.type());
    private final BenchSeat ann = bench.join(1);
    private final SyncedCopy copy = new SyncedCopy(RunRoom.SCHEMA);

    @Test
    void shouldNameTheLastInputThatItUsed()
    {
        input(1, RIGHT);
        input(2, RIGHT);
        show();
        assertEquals(List.of(16L, 2L), List.of(copy.longValue(RunRoom.X, 0), copy.longValue(RunRoom.INPUT, 0)));
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }

    @Test
    void shouldRefuseInputsThatAreFasterThanTime()
    {
        for (int i = 1; i <= RunRoom.BURST + 1; i++)
        {
            input(i, RIGHT);
        }
        show();
        assertEquals(List.of(RunRoom.BAD_INPUT), ann.refusals());
        assertEquals(RunRoom.BURST, copy.longValue(RunRoom.INPUT, 0));
    }

    private void input(final int number, final int direction)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[5]);
        bytes.putInt(0, number, LITTLE_ENDIAN);
        bytes.putByte(4, (byte)direction);
        ann.send(bytes, 0, 5);
    }

    private void show()
    {
        bench.runFor(TimeUnit.MILLISECONDS.toNanos(100));
        ann.received().forEach((message) -> copy.apply(new UnsafeBuffer(message), 0, message.length));
    }
}
