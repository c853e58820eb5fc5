package io.escapement.scripts

import io.escapement.rooms.RoomLogic
import java.security.MessageDigest
import java.util.HexFormat
import java.util.SplittableRandom
import kotlin.time.Duration.Companion.milliseconds
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue

/**
 * Scripts in all kinds of waits under seeded random events, some of which make them throw. Every JDK and every later
 * commit must produce these hashes, because a log that was recorded before has to replay.
 */
@Timeout(60)
internal class ScriptsGoldenTest
{
    @ParameterizedTest
    @CsvSource(
        "1, 1cbc8522cd8baf4474fc1edef1d0b5c97eaa693740c55af66aefd2473bb173c5",
        "2, ed20e5f03e8456c69431ecf49d55be943b3a5082303b4bbf293ab483ba8d107a")
    fun shouldProduceTheCommittedHashes(seed: Long, sha256: String)
    {
        val random = SplittableRandom(seed)
        val digest = MessageDigest.getInstance("SHA-256")
        var asked = 0
        var answered = 0
        val rig = ScriptRig(timers = 4, afterError = RoomLogic.AfterError.CONTINUE) { room -> story(room) { asked++ } }
        repeat(EVENTS) {
            val argument = random.nextLong(1, 8)
            when (random.nextInt(10))
            {
                0, 1 -> rig.start()
                2 -> rig.signal(argument)
                3 -> rig.message(ScriptRoom.FLAG, argument)
                4 -> rig.message(ScriptRoom.FREE, argument)
                5 -> if (random.nextInt(4) == 0) rig.message(ScriptRoom.CANCEL)
                6 -> if (answered < asked)
                {
                    answered++
                    rig.reply(argument.toInt())
                }
                else -> rig.frames(1 + random.nextInt(3))
            }
            rig.said().forEach { digest.update("$it\n".toByteArray()) }
        }
        digest.update("${rig.stateHash()}".toByteArray())
        assertTrue(rig.isOpen)
        assertTrue(rig.failures.size > EVENTS / 100, "only ${rig.failures.size} throws")
        rig.assertReplays()
        assertEquals(sha256, HexFormat.of().formatHex(digest.digest()), "seed $seed")
    }

    private fun story(room: ScriptRoom, onAsk: () -> Unit) = object : Script()
    {
        override suspend fun Waits.run()
        {
            val kind = room.room.random().nextInt(6)
            room.say("begin $kind")
            try
            {
                repeat(3) {
                    step(kind)
                    room.say("step $it")
                    after((5 + 5 * it).milliseconds)
                }
            }
            finally
            {
                room.say("finally $kind")
            }
            room.say("end")
        }

        private suspend fun Waits.step(kind: Int)
        {
            when (kind)
            {
                0 -> frames(2)
                1 -> message {
                    check(7L != it.buffer.getLong(it.offset + 8)) { "seven" }
                    it.templateId == ScriptRoom.FREE
                }
                2 -> signal {
                    check(3L != it.fromRoomId) { "three" }
                    it.fromRoomId < 6
                }
                3 ->
                {
                    onAsk()
                    room.say("status ${reply(room.ask()).status}")
                }
                4 -> until { room.flag > 4 }
                else -> room.say("any " + any(
                    Wait.message(ScriptRoom.FREE), Wait.frames(9), Wait.after(40.milliseconds),
                    Wait.change { 5L == room.flag }))
            }
        }
    }

    private companion object
    {
        const val EVENTS = 4_000
    }
}
