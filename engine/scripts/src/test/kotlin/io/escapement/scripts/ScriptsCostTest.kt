package io.escapement.scripts

import com.sun.management.ThreadMXBean
import io.escapement.codecs.RoomCommandEncoder
import io.escapement.rooms.Room
import io.escapement.rooms.RoomLogic
import io.escapement.rooms.RoomType
import io.escapement.rooms.Seat
import io.escapement.rooms.host.HostContext
import io.escapement.rooms.host.RoomHost
import io.escapement.rooms.output.NoOutputs
import io.escapement.testsupport.Tests
import java.lang.management.ManagementFactory
import org.agrona.DirectBuffer
import org.agrona.concurrent.UnsafeBuffer
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** A resume of a script that waits for each frame allocates nothing. The full form prints what it costs. */
@Timeout(120)
internal class ScriptsCostTest
{
    private val threads = ManagementFactory.getThreadMXBean() as ThreadMXBean
    private var resumed = 0L

    @Test
    fun shouldNotAllocateToResumeAScript()
    {
        val buffer = UnsafeBuffer(ByteArray(512))
        val encoder = RoomCommandEncoder()
        val host = RoomHost(HostContext().roomLimit(1).outputs(NoOutputs())
            .roomType(RoomType.of(1, "many", 1) { ManyScripts() }.seats(1).timers(1)))
        host.beginTurn(0)
        val before = allocated()
        assertEquals(0, host.onCommand(buffer, 0, encoder.openRoom(buffer, 0, 1, 1, 1, 0, 0, buffer, 0, 0)))
        val bytesPerScript = (allocated() - before) / SCRIPTS
        host.endTurn()

        var frame = 0L
        var bytes = Long.MAX_VALUE
        var nanos = Long.MAX_VALUE
        repeat(ROUNDS) {
            val startBytes = allocated()
            val startNs = System.nanoTime()
            repeat(FRAMES) {
                host.beginTurn(++frame * FRAME_NS)
                host.endTurn()
            }
            nanos = minOf(nanos, System.nanoTime() - startNs)
            bytes = minOf(bytes, allocated() - startBytes)
        }
        val resumes = FRAMES.toLong() * SCRIPTS
        assertTrue(resumed >= ROUNDS * resumes, "only $resumed resumes")
        assertTrue(bytes < resumes / 100, "$bytes bytes for $resumes resumes")
        if (Tests.isFull())
        {
            println("$SCRIPTS scripts: ${nanos / resumes} ns a resume, $bytes bytes in $resumes resumes, " +
                "$bytesPerScript bytes to open the room and start them, for each")
        }
    }

    private fun allocated() = threads.currentThreadAllocatedBytes

    private inner class ManyScripts : RoomLogic
    {
        private lateinit var scripts: Scripts

        override fun onOpen(room: Room, args: DirectBuffer, offset: Int, length: Int)
        {
            scripts = Scripts(room, SCRIPTS, 1)
            room.frameRate(60)
            repeat(SCRIPTS) { scripts.start(Counting()) }
        }

        override fun onMessage(from: Seat, buffer: DirectBuffer, offset: Int, length: Int)
        {
        }

        override fun onFrame(frame: Long, elapsedNs: Long)
        {
            scripts.onFrame()
        }
    }

    private inner class Counting : Script()
    {
        override suspend fun Waits.run()
        {
            while (true)
            {
                nextFrame()
                resumed++
            }
        }
    }

    private companion object
    {
        const val SCRIPTS = 10_000
        const val FRAME_NS = 1_000_000_000L / 60 + 1
        val FRAMES = if (Tests.isFull()) 2_000 else 50
        const val ROUNDS = 5
    }
}
