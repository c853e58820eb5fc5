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

/** A page of the directory {@code protocol}. */
final class ProtocolPage
{
    /** A line of an example: bytes and, after at least two spaces, their meaning and perhaps their value. */
    private static final Pattern LINE = Pattern.compile("((?:[0-9a-f]{2} ?)+)(?: +[^:]+(?:: (\\d+))?.*)?");
    private static final Pattern HEADER =
        Pattern.compile(".*: blockLength (\\d+), templateId (\\d+), schemaId (\\d+), version (\\d+)");

    final String text;
    private final String name;
    private final String unwrapped;

    ProtocolPage(final String name)
    {
        this.name = name;
        text = read(Path.of("protocol", name));
        unwrapped = text.replaceAll("\\n *", " ");
    }

    /** The bytes of an example, as hex. A value that follows its bytes must be equal to them. */
    String hex(final String example)
    {
        final StringBuilder all = new StringBuilder();
        for (final String line : block("hex " + example).split("\n"))
        {
            final Matcher matcher = LINE.matcher(line);
            assertTrue(matcher.matches(), line);
            final String hex = matcher.group(1).replace(" ", "");
            final Matcher header = HEADER.matcher(line);
            if (header.matches())
            {
                for (int i = 0; i < header.groupCount(); i++)
                {
                    assertEquals(Long.parseLong(header.group(i + 1)), number(hex.substring(4 * i, 4 * i + 4)), line);
                }
            }
            else if (null != matcher.group(2))
            {
                assertEquals(Long.parseLong(matcher.group(2)), number(hex), line);
            }
            all.append(hex);
        }
        return all.toString();
    }

    /** The text of a block of code. */
    String block(final String language)
    {
        final Matcher block = Pattern.compile("```" + language + "\n(.*?)\n```", Pattern.DOTALL).matcher(text);
        assertTrue(block.find(), () -> name + " has no block " + language);
        return block.group(1);
    }

    /** As it is, or in a paragraph of several lines. */
    void assertContains(final String expected)
    {
        assertTrue(text.contains(expected) || unwrapped.contains(expected), () -> name + " lacks: " + expected);
    }

    static String schema(final String name)
    {
        return read(Path.of("src/main/resources/io/escapement/codecs", name));
    }

    private static long number(final String hex)
    {
        return new UnsafeBuffer(Arrays.copyOf(HexFormat.of().parseHex(hex), Long.BYTES))
            .getLong(0, ByteOrder.LITTLE_ENDIAN);
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
