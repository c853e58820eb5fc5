package io.escapement.perf.players;

import io.escapement.codecs.TrunkMessages;
import java.util.List;

/**
 * Who plays where.
 *
 * @param rooms     of the engine.
 * @param seats     of a room, all taken.
 * @param hz        frames of a room, and states to its players, a second.
 * @param trunks    that the players come over.
 * @param state     bytes of a state.
 * @param placement {@link #SPREAD} or {@link #ALIGNED}.
 */
public record Crowd(int rooms, int seats, int hz, int trunks, int state, String placement)
{
    /** A room's seats are on different trunks. */
    public static final String SPREAD = "spread";
    /** A room's seats are on one trunk. */
    public static final String ALIGNED = "aligned";
    /** Both of them, the first is what a run has unless it is told otherwise. */
    public static final List<String> PLACEMENTS = List.of(SPREAD, ALIGNED);

    /** How many arguments {@link #toArguments()} has. */
    static final int ARGUMENTS = 6;

    /**
     * How many players there are.
     *
     * @return the number.
     */
    public int players()
    {
        return rooms * seats;
    }

    /**
     * The same with another number of rooms.
     *
     * @param count of rooms.
     * @return a new crowd.
     */
    public Crowd withRooms(final int count)
    {
        return new Crowd(count, seats, hz, trunks, state, placement);
    }

    /**
     * The least bytes of a state that has a place for every seat's last move.
     *
     * @param seats of the room.
     * @return the bytes.
     */
    public static int leastState(final int seats)
    {
        return Wire.leastState(seats);
    }

    /**
     * The most bytes of a state.
     *
     * @return what a room can send at once.
     */
    public static int mostState()
    {
        return TrunkMessages.MAX_MESSAGE_LENGTH;
    }

    int trunkOf(final int room, final int seat)
    {
        return ALIGNED.equals(placement) ? room % trunks : (room + seat) % trunks;
    }

    List<String> toArguments()
    {
        return List.of(Integer.toString(rooms), Integer.toString(seats), Integer.toString(hz),
            Integer.toString(trunks), Integer.toString(state), placement);
    }

    static Crowd of(final String[] arguments)
    {
        return new Crowd(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]),
            arguments[5]);
    }
}
