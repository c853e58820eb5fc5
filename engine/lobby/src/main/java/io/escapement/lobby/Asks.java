package io.escapement.lobby;

import io.escapement.lobby.codecs.AskDecoder;
import io.escapement.lobby.codecs.MessageHeaderDecoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The requests of players without an answer, at most one for each seat of the lobby, and the seat that each has got.
 */
final class Asks
{
    static final int NONE = -1;

    /** A message with all labels and the longest arguments has 495 bytes. */
    private static final int MESSAGE_LENGTH = 512;

    private final AskDecoder decoder = new AskDecoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final UnsafeBuffer messages;
    /** 0 for a seat without a request. */
    private final int[] lengths;
    private final int[] refusals;
    /** The opening that a seat waits for, or {@link #NONE}. */
    private final int[] openings;
    /** The reservation that a seat waits for, and its room. */
    private final long[] correlationIds;
    private final long[] roomIds;
    /** The room in which the lobby has reserved a seat for the player last, and until when. */
    private final long[] reservedRoomIds;
    private final long[] reservedUntilNs;

    Asks(final int seats)
    {
        messages = new UnsafeBuffer(new byte[seats * MESSAGE_LENGTH]);
        lengths = new int[seats];
        refusals = new int[seats];
        openings = new int[seats];
        correlationIds = new long[seats];
        roomIds = new long[seats];
        reservedRoomIds = new long[seats];
        reservedUntilNs = new long[seats];
    }

    boolean isWaiting(final int seat)
    {
        return 0 != lengths[seat];
    }

    void open(final int seat, final DirectBuffer message, final int length)
    {
        messages.putBytes(seat * MESSAGE_LENGTH, message, 0, length);
        lengths[seat] = length;
        refusals[seat] = 0;
        openings[seat] = NONE;
        correlationIds[seat] = Room.NO_REQUEST;
        roomIds[seat] = 0;
    }

    /** The message of a seat that waits, valid until the next call. */
    AskDecoder message(final int seat)
    {
        return decoder.wrapAndApplyHeader(messages, seat * MESSAGE_LENGTH, header);
    }

    DirectBuffer messages()
    {
        return messages;
    }

    /** Offset of the labels in {@link #messages()}. The arguments follow the labels. */
    int labelsOffset(final int seat)
    {
        return seat * MESSAGE_LENGTH + MessageHeaderDecoder.ENCODED_LENGTH + AskDecoder.BLOCK_LENGTH;
    }

    int labelsAndArgsLength(final int seat)
    {
        return lengths[seat] - MessageHeaderDecoder.ENCODED_LENGTH - AskDecoder.BLOCK_LENGTH;
    }

    void awaitOpening(final int seat, final int opening)
    {
        openings[seat] = opening;
    }

    /** The opening that a seat waits for, or {@link #NONE}. */
    int opening(final int seat)
    {
        return isWaiting(seat) ? openings[seat] : NONE;
    }

    void awaitSeat(final int seat, final long correlationId, final long roomId)
    {
        openings[seat] = NONE;
        correlationIds[seat] = correlationId;
        roomIds[seat] = roomId;
    }

    /** The seat that waits for a reservation, or {@link #NONE}. */
    int ofReservation(final long correlationId)
    {
        int seat = lengths.length - 1;
        while (seat >= 0 && (correlationId != correlationIds[seat] || !isWaiting(seat)))
        {
            seat--;
        }
        return seat;
    }

    /** The room in which a seat waits for a reservation, or 0. */
    long roomId(final int seat)
    {
        return isWaiting(seat) ? roomIds[seat] : 0;
    }

    /** Count a refusal of a room, and return how many there were. */
    int refused(final int seat)
    {
        correlationIds[seat] = Room.NO_REQUEST;
        roomIds[seat] = 0;
        return ++refusals[seat];
    }

    void close(final int seat)
    {
        lengths[seat] = 0;
    }

    void reserved(final int seat, final long untilNs)
    {
        reservedRoomIds[seat] = roomIds[seat];
        reservedUntilNs[seat] = untilNs;
    }

    /** The room in which a seat may still be reserved for the player, or 0. It is forgotten. */
    long takeReserved(final int seat, final long nowNs)
    {
        final long roomId = nowNs < reservedUntilNs[seat] ? reservedRoomIds[seat] : 0;
        reservedUntilNs[seat] = 0;
        return roomId;
    }

    void write(final StateWriter writer)
    {
        for (int seat = 0; seat < lengths.length; seat++)
        {
            if (isWaiting(seat) || 0 != reservedUntilNs[seat])
            {
                writer.putInt(seat);
                writer.putLong(0 == reservedUntilNs[seat] ? 0 : reservedRoomIds[seat]);
                writer.putLong(reservedUntilNs[seat]);
                writer.putBytes(messages, seat * MESSAGE_LENGTH, lengths[seat]);
                if (isWaiting(seat))
                {
                    writer.putInt(refusals[seat]);
                    writer.putInt(openings[seat]);
                    writer.putLong(correlationIds[seat]);
                    writer.putLong(roomIds[seat]);
                }
            }
        }
        writer.putInt(NONE);
    }

    void read(final StateReader reader)
    {
        for (int seat = reader.getInt(); NONE != seat; seat = reader.getInt())
        {
            reservedRoomIds[seat] = reader.getLong();
            reservedUntilNs[seat] = reader.getLong();
            lengths[seat] = reader.getBytes(messages, seat * MESSAGE_LENGTH);
            if (isWaiting(seat))
            {
                refusals[seat] = reader.getInt();
                openings[seat] = reader.getInt();
                correlationIds[seat] = reader.getLong();
                roomIds[seat] = reader.getLong();
            }
        }
    }
}
