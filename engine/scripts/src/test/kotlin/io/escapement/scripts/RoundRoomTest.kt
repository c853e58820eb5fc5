package io.escapement.scripts

import io.escapement.rooms.RoomType
import io.escapement.rooms.bench.RoomBench
import java.nio.file.Files
import java.nio.file.Path
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(60)
internal class RoundRoomTest
{
    @Test
    fun shouldDoWhatTheGuideShows()
    {
        val bench = RoomBench.of(RoomType.of(1, "round", 1) { RoundRoom() })
        val ann = bench.join(1)
        bench.runFor(2_500_000_000)
        assertEquals(listOf("begins in 2", "begins in 1"), ann.texts())
        bench.runFor(1_000_000_000)
        ann.send("e4")
        bench.runFor(31_000_000_000)
        assertEquals(listOf("a move", "too slow"), ann.texts().drop(2))
        bench.replayAndCompare()
    }

    @Test
    fun shouldBeTheCodeOfTheGuide()
    {
        val page = Files.readString(Path.of("../guide/time-and-steps.md"))
        val shown = page.substringAfter("```kotlin\n").substringBefore("```")
        val source = Files.readString(Path.of("src/test/kotlin/io/escapement/scripts/RoundRoom.kt"))
        assertTrue(shown.length > 500 && source.contains(shown), "the sample differs from RoundRoom.kt")
    }
}
