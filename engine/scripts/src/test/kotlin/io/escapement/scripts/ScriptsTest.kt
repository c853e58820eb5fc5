package io.escapement.scripts

import io.escapement.rooms.RoomLogic
import io.escapement.rooms.StateReader
import io.escapement.rooms.StateWriter
import java.util.concurrent.CancellationException
import kotlin.time.Duration.Companion.milliseconds
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(60)
internal class ScriptsTest
{
    /** A script with one wait, whose only field is whether the wait has ended. */
    private class Waiting(
        private val room: ScriptRoom,
        private val onEnd: (ScriptRoom) -> Unit,
        private val wait: suspend Waits.(ScriptRoom, Waiting) -> Unit) : Script(), Relaunchable
    {
        var request = 0L

        override suspend fun Waits.run()
        {
            act { room.say("begin") }
            try
            {
                wait(this, room, this@Waiting)
            }
            catch (ex: CancellationException)
            {
                room.say("cleanup")
                throw ex
            }
            onEnd(room)
            room.say("end")
        }

        override fun onSnapshot(writer: StateWriter)
        {
            writer.putLong(request)
        }

        override fun onRestore(reader: StateReader)
        {
            request = reader.getLong()
        }
    }

    private class Case(val wait: suspend Waits.(ScriptRoom, Waiting) -> Unit, val end: ScriptRig.() -> Unit)

    private val cases = mapOf(
        "next frame" to Case({ _, _ -> nextFrame() }) { frames(1) },
        "frames" to Case({ _, _ -> frames(3) }) { frames(3) },
        "time" to Case({ _, _ -> after(25.milliseconds) }) { frames(3) },
        "message" to Case({ _, _ -> assertEquals(16, message(ScriptRoom.FREE).length) }) { message(ScriptRoom.FREE) },
        "message that passes" to Case({ _, _ -> message { 5L == it.buffer.getLong(it.offset + 8) } }) {
            message(ScriptRoom.FREE, 4)
            message(ScriptRoom.FREE, 5)
        },
        "signal" to Case({ _, _ -> signal { 7L == it.fromRoomId } }) {
            signal(6)
            signal(7)
        },
        "reply" to Case({ room, script ->
            act { script.request = room.ask() }
            room.say("status " + reply(script.request).status)
        }) { reply(3) },
        "until" to Case({ room, _ -> until { 2L == room.flag } }) { message(ScriptRoom.FLAG, 2) },
        "any" to Case({ room, script ->
            act { script.request = room.ask() }
            val which = any(
                Wait.after(900.milliseconds), Wait.frames(50), Wait.reply(script.request),
                Wait.message(ScriptRoom.FREE), Wait.change { false })
            room.say("which $which")
        }) { message(ScriptRoom.FREE) })

    @Test
    fun shouldGoOnAfterEachKindOfWait()
    {
        cases.forEach { (name, case) ->
            val rig = rig(case).start()
            assertEquals(listOf("begin", "started"), rig.said(), name)
            rig.message(99).signal(1)
            assertEquals(listOf<String>(), rig.said(), name)
            case.end(rig)
            assertEquals(1, rig.lines.count { "end" == it }, "$name: ${rig.lines} ${rig.failures}")
            assertEquals(0, rig.timersSet(), name)
            rig.assertReplays()
        }
    }

    @Test
    fun shouldGoOnFromASnapshotInEachKindOfWait()
    {
        cases.forEach { (name, case) ->
            val straight = rig(case).start()
            val restored = rig(case).start().restart()
            case.end(straight)
            case.end(restored)
            assertEquals(straight.frames(2).said(), restored.frames(2).said(), name)
            assertEquals(straight.stateHash(), restored.stateHash(), name)
        }
    }

    @Test
    fun shouldCancelInEachKindOfWait()
    {
        cases.forEach { (name, case) ->
            val rig = rig(case).start()
            rig.said()
            val before = rig.stateHash()
            assertEquals(listOf("cleanup", "cancelled true 0"), rig.message(ScriptRoom.CANCEL).said(), name)
            assertEquals(0, rig.timersSet(), name)
            assertNotEquals(before, rig.stateHash(), name)
            case.end(rig)
            assertEquals(listOf<String>(), rig.frames(5).said(), name)
            assertEquals(listOf("cancelled false 0"), rig.message(ScriptRoom.CANCEL).said(), name)
            rig.assertReplays()
        }
    }

