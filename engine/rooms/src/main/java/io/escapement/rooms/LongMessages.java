package io.escapement.rooms;

import io.escapement.codecs.MessageJoiner;
import io.escapement.codecs.MessageSplitter;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Sends messages that are longer than {@link Room#MAX_MESSAGE_LENGTH} or than a player may send, and receives them from
 * players: splits them into parts, and joins the parts of each seat. Its memory is taken when the room opens.
 *
 * <pre>{@code
 *   public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
 *   {
 *       final int code = LongMessages.isPart(buffer, offset, length) ?
 *           longMessages.onPart(from, buffer, offset, length) : handlers.onMessage(from, buffer, offset, length);
 *       if (0 != code)
 *       {
 *           room.refuse(from, code);
 *       }
 *   }
 * }</pre>
 *
 * <p>Call {@link #forget} in onAway and onLeave: a returning player restarts its message. A client does the same with
 * its {@link MessageJoiner}. Write it to each snapshot with {@link #write}. Only incomplete messages take space there.
 */
public final class LongMessages
{
    /** Gets a message that is complete. */
    @FunctionalInterface
    public interface Receiver
    {
        /**
         * A player sent a long message.
         *
         * @param from   the player's seat.
         * @param buffer with the message, valid during the call.
         * @param offset of the message.
         * @param length of the message in bytes.
         */
        void onMessage(Seat from, DirectBuffer buffer, int offset, int length);
    }

    /** Most memory of a room for the messages of its seats. */
    public static final int MAX_MEMORY = 64 * 1024 * 1024;

    private final Room room;
    private final Receiver receiver;
    private final MessageJoiner[] joiners;
    private final MessageSplitter splitter = new MessageSplitter();

    /**
     * Create in onOpen or onRestore.
     *
     * @param room      that sends and receives.
     * @param maxLength of a message of a player in bytes. The room has this for each of its seats, up to
     *                  {@value #MAX_MEMORY} in all.
     * @param receiver  of messages.
     */
    public LongMessages(final Room room, final int maxLength, final Receiver receiver)
    {
        if ((long)maxLength * room.seatLimit() > MAX_MEMORY)
        {
            throw new IllegalArgumentException("messages of " + maxLength + " bytes of " + room.seatLimit() +
                " seats need more than " + MAX_MEMORY + " bytes");
        }
        this.room = room;
        this.receiver = receiver;
        joiners = new MessageJoiner[room.seatLimit()];
        for (int i = 0; i < joiners.length; i++)
        {
            joiners[i] = new MessageJoiner(maxLength);
        }
    }

    /**
     * Whether a message of a player is a part of a longer one.
     *
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message in bytes.
     */
    public static boolean isPart(final DirectBuffer buffer, final int offset, final int length)
    {
        return MessageJoiner.isPart(buffer, offset, length);
    }

    /**
     * A player sent a part. If it is the last of its message, the receiver gets the message in this call.
     *
     * @param from   the player's seat.
     * @param buffer with the part.
     * @param offset of the part.
     * @param length of the part in bytes.
     * @return 0, or the code of its refusal, as {@link MessageJoiner#onPart} returns it.
     */
    public int onPart(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final MessageJoiner joiner = joiners[from.index()];
        final int code = joiner.onPart(buffer, offset, length);
        if (0 == code && joiner.isComplete())
        {
            final int complete = joiner.length();
            joiner.reset();
            receiver.onMessage(from, joiner.buffer(), 0, complete);
        }
        return code;
    }

    /**
     * Send an event in parts, which a client joins. All parts are sent with the next flush. Set the limit of output
     * longer than the message: {@value MessageSplitter#HEADER_LENGTH} bytes for each part, plus the bytes that
     * {@link RoomType#outputLimit(int)} counts for each message. A seat for which a part has no space goes away, as for
     * any event.
     *
     * @param audience of the room.
     * @param buffer   with the message.
     * @param offset   of the message.
     * @param length   of the message in bytes, 1 to {@link MessageSplitter#MAX_MESSAGE_LENGTH}.
     */
    public void send(final Audience audience, final DirectBuffer buffer, final int offset, final int length)
    {
        splitter.wrap(buffer, offset, length, Room.MAX_MESSAGE_LENGTH);
        while (splitter.hasNext())
        {
            final int partLength = splitter.encode(room.claimEvent(audience, splitter.nextLength()), 0);
            room.commit(partLength);
            splitter.advance();
        }
    }

    /**
     * Drop the received parts of a seat's message.
     *
     * @param seat that went away or left. The seat of a spectator has no parts.
     */
    public void forget(final Seat seat)
    {
        if (!seat.isSpectator())
        {
            joiners[seat.index()].reset();
        }
    }

    /**
     * Write the messages that are not complete.
     *
     * @param writer of a snapshot or a hash.
     */
    public void write(final StateWriter writer)
    {
        for (final MessageJoiner joiner : joiners)
        {
            writer.putInt(joiner.length());
            if (0 != joiner.length())
            {
                writer.putBytes(joiner.buffer(), 0, joiner.received());
            }
        }
    }

    /**
     * Read what {@link #write} wrote, in onRestore.
     *
     * @param reader of the snapshot.
     */
    public void read(final StateReader reader)
    {
        final ExpandableArrayBuffer bytes = new ExpandableArrayBuffer();
        for (final MessageJoiner joiner : joiners)
        {
            final int length = reader.getInt();
            if (0 != length)
            {
                joiner.restore(length, bytes, 0, reader.getBytes(bytes, 0));
            }
        }
    }
}
