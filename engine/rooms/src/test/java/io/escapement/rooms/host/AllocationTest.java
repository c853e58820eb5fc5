package io.escapement.rooms.host;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.Allocations;
import io.escapement.testsupport.Tests;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AllocationTest
{
    private static final int ROOMS = 256;
    private static final int SEATS = 16;
    private static final int LINKS = 16;
    private static final int WARM_UP_TURNS = Tests.isFull() ? 50_000 : 4_000;
    private static final int TURNS = Tests.isFull() ? 100_000 : 6_000;
    private static final int ROUNDS = 6;
    private static final long TURN_NS = 1_000_000;
    private static final int TURNS_PER_JOIN = 16;
    /** The seat of the next player, and its audience of all others. */
    private static final int MAX_BYTES_PER_JOIN = 96;

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[64]);
    private final RecordedOutputs outputs = new RecordedOutputs().stop();
    private RoomHost host;
    private long nowNs;
    private long sequence;
    private int fired;
    private boolean arePlayersChanging;

    @Test
    void shouldNotAllocateInSteadyState()
    {
        assertEquals(0, allocatedBy(new HostContext().outputs(outputs)));
        assertTrue(outputs.messages() > TURNS, "only " + outputs.messages() + " messages left the host");
        assertTrue(fired > TURNS, "only " + fired + " timers fired");
    }

    @Test
    void shouldNotAllocateWhenItsOutputIsHashed()
    {
        assertEquals(0, allocatedBy(new HostContext().outputs(outputs).hashOutput()));
    }

    /** The object of a seat is not used for a second player, because the logic may keep it. */
    @Test
    void shouldAllocateOneSeatForAPlayerWhoTakesThePlaceOfAnother()
    {
        arePlayersChanging = true;
        final long allocated = allocatedBy(new HostContext().outputs(outputs));
        final int joins = TURNS / TURNS_PER_JOIN;
        assertTrue(allocated <= (long)MAX_BYTES_PER_JOIN * joins,
            () -> allocated + " bytes for " + joins + " joins");
    }

    private long allocatedBy(final HostContext context)
    {
        host = new RoomHost(context.roomType(type()));
        open();
        for (int i = 0; i < WARM_UP_TURNS; i++)
        {
            turn(i);
        }
        return Allocations.least(ROUNDS, () ->
        {
            for (int i = 0; i < TURNS; i++)
            {
                turn(i);
            }
        });
    }

    private void open()
    {
        host.beginTurn(0);
        for (int link = 0; link < LINKS; link++)
        {
            command(encoder.linkUp(buffer, 0, link, link));
        }
        for (int room = 1; room <= ROOMS; room++)
        {
            command(encoder.openRoom(buffer, 0, room, room, 0, 0, 1, payload, 0, 0));
            for (int seat = 0; seat < SEATS; seat++)
            {
                command(encoder.join(buffer, 0, room, player(room, seat), 0, seat % LINKS, payload, 0, 0));
            }
        }
        host.endTurn();
    }

    /** Messages to a few rooms; at times a link is lost and resumed, or a player leaves and joins again. */
    private void turn(final int i)
    {
        nowNs += TURN_NS;
        host.beginTurn(nowNs);
        host.runPrefetch();
        final int room = 1 + i % ROOMS;
        for (int seat = 1; seat < SEATS; seat++)
        {
            final int link = seat % LINKS;
            command(encoder.message(buffer, 0, room, ++sequence, seat, 1, link, payload, 0, 64));
        }
        if (i % 100 == 0)
        {
            command(encoder.linkDown(buffer, 0, 3));
            command(encoder.linkResumed(buffer, 0, 3, 3, 3));
        }
        if (arePlayersChanging && i % TURNS_PER_JOIN == 0)
        {
            command(encoder.kick(buffer, 0, room, player(room, 0)));
            command(encoder.join(buffer, 0, room, player(room, 0), 0, 0, payload, 0, 0));
        }
        host.endTurn();
    }

    private void command(final int length)
    {
        host.prefetch(buffer, 0, length);
        final int code = host.onCommand(buffer, 0, length);
        if (0 != code)
        {
            throw new IllegalStateException("refused: " + code);
        }
    }

    private static long player(final int room, final int seat)
    {
        return room * 100L + seat;
    }

    private RoomType type()
    {
        return RoomType.of(1, "steady", 1, Steady::new).seats(SEATS).timers(32);
    }

    private final class Steady implements RoomLogic
    {
        private Room room;
        private long last;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            room.frameRate(60);
            room.every(7_000_000, 1, 0);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            room.sendEvent(from, message, offset, length);
            room.cancel(last);
            last = room.after(20_000_000, 2, from.index());
            room.after(room.random().nextInt(3_000_000), 3, 0);
        }

        @Override
        public void onTimer(final long handle, final int kind, final long tag)
        {
            fired++;
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            final MutableDirectBuffer state = room.claimState(room.everyone(), 200);
            state.putLong(0, frame);
            room.commit(200);
        }
    }
}
