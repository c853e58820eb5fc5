/**
 * What the author of a room writes against.
 *
 * <p>A {@link io.escapement.rooms.RoomType} names a kind of room and its limits, a
 * {@link io.escapement.rooms.RoomLogic} is the code of one room, a {@link io.escapement.rooms.Room} is what the logic
 * may do, a {@link io.escapement.rooms.Seat} is a place at its table. Nothing here has a clock, a thread or a socket:
 * a room changes by commands and by the time of the turns that run it, so the same commands give the same room.
 */
package io.escapement.rooms;
