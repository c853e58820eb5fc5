package io.escapement.accounts;

import io.escapement.accounts.codec.CreateCharacterDecoder;
import io.escapement.accounts.codec.DeleteCharacterDecoder;
import io.escapement.accounts.codec.ListCharactersDecoder;
import io.escapement.accounts.codec.SaveProgressDecoder;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.SchemaRules;

/** Limits and validation rules of requests to the account service. */
public final class AccountMessages
{
    /** Characters per account. A list of them fits a reply. */
    public static final int CHARACTER_LIMIT = 8;

    /** Maximum length of the name of an account. */
    public static final int MAX_NAME_LENGTH = Names.MAX_LENGTH;

    /** Minimum length of the name of an account. */
    public static final int MIN_NAME_LENGTH = Names.MIN_LENGTH;

    /** Structural rules, checked before a request is decoded. The characters of a name are validated later. */
    public static final SchemaRules RULES = SchemaRules
        .of(ListCharactersDecoder.SCHEMA_ID, ListCharactersDecoder.SCHEMA_VERSION)
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
