package io.escapement.rooms.host;

import io.escapement.codecs.room.JoinDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.config.ConfigException;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.SeatGroup;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Seats that only watch: what they get, what they count for, and what a player may do who has one. */
class SpectatorsTest
{
    private static final int ROOM_FULL = RefusalCode.ROOM_FULL.value();
    private static final int ALREADY_JOINED = RefusalCode.ALREADY_JOINED.value();
    private static final int SPECTATOR = RefusalCode.SPECTATOR.value();
    private static final int NO = RoomLogic.FIRST_APPLICATION_CODE + 5;
    private static final long UNWELCOME = 99;
    private static final int GRACE_NS = 50_000_000;

    private final List<String> events = new ArrayList<>();
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[256]);
    private RoomBench bench = RoomBench.of(type());

    private RoomType type()
    {
        return type(2);
    }

    private RoomType type(final int seats)
    {
        return RoomType.of(1, "stage", 1, Stage::new).seats(seats).spectators(2).graceNs(GRACE_NS).seatData(4)
            .closeWhenEmptyNs(1_000_000_000);
    }

    private List<String> take()
    {
        final List<String> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    /** A reserved seat is kept, and a full room takes spectators. */
    @Test
    void shouldCountSpectatorsApartFromPlayers()
    {
        final BenchSeat first = bench.join(1);
        final BenchSeat second = bench.join(2);
        final BenchSeat watching = bench.watch(3);
        final BenchSeat alsoWatching = bench.watch(4);
        assertEquals(List.of(0, 1), List.of(first.index(), second.index()));
        assertEquals(List.of(2, 3), List.of(watching.index(), alsoWatching.index()));
        assertEquals(List.of(ROOM_FULL), bench.join(5).refusals());
        assertEquals(List.of(ROOM_FULL), bench.watch(6).refusals());
        assertEquals(List.of("joined 1", "joined 2", "joined 3 to watch", "joined 4 to watch"), take());
        say(first, "count");
        assertEquals(List.of("limit 2 + 2, taken 2 + 2, present 2, players 0 1, spectators 2 3"), take());
        assertEquals(2, bench.host().seatsOccupied(bench.roomId()));
        watching.leave();
        alsoWatching.disconnect();
        say(first, "count");
        assertEquals(List.of("left 3 LEFT", "away 4",
            "limit 2 + 2, taken 2 + 1, present 2, players 0 1, spectators"), take());
        assertEquals(2, bench.watch(6).index());
        bench.replayAndCompare();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 70})
    void shouldGetStatesOfEveryAudienceAndNoEvents(final int seats)
    {
        bench = RoomBench.of(type(seats));
        final BenchSeat player = bench.join(1);
        final BenchSeat other = bench.join(2);
        final BenchSeat spectator = bench.watch(3);
        for (final String order : List.of("event all", "event others", "event group", "claim all", "claim group",
            "state all", "state others", "state group", "state spectator", "claim state", "event but spectator"))
        {
            say(player, order);
        }
        assertEquals(List.of("state all", "state others", "state group", "state spectator", "claim state"),
            spectator.texts());
        assertEquals(List.of("event all", "event group", "claim all", "claim group", "state all", "state group",
            "claim state", "event but spectator"), player.texts());
        assertEquals(List.of("event all", "event others", "event group", "claim all", "claim group", "state all",
            "state others", "state group", "claim state", "event but spectator"), other.texts());
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
    }

    /** The trunk that carries it does not get them either, so that no gateway can leak what it has not got. */
    @Test
    void shouldSendNoEventsToALinkWithSpectatorsAlone()
    {
        final BenchSeat player = bench.join(1);
        bench.watch(3);
        final long before = bench.host().figures(bench.roomId()).sentBytes();
        say(player, "event all");
        assertEquals(before + "event all".length(), bench.host().figures(bench.roomId()).sentBytes());
        say(player, "state all");
        assertEquals(
            before + "event all".length() + 2 * "state all".length(), bench.host().figures(bench.roomId()).sentBytes());
    }

    @Test
    void shouldFailALogicThatSendsAnEventToASpectatorAlone()
    {
        bench.watch(3);
        say(bench.join(1), "event spectator");
        assertEquals(1, bench.failures().size());
        assertTrue(bench.failures().get(0).getMessage().contains("spectator's, which gets no events"),
            bench.failures()::toString);
    }

    /** An event without space puts players away, and no spectator; a state without space is reported to both. */
    @Test
    void shouldLoseStatesAndNoEvents()
    {
        final BenchSeat player = bench.join(1);
        final BenchSeat spectator = bench.watch(3);
        take();
        say(player, "flood states");
        assertEquals(List.of("lost 1", "lost 3"), take());
        say(player, "flood events");
        assertEquals(List.of("away 1"), take());
        assertTrue(spectator.isPresent());
        assertFalse(player.isPresent());
        bench.replayAndCompare();
    }

    @Test
    void shouldRefuseMessages()
    {
        bench.join(1);
        final BenchSeat spectator = bench.watch(3);
        take();
        assertEquals(SPECTATOR, spectator.send("count"));
        assertEquals(SPECTATOR, spectator.send("count"));
        assertEquals(List.of(SPECTATOR, SPECTATOR), spectator.refusals());
        assertEquals(List.of(), take());
        spectator.disconnect();
        assertEquals(RefusalCode.SEAT_AWAY.value(), spectator.send("count"), "away before a spectator");
    }

    @Test
    void shouldAskTheLogicEvenWhenTheRoomIsLocked()
    {
        final BenchSeat player = bench.join(1);
        say(player, "lock");
        assertEquals(List.of(NO), bench.watch(UNWELCOME).refusals());
        assertTrue(bench.watch(3).isPresent());
        assertEquals(List.of(RefusalCode.ROOM_LOCKED.value()), bench.join(2).refusals());
        bench.command(command, 0, encoder.drain(command, 0, Long.MAX_VALUE));
        assertEquals(List.of(RefusalCode.DRAINING.value()), bench.watch(4).refusals());
    }

    @Test
    void shouldNotTakeAReservation()
    {
        final RoomType byReservation = type().admission(RoomType.Admission.BY_RESERVATION);
        bench = RoomBench.of(byReservation);
        bench.command(command, 0, encoder.reserve(command, 0, bench.roomId(), 7, 1_000_000, 0, 0));
        assertTrue(bench.watch(3).isPresent());
        assertEquals(List.of(ALREADY_JOINED), bench.watch(7).refusals(), "it has a seat to play");
        assertEquals(0, bench.join(7).index());
        assertEquals(ALREADY_JOINED,
            bench.command(command, 0, encoder.reserve(command, 0, bench.roomId(), 3, 1_000_000, 0, 0)));
        bench.replayAndCompare();
    }

    /** A player has one seat in a room. */
    @Test
    void shouldGoFromOneKindToTheOtherByLeaving()
    {
        final BenchSeat spectator = bench.watch(3);
        assertEquals(List.of(ALREADY_JOINED), bench.join(3).refusals());
        spectator.leave();
        final BenchSeat player = bench.join(3);
        assertEquals(0, player.index());
        assertEquals(List.of(ALREADY_JOINED), bench.watch(3).refusals());
        player.disconnect();
        assertEquals(List.of(ALREADY_JOINED), bench.watch(3).refusals(), "its seat is held for it to play");
        assertEquals(0, bench.join(3).index());
    }

    @Test
    void shouldPlayWhileItsSpectatorsSeatIsAway()
    {
        bench.watch(3).disconnect();
        take();
        assertEquals(0, bench.join(3).index());
        assertEquals(List.of("left 3 LEFT", "joined 3"), take());
        bench.watch(4);
        assertEquals(List.of("joined 4 to watch"), take());
        bench.replayAndCompare();
    }

    @Test
    void shouldReturnMoveAndEndItsGrace()
    {
        final BenchSeat spectator = bench.watch(3);
        spectator.disconnect();
        final BenchSeat back = bench.watch(3);
        assertEquals(spectator.index(), back.index());
        final BenchSeat moved = bench.watch(3);
        assertEquals(List.of("joined 3 to watch", "away 3", "back 3", "away 3", "back 3"), take());
        assertFalse(back.isPresent());
        moved.disconnect();
        bench.runFor(2 * GRACE_NS);
        assertEquals(List.of("away 3", "left 3 GRACE_EXPIRED"), take());
        bench.replayAndCompare();
    }

    @Test
    void shouldReturnWithItsTrunk()
    {
        final HostRig rig = new HostRig(type());
        rig.turn(1, () ->
        {
            rig.open(1, 1);
            rig.linkUp(0);
            rig.command(rig.encoder.join(rig.buffer, 0, 1, 3, 3, 0, true, rig.payload, 0, 0));
        });
        rig.turn(2, () -> rig.command(rig.encoder.linkDown(rig.buffer, 0, 0)));
        rig.turn(3, () -> rig.command(rig.encoder.linkResumed(rig.buffer, 0, 0, 1, 0)));
        rig.turn(4, () -> rig.command(rig.encoder.stateLost(rig.buffer, 0, 1, 2, 1, 1)));
        rig.turn(5, () -> rig.command(rig.encoder.linkStateLost(rig.buffer, 0, 1)));
        rig.turn(6, () -> rig.command(rig.encoder.seatDown(rig.buffer, 0, 1, 2, 1, 1)));
        assertEquals(List.of("joined 3 to watch", "away 3", "back 3", "lost 3", "lost 3", "away 3"), take());
        rig.turn(7, () ->
        {
            final int length = rig.encoder.join(rig.buffer, 0, 1, 8, 8, 1, true, rig.payload, 0, 0);
            rig.buffer.putByte(8 + JoinDecoder.isSpectatorEncodingOffset(), (byte)2);
            assertEquals(RefusalCode.BAD_VALUE.value(), rig.command(length));
        });
        rig.assertReplays();
    }

    @Test
    void shouldCloseARoomWithSpectatorsAloneAsEmpty()
    {
        final BenchSeat player = bench.join(1);
        final BenchSeat spectator = bench.watch(3);
        bench.runFor(2_000_000_000);
        assertTrue(bench.host().isOpen(bench.roomId()));
        player.leave();
        take();
        bench.runFor(2_000_000_000);
        assertFalse(bench.host().isOpen(bench.roomId()));
        assertFalse(spectator.isPresent());
        assertEquals(List.of("left 3 ROOM_CLOSED", "closed EMPTY"), take());
        bench.replayAndCompare();
    }

    /** Kicked with a code, by an operator, and with the data of its seat cleared for the next. */
    @Test
    void shouldBeKicked()
    {
        final BenchSeat player = bench.join(1);
        bench.watch(3);
        say(player, "mark");
        say(player, "kick");
        assertEquals("left 3 KICKED", events.get(events.size() - 1));
        bench.watch(4);
        bench.watch(5);
        take();
        say(player, "marks");
        assertEquals(List.of("marks 0 0"), take());
        bench.command(command, 0, encoder.kick(command, 0, bench.roomId(), 5));
        assertEquals(List.of("left 5 KICKED"), take());
    }

    @Test
    void shouldRestoreThem()
    {
        final HostRig rig = new HostRig(type());
        rig.turn(1, () ->
        {
            rig.open(1, 1);
            rig.linkUp(0);
            rig.join(1, 1, 0);
            rig.command(rig.encoder.join(rig.buffer, 0, 1, 3, 3, 0, true, rig.payload, 0, 0));
            rig.command(rig.encoder.join(rig.buffer, 0, 1, 4, 4, 0, true, rig.payload, 0, 0));
            rig.command(rig.encoder.leave(rig.buffer, 0, 1, 2, 1, 0));
        });
        final ByteSink sink = new ByteSink();
        rig.host.snapshot(sink);
        final RoomHost restored = RoomHost.restore(rig.context(), sink.buffer(), 0, sink.length());
        assertEquals(rig.host.stateHash(), restored.stateHash());
        take();
        for (final RoomHost host : List.of(rig.host, restored))
        {
            host.beginTurn(5);
            assertEquals(SPECTATOR, host.onCommand(rig.buffer, 0,
                rig.encoder.message(rig.buffer, 0, 1, 1, 3, 1, 0, rig.payload, 0, 4)));
            assertEquals(0, host.onCommand(rig.buffer, 0,
                rig.encoder.join(rig.buffer, 0, 1, 5, 5, 0, true, rig.payload, 0, 0)));
            assertEquals(ROOM_FULL, host.onCommand(rig.buffer, 0,
                rig.encoder.join(rig.buffer, 0, 1, 6, 6, 0, true, rig.payload, 0, 0)));
            host.endTurn();
        }
        assertEquals(List.of("joined 5 to watch", "joined 5 to watch"), take());
        assertEquals(rig.host.stateHash(), restored.stateHash());
    }

    @Test
    void shouldLimitTheOptionAndCountItOnlyIfItIsUsed()
    {
        final long without = RoomType.of(1, "x", 1, Quiet::new).settingsHash();
        assertEquals(without, RoomType.of(1, "x", 1, Quiet::new).spectators(0).settingsHash());
        assertNotEquals(without, RoomType.of(1, "x", 1, Quiet::new).spectators(3).settingsHash());
        assertThrows(ConfigException.class, () -> RoomType.of(1, "x", 1, Quiet::new).spectators(-1));
        assertThrows(ConfigException.class,
            () -> RoomType.of(1, "x", 1, Quiet::new).seats(RoomType.MAX_SEATS).spectators(1));
        assertThrows(ConfigException.class,
            () -> RoomType.of(1, "x", 1, Quiet::new).spectators(1).seats(RoomType.MAX_SEATS));
        final HostContext small = new HostContext().outputs(new NoOutputs()).seatLimit(3).roomType(type());
        final RoomHost host = new RoomHost(small);
        host.beginTurn(1);
        assertEquals(RefusalCode.HOST_FULL.value(), host.onCommand(command, 0,
            encoder.openRoom(command, 0, 1, 1, 0, 0, 1, command, 0, 0)));
        host.endTurn();
    }

    private void say(final BenchSeat seat, final String order)
    {
        assertEquals(0, seat.send(order));
    }

    /** Notes its callbacks, and obeys the messages of players. */
    private final class Stage implements RoomLogic
    {
        private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[4_096]);
        private Room room;
        private SeatGroup group;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            group = opened.newGroup();
        }

        @Override
        public int onWatchRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
        {
            return UNWELCOME == playerId ? NO : ACCEPT;
        }

        @Override
        public void onJoin(final Seat seat)
        {
            events.add("joined " + seat.playerId() + (seat.isSpectator() ? " to watch" : ""));
            group.add(seat);
        }

        @Override
        public void onAway(final Seat seat)
        {
            events.add("away " + seat.playerId());
        }

        @Override
        public void onBack(final Seat seat)
        {
            events.add("back " + seat.playerId());
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            events.add("lost " + seat.playerId());
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            events.add("left " + seat.playerId() + " " + reason);
        }

        @Override
        public void onClose(final CloseReason reason)
        {
            events.add("closed " + reason);
        }

        @Override
        public void onDrain(final Room drained, final long deadlineNs)
        {
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
            group = restored.group(0);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            final String order = buffer.getStringWithoutLengthAscii(offset, length);
            switch (order)
            {
                case "event all" -> room.sendEvent(room.everyone(), buffer, offset, length);
                case "event others" -> room.sendEvent(room.everyoneBut(from), buffer, offset, length);
                case "event group" -> room.sendEvent(group, buffer, offset, length);
                case "event spectator" -> room.sendEvent(room.nextSpectator(0), buffer, offset, length);
                case "event but spectator" ->
                    room.sendEvent(room.everyoneBut(room.nextSpectator(0)), buffer, offset, length);
                case "claim all" ->
                {
                    room.claimEvent(room.everyone(), length).putBytes(0, buffer, offset, length);
                    room.commit(length);
                }
                case "claim group" ->
                {
                    room.claimEvent(group, length).putBytes(0, buffer, offset, length);
                    room.commit(length);
                }
                case "claim state" ->
                {
                    room.claimState(group, length).putBytes(0, buffer, offset, length);
                    room.commit(length);
                }
                case "state all" -> room.sendState(room.everyone(), buffer, offset, length);
                case "state others" -> room.sendState(room.everyoneBut(from), buffer, offset, length);
                case "state group" -> room.sendState(group, buffer, offset, length);
                case "state spectator" -> room.sendState(room.nextSpectator(0), buffer, offset, length);
                case "flood states" -> flood(false);
                case "flood events" -> flood(true);
                case "lock" -> room.lock(true);
                case "kick" -> room.kick(room.nextSpectator(0), NO);
                case "mark" -> room.data(room.nextSpectator(0)).putInt(0, 7);
                case "marks" -> events.add("marks " + room.data(room.seat(2)).getInt(0) + " " +
                    room.data(room.seat(3)).getInt(0));
                default -> count();
            }
        }

        private void flood(final boolean isEvent)
        {
            for (int i = 0; i < 20; i++)
            {
                if (isEvent)
                {
                    room.sendEvent(room.everyone(), bytes, 0, bytes.capacity());
                }
                else
                {
                    room.sendState(room.everyone(), bytes, 0, bytes.capacity());
                }
            }
        }

        private void count()
        {
            final StringBuilder text = new StringBuilder("limit " + room.seatLimit() + " + " + room.spectatorLimit() +
                ", taken " + room.seatsTaken() + " + " + room.spectators() + ", present " + room.seatsPresent() +
                ", players");
            for (Seat seat = room.nextPresent(0); null != seat; seat = room.nextPresent(seat.index() + 1))
            {
                text.append(' ').append(seat.index());
            }
            text.append(", spectators");
            for (Seat seat = room.nextSpectator(0); null != seat; seat = room.nextSpectator(seat.index() + 1))
            {
                text.append(' ').append(seat.index());
            }
            assertNull(room.seat(room.seatLimit() + room.spectatorLimit()));
            events.add(text.toString());
        }
    }
}
