package io.escapement.accounts;

import io.escapement.accounts.codec.CreateCharacterEncoder;
import io.escapement.accounts.codec.DeleteCharacterEncoder;
import io.escapement.accounts.codec.ListCharactersEncoder;
import io.escapement.accounts.codec.MessageHeaderEncoder;
import io.escapement.accounts.codec.SaveProgressEncoder;
import org.agrona.MutableDirectBuffer;

/**
 * Encodes a room's requests to the account service. Every method writes a message and returns its length; the room
 * sends it with the account id as order key. Not thread safe.
 *
 * <p>A retry uses the idempotency key of the first attempt. Its high half is a random number that the room draws when
 * it opens, because room ids restart with each server. Its low half is a sequence number.
 */
public final class AccountRequestEncoder
{
    /** Length of a save request. */
    public static final int SAVE_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + SaveProgressEncoder.BLOCK_LENGTH;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ListCharactersEncoder list = new ListCharactersEncoder();
    private final CreateCharacterEncoder create = new CreateCharacterEncoder();
    private final DeleteCharacterEncoder delete = new DeleteCharacterEncoder();
    private final SaveProgressEncoder save = new SaveProgressEncoder();

    /**
     * Request the list of the account's characters.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @return length of the message.
     */
    public int list(final MutableDirectBuffer buffer, final int offset)
    {
        list.wrapAndApplyHeader(buffer, offset, header);
        return MessageHeaderEncoder.ENCODED_LENGTH + list.encodedLength();
    }

    /**
     * Create a character.
     *
     * @param buffer  to write to.
     * @param offset  of the message.
     * @param keyHigh high half of the key.
     * @param keyLow  low half of the key.
     * @param name    of the character, which the service validates.
     * @return length of the message.
     */
    public int create(
        final MutableDirectBuffer buffer, final int offset, final long keyHigh, final long keyLow, final String name)
    {
        create.wrapAndApplyHeader(buffer, offset, header).keyHigh(keyHigh).keyLow(keyLow).name(name);
        return MessageHeaderEncoder.ENCODED_LENGTH + create.encodedLength();
    }

    /**
     * Delete a character.
     *
     * @param buffer      to write to.
     * @param offset      of the message.
     * @param keyHigh     high half of the key.
     * @param keyLow      low half of the key.
     * @param characterId the character.
     * @return length of the message.
     */
    public int delete(
        final MutableDirectBuffer buffer,
        final int offset,
        final long keyHigh,
        final long keyLow,
        final long characterId)
    {
        delete.wrapAndApplyHeader(buffer, offset, header).keyHigh(keyHigh).keyLow(keyLow).characterId(characterId);
        return MessageHeaderEncoder.ENCODED_LENGTH + delete.encodedLength();
    }

    /**
     * Start a save of {@link #SAVE_LENGTH} bytes. The caller sets the totals on the returned encoder.
     *
     * @param buffer      to write to.
     * @param offset      of the message.
     * @param keyHigh     high half of the key.
     * @param keyLow      low half of the key, which increases with each save of the room.
     * @param characterId the character.
     * @return encoder of kills, deaths, mapId, x and y.
     */
    public SaveProgressEncoder save(
        final MutableDirectBuffer buffer,
        final int offset,
        final long keyHigh,
        final long keyLow,
        final long characterId)
    {
        return save.wrapAndApplyHeader(buffer, offset, header)
            .keyHigh(keyHigh).keyLow(keyLow).characterId(characterId);
    }
}
