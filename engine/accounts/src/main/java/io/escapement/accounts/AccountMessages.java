package io.escapement.accounts;

import io.escapement.accounts.codec.CreateCharacterDecoder;
import io.escapement.accounts.codec.DeleteCharacterDecoder;
import io.escapement.accounts.codec.ListCharactersDecoder;
import io.escapement.accounts.codec.SaveProgressDecoder;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.SchemaRules;

/** The rules of what rooms ask of the account service. */
public final class AccountMessages
{
    /** Most characters of an account: a list of them fits an answer by far. */
    public static final int CHARACTER_LIMIT = 8;

    /** The longest name of an account or a character. */
    public static final int MAX_NAME_LENGTH = Names.MAX_LENGTH;

    /** The shortest name. */
    public static final int MIN_NAME_LENGTH = Names.MIN_LENGTH;

    /** What a request must look like to be decoded. Whether its name is a good one is asked afterwards. */
    public static final SchemaRules RULES = SchemaRules
        .of(ListCharactersDecoder.SCHEMA_ID, 0, ListCharactersDecoder.SCHEMA_VERSION)
        .message(ListCharactersDecoder.TEMPLATE_ID, RoomCommands.MAX_PAYLOAD_LENGTH, ListCharactersDecoder.BLOCK_LENGTH)
        .message(
            CreateCharacterDecoder.TEMPLATE_ID, RoomCommands.MAX_PAYLOAD_LENGTH, CreateCharacterDecoder.BLOCK_LENGTH)
        .data(RoomCommands.MAX_PAYLOAD_LENGTH)
        .message(
            DeleteCharacterDecoder.TEMPLATE_ID, RoomCommands.MAX_PAYLOAD_LENGTH, DeleteCharacterDecoder.BLOCK_LENGTH)
        .message(SaveProgressDecoder.TEMPLATE_ID, RoomCommands.MAX_PAYLOAD_LENGTH, SaveProgressDecoder.BLOCK_LENGTH)
        .build();

    private AccountMessages()
    {
    }
}
