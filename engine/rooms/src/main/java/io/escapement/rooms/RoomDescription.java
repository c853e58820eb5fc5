package io.escapement.rooms;

/** Takes the values of a room by name, for people: a debugger shows them, compares them, and stops when they change. */
public interface RoomDescription
{
    /**
     * A whole number.
     *
     * @param name  unique in the room, such as {@code round} or {@code players[3].score}.
     * @param value of it.
     */
    void put(String name, long value);

    /**
     * A number with a fraction.
     *
     * @param name  unique in the room.
     * @param value of it.
     */
    void put(String name, double value);

    /**
     * A text.
     *
     * @param name  unique in the room.
     * @param value of it.
     */
    void put(String name, String value);
}
