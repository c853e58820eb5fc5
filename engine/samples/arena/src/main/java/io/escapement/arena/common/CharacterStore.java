package io.escapement.arena.common;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Encodes the rooms' requests to the character service and decodes its answers. An implementation has no state, because
 * one instance serves every room. A request starts at 0 and has at most
 * {@link io.escapement.rooms.Room#MAX_REQUEST_LENGTH} bytes. The methods that encode a request return its length.
 */
public interface CharacterStore
{
    /** Kind of request: list the characters of an account. */
    int LIST = 1;
    /** Kind of request: create a character. */
    int CREATE = 2;
    /** Kind of request: delete a character. */
    int DELETE = 3;
    /** Kind of request: save the progress of a character. */
    int SAVE = 4;

    /** Kind of request: list the characters with most kills. */
    int LEADERS = 5;

    /** Id of the asynchronous service that takes the requests. */
    int serviceId();

    /** Encode a request for the characters of an account. */
    int list(MutableDirectBuffer to, long accountId);

    /**
     * Encode a request for a new character. The service executes requests with the same key once.
     *
     * @param to        buffer to write to.
     * @param accountId of the player.
     * @param keyHigh   first half of the idempotency key.
     * @param keyLow    second half of the idempotency key.
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

    /** Encode a request to delete a character. The service checks that the character belongs to the account. */
    int delete(MutableDirectBuffer to, long accountId, long keyHigh, long keyLow, long characterId);

    /** Encode a request for the characters with most kills, and the place of the account's best. */
    int leaders(MutableDirectBuffer to, long accountId);

    /** Encode a request to save progress. */
    int save(MutableDirectBuffer to, long accountId, CharacterProgress progress);

    /**
     * Decode an answer.
     *
     * @param kind   of the request.
     * @param status of the reply: 0, a refusal code, or a code of the service.
     * @param buffer with the answer.
     * @param offset of the answer.
     * @param length of the answer in bytes.
     * @param answer to fill.
     * @return 0 if the request succeeded, otherwise a value of {@link io.escapement.arena.codecs.ArenaCode}.
     */
    int read(int kind, int status, DirectBuffer buffer, int offset, int length, CharacterAnswer answer);
}
