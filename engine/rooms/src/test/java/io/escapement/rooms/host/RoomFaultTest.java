package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A room whose code returns or throws something wrong fails alone, and fails in a replay, too. */
class RoomFaultTest
{
    private static final int GOOD = 1;
    private static final int BAD = 2;

    enum Fault
    {
        ERROR, ASSERTION, STACK, CHECKED, NULL, WRAPPED_STACK, INTERRUPT
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, 65_536, Integer.MAX_VALUE})
    void shouldCloseOnlyTheRoomWhoseAnswerToAJoinIsOutOfRange(final int answer)
    {
        final HostRig rig = new HostRig(type(GOOD, Quiet::new), type(BAD, () -> new Quiet()
        {
            @Override
            public int onJoinRequest(
                final long playerId, final DirectBuffer args, final int offset, final int length)
            {
                return answer;
            }
        }));
        rig.turn(1, () ->
        {
            rig.open(1, GOOD);
            rig.open(2, BAD);
            rig.linkUp(0);
            assertEquals(RefusalCode.UNKNOWN_ROOM.value(), rig.join(2, 7, 0));
            assertEquals(0, rig.join(1, 7, 0));
        });
        assertEquals(1, rig.host.openRooms());
        assertInstanceOf(IllegalStateException.class, rig.failures.get(0));
        rig.assertReplays();
    }

    @ParameterizedTest
    @CsvSource({"1", "1024", "65535"})
    void shouldPassOnEveryAnswerInRange(final int answer)
    {
        final HostRig rig = new HostRig(type(BAD, () -> new Quiet()
        {
            @Override
            public int onJoinRequest(
                final long playerId, final DirectBuffer args, final int offset, final int length)
            {
                return answer;
            }
        }));
        rig.turn(1, () ->
        {
            rig.open(2, BAD);
            rig.linkUp(0);
            assertEquals(answer, rig.join(2, 7, 0));
        });
        assertEquals(1, rig.host.openRooms());
        rig.assertReplays();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void shouldFreeTheSlotOfARoomWhoseLogicCannotBeMade(final Fault fault)
    {
        final HostRig rig = new HostRig(type(GOOD, Quiet::new), type(BAD, () -> make(fault)));
        for (int i = 0; i < 200; i++)
        {
            // More rooms than the host has slots.
            final int serial = i;
            rig.turn(i, () -> rig.open(10 + serial, BAD));
        }
        rig.turn(1_000, () -> assertEquals(0, rig.open(1, GOOD)));
        assertEquals(1, rig.host.openRooms());
        assertEquals(200, rig.failures.size());
        assertEquals(Fault.INTERRUPT == fault, rig.failures.get(0).toString().contains("nterrupt"));
        rig.assertReplays();
    }

    @Test
    void shouldStopTheHostWhenTheJvmFailsWhileALogicIsMade()
    {
        final OutOfMemoryError failure = new OutOfMemoryError("on purpose");
        final HostRig rig = new HostRig(type(BAD, () ->
        {
            throw failure;
        }));
        rig.beginTurn(1);
        assertSame(failure, assertThrows(OutOfMemoryError.class, () -> rig.open(2, BAD)));
        rig.endTurn();
        assertSame(failure, assertThrows(IllegalStateException.class, () -> rig.host.beginTurn(2)).getCause());
    }

    @Test
    void shouldStopTheHostWhenTheJvmFailsInsideACallbackThatWrapsIt()
    {
        final OutOfMemoryError failure = new OutOfMemoryError("on purpose");
        final HostRig rig = new HostRig(type(BAD, () -> new Quiet()
        {
            @Override
            public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
            {
                throw new IllegalStateException(failure);
            }
        }));
        rig.beginTurn(1);
        assertSame(failure, assertThrows(OutOfMemoryError.class, () -> rig.open(2, BAD)));
        rig.endTurn();
        assertSame(failure,
            assertThrows(IllegalStateException.class, () -> rig.host.beginTurn(2)).getCause().getCause());
    }

    @Test
    void shouldStopTheHostWhenTheJvmFailsWhileAStateIsHashed()
    {
        final OutOfMemoryError failure = new OutOfMemoryError("on purpose");
        final HostRig rig = new HostRig(type(BAD, () -> new Quiet()
        {
            @Override
            public long stateHash()
            {
                throw failure;
            }
        }));
        rig.turn(1, () -> rig.open(2, BAD));
        assertSame(failure, assertThrows(OutOfMemoryError.class, () -> rig.host.stateHash(2)));
        assertSame(failure, assertThrows(IllegalStateException.class, () -> rig.host.beginTurn(2)).getCause());
    }

    /** The constant is part of every log that has such a room. */
    @Test
    void shouldHashALogicWhoseHashFailsByAConstant()
    {
        final long[] hash = {0xDEADL};
        final HostRig rig = new HostRig(type(BAD, () -> new Quiet()
        {
            @Override
            public long stateHash()
            {
                if (0 == hash[0])
                {
                    throw new IllegalStateException("on purpose");
                }
                return hash[0];
            }
        }));
        rig.turn(1, () -> rig.open(2, BAD));
        final long expected = rig.host.stateHash(2);
        hash[0] = 0;
        assertEquals(expected, rig.host.stateHash(2));
        assertEquals(1, rig.events.hashFailures);
    }

    /** The log says that a callback failed: the host fails the room in its place, and does not run it. */
    @Test
    void shouldNotRunTheCallbackThatFailsByTheLog()
    {
        final List<String> ran = new ArrayList<>();
        final HostRig rig = new HostRig(type(BAD, () -> new Quiet()
        {
            @Override
            public void onMessage(
                final Seat from, final DirectBuffer message, final int offset, final int length)
            {
                ran.add("message");
            }
        }));
        rig.turn(1, () ->
        {
            rig.open(2, BAD);
            rig.linkUp(0);
            rig.join(2, 7, 0);
        });
        // After onOpen, onJoinRequest and onJoin: the second message is the fifth callback.
        rig.turn(2, () ->
        {
            assertEquals(0, rig.command(rig.encoder.failedAt(rig.buffer, 0, 2, 5)));
            rig.message(2, 0, 1, 0, 8);
            rig.message(2, 0, 1, 0, 8);
            rig.message(2, 0, 1, 0, 8);
        });
        assertEquals(List.of("message"), ran);
        assertEquals(0, rig.host.openRooms());
        rig.assertReplays();
        assertEquals(List.of("message", "message"), ran, "the log of this run has the failure too");
    }

    /** The room may open later in the turn of the failure, but in no later turn. */
    @Test
    void shouldKeepTheFailureOfARoomThatOpensLaterForItsTurnOnly()
    {
        final HostRig rig = new HostRig(type(GOOD, Quiet::new));
        rig.turn(1, () ->
        {
            assertEquals(0, rig.command(rig.encoder.failedAt(rig.buffer, 0, 2, 1)));
            assertEquals(0, rig.command(rig.encoder.failedAt(rig.buffer, 0, 3, 1)));
            assertEquals(0, rig.open(2, GOOD));
            assertEquals(0, rig.host.openRooms());
        });
        rig.turn(2, () -> assertEquals(0, rig.open(3, GOOD)));
        assertEquals(1, rig.host.openRooms());
        rig.assertReplays();
    }

    @Test
    void shouldCloseTheRoomWhoseClosureThrows()
    {
        final HostRig rig = new HostRig(type(BAD, Quiet::new).ephemeral());
        rig.turn(1, () ->
        {
            rig.open(2, BAD);
            rig.host.execute(2, (room) ->
            {
                throw new IllegalStateException("on purpose");
            });
            assertEquals(0, rig.host.openRooms());
        });
        assertEquals("on purpose", rig.failures.get(0).getMessage());
    }

    /** Timers of every kind, a reservation and a held seat end with a room that fails, and its players leave once. */
    @Test
    void shouldKeepNoTimerAndNoSeatOfARoomThatFails()
    {
        final HostRig rig = new HostRig(type(GOOD, Quiet::new),
            type(BAD, () -> new Quiet()
            {
                @Override
                public void onSignal(
                    final long from, final DirectBuffer message, final int offset, final int length)
                {
                    room.after(1_000_000_000L, 1, 1);
                    room.frameRate(60);
                    room.async(1, 1, message, offset, 0);
                    room.async(1, 1, message, offset, 0);
                    room.sendEvent(room.everyone(), message, offset, length);
                    throw new IllegalStateException("on purpose");
                }
            }).requests(1).flushEveryNs(5_000_000_000L));
        rig.turn(1, () ->
        {
            rig.linkUp(0);
            rig.linkUp(1);
            rig.open(1, GOOD);
            rig.open(2, BAD);
            rig.join(2, 7, 0);
            rig.join(2, 8, 1);
            rig.join(1, 8, 1);
            rig.command(rig.encoder.reserve(rig.buffer, 0, 2, 9, 1_000_000_000L, 0, 0));
            rig.command(rig.encoder.linkDown(rig.buffer, 0, 0));
        });
        assertEquals(2, rig.host.pendingTimers());
        final long nextNs = rig.turn(2, () ->
            rig.command(rig.encoder.signal(rig.buffer, 0, 2, 0, 0, rig.payload, 0, 8)));
        assertEquals(1, rig.host.openRooms());
        assertEquals(0, rig.host.pendingTimers());
        assertEquals(Long.MAX_VALUE, nextNs);
        // The links that the seats had: neither may lead to the room that took the slot.
        rig.turn(3, () ->
        {
            rig.open(3, BAD);
            rig.command(rig.encoder.linkDown(rig.buffer, 0, 1));
            rig.command(rig.encoder.linkResumed(rig.buffer, 0, 1, 1, 1));
            rig.command(rig.encoder.linkResumed(rig.buffer, 0, 0, 0, 0));
        });
        assertEquals(0, rig.host.seatsOccupied(3));
        assertEquals(1, rig.host.seatsOccupied(1));
        rig.assertReplays();
    }

    @Test
    void shouldRefuseTheHostToTheSupplierOfALogic()
    {
        final HostRig[] rig = new HostRig[1];
        rig[0] = new HostRig(type(BAD, () ->
        {
            rig[0].host.onCommand(rig[0].buffer, 0, 8);
            return new Quiet();
        }));
        rig[0].turn(1, () -> rig[0].open(2, BAD));
        assertEquals(0, rig[0].host.openRooms());
        assertTrue(rig[0].failures.get(0).getCause().getMessage().contains("inside a callback"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRecordAStackOverflowThatAnotherThrowableHides(final boolean isSuppressed)
    {
        final boolean[] isReplay = new boolean[1];
        final HostRig rig = new HostRig(type(BAD, () -> new Quiet()
        {
            @Override
            public void onMessage(
                final Seat from, final DirectBuffer message, final int offset, final int length)
            {
                if (isSuppressed)
                {
                    room.claimEvent(from, length).putLong(0, 1);
                    room.commit(length);
                }
                room.sendEvent(from, message, offset, length);
                room.signal(5, message, offset, length);
                if (!isReplay[0])
                {
                    // The stack of the replay is deeper: there the same call succeeds.
                    final IllegalStateException hiding = new IllegalStateException(
                        "on purpose", isSuppressed ? null : new RuntimeException(new StackOverflowError()));
                    if (isSuppressed)
                    {
                        hiding.addSuppressed(new StackOverflowError());
                    }
                    throw hiding;
                }
            }
        }));
        rig.turn(1, () ->
        {
            rig.open(2, BAD);
            rig.linkUp(0);
            rig.join(2, 7, 0);
        });
        rig.turn(2, () -> rig.message(2, 0, 1, 0, 8));
        assertEquals(0, rig.host.openRooms());
        isReplay[0] = true;
        rig.assertReplays();
    }

    private static RoomLogic make(final Fault fault)
    {
        switch (fault)
        {
            case ERROR -> throw new Error("on purpose");
            case ASSERTION -> throw new AssertionError("on purpose");
            case CHECKED -> RoomFaultTest.<RuntimeException>throwUnchecked(new Exception("on purpose"));
            case NULL ->
            {
                return null;
            }
            case INTERRUPT -> Thread.currentThread().interrupt();
            case WRAPPED_STACK -> throw new IllegalStateException(new StackOverflowError());
            default -> recurse(1);
        }
        return new Quiet();
    }

    private static long recurse(final long depth)
    {
        return recurse(depth + 1) + 1;
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwUnchecked(final Throwable thrown) throws T
    {
        throw (T)thrown;
    }

    private static RoomType type(final int id, final Supplier<RoomLogic> logic)
    {
        return RoomType.of(id, "type" + id, 1, logic).seats(4);
    }
}
