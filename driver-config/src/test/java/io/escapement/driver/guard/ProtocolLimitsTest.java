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

/** What a client has to keep to stands on the protocol's page, since a guard answers nothing. */
@Timeout(10)
class ProtocolLimitsTest
{
    private final String page = Files.readString(Path.of("../codecs/PROTOCOL.md"), StandardCharsets.UTF_8);

    ProtocolLimitsTest() throws IOException
    {
    }

    @Test
    void shouldStandOnThePage()
    {
        final GuardLimits limits = GuardLimits.DEFAULTS;
        assertSaid(String.format(Locale.ROOT, "| term length; MTU | %d KiB to %d MiB; %d to %,d bytes |",
            LogBufferDescriptor.TERM_MIN_LENGTH >> 10, limits.maxTermLength() >> 20,
            limits.minMtu(), limits.maxMtu()));
        assertSaid(String.format(Locale.ROOT, "| new streams at one endpoint | %d a second, %d at once, %d alive |",
            limits.setupRate(), limits.setupBurst(), limits.sessionLimit()));
    }

    private void assertSaid(final String text)
    {
        assertTrue(page.contains(text), () -> "the page does not say: " + text);
    }
}
