package io.escapement.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A page loads client.js and the modules that it imports. A gateway compresses each of them. */
class ClientSizeTest
{
    private static final Path RESOURCES = Path.of("target", "classes", "META-INF", "resources", "escapement");
    private static final Pattern IMPORT = Pattern.compile("^(?:import|\\}).* from '(\\./[^']+)';$", Pattern.MULTILINE);
    private static final String CLIENT = "client.js";
    private static final int MAX_BYTES = 40_000;
    private static final int MAX_COMPRESSED_BYTES = 12_000;
    private static final int KB = 1_000;

    private final Map<String, Integer> bytesByModuleMap = new LinkedHashMap<>();
    private int bytes;
    private int compressedBytes;

    @Test
    void shouldBeSmallAndSaySo() throws IOException
    {
        measure();
        System.out.println(CLIENT + " and its imports: " + bytes + " bytes, " + compressedBytes + " compressed " +
            bytesByModuleMap);
        assertTrue(bytes < MAX_BYTES, () -> bytes + " bytes: " + bytesByModuleMap);
        assertTrue(compressedBytes < MAX_COMPRESSED_BYTES, () -> compressedBytes + " bytes, compressed");
        final String page = Files.readString(Path.of("README.md"));
        for (final int size : new int[]{bytes, compressedBytes})
        {
            final String text = Math.round((double)size / KB) + " KB";
            assertTrue(page.contains(text), () -> "README.md does not name the size: " + text);
        }
    }

    /** The whole protocol is for other programs. */
    @Test
    void shouldLoadOnlyTheMessagesOfTheClient() throws IOException
    {
        measure();
        assertEquals(8, bytesByModuleMap.size(), bytesByModuleMap::toString);
        assertTrue(bytesByModuleMap.containsKey("messages/player.js"), bytesByModuleMap::toString);
        assertFalse(bytesByModuleMap.containsKey("player.js"), bytesByModuleMap::toString);
    }

    private void measure() throws IOException
    {
        final Queue<String> names = new ArrayDeque<>();
        names.add(CLIENT);
        while (!names.isEmpty())
        {
            final String name = names.remove();
            final byte[] module = Files.readAllBytes(RESOURCES.resolve(name));
            if (null != bytesByModuleMap.put(name, module.length))
            {
                continue;
            }
            bytes += module.length;
            compressedBytes += compressed(module);
            final Matcher matcher = IMPORT.matcher(Files.readString(RESOURCES.resolve(name)));
            while (matcher.find())
            {
                names.add(RESOURCES.relativize(
                    RESOURCES.resolve(name).resolveSibling(matcher.group(1)).normalize()).toString());
            }
        }
    }

    private static int compressed(final byte[] module) throws IOException
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out))
        {
            gzip.write(module);
        }
        return out.size();
    }
}
