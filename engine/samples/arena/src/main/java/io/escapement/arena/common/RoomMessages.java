package io.escapement.arena.common;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ArenaEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.Seat;
import org.agrona.DirectBuffer;

/** The messages that the lobby and the arenas both send. They are encoded in place, without allocation. */
public final class RoomMessages
{
    /** Used instead of the index of a player if no player is meant. */
    public static final short NO_INDEX = 254;

    private static final int NS_PER_MS = 1_000_000;

    private final Room room;
    private final ArenaEncoder messages = new ArenaEncoder();

    /** @param room that sends. */
    public RoomMessages(final Room room)
    {
        this.room = room;
    }

    /** To everyone, the author included. The index is {@link #NO_INDEX} in the lobby. */
    public void chat(final long playerId, final int playerIndex, final DirectBuffer text, final int textLength)
    {
        final int length = ArenaEncoder.chatLength(textLength);
        messages.chat(room.claimEvent(room.everyone(), length), 0, playerId, playerIndex, text, 0, textLength);
        room.commit(length);
    }

    /** Refuse a message, without counting it. */
    public void refused(final Seat seat, final long reference, final ArenaCode code, final int templateId)
    {
        final int length = ArenaEncoder.refusedLength();
        messages.refused(room.claimEvent(seat, length), 0, reference, code, templateId);
        room.commit(length);
    }

    /** To everyone: the room closes for this reason, in this time. */
    public void closing(final ArenaCode code, final long leftNs)
    {
        final int length = ArenaEncoder.closingLength();
        messages.closing(room.claimEvent(room.everyone(), length), 0, code,
            (int)Math.max(0, Math.min(Integer.MAX_VALUE, leftNs / NS_PER_MS)));
        room.commit(length);
    }
}
