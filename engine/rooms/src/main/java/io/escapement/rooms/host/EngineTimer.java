package io.escapement.rooms.host;

import io.escapement.rooms.CloseReason;

/**
 * The timers that the engine sets for a room. In the wheel their ids are negative, and each seat has a timer of the
 * last kind. The timers of the logic have the ids of their slots, see {@link RoomTimers}.
 */
enum EngineTimer
{
    /** Flushes the output. */
    FLUSH
    {
        @Override
        void due(final RoomInstance room, final int id)
        {
            room.output.onFlushTimer();
            room.flushAndNotify();
        }

        @Override
        void restored(final RoomInstance room, final int id, final int node)
        {
            room.output.restoredNode(node);
        }
    },

    /** Notifies the logic of requests that the room itself refused. */
    REFUSALS
    {
        @Override
        void due(final RoomInstance room, final int id)
        {
            room.requests.onRefusalsTimer();
            room.notifyRefusals();
        }

        @Override
        void restored(final RoomInstance room, final int id, final int node)
        {
            room.requests.restoredNode(node);
        }
    },

    /** Closes the room when it has been empty for too long. */
    EMPTY
    {
        @Override
        void due(final RoomInstance room, final int id)
        {
            if (room.membership.onEmptyTimer())
            {
                room.close(CloseReason.EMPTY);
            }
        }

        @Override
        void restored(final RoomInstance room, final int id, final int node)
        {
            room.membership.restoredEmptyTimer(node);
        }
    },

    /** Refuses questions that have no answer in time. */
    QUESTIONS
    {
        @Override
        void due(final RoomInstance room, final int id)
        {
            room.requests.questions.onTimer();
        }

        @Override
        void restored(final RoomInstance room, final int id, final int node)
        {
            room.requests.questions.restoredNode(node);
        }
    },

    /** Ends the wait of a seat: a reservation, a join or a grace. */
    SEAT
    {
        @Override
        void due(final RoomInstance room, final int id)
        {
            room.membership.timerDue(seat(room, id));
        }

        @Override
        void restored(final RoomInstance room, final int id, final int node)
        {
            seat(room, id).timerNode(node);
        }

        private SeatState seat(final RoomInstance room, final int id)
        {
            return room.seats.at(id() - id);
        }
    };

    /** Node of a timer that is not set. */
    static final int NO_NODE = -1;

    /** Nodes of a room in addition to the nodes of its logic and its seats. */
    static final int EXTRA_NODES = SEAT.ordinal();

    private static final EngineTimer[] TIMERS = values();

    private final int id = -1 - ordinal();

    /** Id in the wheel. */
    int id()
    {
        return id;
    }

    static int ofSeat(final int seatIndex)
    {
        return SEAT.id - seatIndex;
    }

    /** The kind of a timer with a negative id. */
    static EngineTimer of(final int id)
    {
        return TIMERS[Math.min(-1 - id, SEAT.ordinal())];
    }

    /** The wheel has freed the node of a timer that is due. */
    abstract void due(RoomInstance room, int id);

    /** A snapshot had the timer. */
    abstract void restored(RoomInstance room, int id, int node);
}
