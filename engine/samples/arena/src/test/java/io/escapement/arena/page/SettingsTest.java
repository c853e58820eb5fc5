package io.escapement.arena.page;

import java.io.IOException;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The choices of a player, in the storage of a browser and in the dialog. */
class SettingsTest
{
    private static final String DEFAULTS = "{\"isMuted\":false,\"volume\":60,\"showsNames\":true,\"isCalm\":false}";

    private final PageModules modules;
    private final Value page;

    SettingsTest() throws IOException
    {
        modules = new PageModules();
        page = modules.load("settings-test.js");
    }

    @AfterEach
    void close()
    {
        modules.close();
    }

    @Test
    void shouldReadWhatWasKept()
    {
        final String kept = "{\"isMuted\":true,\"volume\":35,\"showsNames\":false,\"isCalm\":true}";
        assertEquals(kept, read(kept));
    }

    @Test
    void shouldHaveADefaultForEachChoiceThatIsMissingOrMalformed()
    {
        for (final String kept : new String[]{null, "", "null", "7", "[", "{}", "{\"volume\":\"9\",\"isMuted\":0}"})
        {
            assertEquals(DEFAULTS, read(kept), kept);
        }
        assertEquals(DEFAULTS.replace("60", "100"), read("{\"volume\":1e9,\"other\":1}"));
        assertEquals(DEFAULTS.replace("60", "0"), read("{\"volume\":-1}"));
    }

    @Test
    void shouldShowAndKeepTheChoices()
    {
        assertEquals("false 60 true false, 0, " + DEFAULTS, page.invokeMember("change").asString());
        assertEquals("false 60 true false, 4, {\"isMuted\":true,\"volume\":15,\"showsNames\":false,\"isCalm\":true}",
            page.invokeMember("change", "mute", "volume", "show-names", "calm").asString());
    }

    private String read(final String kept)
    {
        return page.invokeMember("read", kept).asString();
    }
}
