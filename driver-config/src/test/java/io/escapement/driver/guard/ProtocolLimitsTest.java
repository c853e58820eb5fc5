package io.escapement.driver.guard;

import io.aeron.logbuffer.LogBufferDescriptor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The protocol page must state the limits, because a guard drops packets without an answer. */
@Timeout(10)
class ProtocolLimitsTest
{
    private final String page = Files.readString(Path.of("../codecs/PROTOCOL.md"), StandardCharsets.UTF_8);

    ProtocolLimitsTest() throws IOException
    {
    }

    @Test
    void shouldBeDocumented()
    {
        final GuardLimits limits = GuardLimits.DEFAULTS;
        assertDocumented(String.format(Locale.ROOT, "| term length; MTU | %d KiB to %d MiB; %d to %,d bytes |",
            LogBufferDescriptor.TERM_MIN_LENGTH >> 10, limits.maxTermLength() >> 20,
            limits.minMtu(), limits.maxMtu()));
        assertDocumented(String.format(Locale.ROOT,
            "| new streams at one endpoint | %d a second, %d at once, %d alive |",
            limits.setupRate(), limits.setupBurst(), limits.sessionLimit()));
    }

    private void assertDocumented(final String text)
    {
        assertTrue(page.contains(text), () -> "the page lacks: " + text);
    }
}
