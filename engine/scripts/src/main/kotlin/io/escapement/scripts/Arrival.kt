package io.escapement.scripts

import io.escapement.rooms.Seat
import org.agrona.DirectBuffer

/** The message, signal or reply that ended a wait. It is valid until the next wait, and the same object for all of them. */
public class Arrival internal constructor()
{
    /** The sender of a message. */
    public var from: Seat? = null
        internal set

    /** The sender of a signal, or 0 for the embedding program. */
    public var fromRoomId: Long = 0
        internal set

    /** Correlation id of a reply. */
    public var correlationId: Long = 0
        internal set

    /** Status of a reply: 0 for success; otherwise a refusal code, or the service's status. */
    public var status: Int = 0
        internal set

    /** Template id of a message, or -1 if it is too short to have one. */
    public var templateId: Int = -1
        internal set

    private var bytes: DirectBuffer? = null

    /** The buffer with the bytes. Reading it after the next wait throws. */
    public val buffer: DirectBuffer
        get() = bytes ?: throw IllegalStateException("the message was valid until the next wait of the script")

    /** Offset of the bytes. */
    public var offset: Int = 0
        internal set

    /** Number of bytes. */
    public var length: Int = 0
        internal set

    internal fun set(buffer: DirectBuffer, offset: Int, length: Int)
    {
        bytes = buffer
        this.offset = offset
        this.length = length
    }

    internal fun clear()
    {
        from = null
        bytes = null
    }
}
