/**
 * The API for authors of rooms.
 *
 * <p>{@link io.escapement.rooms.RoomType} names a kind of room and its limits. {@link io.escapement.rooms.RoomLogic} is
 * the code of one room: start there, it draws the order of the callbacks. A logic acts through
 * {@link io.escapement.rooms.Room}, and {@link io.escapement.rooms.Seat} is a place in it.
 *
 * <p>This package has no clock, no thread and no socket. A room changes through commands and the times of its turns.
 * Therefore the same commands produce the same room, on every machine and every JDK.
 */
package io.escapement.rooms;
