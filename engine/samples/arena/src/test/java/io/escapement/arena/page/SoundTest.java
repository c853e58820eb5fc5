package io.escapement.arena.page;

import java.io.IOException;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The sounds of the page: from the first gesture on, unless the player has muted them. */
class SoundTest
{
    private static final int LIMIT = 12;

    private final PageModules modules;
    private final Value page;

    SoundTest() throws IOException
    {
        modules = new PageModules();
        page = modules.load("sound-test.js");
    }

    @AfterEach
    void close()
    {
        modules.close();
    }

    @Test
    void shouldPlayNothingBeforeAGestureOrWhileMuted()
    {
        page.invokeMember("set", false, 50);
        page.invokeMember("play", "shot");
        assertEquals("", taken());
        page.invokeMember("set", true, 50);
        page.invokeMember("start");
        assertEquals("", taken(), "muted");
        page.invokeMember("set", false, 50);
        page.invokeMember("start");
        assertEquals("context, resume", taken());
        page.invokeMember("start");
        page.invokeMember("play", "round");
        assertEquals("tone 523, gain 0.500, until 5.90", taken());
        page.invokeMember("set", true, 50);
        page.invokeMember("play", "round");
        assertEquals("", taken());
    }

    @Test
    void shouldFollowTheVolume()
    {
        page.invokeMember("set", false, 50);
        page.invokeMember("start");
        assertEquals(0.25, page.invokeMember("volume").asDouble());
        page.invokeMember("set", false, 100);
        assertEquals(1, page.invokeMember("volume").asDouble());
    }

    @Test
    void shouldPlayEventsOfOthersMoreQuietly()
    {
        page.invokeMember("set", false, 50);
        page.invokeMember("start");
        taken();
        assertEquals("tone 620, gain 0.200, until 5.10", event("SHOT", 3, -1));
        assertEquals("tone 620, gain 0.060, until 5.10", event("SHOT", 2, -1));
        assertEquals("tone 220, gain 0.350, until 5.16", event("DASH", 3, -1));
        assertEquals("tone 300, gain 0.600, until 5.14", event("HIT", 1, 3));
        assertEquals("tone 440, gain 0.350, until 5.50", event("DEATH", 3, 1));
        assertEquals("", event("SPAWN", 3, -1));
    }

    @Test
    void shouldLimitTheTonesAtATime()
    {
        page.invokeMember("set", false, 50);
        page.invokeMember("start");
        for (int i = 0; i < LIMIT; i++)
        {
            page.invokeMember("play", "hit");
        }
        taken();
        page.invokeMember("play", "hit");
        assertEquals("", taken());
        page.invokeMember("end");
        page.invokeMember("play", "hit");
        assertEquals("tone 300, gain 0.600, until 5.14", taken());
    }

    private String event(final String kind, final int player, final int other)
    {
        return page.invokeMember("event", kind, player, other).asString();
    }

    private String taken()
    {
        return page.invokeMember("taken").asString();
    }
}
