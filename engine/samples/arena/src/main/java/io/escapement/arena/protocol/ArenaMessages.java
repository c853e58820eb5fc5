package io.escapement.arena.protocol;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ArenaLayout;
import io.escapement.arena.codecs.CharacterListDecoder;
import io.escapement.arena.codecs.OpenArenaDecoder;
import io.escapement.codecs.TrunkMessages;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/** The limits of the reference game's messages that both sides keep to, and the check of its texts. */
public final class ArenaMessages
{
    /** The longest name of a room or a character, in bytes of UTF-8; the game takes fewer. */
    public static final int MAX_NAME_LENGTH = ArenaLayout.CREATE_ROOM_NAME_MAX_LENGTH;

    /** The longest password of a room, in bytes. */
    public static final int MAX_PASSWORD_LENGTH = ArenaLayout.CREATE_ROOM_PASSWORD_MAX_LENGTH;

    /** The longest name of a map, in bytes. */
    public static final int MAX_MAP_LENGTH = ArenaLayout.CREATE_ROOM_MAP_NAME_MAX_LENGTH;

    /** The longest text of a chat, in bytes of UTF-8; the game takes fewer. */
    public static final int MAX_TEXT_LENGTH = ArenaLayout.ROOM_CHAT_TEXT_MAX_LENGTH;

    /** The longest name that the game takes, in bytes of UTF-8: it must fit a label of the directory. */
    public static final int NAME_LIMIT = 32;

    /** The longest text that the game takes, in bytes of UTF-8. */
    public static final int TEXT_LIMIT = 160;

    /** Most characters of an account. */
    public static final int MAX_CHARACTERS = ArenaLayout.CHARACTER_LIST_CHARACTERS_MAX_COUNT;

    /** Most characters among the leaders, and of any answer with characters. */
    public static final int MAX_LEADERS = ArenaLayout.LEADERS_CHARACTERS_MAX_COUNT;

    /** Most rooms on a page of the list. */
    public static final int ROOMS_OF_PAGE = ArenaLayout.ROOM_PAGE_ROOMS_MAX_COUNT;

    /** Most players of an arena. */
    public static final int MAX_PLAYERS = ArenaLayout.FULL_STATE_PLAYERS_MAX_COUNT;

    /** Most projectiles of an arena. */
    public static final int MAX_SHOTS = ArenaLayout.FULL_STATE_SHOTS_MAX_COUNT;

    /** Most events of one message. */
    public static final int MAX_EVENTS = ArenaLayout.EVENTS_ENTRIES_MAX_COUNT;

    /** The simulation's refusals have this number and their own as code. */
    public static final int SIMULATION_CODES = 1_240;

    /** Messages of clients are below this. */
    public static final int FIRST_SERVER_MESSAGE = CharacterListDecoder.TEMPLATE_ID;

    /** Messages between rooms are not below this. */
    public static final int FIRST_ROOM_MESSAGE = OpenArenaDecoder.TEMPLATE_ID;

    /** The longest message of a client, and between rooms: what fits a Send. */
    public static final int LONGEST_REQUEST = TrunkMessages.MAX_PAYLOAD_LENGTH;

    /** The longest message to a client. */
    public static final int LONGEST_MESSAGE = TrunkMessages.MAX_MESSAGE_LENGTH;

    private static final int DELETE = 0x7F;

    private ArenaMessages()
    {
    }

    /**
     * Check a text. Does not read outside it, and does not allocate.
     *
     * @param buffer with the text.
     * @param offset of the text.
     * @param length of the text in bytes.
     * @param limit  most bytes that it may have.
     * @return 0 when it is printable UTF-8 of 1 to limit bytes, otherwise the value of an {@link ArenaCode}.
     */
    public static int checkText(final DirectBuffer buffer, final int offset, final int length, final int limit)
    {
        if (0 == length)
        {
            return ArenaCode.TEXT_EMPTY.value();
        }
        if (length > limit)
        {
            return ArenaCode.TEXT_TOO_LONG.value();
        }
        final int end = offset + length;
        int at = offset;
        boolean isPrintable = true;
        while (at < end)
        {
            final int first = buffer.getByte(at) & 0xFF;
            final int size = sizeOf(first);
            if (0 == size || size > end - at || !isWellFormed(buffer, at, first, size))
            {
                return ArenaCode.TEXT_NOT_UTF8.value();
            }
            // C0 controls, DEL, and the C1 controls, which are two bytes.
            isPrintable &= first >= ' ' && DELETE != first &&
                !(0xC2 == first && (buffer.getByte(at + 1) & 0xFF) < 0xA0);
            at += size;
        }
        return isPrintable ? 0 : ArenaCode.TEXT_NOT_PRINTABLE.value();
    }

    /** The bytes of a text. */
    public static byte[] utf8(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static int sizeOf(final int first)
    {
        if (first < 0x80)
        {
            return 1;
        }
        // 0xC0 and 0xC1 would need two bytes for a character of one byte. Above 0xF4 there are no characters.
        if (first < 0xC2 || first > 0xF4)
        {
            return 0;
        }
        return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    }

    private static boolean isWellFormed(final DirectBuffer buffer, final int at, final int first, final int size)
    {
        for (int i = 1; i < size; i++)
        {
            if (0x80 != (buffer.getByte(at + i) & 0xC0))
            {
                return false;
            }
        }
        final int second = size > 1 ? buffer.getByte(at + 1) & 0xFF : 0;
        // Longer than needed, a half of a surrogate pair, or beyond the last character.
        return !(0xE0 == first && second < 0xA0 || 0xED == first && second > 0x9F ||
            0xF0 == first && second < 0x90 || 0xF4 == first && second > 0x8F);
    }
}
