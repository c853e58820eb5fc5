package io.escapement.scripts

import com.sun.management.ThreadMXBean
import io.escapement.codecs.room.RoomEncoder
import io.escapement.rooms.Room
import io.escapement.rooms.RoomLogic
import io.escapement.rooms.RoomType
import io.escapement.rooms.Seat
import io.escapement.rooms.host.HostContext
import io.escapement.rooms.host.RoomHost
import io.escapement.rooms.output.NoOutputs
import io.escapement.testsupport.Tests
import java.lang.management.ManagementFactory
import kotlin.time.Duration.Companion.milliseconds
import org.agrona.DirectBuffer
import org.agrona.concurrent.UnsafeBuffer
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/**
 * A wait of each kind and its resume allocate nothing, but for `any`. The full form prints what they cost with 10,000
 * scripts at 60 Hz: `mvn -Pfull test -pl engine/scripts -Dtest=ScriptsCostTest`.
 */
@Timeout(300)
internal class ScriptsCostTest
{
    internal enum class Kind
    {
        NEXT_FRAME, FRAMES, TIME, MESSAGE, MESSAGE_THAT_PASSES, SIGNAL, REPLY, UNTIL, ANY
    }

    private val threads = ManagementFactory.getThreadMXBean() as ThreadMXBean
    private val encoder = RoomEncoder()
    private val buffer = UnsafeBuffer(ByteArray(512))
    private val payload = UnsafeBuffer(ByteArray(16))
    private var resumed = 0L
    private var turn = 0L
    private var sequence = 0L
    private var replies = 0L

    @ParameterizedTest
    @EnumSource
    fun shouldNotAllocateToResumeAScript(kind: Kind)
    {
        // Each reply is offered to all scripts, so that its cost is that of one among so few.
        val scripts = if (Kind.REPLY == kind) REPLIES else SCRIPTS
        val host = RoomHost(HostContext().roomLimit(1).timerLimit(SCRIPTS).outputs(NoOutputs())
            .roomType(RoomType.of(1, "many", 1) { ManyScripts(kind, scripts) }.seats(1).timers(SCRIPTS).requests(REPLIES)))
        payload.putShort(2, TEMPLATE.toShort())
        host.beginTurn(0)
        val before = allocated()
        assertEquals(0, host.onCommand(buffer, 0, encoder.openRoom(buffer, 0, 1, 1, 0, 0, 1, payload, 0, 0)))
        val bytesPerScript = (allocated() - before) / scripts
        assertEquals(0, host.onCommand(buffer, 0, encoder.linkUp(buffer, 0, 0, 0)))
        assertEquals(0, host.onCommand(buffer, 0, encoder.join(buffer, 0, 1, 7, 7, 0, payload, 0, 0)))
        host.endTurn()

        var bytes = Long.MAX_VALUE
        repeat(ROUNDS) {
            val startBytes = allocated()
            repeat(FRAMES) { frame(host, kind, scripts) }
            bytes = minOf(bytes, allocated() - startBytes)
        }
        val resumes = FRAMES.toLong() * scripts
        assertEquals(ROUNDS * resumes, resumed, 2.0 * scripts, "resumes")
        if (Kind.ANY != kind)
        {
            assertTrue(bytes < resumes / 100, "$bytes bytes for $resumes resumes")
        }
        if (Tests.isFull())
        {
            println("$kind: $scripts scripts, ${bytes / resumes} bytes per resume, " +
                "$bytesPerScript bytes per script to open the room and start it")
        }
    }

    private fun frame(host: RoomHost, kind: Kind, scripts: Int)
    {
        host.beginTurn(++turn * FRAME_NS)
        when (kind)
        {
            Kind.MESSAGE, Kind.MESSAGE_THAT_PASSES, Kind.UNTIL, Kind.ANY -> host.onCommand(
                buffer, 0, encoder.message(buffer, 0, 1, ++sequence, 0, 1, 0, payload, 0, payload.capacity()))
            Kind.SIGNAL -> host.onCommand(
                buffer, 0, encoder.signal(buffer, 0, 1, 0, 0, payload, 0, payload.capacity()))
            Kind.REPLY -> repeat(scripts) {
                host.onCommand(buffer, 0, encoder.reply(buffer, 0, 1, ++replies, 0, payload, 0, 8))
            }
            else -> {}
        }
        host.endTurn()
    }

    private fun allocated() = threads.currentThreadAllocatedBytes

    private fun assertEquals(expected: Long, actual: Long, tolerance: Double, message: String) =
        assertEquals(expected.toDouble(), actual.toDouble(), tolerance, message)

    private inner class ManyScripts(private val kind: Kind, private val count: Int) : RoomLogic
    {
        private lateinit var scripts: Scripts

        override fun onOpen(room: Room, args: DirectBuffer, offset: Int, length: Int)
        {
            scripts = Scripts(room, count, 1)
            room.frameRate(60)
            repeat(count) { scripts.start(Counting(room, kind)) }
        }

        override fun onMessage(from: Seat, buffer: DirectBuffer, offset: Int, length: Int)
        {
            scripts.onMessage(from, buffer, offset, length)
            scripts.onChange()
        }

        override fun onSignal(fromRoomId: Long, buffer: DirectBuffer, offset: Int, length: Int)
        {
            scripts.onSignal(fromRoomId, buffer, offset, length)
        }

        override fun onReply(correlationId: Long, status: Int, buffer: DirectBuffer, offset: Int, length: Int)
        {
            scripts.onReply(correlationId, status, buffer, offset, length)
        }

        override fun onTimer(handle: Long, kind: Int, tag: Long)
        {
            scripts.onTimer(handle, kind, tag)
        }

        override fun onFrame(frame: Long, elapsedNs: Long)
        {
            scripts.onFrame()
        }
    }

    private inner class Counting(private val room: Room, private val kind: Kind) : Script()
    {
        private var seen = 0L
        private val isNewTurn = { turn != seen }
        private val passes = { arrival: Arrival -> arrival.length > 0 }
        private val never = Wait.frames(1_000_000)

        override suspend fun Waits.run()
        {
            while (true)
            {
                when (kind)
                {
                    Kind.NEXT_FRAME -> nextFrame()
                    Kind.FRAMES -> frames(1)
                    Kind.TIME -> after(HALF_FRAME)
                    Kind.MESSAGE -> message(TEMPLATE)
                    Kind.MESSAGE_THAT_PASSES -> message(passes)
                    Kind.SIGNAL -> signal(passes)
                    Kind.REPLY -> reply(room.async(1, 1, payload, 0, 1))
                    Kind.UNTIL -> until(isNewTurn)
                    Kind.ANY -> any(never, Wait.message(TEMPLATE))
                }
                seen = turn
                resumed++
            }
        }
    }

    private companion object
    {
        val SCRIPTS = if (Tests.isFull()) 10_000 else 500
        const val REPLIES = 100
        const val TEMPLATE = 10
        const val FRAME_NS = 1_000_000_000L / 60 + 1
        val HALF_FRAME = 8.milliseconds
        val FRAMES = if (Tests.isFull()) 2_000 else 400
        const val ROUNDS = 5
    }
}
