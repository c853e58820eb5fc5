package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.Audience;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.RoomUseException;
import io.escapement.rooms.Seat;
import io.escapement.rooms.SeatGroup;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.output.ByteSink;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every method of a room: when it may be called, and which arguments it takes. */
class RoomUseTest
{
    private static final int TYPE = 1;
    private static final long REQUESTS = 8;
    private static final UnsafeBuffer BYTES = new UnsafeBuffer(new byte[4 * 1024]);
    private static final Map<String, Consumer<Room>> READS = new LinkedHashMap<>();
    private static final Map<String, Consumer<Room>> ACTS = new LinkedHashMap<>();

    static
    {
        READS.put("roomId", Room::roomId);
        READS.put("openerRoomId", Room::openerRoomId);
        READS.put("nowNs", Room::nowNs);
        READS.put("epochMs", Room::epochMs);
        READS.put("frame", Room::frame);
        READS.put("missedFrames", Room::missedFrames);
        READS.put("random", Room::random);
        READS.put("logger", Room::logger);
        READS.put("seatLimit", Room::seatLimit);
        READS.put("seatsTaken", Room::seatsTaken);
        READS.put("seatsPresent", Room::seatsPresent);
        READS.put("nextPresent", (room) -> room.nextPresent(0));
        READS.put("seatsReserved", Room::seatsReserved);
        READS.put("isReserved", (room) -> room.isReserved(7));
        READS.put("isSet", (room) -> room.isSet(1));
        READS.put("remainingNs", (room) -> room.remainingNs(1));
        READS.put("seat", (room) -> room.seat(0));
        READS.put("seat of a generation", (room) -> room.seat(0, 1));
        READS.put("seatOf", (room) -> room.seatOf(7));
        READS.put("everyone", Room::everyone);
        READS.put("group", (room) -> room.group(0));
        READS.put("requestsLeft", Room::requestsLeft);
        ACTS.put("count", (room) -> room.count(1, 1));
        ACTS.put("kick", (room) -> room.kick(room.seat(0)));
        ACTS.put("refuse", (room) -> room.refuse(room.seat(0), 1_024));
        ACTS.put("lock", (room) -> room.lock(true));
        ACTS.put("close", Room::close);
        ACTS.put("after", (room) -> room.after(1, 1, 1));
        ACTS.put("every", (room) -> room.every(1, 1, 1));
        ACTS.put("everyFrames", (room) -> room.everyFrames(1, 1, 1));
        ACTS.put("cancel", (room) -> room.cancel(Room.NO_TIMER));
        ACTS.put("reschedule", (room) -> room.reschedule(Room.NO_TIMER, 1));
        ACTS.put("cancelAll", Room::cancelAll);
        ACTS.put("frameRate", (room) -> room.frameRate(1));
        ACTS.put("commit", (room) -> room.commit(0));
        ACTS.put("newGroup", Room::newGroup);
        ACTS.put("signal", (room) -> room.signal(1, BYTES, 0, 0));
        ACTS.put("async", (room) -> room.async(1, 1, BYTES, 0, 0));
        ACTS.put("openRoom", (room) -> room.openRoom(1, BYTES, 0, 0));
        ACTS.put("reserve", (room) -> room.reserve(1, 7, 1));
        ACTS.put("label", (room) -> room.label(0, BYTES, 0, 0));
        ACTS.put("subscribeToDirectory", Room::subscribeToDirectory);
        ACTS.put("closure after", (room) -> room.after(1, (within) ->
        {
        }));
        ACTS.put("closure nextFrame", (room) -> room.nextFrame((within) ->
        {
        }));
    }

    private final Kept logic = new Kept();
    private HostRig rig = new HostRig(
        RoomType.of(TYPE, "used", 1, () -> logic).seats(4).groups(2).timers(4).requests((int)REQUESTS)
            .outputLimit(1_024));

    static List<String> everyMethod()
    {
        final List<String> names = new ArrayList<>(READS.keySet());
        names.addAll(ACTS.keySet());
        return names;
    }

    static List<String> actingMethods()
    {
        return List.copyOf(ACTS.keySet());
    }

