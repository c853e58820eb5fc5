package io.escapement.arena;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * How the rooms' requests for characters are written for the service that keeps them, and its answers read. It has no
 * state: the same instance serves every room. A request is at most {@link io.escapement.rooms.Room#MAX_REQUEST_LENGTH}
 * long and is written from 0.
 */
public interface CharacterStore
{
    /** Kind of request: the characters of an account. */
    int LIST = 1;
    /** Kind of request: a new character. */
    int CREATE = 2;
    /** Kind of request: delete a character. */
    int DELETE = 3;
    /** Kind of request: keep the progress of a character. */
    int SAVE = 4;

    /**
     * Which asynchronous service takes the requests.
     *
     * @return its id.
     */
    int serviceId();

    /**
     * Write a request for the characters of an account.
     *
     * @param to        buffer to write to.
     * @param accountId of the player.
     * @return length of the request in bytes.
     */
    int list(MutableDirectBuffer to, long accountId);

    /**
     * Write a request for a new character.
     *
     * @param to        buffer to write to.
     * @param accountId of the player.
     * @param keyHigh   with keyLow, names this request for ever: done twice, it is done once.
     * @param keyLow    as above.
     * @param name      buffer with the name, printable UTF-8.
     * @param offset    of the name.
     * @param length    of the name in bytes.
     * @return length of the request in bytes.
     */
    int create(
        MutableDirectBuffer to,
        long accountId,
        long keyHigh,
        long keyLow,
        DirectBuffer name,
        int offset,
        int length);

    /**
     * Write a request to delete a character.
     *
     * @param to          buffer to write to.
     * @param accountId   of the player.
     * @param keyHigh     as in create.
     * @param keyLow      as in create.
     * @param characterId the character, which may be another account's: that is for the service to find.
     * @return length of the request in bytes.
     */
    int delete(MutableDirectBuffer to, long accountId, long keyHigh, long keyLow, long characterId);

    /**
     * Write a request to keep a character's progress: totals, so that the latest wins and doing it twice is harmless.
     *
     * @param to        buffer to write to.
     * @param accountId of the player.
     * @param progress  to keep.
     * @return length of the request in bytes.
     */
    int save(MutableDirectBuffer to, long accountId, CharacterProgress progress);

    /**
     * Read an answer.
     *
     * @param kind   of the request.
     * @param status of the reply: 0, a refusal code, or the service's own.
     * @param buffer with the answer.
     * @param offset of the answer.
     * @param length of the answer in bytes.
     * @param answer to fill.
     * @return 0 when it was done, otherwise a code of {@link io.escapement.arena.codecs.ArenaCode}.
     */
    int read(int kind, int status, DirectBuffer buffer, int offset, int length, CharacterAnswer answer);
}
