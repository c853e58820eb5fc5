package io.escapement.codecs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** PROTOCOL.md, and the text of a schema that it describes. */
final class ProtocolPage
{
    /** A line of an example: bytes and, after at least two spaces, their meaning and perhaps their value. */
    private static final Pattern LINE = Pattern.compile("((?:[0-9a-f]{2} ?)+)(?: +[^:]+(?:: (\\d+))?.*)?");

    final String text = read(Path.of("PROTOCOL.md"));
    final String schema;

    ProtocolPage(final String name)
    {
        schema = read(Path.of("src/main/resources/io/escapement/codecs", name));
    }

    /** The bytes of an example, as hex. A value behind its bytes must be equal to them. */
    String hex(final String name)
    {
        final Matcher block = Pattern.compile("```hex " + name + "\n(.*?)\n```", Pattern.DOTALL).matcher(text);
        assertTrue(block.find(), "no example " + name);
        final StringBuilder all = new StringBuilder();
        for (final String line : block.group(1).split("\n"))
        {
            final Matcher matcher = LINE.matcher(line);
            assertTrue(matcher.matches(), line);
            final String hex = matcher.group(1).replace(" ", "");
            if (null != matcher.group(2))
            {
                final byte[] number = Arrays.copyOf(HexFormat.of().parseHex(hex), Long.BYTES);
                assertEquals(Long.parseLong(matcher.group(2)),
                    new UnsafeBuffer(number).getLong(0, ByteOrder.LITTLE_ENDIAN), line);
            }
            all.append(hex);
        }
        return all.toString();
    }

    void assertContains(final String expected)
    {
        assertTrue(text.contains(expected), () -> "PROTOCOL.md lacks: " + expected);
    }

    private static String read(final Path path)
    {
        try
        {
            return Files.readString(path, StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
