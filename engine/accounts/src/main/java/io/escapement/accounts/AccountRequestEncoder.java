package io.escapement.accounts;

import io.escapement.accounts.codec.CreateCharacterEncoder;
import io.escapement.accounts.codec.DeleteCharacterEncoder;
import io.escapement.accounts.codec.ListCharactersEncoder;
import io.escapement.accounts.codec.MessageHeaderEncoder;
import io.escapement.accounts.codec.SaveProgressEncoder;
import org.agrona.MutableDirectBuffer;

/**
 * Puts what a room asks of the account service into bytes. Every method writes a whole message at an offset and returns
 * its length; the room sends it with the account's id as order key. Keeps its encoders, so it is for one thread.
 *
 * <p>A key is drawn once and used again when the same thing is asked for again. Its first half is a random number that
 * the room takes from its own stream when it opens (room ids begin anew with each server), its second half a count.
 */
public final class AccountRequestEncoder
{
    /** Length of a save. */
    public static final int SAVE_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + SaveProgressEncoder.BLOCK_LENGTH;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ListCharactersEncoder list = new ListCharactersEncoder();
    private final CreateCharacterEncoder create = new CreateCharacterEncoder();
    private final DeleteCharacterEncoder delete = new DeleteCharacterEncoder();
    private final SaveProgressEncoder save = new SaveProgressEncoder();

    /**
     * Ask for the account's characters.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @return its length.
     */
    public int list(final MutableDirectBuffer buffer, final int offset)
    {
        list.wrapAndApplyHeader(buffer, offset, header);
        return MessageHeaderEncoder.ENCODED_LENGTH + list.encodedLength();
    }

    /**
     * Make a character.
     *
     * @param buffer  to write to.
     * @param offset  of the message.
     * @param keyHigh first half of the key.
     * @param keyLow  second half of the key.
     * @param name    of the character, as a player typed it: the service judges it.
     * @return its length.
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
     * @param keyHigh     first half of the key.
     * @param keyLow      second half of the key.
     * @param characterId the character.
     * @return its length.
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
     * Begin a save; its numbers, all of them totals, are set on what is returned. The message has
     * {@link #SAVE_LENGTH} bytes.
     *
     * @param buffer      to write to.
     * @param offset      of the message.
     * @param keyHigh     first half of the key.
     * @param keyLow      second half of the key, higher than with the room's save before.
     * @param characterId the character.
     * @return takes kills, deaths, mapId, x and y.
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
