package io.escapement.rooms.internal;

import io.escapement.rooms.RoomType;

/**
 * The fixed properties of one open room. Parts of a room compare identities by reference.
 *
 * @param type    of the room.
 * @param roomId  of the room.
 * @param ordinal rises with every room that its host opens.
 * @param slot    small number that the wheel knows the room by; reused after the room has closed.
 * @param limits  that the room has reserved.
 */
record RoomIdentity(RoomType type, long roomId, long ordinal, int slot, RoomLimits limits)
{
}
