package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import org.agrona.DirectBuffer;

/**
 * A player's connection as its session uses it: it queues whole messages, in order, and must not refuse any. Sessions
 * know only this part of a transport. Called in the worker's thread only.
 */
interface PlayerLink
{
    /** Queue a copy of a message. */
    void send(DirectBuffer buffer, int offset, int length);

    /** Queue a message that is encoded once for all its receivers. */
    void send(SharedMessage message);

    /**
     * Hello has arrived.
     *
     * @param hasSession whether it names a session that a player has.
     * @return false if there is no place for the connection.
     */
    boolean greet(boolean hasSession);

    /** Queue a request for a sign of life, which reaches {@link PlayerConnection#onPong}. */
    void ping();

    /** Queue the answer to a ping of the player's machine, with its bytes. */
    void pong(DirectBuffer buffer, int offset, int length);

    /** Hand the queue to the socket. */
    void flush();

    /** Bytes that the socket has not taken. */
    long queuedBytes();

    /** Whether to read: false stops reading and true continues it. Messages that were read already still arrive. */
    void isReading(boolean value);

    /**
     * Send all queued messages and the reason, and close once the player's machine has taken them.
     * {@link PlayerConnection#onClosed} follows, perhaps at once.
     */
    void close(CloseCode code);
}
