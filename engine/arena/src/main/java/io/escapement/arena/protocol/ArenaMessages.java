package io.escapement.arena.protocol;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.CancelMatchDecoder;
import io.escapement.arena.codecs.ChangeArenaDecoder;
import io.escapement.arena.codecs.ChangeRoomDecoder;
import io.escapement.arena.codecs.CharacterCreatedDecoder;
import io.escapement.arena.codecs.CharacterDeletedDecoder;
import io.escapement.arena.codecs.CharacterListDecoder;
import io.escapement.arena.codecs.ChatDecoder;
import io.escapement.arena.codecs.ClaimDecoder;
import io.escapement.arena.codecs.ClosingDecoder;
import io.escapement.arena.codecs.CorrectionDecoder;
import io.escapement.arena.codecs.CreateCharacterDecoder;
import io.escapement.arena.codecs.CreateRoomDecoder;
import io.escapement.arena.codecs.DashDecoder;
import io.escapement.arena.codecs.DeleteArenaDecoder;
import io.escapement.arena.codecs.DeleteCharacterDecoder;
import io.escapement.arena.codecs.DeleteRoomDecoder;
import io.escapement.arena.codecs.DeltaDecoder;
import io.escapement.arena.codecs.EnterRoomDecoder;
import io.escapement.arena.codecs.EnteredDecoder;
import io.escapement.arena.codecs.EventsDecoder;
import io.escapement.arena.codecs.FreedDecoder;
import io.escapement.arena.codecs.GoneDecoder;
import io.escapement.arena.codecs.GuestDecoder;
import io.escapement.arena.codecs.ListCharactersDecoder;
import io.escapement.arena.codecs.ListRoomsDecoder;
import io.escapement.arena.codecs.LobbyChatDecoder;
import io.escapement.arena.codecs.MeleeDecoder;
import io.escapement.arena.codecs.MovedDecoder;
import io.escapement.arena.codecs.OpenArenaDecoder;
import io.escapement.arena.codecs.PictureDecoder;
import io.escapement.arena.codecs.PingDecoder;
import io.escapement.arena.codecs.PongDecoder;
import io.escapement.arena.codecs.QuickMatchDecoder;
import io.escapement.arena.codecs.RefusedDecoder;
import io.escapement.arena.codecs.RoomChangedDecoder;
import io.escapement.arena.codecs.RoomChatDecoder;
import io.escapement.arena.codecs.RoomCreatedDecoder;
import io.escapement.arena.codecs.RoomDeletedDecoder;
import io.escapement.arena.codecs.RoomPageDecoder;
import io.escapement.arena.codecs.ScoreDecoder;
import io.escapement.arena.codecs.SeatReservedDecoder;
import io.escapement.arena.codecs.SeatedDecoder;
import io.escapement.arena.codecs.ShootDecoder;
import io.escapement.arena.codecs.WelcomeDecoder;
import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.TrunkMessages;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/** The rules of the reference game's messages, its limits that both sides keep to, and the check of its texts. */
public final class ArenaMessages
{
    /** The longest name of a room or a character, in bytes of UTF-8; the game takes fewer. */
    public static final int MAX_NAME_LENGTH = 64;

    /** The longest password of a room, in bytes. */
    public static final int MAX_PASSWORD_LENGTH = 64;

    /** The longest name of a map, in bytes. */
    public static final int MAX_MAP_LENGTH = 32;

    /** The longest text of a chat, in bytes of UTF-8; the game takes fewer. */
    public static final int MAX_TEXT_LENGTH = 256;

    /** The longest name that the game takes, in bytes of UTF-8: it has to fit a label of the directory. */
    public static final int NAME_LIMIT = 32;

    /** The longest text that the game takes, in bytes of UTF-8. */
    public static final int TEXT_LIMIT = 160;

    /** Most characters of an account. */
    public static final int MAX_CHARACTERS = 8;

    /** Most rooms on a page of the list. */
    public static final int ROOMS_OF_PAGE = 16;

    /** Most players of an arena. */
    public static final int MAX_PLAYERS = 16;

    /** Most projectiles of an arena. */
    public static final int MAX_SHOTS = 64;

    /** Most events of one message. */
    public static final int MAX_EVENTS = 256;

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

    /** The rules of every message of the schema. */
    public static final SchemaRules RULES = rules();

    private static final int DELETE = 0x7F;

    private ArenaMessages()
    {
    }

