package io.escapement.scripts

import io.escapement.codecs.room.RoomEncoder
import io.escapement.rooms.Room
import io.escapement.rooms.RoomLogic
import io.escapement.rooms.RoomType
import io.escapement.rooms.Seat
import io.escapement.rooms.StateReader
import io.escapement.rooms.StateWriter
import io.escapement.rooms.host.HostContext
import io.escapement.rooms.log.LogFile
import io.escapement.rooms.log.LogWriter
import io.escapement.rooms.log.ProposalWriter
import io.escapement.rooms.output.ByteSink
import io.escapement.rooms.output.CapturedOutputs
import io.escapement.rooms.output.HostListener
import io.escapement.rooms.output.NoOutputs
import io.escapement.rooms.replay.ProposalRunner
import io.escapement.rooms.replay.Replay
import org.agrona.DirectBuffer
import org.agrona.concurrent.UnsafeBuffer
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue

/** A room whose first message starts its script, and which sends each line that a script says to everyone. */
internal class ScriptRoom(
    private val register: Scripts.(ScriptRoom) -> Unit,
    private val afterError: RoomLogic.AfterError,
    private val make: (ScriptRoom) -> Script) : RoomLogic
{
    lateinit var room: Room
    lateinit var scripts: Scripts
    var lastScript = 0L
        private set
    var flag = 0L

    override fun onOpen(room: Room, args: DirectBuffer, offset: Int, length: Int)
    {
        begin(room)
        room.frameRate(RATE_HZ)
    }

    override fun onMessage(from: Seat, buffer: DirectBuffer, offset: Int, length: Int)
    {
        val argument = buffer.getLong(offset + 8)
        when (buffer.getShort(offset + 2).toInt())
        {
            START -> start()
            CANCEL -> say("cancelled ${scripts.cancel(lastScript)} ${scripts.running}")
            FLAG -> flag = argument
        }
        if (scripts.onMessage(from, buffer, offset, length))
        {
            say("taken")
        }
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
        assertTrue(scripts.onTimer(handle, kind, tag))
    }

    override fun onFrame(frame: Long, elapsedNs: Long)
    {
        scripts.onFrame()
    }

    override fun onError(thrown: Throwable, seat: Seat?) = afterError

    override fun onSnapshot(writer: StateWriter)
    {
        writer.putLong(flag)
        writer.putLong(lastScript)
        scripts.write(writer)
    }

    override fun onRestore(room: Room, version: Int, reader: StateReader)
    {
        flag = reader.getLong()
        lastScript = reader.getLong()
        begin(room)
        scripts.read(reader)
    }

    fun start()
    {
        lastScript = scripts.start(make(this))
        say(if (Scripts.NO_SCRIPT == lastScript) "full" else "started")
    }

    fun say(text: String)
    {
        val bytes = text.toByteArray()
        room.sendEvent(room.everyone(), UnsafeBuffer(bytes), 0, bytes.size)
    }

    fun ask(): Long = room.async(1, 1, UnsafeBuffer(ByteArray(1)), 0, 1)

    private fun begin(opened: Room)
    {
        room = opened
        scripts = Scripts(opened, LIMIT, TIMER_SCRIPTS)
        scripts.register(this)
    }

    companion object
    {
        const val LIMIT = 3
        const val TIMER_SCRIPTS = 9
        const val RATE_HZ = 100
        const val START = 1
        const val CANCEL = 2
        const val FLAG = 3
        const val FREE = 10
    }
}