    @Test
    fun shouldFailTheRoomByAThrowAfterEachKindOfWait()
    {
        cases.forEach { (name, case) ->
            val rig = rig(case.wait) { error("after $name") }.start()
            case.end(rig)
            assertFalse(rig.isOpen, name)
            assertEquals("after $name", rig.failures[0].message)
            rig.assertReplays()
        }
    }

    /** Waits whose test throws when the event comes. */
    private val throwing = mapOf(
        "message" to Case({ _, _ -> message { check(ScriptRoom.FREE != it.templateId) { "planted" }; false } }) {
            message(ScriptRoom.FREE)
        },
        "signal" to Case({ _, _ -> signal { throw IllegalStateException("planted") } }) { signal(7) },
        "until" to Case({ room, _ -> until { check(2L != room.flag) { "planted" }; false } }) {
            message(ScriptRoom.FLAG, 2)
        },
        "any" to Case({ _, _ ->
            any(Wait.after(900.milliseconds), Wait.frames(50), Wait.signal { throw IllegalStateException("planted") })
        }) { signal(7) },
        "any with a change" to Case({ room, _ ->
            any(Wait.message(77), Wait.change { check(2L != room.flag) { "planted" }; false })
        }) { message(ScriptRoom.FLAG, 2) })

    @Test
    fun shouldEndAScriptWhoseTestThrowsAndGoOnWithTheRoom()
    {
        throwing.forEach { (name, case) ->
            val rig = ScriptRig(afterError = RoomLogic.AfterError.CONTINUE) { room ->
                Waiting(room, {}) { inRoom, self ->
                    try
                    {
                        case.wait(this, inRoom, self)
                    }
                    finally
                    {
                        inRoom.say("finally")
                    }
                }
            }
            rig.start().said()
            case.end(rig)
            assertEquals(listOf("finally"), rig.said(), name)
            assertEquals(listOf("planted"), rig.failures.map { it.message }, name)
            assertEquals(0, rig.timersSet(), name)
            // It has ended, so nothing resumes it.
            rig.message(ScriptRoom.FLAG, 0).signal(7).message(ScriptRoom.FREE).frames(2)
            assertEquals(listOf<String>(), rig.said(), name)
            assertEquals(1, rig.failures.size, name)
            rig.start().start().start()
            assertEquals(listOf("begin", "started", "begin", "started", "begin", "started"), rig.said(), name)
            rig.assertReplays()
        }
    }

    @Test
    fun shouldThrowAtTheWaitWhatItsTestThrows()
    {
        throwing.forEach { (name, case) ->
            val rig = ScriptRig { room ->
                Waiting(room, {}) { inRoom, self ->
                    try
                    {
                        case.wait(this, inRoom, self)
                    }
                    catch (ex: IllegalStateException)
                    {
                        inRoom.say("caught ${ex.message}")
                        after(5.milliseconds)
                    }
                }
            }
            rig.start().said()
            case.end(rig)
            assertEquals(listOf("caught planted"), rig.said().filter { it != "taken" }, name)
            assertTrue(rig.isOpen, name)
            assertEquals(listOf("end"), rig.frames(1).said(), name)
            rig.assertReplays()
        }
    }

    @Test
    fun shouldGoOnAfterATestThatCancelsItsScriptAndThrows()
    {
        lateinit var room: ScriptRoom
        val rig = ScriptRig(afterError = RoomLogic.AfterError.CONTINUE) {
            room = it
            script {
                message {
                    check(ScriptRoom.FREE != it.templateId || !room.scripts.cancel(room.lastScript)) { "planted" }
                    false
                }
            }
        }
        rig.start().message(ScriptRoom.FREE)
        assertEquals(listOf("planted"), rig.failures.map { it.message })
        assertEquals(0, room.scripts.running)
        assertTrue(rig.isOpen)
    }

    @Test
    fun shouldGoOnAfterAWaitThatFoundNoTimer()
    {
        val rig = ScriptRig(0) { room ->
            script {
                try
                {
                    any(Wait.frames(3), Wait.after(5.milliseconds))
                }
                catch (ex: IllegalStateException)
                {
                    room.say("caught")
                    // It does not wait, so this marks it only.
                    assertTrue(room.scripts.cancel((1L shl 16)))
                }
                nextFrame()
                room.say("unreachable")
            }
        }
        rig.start().frames(4)
        assertEquals(listOf("caught", "started"), rig.said())
        assertTrue(rig.isOpen)
    }

