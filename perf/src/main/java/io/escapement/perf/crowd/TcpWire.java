package io.escapement.perf.crowd;

/**
 * The frames of the TCP peer: length of the whole frame, type and id, little-endian, then the payload. An id is that of
 * a player, and of a room in a state.
 */
final class TcpWire
{
    static final int LENGTH = 0;
    static final int TYPE = 2;
    static final int ID = 4;
    static final int HEADER = 8;

    /** To the server: ask for a seat. The payload is the id of the room. */
    static final int JOIN = 1;
    /** To the client: the number of the room, which its states have, and the index of the seat. */
    static final int JOINED = 2;
    /** To the server. */
    static final int MOVE = 3;
    /** To the client: a move, unchanged. */
    static final int ANSWER = 4;
    /** To the client, for all of its players in the room. */
    static final int STATE = 5;

    static final int JOIN_LENGTH = HEADER + Long.BYTES;
    static final int JOINED_LENGTH = HEADER + 2 * Integer.BYTES;
    static final int MOVE_LENGTH = HEADER + CrowdMessages.MOVE_LENGTH;

    private TcpWire()
    {
    }
}