    @ParameterizedTest
    @MethodSource("everyMethod")
    void shouldRefuseEveryMethodOutsideTheRoomsCallbacks(final String method)
    {
        openEphemeral();
        final Consumer<Room> call = READS.getOrDefault(method, ACTS.get(method));
        assertThrows(RoomUseException.class, () -> call.accept(logic.room));
        assertEquals(0, rig.host.pendingTimers());
        assertEquals(1, rig.host.openRooms());
        act(call);
        assertTrue(rig.failures.isEmpty() || "commit".equals(method), rig.failures::toString);
    }

    @ParameterizedTest
    @MethodSource("actingMethods")
    void shouldRefuseToActWhileASnapshotIsWritten(final String method)
    {
        open();
        logic.inSnapshot = ACTS.get(method);
        final Throwable refusal = assertThrows(
            IllegalStateException.class, () -> rig.host.snapshot(new ByteSink())).getCause();
        assertInstanceOf(RoomUseException.class, refusal);
        assertTrue(refusal.getMessage().contains("can only be read"), refusal::getMessage);
    }

    @Test
    void shouldLetTheLogicReadWhileASnapshotIsWritten()
    {
        open();
        logic.inSnapshot = (room) -> READS.values().forEach((read) -> read.accept(room));
        rig.host.snapshot(new ByteSink());
    }

    @ParameterizedTest
    @ValueSource(strings = {"closure after", "closure nextFrame"})
    void shouldRefuseAClosureInARecordedRoom(final String method)
    {
        open();
        act((room) -> assertThrows(IllegalStateException.class, () -> ACTS.get(method).accept(room)));
        assertEquals(List.of(), rig.failures);
        assertEquals(0, rig.host.pendingTimers());
    }

