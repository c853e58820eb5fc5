package io.escapement.rooms.host;

import io.escapement.rooms.Audience;

/** Every seat of a room. There is one per room, compared by identity. */
final class Everyone implements Audience
{
    @Override
    public String toString()
    {
        return "everyone";
    }
}
