package io.escapement.rooms.host;

import io.escapement.rooms.Audience;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.RoomUseException;
import io.escapement.rooms.Seat;
import io.escapement.rooms.SeatGroup;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.output.ByteSink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A room that uses the seat of a player who has left, or of another room, reaches neither the next player nor that. */
class SeatMisuseTest
{
    private static final long OTHER = 1;
    private static final long ACTING = 2;
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(new byte[8]);

    /** A call that takes a seat. The calls of a group are without effect for a player who has left. */
    enum Use
    {
        SEND_EVENT, SEND_STATE, CLAIM_EVENT, CLAIM_STATE, KICK, REFUSE, EVERYONE_BUT, SEND_TO_KEPT_AUDIENCE,
        CLAIM_FOR_KEPT_AUDIENCE, GROUP_ADD, GROUP_REMOVE, GROUP_CONTAINS
    }

    private final Map<Long, Keeping> logicByRoomMap = new HashMap<>();
    private final HostRig rig =
        new HostRig(RoomType.of(1, "keeping", 1, () -> new Keeping(logicByRoomMap)).seats(2));
    private final List<String> results = new ArrayList<>();

    @ParameterizedTest
    @EnumSource(value = Use.class, mode = EnumSource.Mode.MATCH_NONE, names = "GROUP_.*")
    void shouldFailTheRoomThatUsesTheSeatOfAPlayerWhoHasLeft(final Use use)
    {
        start();
        leave();
        act((logic) -> logic.use(use, logic.first, logic.allButFirst));
        assertFailed("the player has left: seat 0/1 of player 7");
    }

    @ParameterizedTest
    @EnumSource(value = Use.class, mode = EnumSource.Mode.MATCH_NONE, names = "GROUP_.*")
    void shouldFailTheRoomThatUsesTheSeatOfAPlayerWhosePlaceHasAnother(final Use use)
    {
        start();
        leave();
        joinInPlace();
        act((logic) -> logic.use(use, logic.first, logic.allButFirst));
        assertFailed("the player has left: seat 0/1 of player 7");
    }

    @Test
    void shouldNotAddThePlayerToAGroupWhoHasThePlaceOfOneWhoHasLeft()
    {
        start();
        leave();
        joinInPlace();
        act((logic) -> logic.use(Use.GROUP_ADD, logic.first, null));
        act((logic) -> results.add(logic.group.isEmpty() + " " + logic.group.contains(logic.room.seat(0))));
        assertResults("true false");
    }

    @Test
    void shouldNotFindOrRemoveThePlayerInAGroupWhoHasThePlaceOfOneWhoHasLeft()
    {
        start();
        act((logic) -> logic.group.add(logic.first));
        act((logic) -> results.add("before " + logic.group.contains(logic.first)));
        leave();
        act((logic) -> results.add("free " + logic.group.contains(logic.first)));
        joinInPlace();
        act((logic) -> logic.group.add(logic.room.seat(0)));
        act((logic) -> results.add("next " + logic.group.contains(logic.first)));
        act((logic) -> logic.group.remove(logic.first));
        act((logic) -> results.add("removed " + !logic.group.contains(logic.room.seat(0))));
        assertResults("before true", "free false", "next false", "removed false");
    }

    @Test
    void shouldLetASeatKeepWhatNamesItsPlayer()
    {
        start();
        leave();
        joinInPlace();
        act((logic) -> results.add(logic.first.index() + "/" + logic.first.generation() + " " +
            logic.first.playerId() + " " + logic.first.isPresent() + " " + (Seat.NO_TRUNK == logic.first.trunkId())));
        act((logic) -> results.add(logic.room.seat(0).index() + "/" + logic.room.seat(0).generation() + " " +
            logic.room.seat(0).playerId() + " " + logic.room.seat(0).isPresent()));
        act((logic) -> results.add("" + logic.room.seat(logic.first.index(), logic.first.generation())));
        assertResults("0/1 7 false true", "0/2 11 true", "null");
    }

    @Test
    void shouldUseASeatWhileItsPlayerIsAwayAndBack()
    {
        start();
        rig.turn(2, () -> rig.command(rig.encoder.linkDown(rig.buffer, 0, 0)));
        act((logic) -> logic.use(Use.SEND_EVENT, logic.first, null));
        assertEquals(0, rig.outputs.messages());
        rig.turn(3, () -> rig.command(rig.encoder.linkResumed(rig.buffer, 0, 0, 0, 0)));
        act((logic) -> logic.use(Use.SEND_EVENT, logic.first, null));
        assertEquals(1, rig.outputs.messages());
        act((logic) -> results.add("" + (logic.first == logic.room.seat(0))));
        assertResults("true");
    }

    @ParameterizedTest
    @EnumSource(value = Use.class)
    void shouldFailTheRoomThatUsesASeatOfAnotherRoom(final Use use)
    {
        start();
        final Keeping other = logicByRoomMap.get(OTHER);
        signal(OTHER, () -> other.group.add(other.first));
        act((logic) -> logic.use(use, logicByRoomMap.get(OTHER).first, logicByRoomMap.get(OTHER).allButFirst));
        signal(OTHER, () -> results.add(other.group.contains(other.first) + " " + other.room.seatsTaken()));
        assertEquals(List.of("true 1"), results);
        assertEquals(0, rig.outputs.messages());
        assertEquals(1, rig.host.openRooms());
        assertInstanceOf(IllegalArgumentException.class, rig.failures.get(0));
        assertEquals("seat 0/1 of player 7 belongs to another room", rig.failures.get(0).getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"add", "remove", "clear", "contains", "isEmpty"})
    void shouldFailTheRoomThatUsesTheGroupOfAnotherRoom(final String call)
    {
        start();
        final Keeping other = logicByRoomMap.get(OTHER);
        signal(OTHER, () -> other.group.add(other.first));
        act((logic) -> call(other.group, call, other.first));
        assertInstanceOf(RoomUseException.class, rig.failures.get(0));
        assertEquals(1, rig.host.openRooms());
        signal(OTHER, () -> results.add("" + other.group.contains(other.first)));
        assertEquals(List.of("true"), results);
    }