    /**
     * Check a text. Reads nothing outside it, allocates nothing.
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
        // 0xC0 and 0xC1 would say in two bytes what one says; above 0xF4 there are no characters.
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

    private static SchemaRules rules()
    {
        return SchemaRules
            .of(ClaimDecoder.SCHEMA_ID, ClaimDecoder.SCHEMA_VERSION)
            .message(ListCharactersDecoder.TEMPLATE_ID, LONGEST_REQUEST, ListCharactersDecoder.BLOCK_LENGTH)
            .message(CreateCharacterDecoder.TEMPLATE_ID, LONGEST_REQUEST, CreateCharacterDecoder.BLOCK_LENGTH)
            .data(MAX_NAME_LENGTH)
            .message(DeleteCharacterDecoder.TEMPLATE_ID, LONGEST_REQUEST, DeleteCharacterDecoder.BLOCK_LENGTH)
            .message(ListRoomsDecoder.TEMPLATE_ID, LONGEST_REQUEST, ListRoomsDecoder.BLOCK_LENGTH).data(MAX_NAME_LENGTH)
            .message(CreateRoomDecoder.TEMPLATE_ID, LONGEST_REQUEST, CreateRoomDecoder.BLOCK_LENGTH)
            .data(MAX_NAME_LENGTH).data(MAX_MAP_LENGTH).data(MAX_PASSWORD_LENGTH)
            .message(ChangeRoomDecoder.TEMPLATE_ID, LONGEST_REQUEST, ChangeRoomDecoder.BLOCK_LENGTH)
            .data(MAX_NAME_LENGTH).data(MAX_PASSWORD_LENGTH)
            .message(DeleteRoomDecoder.TEMPLATE_ID, LONGEST_REQUEST, DeleteRoomDecoder.BLOCK_LENGTH)
            .message(EnterRoomDecoder.TEMPLATE_ID, LONGEST_REQUEST, EnterRoomDecoder.BLOCK_LENGTH)
            .data(MAX_PASSWORD_LENGTH)
            .message(LobbyChatDecoder.TEMPLATE_ID, LONGEST_REQUEST, LobbyChatDecoder.BLOCK_LENGTH).data(MAX_TEXT_LENGTH)
            .message(QuickMatchDecoder.TEMPLATE_ID, LONGEST_REQUEST, QuickMatchDecoder.BLOCK_LENGTH)
            .message(CancelMatchDecoder.TEMPLATE_ID, LONGEST_REQUEST, CancelMatchDecoder.BLOCK_LENGTH)
            .message(ClaimDecoder.TEMPLATE_ID, LONGEST_REQUEST, ClaimDecoder.BLOCK_LENGTH)
            .message(DashDecoder.TEMPLATE_ID, LONGEST_REQUEST, DashDecoder.BLOCK_LENGTH)
            .message(MeleeDecoder.TEMPLATE_ID, LONGEST_REQUEST, MeleeDecoder.BLOCK_LENGTH)
            .message(ShootDecoder.TEMPLATE_ID, LONGEST_REQUEST, ShootDecoder.BLOCK_LENGTH)
            .message(RoomChatDecoder.TEMPLATE_ID, LONGEST_REQUEST, RoomChatDecoder.BLOCK_LENGTH).data(MAX_TEXT_LENGTH)
            .message(PingDecoder.TEMPLATE_ID, LONGEST_REQUEST, PingDecoder.BLOCK_LENGTH)
            .message(CharacterListDecoder.TEMPLATE_ID, LONGEST_MESSAGE, CharacterListDecoder.BLOCK_LENGTH)
            .group(MAX_CHARACTERS, CharacterListDecoder.CharactersDecoder.sbeBlockLength()).dataInGroup(MAX_NAME_LENGTH)
            .message(CharacterCreatedDecoder.TEMPLATE_ID, LONGEST_MESSAGE, CharacterCreatedDecoder.BLOCK_LENGTH)
            .message(CharacterDeletedDecoder.TEMPLATE_ID, LONGEST_MESSAGE, CharacterDeletedDecoder.BLOCK_LENGTH)
            .message(RoomPageDecoder.TEMPLATE_ID, LONGEST_MESSAGE, RoomPageDecoder.BLOCK_LENGTH)
            .group(ROOMS_OF_PAGE, RoomPageDecoder.RoomsDecoder.sbeBlockLength()).dataInGroup(MAX_NAME_LENGTH)
            .dataInGroup(MAX_MAP_LENGTH)
            .message(RoomCreatedDecoder.TEMPLATE_ID, LONGEST_MESSAGE, RoomCreatedDecoder.BLOCK_LENGTH)
            .message(RoomChangedDecoder.TEMPLATE_ID, LONGEST_MESSAGE, RoomChangedDecoder.BLOCK_LENGTH)
            .message(RoomDeletedDecoder.TEMPLATE_ID, LONGEST_MESSAGE, RoomDeletedDecoder.BLOCK_LENGTH)
            .message(SeatReservedDecoder.TEMPLATE_ID, LONGEST_MESSAGE, SeatReservedDecoder.BLOCK_LENGTH)
            .message(ChatDecoder.TEMPLATE_ID, LONGEST_MESSAGE, ChatDecoder.BLOCK_LENGTH).data(MAX_TEXT_LENGTH)
            .message(RefusedDecoder.TEMPLATE_ID, LONGEST_MESSAGE, RefusedDecoder.BLOCK_LENGTH)
            .message(ClosingDecoder.TEMPLATE_ID, LONGEST_MESSAGE, ClosingDecoder.BLOCK_LENGTH)
            .message(WelcomeDecoder.TEMPLATE_ID, LONGEST_MESSAGE, WelcomeDecoder.BLOCK_LENGTH).data(MAX_MAP_LENGTH)
            .data(MAX_NAME_LENGTH)
            .message(EnteredDecoder.TEMPLATE_ID, LONGEST_MESSAGE, EnteredDecoder.BLOCK_LENGTH).data(MAX_NAME_LENGTH)
            .message(GoneDecoder.TEMPLATE_ID, LONGEST_MESSAGE, GoneDecoder.BLOCK_LENGTH)
            .message(EventsDecoder.TEMPLATE_ID, LONGEST_MESSAGE, EventsDecoder.BLOCK_LENGTH)
            .group(MAX_EVENTS, EventsDecoder.EntriesDecoder.sbeBlockLength())
            .message(CorrectionDecoder.TEMPLATE_ID, LONGEST_MESSAGE, CorrectionDecoder.BLOCK_LENGTH)
            .message(ScoreDecoder.TEMPLATE_ID, LONGEST_MESSAGE, ScoreDecoder.BLOCK_LENGTH)
            .message(PongDecoder.TEMPLATE_ID, LONGEST_MESSAGE, PongDecoder.BLOCK_LENGTH)
            .message(PictureDecoder.TEMPLATE_ID, LONGEST_MESSAGE, PictureDecoder.BLOCK_LENGTH)
            .group(MAX_PLAYERS, PictureDecoder.PlayersDecoder.sbeBlockLength())
            .group(MAX_SHOTS, PictureDecoder.ShotsDecoder.sbeBlockLength())
            .message(DeltaDecoder.TEMPLATE_ID, LONGEST_MESSAGE, DeltaDecoder.BLOCK_LENGTH)
            .group(MAX_PLAYERS, DeltaDecoder.MovesDecoder.sbeBlockLength())
            .group(MAX_PLAYERS, DeltaDecoder.ChangesDecoder.sbeBlockLength())
            .group(MAX_SHOTS, DeltaDecoder.ShotsDecoder.sbeBlockLength())
            .message(OpenArenaDecoder.TEMPLATE_ID, LONGEST_REQUEST, OpenArenaDecoder.BLOCK_LENGTH).data(MAX_NAME_LENGTH)
            .data(MAX_MAP_LENGTH)
            .message(ChangeArenaDecoder.TEMPLATE_ID, LONGEST_REQUEST, ChangeArenaDecoder.BLOCK_LENGTH)
            .data(MAX_NAME_LENGTH)
            .message(DeleteArenaDecoder.TEMPLATE_ID, LONGEST_REQUEST, DeleteArenaDecoder.BLOCK_LENGTH)
            .message(GuestDecoder.TEMPLATE_ID, LONGEST_REQUEST, GuestDecoder.BLOCK_LENGTH).data(MAX_NAME_LENGTH)
            .message(SeatedDecoder.TEMPLATE_ID, LONGEST_REQUEST, SeatedDecoder.BLOCK_LENGTH)
            .message(FreedDecoder.TEMPLATE_ID, LONGEST_REQUEST, FreedDecoder.BLOCK_LENGTH)
            .message(MovedDecoder.TEMPLATE_ID, LONGEST_REQUEST, MovedDecoder.BLOCK_LENGTH)
            .build();
    }
}
