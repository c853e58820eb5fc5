package io.escapement.driver.guard;

import io.aeron.logbuffer.LogBufferDescriptor;
import io.escapement.driver.DriverProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The protocol page must state the limits, because a guard drops packets without an answer. */
class ProtocolLimitsTest
{
    private final String page = Files.readString(Path.of("../codecs/protocol/trunk.md"), StandardCharsets.UTF_8);

    ProtocolLimitsTest() throws IOException
    {
    }

    @Test
    void shouldBeDocumented()
    {
        final List<GuardLimits> profiles = DriverProfile.NAMES.stream()
            .map((name) -> DriverProfile.load(name).guardLimits()).toList();
        final GuardLimits solo = DriverProfile.load("solo").guardLimits();
        assertDocumented(String.format(Locale.ROOT,
            "| term length, MTU | %d KiB to %d KiB, more with some driver profiles, %d to %,d bytes |",
            LogBufferDescriptor.TERM_MIN_LENGTH >> 10,
            profiles.stream().mapToInt(GuardLimits::maxTermLength).min().orElseThrow() >> 10,
            profiles.stream().mapToInt(GuardLimits::minMtu).max().orElseThrow(),
            profiles.stream().mapToInt(GuardLimits::maxMtu).min().orElseThrow()));
        assertDocumented(String.format(Locale.ROOT,
            "| new streams per second at one endpoint | %d with the driver profile solo, %d with others,",
            solo.setupRate(), GuardLimits.DEFAULTS.setupRate()));
    }

    @Test
    void shouldHaveProfilesThatHoldTheTrunksOfThePage()
    {
        final Matcher trunks = Pattern.compile("\\| trunks \\| (\\d+) \\|")
            .matcher(page);
        assertTrue(trunks.find());
        for (final String name : DriverProfile.NAMES)
        {
            // A trunk takes a stream for control and one for each loop; the profile solo has one loop.
            final int loops = "solo".equals(name) ? 1 : 3;
            final int sessions = Integer.parseInt(trunks.group(1)) * (1 + loops);
            final DriverProfile profile = DriverProfile.load(name);
            final GuardLimits limits = profile.guardLimits();
            assertEquals(limits.forSessions(sessions), limits, name);
            assertTrue(profile.newContext().streamSessionLimit() >= limits.sessionLimit(), name);
        }
    }

    private void assertDocumented(final String text)
    {
        assertTrue(page.contains(text), () -> "the page lacks: " + text);
    }
}
