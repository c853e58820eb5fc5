/**
 * The API for authors of rooms.
 *
 * <p>{@link io.escapement.rooms.RoomType} names a kind of room and its limits. {@link io.escapement.rooms.RoomLogic} is
 * the code of one room: start there, it draws the order of the callbacks. {@link io.escapement.rooms.Room} is what the
 * logic acts through, and {@link io.escapement.rooms.Seat} is a place in it.
 *
 * <p>Nothing in this package has a clock, a thread or a socket. A room changes through commands and the times of its
 * turns, so the same commands produce the same room, on every machine and every JDK.
 */
package io.escapement.rooms;