    @ParameterizedTest
    @ValueSource(strings = {"add", "remove", "clear"})
    void shouldRefuseToChangeAGroupWhileASnapshotIsWritten(final String call)
    {
        start();
        final Keeping acting = logicByRoomMap.get(ACTING);
        acting.onSnapshot = () -> call(acting.group, call, acting.first);
        assertInstanceOf(RoomUseException.class, assertThrows(
            IllegalStateException.class, () -> rig.host.snapshot(new ByteSink())).getCause());
    }

    @ParameterizedTest
    @ValueSource(strings = {"contains", "isEmpty"})
    void shouldReadAGroupWhileASnapshotIsWritten(final String call)
    {
        start();
        final Keeping acting = logicByRoomMap.get(ACTING);
        acting.onSnapshot = () -> call(acting.group, call, acting.first);
        rig.host.snapshot(new ByteSink());
        assertEquals(List.of("contains".equals(call) ? "false" : "true"), results);
    }

    private void call(final SeatGroup group, final String call, final Seat seat)
    {
        switch (call)
        {
            case "add" -> group.add(seat);
            case "remove" -> group.remove(seat);
            case "clear" -> group.clear();
            case "contains" -> results.add("" + group.contains(seat));
            default -> results.add("" + group.isEmpty());
        }
    }

    private interface Act
    {
        void by(Keeping logic);
    }

    private void start()
    {
        rig.turn(1, () ->
        {
            rig.linkUp(0);
            for (long room = OTHER; room <= ACTING; room++)
            {
                rig.open(room, 1);
                rig.join(room, 7, 0);
            }
        });
    }

    private void leave()
    {
        rig.turn(2, () -> assertEquals(0, rig.command(rig.encoder.kick(rig.buffer, 0, ACTING, 7))));
    }

    /** Let player 10 take the other seat, and player 11 the one that was left. */
    private void joinInPlace()
    {
        rig.turn(3, () ->
        {
            assertEquals(0, rig.join(ACTING, 10, 0));
            assertEquals(0, rig.join(ACTING, 11, 0));
        });
    }

    private void act(final Act act)
    {
        signal(ACTING, () -> act.by(logicByRoomMap.get(ACTING)));
    }

    private void signal(final long roomId, final Runnable action)
    {
        logicByRoomMap.get(roomId).onSignal = action;
        rig.turn(5, () -> rig.command(rig.encoder.signal(rig.buffer, 0, roomId, 0, 0, rig.payload, 0, 8)));
    }

    private void assertFailed(final String message)
    {
        assertEquals(0, rig.outputs.messages());
        assertEquals(1, rig.host.openRooms());
        assertEquals(1, rig.failures.size());
        assertInstanceOf(IllegalArgumentException.class, rig.failures.get(0));
        assertEquals(message, rig.failures.get(0).getMessage());
    }

    private void assertResults(final String... expected)
    {
        assertEquals(List.of(), rig.failures);
        assertEquals(List.of(expected), results);
    }

    /** Keeps the first seat that it sees, and the audience of all others. */
    private static final class Keeping extends Quiet
    {
        private final Map<Long, Keeping> logicByRoomMap;
        private SeatGroup group;
        private Seat first;
        private Audience allButFirst;
        private Runnable onSnapshot = () ->
        {
        };

        Keeping(final Map<Long, Keeping> logicByRoomMap)
        {
            this.logicByRoomMap = logicByRoomMap;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            super.onOpen(opened, args, offset, length);
            logicByRoomMap.put(room.roomId(), this);
            group = room.newGroup();
        }

        @Override
        public void onJoin(final Seat seat)
        {
            if (null == first)
            {
                first = seat;
                allButFirst = room.everyoneBut(seat);
            }
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            onSnapshot.run();
        }

        private void use(final Use use, final Seat seat, final Audience allBut)
        {
            switch (use)
            {
                case SEND_EVENT -> room.sendEvent(seat, MESSAGE, 0, 8);
                case SEND_STATE -> room.sendState(seat, MESSAGE, 0, 8);
                case CLAIM_EVENT -> claim(seat, true);
                case CLAIM_STATE -> claim(seat, false);
                case KICK -> room.kick(seat);
                case REFUSE -> room.refuse(seat, RoomLogic.FIRST_APPLICATION_CODE);
                case EVERYONE_BUT -> room.everyoneBut(seat);
                case SEND_TO_KEPT_AUDIENCE -> room.sendEvent(allBut, MESSAGE, 0, 8);
                case CLAIM_FOR_KEPT_AUDIENCE -> claim(allBut, false);
                case GROUP_ADD -> group.add(seat);
                case GROUP_REMOVE -> group.remove(seat);
                default -> group.contains(seat);
            }
        }

        private void claim(final Audience audience, final boolean isEvent)
        {
            final DirectBuffer claimed = isEvent ? room.claimEvent(audience, 8) : room.claimState(audience, 8);
            room.commit(claimed.capacity());
        }
    }
}
