package io.escapement.rooms.host;

import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.StateWriter;
import java.util.HexFormat;
import org.agrona.DirectBuffer;

/** Names the values of a room for people. */
final class RoomValues
{
    private RoomValues()
    {
    }

    static void describe(final RoomInstance room, final RoomDescription to)
    {
        to.put("room.type", room.type().name());
        to.put("room.version", room.type().version());
        to.put("room.frameRate", room.rateHz());
        to.put("room.callbacks", room.invoker.count() + room.uncounted());
        to.put("room.isLocked", room.membership.isLocked() ? 1 : 0);
        for (int i = 0; i < room.seats.limit(); i++)
        {
            final SeatState seat = room.seats.at(i);
            if (seat.isTaken())
            {
                to.put("seats[" + i + "]", "player " + seat.playerId() + (seat.isPresent() ? "" : ", away") +
                    (seat.isSpectator() ? ", watches" : "") + ", generation " + seat.generation() +
                    ", last message " + seat.lastSequence());
            }
        }
        room.timers.describe(to);
        room.requests.describe(to);
        describe(room.invoker.logic(), to);
    }

    private static void describe(final RoomLogic logic, final RoomDescription to)
    {
        final Counted counted = new Counted(to);
        try
        {
            logic.onDescribe(counted);
            if (0 == counted.count)
            {
                logic.onSnapshot(new Unnamed(to));
            }
        }
        catch (final RuntimeException ex)
        {
            to.put("logic", "threw " + ex);
        }
    }

    /** Notes whether the logic names anything. */
    private static final class Counted implements RoomDescription
    {
        private final RoomDescription to;
        private int count;

        Counted(final RoomDescription to)
        {
            this.to = to;
        }

        @Override
        public void put(final String name, final long value)
        {
            count++;
            to.put(name, value);
        }

        @Override
        public void put(final String name, final double value)
        {
            count++;
            to.put(name, value);
        }

        @Override
        public void put(final String name, final String value)
        {
            count++;
            to.put(name, value);
        }
    }

    /** The values of a snapshot, numbered. */
    private static final class Unnamed implements StateWriter
    {
        private final RoomDescription to;
        private int count;

        Unnamed(final RoomDescription to)
        {
            this.to = to;
        }

        @Override
        public void putLong(final long value)
        {
            to.put(name(), value);
        }

        @Override
        public void putDouble(final double value)
        {
            to.put(name(), value);
        }

        @Override
        public void putBytes(final DirectBuffer buffer, final int offset, final int length)
        {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            to.put(name(), HexFormat.of().formatHex(bytes));
        }

        private String name()
        {
            return "snapshot[" + count++ + "]";
        }
    }
}
