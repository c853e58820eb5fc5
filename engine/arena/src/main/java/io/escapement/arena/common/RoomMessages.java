package io.escapement.arena.common;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ChatEncoder;
import io.escapement.arena.codecs.ClosingEncoder;
import io.escapement.arena.codecs.MessageHeaderEncoder;
import io.escapement.arena.codecs.RefusedEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.Seat;
import org.agrona.DirectBuffer;

/** The messages that the lobby and the arenas both send. They are encoded in place; nothing is allocated. */
public final class RoomMessages
{
    /** Stands for the index of a player where there is none. */
    public static final short NO_INDEX = 254;

    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int NS_PER_MS = 1_000_000;

    private final Room room;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ChatEncoder chat = new ChatEncoder();
    private final RefusedEncoder refused = new RefusedEncoder();
    private final ClosingEncoder closing = new ClosingEncoder();

    /** @param room that sends. */
    public RoomMessages(final Room room)
    {
        this.room = room;
    }

    /** To everyone, the author included. The index is {@link #NO_INDEX} in the lobby. */
    public void chat(final long playerId, final int playerIndex, final DirectBuffer text, final int textLength)
    {
        final int length = HEADER + ChatEncoder.BLOCK_LENGTH + Short.BYTES + textLength;
        chat.wrapAndApplyHeader(room.claimEvent(room.everyone(), length), 0, header)
            .playerId(playerId).playerIndex((short)playerIndex).putText(text, 0, textLength);
        room.commit(length);
    }

    /** Refuse a message, without counting it. */
    public void refused(final Seat seat, final long reference, final ArenaCode code, final int templateId)
    {
        final int length = HEADER + RefusedEncoder.BLOCK_LENGTH;
        refused.wrapAndApplyHeader(room.claimEvent(seat, length), 0, header)
            .reference(reference).code(code).refusedTemplate(templateId);
        room.commit(length);
    }

    /** To everyone: the room closes for this reason, in this time. */
    public void closing(final ArenaCode code, final long leftNs)
    {
        final int length = HEADER + ClosingEncoder.BLOCK_LENGTH;
        closing.wrapAndApplyHeader(room.claimEvent(room.everyone(), length), 0, header).code(code)
            .leftMs((int)Math.max(0, Math.min(Integer.MAX_VALUE, leftNs / NS_PER_MS)));
        room.commit(length);
    }
}
