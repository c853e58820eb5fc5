package io.escapement.scripts

import io.escapement.rooms.Room
import io.escapement.rooms.RoomLogic
import io.escapement.rooms.Seat
import kotlin.time.Duration.Companion.seconds
import org.agrona.DirectBuffer
import org.agrona.concurrent.UnsafeBuffer

// The sample of the guide, in engine/guide/time-and-steps.md.
internal class RoundRoom : RoomLogic
{
    private lateinit var room: Room
    private lateinit var scripts: Scripts
    private val line = UnsafeBuffer(ByteArray(64))

    override fun onOpen(room: Room, args: DirectBuffer, offset: Int, length: Int)
    {
        this.room = room
        scripts = Scripts(room, limit = 8, timerKind = 1)
        scripts.start(Round())
    }

    override fun onMessage(from: Seat, buffer: DirectBuffer, offset: Int, length: Int)
    {
        scripts.onMessage(from, buffer, offset, length)
    }

    override fun onTimer(handle: Long, kind: Int, tag: Long)
    {
        scripts.onTimer(handle, kind, tag)
    }

    private inner class Round : Script()
    {
        override suspend fun Waits.run()
        {
            for (seconds in 3 downTo 1)
            {
                say("begins in $seconds")
                after(1.seconds)
            }
            while (true)
            {
                val which = any(Wait.message { it.length > 0 }, Wait.after(30.seconds))
                say(if (0 == which) "a move" else "too slow")
            }
        }
    }

    private fun say(text: String)
    {
        room.sendEvent(room.everyone(), line, 0, line.putStringWithoutLengthAscii(0, text))
    }
}