/** A host with one [ScriptRoom] and one player. */
internal class ScriptRig(
    private val timers: Int = 8,
    private val register: Scripts.(ScriptRoom) -> Unit = {},
    private val afterError: RoomLogic.AfterError = RoomLogic.AfterError.CLOSE,
    private val make: (ScriptRoom) -> Script)
{
    val lines = ArrayList<String>()
    val failures = ArrayList<Throwable>()
    private val encoder = RoomEncoder()
    private val buffer = UnsafeBuffer(ByteArray(1024))
    private val payload = UnsafeBuffer(ByteArray(16))
    private val outputs = CapturedOutputs()
    private val log = ByteSink()
    private val writer = LogWriter(log, context().header())
    private val proposal = ProposalWriter(0)
    private var runner = ProposalRunner(context())
    private var nowNs = 0L
    private var sequence = 0L
    private var answered = 0L

    init
    {
        turn(encoder.openRoom(buffer, 0, 1, 1, 0, 0, 1, payload, 0, 0))
        turn(encoder.linkUp(buffer, 0, 0, 0))
        turn(encoder.join(buffer, 0, 1, 7, 7, 0, payload, 0, 0))
        lines.clear()
    }

    private val host
        get() = runner.host()

    val isOpen: Boolean
        get() = 0 != host.openRooms()

    fun start() = message(ScriptRoom.START)

    fun message(template: Int, argument: Long = 0): ScriptRig
    {
        payload.putShort(2, template.toShort())
        payload.putLong(8, argument)
        return turn(encoder.message(buffer, 0, 1, ++sequence, 0, 1, 0, payload, 0, 16))
    }

    fun signal(from: Long) = turn(encoder.signal(buffer, 0, 1, from, 0, payload, 0, 16))

    fun reply(status: Int) = turn(encoder.reply(buffer, 0, 1, ++answered, status, payload, 0, 4))

    fun frames(count: Int): ScriptRig
    {
        repeat(count) {
            nowNs += FRAME_NS
            turn(0)
        }
        return this
    }

    fun said(): List<String>
    {
        val said = lines.toList()
        lines.clear()
        return said
    }

    fun timersSet() = host.pendingTimers()

    fun stateHash() = host.stateHash()

    fun snapshot(): ByteArray
    {
        val snapshot = ByteSink()
        host.snapshot(snapshot)
        return snapshot.toArray()
    }

    /** Go on in a new host, from the snapshot of this one. */
    fun restart(): ScriptRig
    {
        val snapshot = snapshot()
        val hash = host.stateHash()
        runner = ProposalRunner.restore(context(), UnsafeBuffer(snapshot), 0, snapshot.size)
        assertArrayEquals(snapshot, snapshot(), "the snapshot of the restored host")
        assertEquals(hash, host.stateHash())
        return this
    }

    fun assertReplays()
    {
        writer.appendHashes(host.turn(), runner.outputHash(), host.stateHash())
        val replay = Replay(LogFile.openUnfinished(log.buffer(), 0, log.length()), context()).run()
        assertTrue(replay.isSame(), replay.difference())
        assertEquals(host.stateHash(), replay.host().stateHash())
    }

    private fun turn(length: Int): ScriptRig
    {
        proposal.clear()
        if (0 != length)
        {
            proposal.add(buffer, 0, length)
        }
        val bytes = proposal.finish(0, runner.lastProposal() + 1, nowNs, host.turn(), runner.outputHash())
        writer.append(proposal.buffer(), 0, bytes)
        runner.accept(proposal.buffer(), 0, bytes)
        runner.beginTurn()
        if (runner.proposal().nextCommand())
        {
            assertEquals(0, runner.runCommand())
        }
        runner.endTurn()
        outputs.forEach(object : NoOutputs()
        {
            override fun message(
                link: Int, roomId: Long, outputClass: Int, audience: Int, selector: Long,
                bytes: DirectBuffer, offset: Int, size: Int)
            {
                lines.add(bytes.getStringWithoutLengthAscii(offset, size))
            }
        })
        outputs.reset()
        return this
    }

    private fun context() = HostContext()
        .roomType(RoomType.of(1, "scripts", 1) { ScriptRoom(register, afterError, make) }.seats(1).timers(timers))
        .roomLimit(2).seatLimit(8).timerLimit(32).linkLimit(4).phaseGroups(1).build("scripts").outputs(outputs)
        .listener(object : HostListener
        {
            override fun onRoomFailed(roomId: Long, typeId: Int, callback: Long, cause: Throwable)
            {
                failures.add(cause)
            }

            override fun onRoomError(roomId: Long, typeId: Int, callback: Long, cause: Throwable)
            {
                failures.add(cause)
            }
        })

    companion object
    {
        const val FRAME_NS = 1_000_000_000L / ScriptRoom.RATE_HZ
    }
}