    @Test
    fun shouldKeepLoopsAndLocals()
    {
        val rig = ScriptRig { room ->
            script {
                for (n in 3 downTo 1)
                {
                    room.say("$n")
                    after(5.milliseconds)
                }
                var sum = 0L
                while (sum < 5)
                {
                    val arrival = message(ScriptRoom.FREE)
                    sum += arrival.buffer.getLong(arrival.offset + 8)
                }
                room.say("sum $sum")
            }
        }
        rig.start().frames(4).message(ScriptRoom.FREE, 3).message(ScriptRoom.FREE, 3)
        assertEquals(listOf("3", "started", "2", "1", "taken", "sum 6", "taken"), rig.said())
        rig.assertReplays()
    }

    @Test
    fun shouldRunInTheOrderOfTheirStart()
    {
        var number = 0
        val rig = ScriptRig { room ->
            val own = number++
            script {
                message(ScriptRoom.FREE)
                room.say("script $own")
                if (0 == own)
                {
                    room.start()
                }
            }
        }
        rig.start().start()
        rig.said()
        // The script that is started waits for the next message.
        assertEquals(listOf("script 0", "started", "script 1", "taken"), rig.message(ScriptRoom.FREE).said())
        assertEquals(listOf("script 2", "taken"), rig.message(ScriptRoom.FREE).said())
    }

    @Test
    fun shouldStartNoMoreThanTheLimit()
    {
        val rig = ScriptRig { script { message(ScriptRoom.FREE) } }
        assertEquals(listOf("started", "started", "started", "full"), rig.start().start().start().start().said())
        assertEquals(listOf("taken", "started"), rig.message(ScriptRoom.FREE).start().said())
    }

    @Test
    fun shouldEndACancelledScriptThatWaitsAgain()
    {
        val rig = ScriptRig { room ->
            script {
                try
                {
                    nextFrame()
                }
                finally
                {
                    room.say("finally")
                    nextFrame()
                    room.say("unreachable")
                }
            }
        }
        rig.start().said()
        assertEquals(listOf("finally", "cancelled true 0"), rig.message(ScriptRoom.CANCEL).frames(3).said())
    }

    @Test
    fun shouldRefuseASnapshotOfAScriptThatIsNotRelaunchable()
    {
        val rig = ScriptRig { script { nextFrame() } }
        rig.snapshot()
        rig.start()
        rig.stateHash()
        val refused = assertThrows(IllegalStateException::class.java) { rig.snapshot() }
        assertTrue(refused.cause!!.message!!.contains("not registered by relaunch"), refused.cause!!.message)
        rig.frames(1).snapshot()
    }

    @Test
    fun shouldRefuseARelaunchThatActsOrWaitsForSomethingElse()
    {
        fun refusal(wait: suspend Waits.(ScriptRoom, Waiting) -> Unit): String
        {
            val rig = rig(wait).start().message(ScriptRoom.FLAG, 1)
            val refused = assertThrows(RuntimeException::class.java) { rig.restart() }
            return generateSequence<Throwable>(refused) { it.cause }.map { it.message }.joinToString()
        }
        assertTrue(refusal { room, _ ->
            room.say("again")
            nextFrame()
        }.contains("the relaunch of script version 1 failed"))
        assertTrue(refusal { room, _ -> if (0L == room.flag) nextFrame() else after(5.milliseconds) }
            .contains("waits for other events"))
        assertTrue(refusal { room, _ -> if (0L == room.flag) nextFrame() }.contains("script version 1"))
    }

    @Test
    fun shouldFailARoomWithoutATimerForAWait()
    {
        val rig = ScriptRig(0) { script { after(5.milliseconds) } }.start()
        assertFalse(rig.isOpen)
        assertTrue(rig.failures[0].message!!.contains("no timer left"))
    }

    private fun rig(case: Case) = rig(case.wait)

    private fun rig(wait: suspend Waits.(ScriptRoom, Waiting) -> Unit, onEnd: (ScriptRoom) -> Unit = {}): ScriptRig
    {
        val make = { room: ScriptRoom -> Waiting(room, onEnd, wait) }
        return ScriptRig(register = { relaunch("script", 1, Waiting::class.java) { make(it) } }, make = make)
    }

    private fun script(code: suspend Waits.() -> Unit) = object : Script()
    {
        override suspend fun Waits.run()
        {
            code()
        }
    }
}
