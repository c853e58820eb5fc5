package io.escapement.rooms.scenario;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.replay.Replay;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A log of one version of a room type, run again with another: refused unless asked for. */
class ReplayVersionTest
{
    private static final int TYPE = 7;
    private static final int NEVER = Integer.MAX_VALUE;

    private final RoomBench bench = RoomBench.of(type(1, NEVER));
    private final long[] turnOfMessage = new long[10];
    private final byte[] log = record();

    @Test
    void shouldRefuseAnotherVersionAndNameTypeAndVersions()
    {
        final String message = refusal(type(2, NEVER), false);
        for (final String part : new String[]{"counter", "typeId=" + TYPE, "version=1", "version=2"})
        {
            assertTrue(message.contains(part), "no " + part + " in: " + message);
        }
    }

    @Test
    void shouldRefuseOtherSettingsOfTheSameVersion()
    {
        refusal(type(1, NEVER).requests(65), false);
        assertTrue(replay(type(1, NEVER).requests(65), true).run().isSame());
    }

    @Test
    void shouldRefuseALogOfAnUnregisteredTypeEvenWhenOtherVersionsAreAllowed()
    {
        final String message = refusal(RoomType.of(TYPE + 1, "counter", 1, () -> new Counter(NEVER)), true);
        assertTrue(message.contains("typeId=" + TYPE + ","), message);
    }

    @Test
    void shouldAcceptTheSameVersionInBothModes()
    {
        for (final boolean areOtherVersionsTaken : new boolean[]{false, true})
        {
            final Replay replay = replay(type(1, NEVER), areOtherVersionsTaken).run();
            assertTrue(replay.isSame(), replay.difference());
            assertEquals(bench.host().turn(), replay.turns());
        }
    }

    @Test
    void shouldAcceptAnotherVersionWhenAllowed()
    {
        final Replay replay = replay(type(2, NEVER), true).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(bench.host().turn(), replay.turns());
        assertEquals(bench.host().stateHash(bench.roomId()), replay.host().stateHash(bench.roomId()));
    }

    @Test
    void shouldNameTheFirstTurnInWhichAnotherVersionDiffers()
    {
        final Replay replay = replay(type(2, 6), true).run();
        assertFalse(replay.isSame());
        assertEquals(turnOfMessage[6], replay.firstDifferentTurn());
        assertEquals(turnOfMessage[6], replay.turns());
        assertTrue(replay.difference().startsWith("turn " + turnOfMessage[6] + ": output hash"), replay.difference());
    }

    private byte[] record()
    {
        final BenchSeat ann = bench.join(1);
        for (int i = 0; i < turnOfMessage.length; i++)
        {
            ann.send("message " + i);
            turnOfMessage[i] = bench.host().turn();
        }
        return bench.log();
    }

    private String refusal(final RoomType type, final boolean areOtherVersionsTaken)
    {
        return assertThrows(IllegalArgumentException.class, () -> replay(type, areOtherVersionsTaken)).getMessage();
    }

    private Replay replay(final RoomType type, final boolean areOtherVersionsTaken)
    {
        final LogFile reader = LogFile.openUnfinished(new UnsafeBuffer(log), 0, log.length);
        final HostContext context = new HostContext().roomType(type).outputs(new CapturedOutputs());
        // The two-argument constructor refuses other versions.
        return areOtherVersionsTaken ? new Replay(reader, context, true) : new Replay(reader, context);
    }

    private static RoomType type(final int version, final int otherFrom)
    {
        return RoomType.of(TYPE, "counter", version, () -> new Counter(otherFrom));
    }

    /** Sums its messages and broadcasts the sum; the other version doubles values from some message on. */
    private static final class Counter implements RoomLogic
    {
        private final UnsafeBuffer sumBytes = new UnsafeBuffer(new byte[Long.BYTES]);
        private final int otherFrom;
        private Room room;
        private int messages;
        private long sum;

        Counter(final int otherFrom)
        {
            this.otherFrom = otherFrom;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            sum += messages++ < otherFrom ? length : 2L * length;
            sumBytes.putLong(0, sum);
            room.sendEvent(room.everyone(), sumBytes, 0, Long.BYTES);
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putInt(messages);
            writer.putLong(sum);
        }
    }
}
