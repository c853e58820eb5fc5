package io.escapement.rooms.host;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A close that a callback requested is done when its command returns, before the next command of the turn. */
class StepEndTest
{
    private static final int TYPE = 1;

    enum Callback
    {
        OPEN, REQUEST, JOIN, AWAY, BACK, LEAVE, MESSAGE, SIGNAL, REPLY, STATE_LOST, DRAIN, DIRECTORY
    }

    private Callback closesIn;
    private long request;
    private HostRig rig = new HostRig(RoomType.of(TYPE, "closing", 1, Closing::new));

    @ParameterizedTest
    @EnumSource(Callback.class)
    void shouldCloseTheRoomBeforeTheNextCommand(final Callback callback)
    {
        closesIn = callback;
        rig.turn(1, () ->
        {
            rig.linkUp(0);
            assertEquals(0, rig.open(1, TYPE));
            if (Callback.OPEN != callback)
            {
                final int joined = rig.join(1, 7, 0);
                if (Callback.REQUEST != callback && Callback.JOIN != callback)
                {
                    assertEquals(0, joined);
                    assertEquals(1, rig.host.openRooms());
                    assertEquals(0, step(callback));
                }
            }
            assertEquals(0, rig.host.openRooms());
            assertEquals(RefusalCode.UNKNOWN_ROOM.value(), rig.join(1, 8, 0));
        });
        assertEquals(0, rig.host.pendingTimers());
        rig.assertReplays();
    }

    /** A refusal that answers a request and one that answers a signal are two ways into the same callback. */
    @Test
    void shouldCloseTheRoomAfterARefusal()
    {
        closesIn = Callback.REPLY;
        rig.turn(1, () ->
        {
            rig.open(1, TYPE);
            assertEquals(0, rig.command(
                rig.encoder.refusal(rig.buffer, 0, 1, request, RefusalCode.QUEUE_FULL.value())));
            assertEquals(0, rig.host.openRooms());
        });
        rig.assertReplays();
    }

    @Test
    void shouldCloseTheRoomAfterAKickByCommand()
    {
        closesIn = Callback.LEAVE;
        rig.turn(1, () ->
        {
            rig.open(1, TYPE);
            rig.linkUp(0);
            rig.join(1, 7, 0);
            assertEquals(0, rig.command(rig.encoder.kick(rig.buffer, 0, 1, 7)));
            assertEquals(0, rig.host.openRooms());
        });
        rig.assertReplays();
    }

    @Test
    void shouldCloseTheRoomAfterStatesOfItsLinkWereLost()
    {
        closesIn = Callback.STATE_LOST;
        rig.turn(1, () ->
        {
            rig.open(1, TYPE);
            rig.linkUp(0);
            rig.join(1, 7, 0);
            assertEquals(0, rig.command(rig.encoder.linkStateLost(rig.buffer, 0, 0)));
            assertEquals(0, rig.host.openRooms());
        });
        rig.assertReplays();
    }

    @Test
    void shouldCloseTheRoomAfterAClosure()
    {
        rig = new HostRig(RoomType.of(TYPE, "party", 1, Closing::new).ephemeral());
        rig.turn(1, () ->
        {
            rig.open(1, TYPE);
            assertEquals(0, rig.host.execute(1, Room::close));
            assertEquals(0, rig.host.openRooms());
        });
    }

    private int step(final Callback callback)
    {
        return switch (callback)
        {
            case AWAY -> rig.command(rig.encoder.linkDown(rig.buffer, 0, 0));
            case BACK -> back();
            case LEAVE -> rig.command(rig.encoder.leave(rig.buffer, 0, 1, 0, 1, 0));
            case MESSAGE -> rig.message(1, 0, 1, 0, 8);
            case SIGNAL -> rig.command(rig.encoder.signal(rig.buffer, 0, 1, 0, 0, rig.payload, 0, 8));
            case REPLY -> rig.command(rig.encoder.reply(rig.buffer, 0, 1, request, 0, rig.payload, 0, 8));
            case STATE_LOST -> rig.command(rig.encoder.stateLost(rig.buffer, 0, 1, 0, 1));
            case DRAIN -> rig.command(rig.encoder.drain(rig.buffer, 0, 1_000));
            default -> rig.command(rig.encoder.directoryEntry(
                rig.buffer, 0, 1, 9, 1, 1, 1, 0, DirectoryChange.OPENED, rig.payload, 0, 0));
        };
    }

    private int back()
    {
        assertEquals(0, rig.command(rig.encoder.linkDown(rig.buffer, 0, 0)));
        return rig.command(rig.encoder.linkResumed(rig.buffer, 0, 0, 0, 0));
    }

    private final class Closing extends Quiet
    {
        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            super.onOpen(opened, args, offset, length);
            request = room.async(1, 1, args, offset, length);
            closeIn(Callback.OPEN);
        }

        @Override
        public int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
        {
            closeIn(Callback.REQUEST);
            return ACCEPT;
        }

        @Override
        public void onJoin(final Seat seat)
        {
            closeIn(Callback.JOIN);
        }

        @Override
        public void onAway(final Seat seat)
        {
            closeIn(Callback.AWAY);
        }

        @Override
        public void onBack(final Seat seat)
        {
            closeIn(Callback.BACK);
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            closeIn(Callback.LEAVE);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            closeIn(Callback.MESSAGE);
        }

        @Override
        public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            closeIn(Callback.SIGNAL);
        }

        @Override
        public void onReply(
            final long id, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            closeIn(Callback.REPLY);
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            closeIn(Callback.STATE_LOST);
        }

        @Override
        public void onDrain(final Room draining, final long deadlineNs)
        {
            closeIn(Callback.DRAIN);
        }

        @Override
        public void onDirectory(final DirectoryEntry entry)
        {
            closeIn(Callback.DIRECTORY);
        }

        private void closeIn(final Callback callback)
        {
            if (callback == closesIn)
            {
                room.close();
            }
        }
    }
}
