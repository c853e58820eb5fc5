package io.escapement.arena.lobby;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/**
 * The chat that the lobby may send, counted in messages to players, because each text goes to everyone. Time has
 * windows, and each window allows a number of texts by the number of players. The senders who want to chat get equal
 * shares. When they are more than the texts of a window, each sends one text and then waits for as many windows as all
 * need. Therefore the connections of one address do not displace the texts of others. A refused text counts as a wish,
 * and costs no share.
 */
final class ChatBudget
{
    /** Ten texts per second for 1,600 players, and one text per second of each player for 126. */
    static final int MESSAGES_PER_SECOND = 16_000;
    /** Short, so that a whole window at once fits the queues. */
    static final long WINDOW_NS = 2_000_000_000L;
    static final int MESSAGES_PER_WINDOW = (int)(MESSAGES_PER_SECOND * WINDOW_NS / 1_000_000_000L);

    /** The last windows with a wish and with a text of the seat, and the texts in that window, or 0. */
    private static final int WISHED = 0;
    private static final int SENT = WISHED + Long.BYTES;
    private static final int TEXTS = SENT + Long.BYTES;
    /** Bytes of each seat. */
    static final int DATA_LENGTH = TEXTS + Long.BYTES;

    private final int offset;
    private long window;
    private int messages;
    private int senders;
    private int sendersBefore;

    /** @param offset of the share in the data of a seat. */
    ChatBudget(final int offset)
    {
        this.offset = offset;
    }

    /** Whether the seat may send a text to this number of receivers. */
    boolean take(final MutableDirectBuffer seat, final long nowNs, final int receivers)
    {
        roll(1 + nowNs / WINDOW_NS);
        if (get(seat, WISHED) != window)
        {
            put(seat, WISHED, window);
            senders++;
        }
        final int textsOfWindow = Math.max(1, MESSAGES_PER_WINDOW / Math.max(1, receivers));
        final int sharers = Math.max(senders, sendersBefore);
        final long share = Math.max(1, textsOfWindow / sharers);
        final long windowsForAll = (sharers + textsOfWindow - 1) / textsOfWindow;
        final boolean isInTurn = 0 == get(seat, SENT) || window - get(seat, SENT) >= windowsForAll;
        final long texts = get(seat, SENT) == window ? get(seat, TEXTS) : isInTurn ? 0 : share;
        if (texts >= share || messages > 0 && messages + receivers > MESSAGES_PER_WINDOW)
        {
            return false;
        }
        messages += receivers;
        put(seat, SENT, window);
        put(seat, TEXTS, texts + 1);
        return true;
    }

    private void roll(final long now)
    {
        if (now != window)
        {
            sendersBefore = now == window + 1 ? senders : 0;
            senders = 0;
            messages = 0;
            window = now;
        }
    }

    void write(final StateWriter writer)
    {
        writer.putLong(window);
        writer.putInt(messages);
        writer.putInt(senders);
        writer.putInt(sendersBefore);
    }

    void read(final StateReader reader)
    {
        window = reader.getLong();
        messages = reader.getInt();
        senders = reader.getInt();
        sendersBefore = reader.getInt();
    }

    private long get(final MutableDirectBuffer seat, final int field)
    {
        return seat.getLong(offset + field, ByteOrder.LITTLE_ENDIAN);
    }

    private void put(final MutableDirectBuffer seat, final int field, final long value)
    {
        seat.putLong(offset + field, value, ByteOrder.LITTLE_ENDIAN);
    }
}
