package io.escapement.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.agrona.collections.IntArrayList;

/**
 * The oracle: what the rooms of a simulation have done, which clients compare with what reaches them. Rooms that a
 * replay runs have an oracle that nobody asks.
 */
final class SimulatedRooms
{
    /** Added by {@link SimulatedRoom}; of a room that failed, the last state. */
    static final class RoomState
    {
        final long roomId;
        final SeatState[] seats = new SeatState[SimulatedRoom.SEATS];
        /** Events sent in each presence of a player, by epoch. */
        final IntArrayList eventsByEpoch = new IntArrayList();
        boolean isOpen = true;

        RoomState(final long roomId)
        {
            this.roomId = roomId;
            for (int i = 0; i < seats.length; i++)
            {
                seats[i] = new SeatState();
            }
            eventsByEpoch.addInt(0);
        }

        /** It is about to throw. */
        void fail()
        {
            isOpen = false;
            for (final SeatState seat : seats)
            {
                seat.isPresent = false;
                seat.isTaken = false;
            }
        }

        /** Events of a presence, once it has begun. */
        int events(final int epoch)
        {
            return eventsByEpoch.getInt(epoch);
        }
    }

    /** One seat, as its room sees it. */
    static final class SeatState
    {
        long playerId;
        int generation;
        boolean isTaken;
        boolean isPresent;
        /** Unique in the room for each presence of a player, between joining or coming back and going away. */
        int epoch;
        long lastSequence;
        /** Messages of this presence that are missing between others. */
        long missing;
        long awaySinceNs;
        private int receivedEpoch;

        /** A message has been received. Those before the first of a presence may have been lost with a trunk. */
        void received(final long sequence)
        {
            missing = receivedEpoch == epoch ? missing + sequence - lastSequence - 1 : 0;
            receivedEpoch = epoch;
            lastSequence = sequence;
        }
    }

    private final Map<Long, RoomState> roomByIdMap = new HashMap<>();
    private final List<Long> roomIds = new ArrayList<>();
    private final Consumer<String> violations;
    private final LongConsumer pause;
    private long messages;

    /**
     * Make one.
     *
     * @param pause      lets time pass inside of a callback.
     * @param violations gets what must not be.
     */
    SimulatedRooms(final LongConsumer pause, final Consumer<String> violations)
    {
        this.pause = pause;
        this.violations = violations;
    }

    RoomState opened(final long roomId)
    {
        final RoomState room = new RoomState(roomId);
        if (null != roomByIdMap.put(roomId, room))
        {
            violated("room " + roomId + " opened twice");
        }
        roomIds.add(roomId);
        return room;
    }

    RoomState room(final long roomId)
    {
        return roomByIdMap.get(roomId);
    }

    /** Ids of the rooms that are open, in the order in which they opened. */
    List<Long> openRoomIds()
    {
        return roomIds.stream().filter((roomId) -> roomByIdMap.get(roomId).isOpen).toList();
    }

    Iterable<RoomState> rooms()
    {
        return roomIds.stream().map(roomByIdMap::get).toList();
    }

    /** A room takes its time. */
    void pause(final long ns)
    {
        pause.accept(ns);
    }

    void onMessage()
    {
        messages++;
    }

    /** Messages of players that rooms have received. */
    long messages()
    {
        return messages;
    }

    void violated(final String what)
    {
        violations.accept(what);
    }
}
