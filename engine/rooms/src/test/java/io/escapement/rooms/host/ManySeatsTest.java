package io.escapement.rooms.host;

import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.RealTime;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Commands to all seats of a very large room take time in proportion to the seats, whatever its logic does. */
@RealTime("a limit on the time of the processor")
class ManySeatsTest
{
    private static final int TYPE = 1;
    private static final int SEATS = RoomType.MAX_SEATS;
    private static final long GRACE_NS = 400_000_000;
    /** A walk over all seats for each seat takes a minute and more, what is needed less than a second. */
    private static final long LIMIT_NS = 8_000_000_000L;

    /** As many fit a proposal. */
    private static final int JOINS_A_TURN = 1_000;

    enum Act
    {
        NOTHING, SEND_STATE, KICK, LOSE_EVENT, LOSE_STATE
    }

    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[Room.MAX_MESSAGE_LENGTH]);
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Eager logic = new Eager();
    private Act act = Act.NOTHING;

    @ParameterizedTest
    @EnumSource(Act.class)
    void shouldLoseAndResumeALink(final Act chosen)
    {
        final HostRig rig = full(GRACE_NS);
        act = chosen;
        assertFast(rig, 10, rig.encoder.linkDown(rig.buffer, 0, 0));
        assertFast(rig, 11, rig.encoder.linkResumed(rig.buffer, 0, 0, 0, 0));
        assertFast(rig, 12, rig.encoder.linkStateLost(rig.buffer, 0, 0));
        act = Act.NOTHING;
        assertFast(rig, 13, rig.encoder.closeRoom(rig.buffer, 0, 1));
        assertEquals(0, rig.host.openRooms());
    }

    @ParameterizedTest
    @EnumSource(Act.class)
    void shouldFreeTheSeatsOfALostLinkAtOnce(final Act chosen)
    {
        final HostRig rig = full(0);
        act = chosen;
        assertFast(rig, 10, rig.encoder.linkDown(rig.buffer, 0, 0));
        assertEquals(0, rig.host.seatsOccupied(1));
    }

    private HostRig full(final long graceNs)
    {
        final HostRig rig = new HostRig(
            RoomType.of(TYPE, "large", 1, () -> logic).seats(SEATS).graceNs(graceNs).outputLimit(1 << 16));
        rig.turn(1, () ->
        {
            rig.open(1, TYPE);
            rig.linkUp(0);
        });
        for (int first = 0; first < SEATS; first += JOINS_A_TURN)
        {
            final int end = Math.min(SEATS, first + JOINS_A_TURN);
            final int begin = first;
            rig.turn(1, () ->
            {
                for (int i = begin; i < end; i++)
                {
                    assertEquals(0, rig.join(1, 1 + i, 0));
                }
            });
        }
        return rig;
    }

    private void assertFast(final HostRig rig, final long nowNs, final int length)
    {
        // Time of the processor, so that other work on the machine does not count.
        final long startNs = threads.getCurrentThreadCpuTime();
        rig.turn(nowNs, () -> assertEquals(0, rig.command(length)));
        final long tookNs = threads.getCurrentThreadCpuTime() - startNs;
        assertTrue(tookNs < LIMIT_NS, act + " at " + nowNs + " took " + tookNs / 1_000_000 + " ms");
    }

    private final class Eager extends Quiet
    {
        @Override
        public void onAway(final Seat seat)
        {
            act(seat);
        }

        @Override
        public void onBack(final Seat seat)
        {
            act(seat);
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            act(seat);
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            act(seat);
        }

        private void act(final Seat seat)
        {
            switch (act)
            {
                case SEND_STATE -> room.sendState(room.everyone(), bytes, 0, 8);
                case KICK -> room.kick(seat);
                case LOSE_EVENT ->
                {
                    for (int i = 0; i < 10 && 0 == seat.index() % 16; i++)
                    {
                        room.sendEvent(room.everyone(), bytes, 0, bytes.capacity());
                    }
                }
                case LOSE_STATE ->
                {
                    for (int i = 0; i < 10 && 0 == seat.index() % 16; i++)
                    {
                        room.sendState(room.everyone(), bytes, 0, bytes.capacity());
                    }
                }
                default ->
                {
                    // Nothing.
                }
            }
        }
    }
}