    @Test
    void shouldTakeArgumentsUpToTheirLimits()
    {
        open();
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[Room.MAX_REQUEST_LENGTH + 1]);
        act((room) ->
        {
            final Seat seat = room.seat(0);
            refuses(() -> room.refuse(seat, 0), () -> room.refuse(seat, 65_536), () -> room.every(0, 1, 1),
                () -> room.everyFrames(0, 1, 1), () -> room.after(-1, 1, 1), () -> room.reserve(2, 7, 0),
                () -> room.frameRate(-1), () -> room.frameRate(1_001),
                () -> room.label(-1, BYTES, 0, 1), () -> room.label(Room.MAX_LABELS, BYTES, 0, 1),
                () -> room.label(0, BYTES, 0, -1), () -> room.label(0, BYTES, 0, Room.MAX_LABEL_LENGTH + 1));
            for (final int length : new int[]{-1, Room.MAX_REQUEST_LENGTH + 1})
            {
                refuses(() -> room.signal(1, bytes, 0, length), () -> room.async(1, 1, bytes, 0, length));
            }
            for (final int length : new int[]{-1, RoomCommands.MAX_OPEN_ARGS_LENGTH + 1})
            {
                refuses(() -> room.openRoom(1, bytes, 0, length));
            }
            takes(() -> room.refuse(seat, 1), () -> room.refuse(seat, 65_535), () -> room.every(1, 1, 1),
                () -> room.everyFrames(1, 1, 1), () -> room.after(0, 1, 1), () -> room.reserve(2, 7, 1),
                () -> room.frameRate(1_000), () -> room.frameRate(0),
                () -> room.label(0, BYTES, 0, 0), () -> room.label(Room.MAX_LABELS - 1, BYTES, 0, 64),
                () -> room.signal(1, bytes, 0, 0), () -> room.signal(1, bytes, 0, Room.MAX_REQUEST_LENGTH),
                () -> room.async(1, 1, bytes, 0, Room.MAX_REQUEST_LENGTH),
                () -> room.openRoom(1, bytes, 0, RoomCommands.MAX_OPEN_ARGS_LENGTH));
        });
        assertEquals(List.of(), rig.failures);
        rig.assertReplays();
    }

    @Test
    void shouldCountATimerThatTheRoomHasNoSlotFor()
    {
        open();
        act((room) ->
        {
            for (int i = 0; i < 4; i++)
            {
                assertNotEquals(Room.NO_TIMER, room.after(1_000, 1, i));
            }
            assertEquals(0, rig.host.refusals(RefusalCode.TIMER_LIMIT.value()));
            assertEquals(Room.NO_TIMER, room.after(1_000, 1, 4));
            assertEquals(Room.NO_TIMER, room.everyFrames(1, 1, 4));
        });
        assertEquals(2, rig.host.refusals(RefusalCode.TIMER_LIMIT.value()));
        assertEquals(List.of(), rig.failures);
    }

    @Test
    void shouldNeitherFindNorReachAPlayerWhoIsLeaving()
    {
        open();
        final List<String> found = new ArrayList<>();
        logic.inLeave = (seat) ->
        {
            logic.room.sendEvent(seat, BYTES, 0, 8);
            logic.room.sendState(logic.room.everyone(), BYTES, 0, 8);
            logic.room.kick(seat);
            found.add(logic.room.seat(0) + " " + logic.room.seat(0, 1) + " " + logic.room.seatOf(7) + " " +
                logic.room.seatsTaken() + " " + seat.isPresent());
        };
        rig.turn(2, () -> assertEquals(0, rig.command(rig.encoder.leave(rig.buffer, 0, 1, 0, 1, 0))));
        assertEquals(List.of("null null null 0 false"), found);
        assertEquals(0, rig.outputs.messages());
        assertEquals(0, rig.host.seatsOccupied(1));
        rig.assertReplays();
    }

    @Test
    void shouldFindTheGroupsThatItMade()
    {
        open();
        act((room) ->
        {
            final SeatGroup second = room.newGroup();
            assertSame(second, room.group(1));
            refuses(() -> room.group(-1), () -> room.group(2));
            assertThrows(IllegalStateException.class, room::newGroup);
            second.add(room.seat(0));
            assertFalse(second.isEmpty());
            assertTrue(room.group(0).isEmpty());
            second.clear();
            assertTrue(second.isEmpty());
            assertFalse(second.contains(room.seat(0)));
        });
        assertEquals(List.of(), rig.failures);
        rig.assertReplays();
    }

    @Test
    void shouldShowTheTimeAndTheFramesOfTheRoom()
    {
        open();
        act((room) ->
        {
            assertEquals(0, room.frame());
            assertEquals(0, room.epochMs());
            room.frameRate(10);
        });
        // Frames fall due at 25, 125, 225, 325 and 425 ms; one run is left of them.
        rig.turn(430_000_000, () ->
        {
        });
        final long epochMs = 430;
        rig.turn(430_000_000, () ->
        {
            logic.onSignal = () ->
            {
                assertEquals(5, logic.room.frame());
                assertEquals(4, logic.room.missedFrames());
                assertEquals(epochMs, logic.room.epochMs());
                assertEquals(1, logic.room.roomId());
                assertEquals(4, logic.room.seatLimit());
                assertEquals(1, logic.room.seatsTaken());
            };
            signal();
        });
        assertEquals(List.of(), rig.failures);
    }

    @Test
    void shouldRunAClosureInTheNextFrameOrAfterItsDelayUnlessItIsCancelled()
    {
        openEphemeral();
        final List<String> ran = new ArrayList<>();
        act((room) ->
        {
            room.frameRate(10);
            room.nextFrame((within) -> ran.add("frame " + within.frame()));
            assertTrue(room.cancel(room.nextFrame((within) -> ran.add("cancelled"))));
            assertTrue(room.cancel(room.after(1, (within) -> ran.add("cancelled"))));
            room.after(2_000_000, (within) -> ran.add("after"));
        });
        rig.turn(130_000_000, () ->
        {
        });
        rig.turn(330_000_000, () ->
        {
        });
        assertEquals(List.of("after", "frame 2"), ran);
        assertEquals(List.of(), rig.failures);
    }

    /** One command for all seats of a group while a mask can name them; with more seats one for each. */
    @ParameterizedTest
    @CsvSource({"63, 1", "64, 1", "65, 3", "128, 3"})
    void shouldSendToAGroupByOneMaskUpTo64Seats(final int seats, final int messages)
    {
        final HostRig large = new HostRig(
            RoomType.of(TYPE, "large", 1, () -> logic).seats(seats).groups(1).outputLimit(4_096));
        large.turn(1, () ->
        {
            large.linkUp(0);
            large.open(1, TYPE);
            for (int i = 0; i < seats; i++)
            {
                large.join(1, 100 + i, 0);
            }
        });
        logic.onSignal = () ->
        {
            final SeatGroup group = logic.room.group(0);
            group.add(logic.room.seat(0));
            group.add(logic.room.seat(1));
            group.add(logic.room.seat(seats - 1));
            logic.room.sendEvent(group, BYTES, 0, 8);
            logic.room.claimState(group, 8);
            logic.room.commit(8);
        };
        large.turn(2, () -> large.command(large.encoder.signal(large.buffer, 0, 1, 0, 0, large.payload, 0, 8)));
        assertEquals(List.of(), large.failures);
        assertEquals(2L * messages, large.outputs.messages());
        large.assertReplays();
    }

    /** A claim without space loses the event for exactly its audience. */
    @ParameterizedTest
    @CsvSource({"seat, 1", "group, 2", "everyone, 3", "everyoneBut, 2"})
    void shouldLoseAClaimedEventForItsAudience(final String kind, final int losers)
    {
        final HostRig full = new HostRig(
            RoomType.of(TYPE, "full", 1, () -> logic).seats(4).groups(1).outputLimit(1_024));
        full.turn(1, () ->
        {
            full.linkUp(0);
            full.open(1, TYPE);
            for (int i = 0; i < 3; i++)
            {
                full.join(1, 100 + i, 0);
            }
        });
        logic.onSignal = () ->
        {
            final Room room = logic.room;
            room.group(0).add(room.seat(0));
            room.group(0).add(room.seat(2));
            final Audience audience = switch (kind)
            {
                case "seat" -> room.seat(1);
                case "group" -> room.group(0);
                case "everyone" -> room.everyone();
                default -> room.everyoneBut(room.seat(1));
            };
            room.claimEvent(audience, 2_000);
            room.commit(0);
            assertEquals(0, full.host.refusals(RefusalCode.OUTPUT_LIMIT.value()));
            room.claimEvent(audience, 2_000);
            room.commit(8);
            assertEquals(1, full.host.refusals(RefusalCode.OUTPUT_LIMIT.value()));
        };
        full.turn(2, () -> full.command(full.encoder.signal(full.buffer, 0, 1, 0, 0, full.payload, 0, 8)));
        assertEquals(List.of(), full.failures);
        assertEquals(losers, logic.away.size());
        assertEquals("seat".equals(kind) || "everyone".equals(kind), logic.away.contains(1));
    }

    @Test
    void shouldSendMessagesUpToTheLimitOfTheTypeAndOfTheWire()
    {
        open();
        act((room) ->
        {
            refuses(() -> room.sendEvent(room.everyone(), BYTES, 0, -1),
                () -> room.sendEvent(room.everyone(), BYTES, 0, Room.MAX_MESSAGE_LENGTH + 1),
                () -> room.claimEvent(room.everyone(), -1),
                () -> room.claimEvent(room.everyone(), Room.MAX_MESSAGE_LENGTH + 1));
            // The last byte of the room's buffer, and its padding: a message has a header of 16 bytes.
            room.sendEvent(room.everyone(), BYTES, 0, 500);
            room.sendEvent(room.everyone(), BYTES, 0, 485);
        });
        assertEquals(List.of(), rig.failures);
        assertEquals(2, rig.outputs.messages());
        assertEquals(0, rig.host.refusals(RefusalCode.OUTPUT_LIMIT.value()));
        act((room) ->
        {
            room.sendState(room.everyone(), BYTES, 0, 1_009);
            room.sendState(room.everyone(), BYTES, 0, 1_008);
            room.sendState(room.everyone(), BYTES, 0, 0);
        });
        assertEquals(List.of(), rig.failures);
        assertEquals(3, rig.outputs.messages());
        assertEquals(2, rig.host.refusals(RefusalCode.OUTPUT_LIMIT.value()));
    }

    @Test
    void shouldSendAMessageOfTheWiresLimit()
    {
        final UnsafeBuffer longest = new UnsafeBuffer(new byte[Room.MAX_MESSAGE_LENGTH]);
        final HostRig large = new HostRig(RoomType.of(TYPE, "large", 1, () -> logic).seats(4).groups(1));
        large.turn(1, () ->
        {
            large.linkUp(0);
            large.open(1, TYPE);
            large.join(1, 7, 0);
            logic.onSignal = () ->
            {
                logic.room.sendEvent(logic.room.everyone(), longest, 0, longest.capacity());
                logic.room.claimEvent(logic.room.everyone(), longest.capacity());
                logic.room.commit(longest.capacity());
            };
            large.command(large.encoder.signal(large.buffer, 0, 1, 0, 0, large.payload, 0, 8));
        });
        assertEquals(List.of(), large.failures);
        assertEquals(2, large.outputs.messages());
    }

    @Test
    void shouldRefuseToSendOrClaimWhileAClaimIsOpen()
    {
        open();
        act((room) ->
        {
            room.claimEvent(room.everyone(), 8);
            assertThrows(IllegalStateException.class, () -> room.sendEvent(room.everyone(), BYTES, 0, 8));
            assertThrows(IllegalStateException.class, () -> room.claimState(room.everyone(), 8));
            refuses(() -> room.commit(-1), () -> room.commit(9));
            room.commit(8);
            assertThrows(IllegalStateException.class, () -> room.commit(0));
        });
        assertEquals(List.of(), rig.failures);
        assertEquals(1, rig.outputs.messages());
    }

    /** The buffer of the host is full: a request is refused by a reply, all else is a fault of the room. */
    @Test
    void shouldRefuseTheRequestsOfACallbackThatMakesTooMany()
    {
        open();
        final List<Long> ids = new ArrayList<>();
        act((room) ->
        {
            while (0 == rig.host.refusals(RefusalCode.OUTPUT_LIMIT.value()))
            {
                ids.add(room.signal(5, BYTES, 0, Room.MAX_REQUEST_LENGTH));
            }
            ids.add(room.async(1, 1, BYTES, 0, Room.MAX_REQUEST_LENGTH));
            ids.add(room.openRoom(1, BYTES, 0, 0));
            ids.add(room.reserve(5, 7, 1));
        });
        rig.turn(20_000_000, () ->
        {
        });
        assertEquals(List.of(), rig.failures);
        assertTrue(ids.size() > 100, () -> ids.size() + " signals fitted");
        final int refused = RefusalCode.OUTPUT_LIMIT.value();
        final int first = ids.size() - 3;
        assertEquals(List.of(first + " " + refused, first + 1 + " " + refused, first + 2 + " " + refused,
            first + 3 + " " + refused), logic.replies);
        // A refused request is not open.
        act((room) -> ids.add((long)room.requestsLeft()));
        assertEquals(REQUESTS, ids.get(ids.size() - 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"label", "subscribe", "refuse"})
    void shouldFailTheRoomWhoseCallbackFillsTheBufferWithOtherThanRequests(final String what)
    {
        open();
        act((room) ->
        {
            for (int i = 0; i < 10_000; i++)
            {
                switch (what)
                {
                    case "label" -> room.label(0, BYTES, 0, 64);
                    case "subscribe" -> room.subscribeToDirectory();
                    default -> room.refuse(room.seat(0), 1_024);
                }
            }
        });
        assertEquals(1, rig.failures.size());
        assertEquals("one callback made more requests than the host can buffer", rig.failures.get(0).getMessage());
        assertEquals(0, rig.host.openRooms());
        rig.assertReplays();
    }

    private static void refuses(final Runnable... calls)
    {
        for (int i = 0; i < calls.length; i++)
        {
            assertThrows(IllegalArgumentException.class, calls[i]::run, "call " + i);
        }
    }

    private static void takes(final Runnable... calls)
    {
        for (int i = 0; i < calls.length; i++)
        {
            assertDoesNotThrow(calls[i]::run, "call " + i);
        }
    }

    private void openEphemeral()
    {
        rig = new HostRig(RoomType.of(TYPE, "party", 1, () -> logic).ephemeral().seats(4).groups(2));
        open();
    }

    private void open()
    {
        rig.turn(1, () ->
        {
            rig.linkUp(0);
            rig.open(1, TYPE);
            rig.join(1, 7, 0);
        });
    }

    private void act(final Consumer<Room> act)
    {
        logic.onSignal = () -> act.accept(logic.room);
        rig.turn(1, this::signal);
    }

    private void signal()
    {
        rig.command(rig.encoder.signal(rig.buffer, 0, 1, 0, 0, rig.payload, 0, 8));
    }

    private static final class Kept extends Quiet
    {
        private final List<Integer> away = new ArrayList<>();
        private final List<String> replies = new ArrayList<>();
        private Consumer<Seat> inLeave = (seat) ->
        {
        };
        private Consumer<Room> inSnapshot = (room) ->
        {
        };

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            super.onOpen(opened, args, offset, length);
            room.newGroup();
        }

        @Override
        public void onAway(final Seat seat)
        {
            away.add(seat.index());
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            inLeave.accept(seat);
        }

        @Override
        public void onReply(
            final long id, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            replies.add(id + " " + status);
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            inSnapshot.accept(room);
        }
    }
}
