package io.escapement.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The pages that a gateway serves: resources of the class path below META-INF/resources, where jars of web pages have
 * them. Each is read once.
 */
final class StaticFiles
{
    /** A resource with its content type. Its bytes are outside of the heap, so a socket takes them without a copy. */
    record File(ByteBuffer bytes, String contentType)
    {
    }

    private static final String ROOT = "META-INF/resources/";
    private static final String PAGE = "index.html";
    private static final int MAX_FILES = 1_024;
    private static final int MAX_LENGTH = 8 * 1_024 * 1_024;
    private static final Map<String, String> CONTENT_TYPES = Map.ofEntries(
        Map.entry("html", "text/html; charset=utf-8"),
        Map.entry("js", "text/javascript; charset=utf-8"),
        Map.entry("mjs", "text/javascript; charset=utf-8"),
        Map.entry("css", "text/css; charset=utf-8"),
        Map.entry("json", "application/json"),
        Map.entry("map", "text/plain; charset=utf-8"),
        Map.entry("ts", "text/plain; charset=utf-8"),
        Map.entry("txt", "text/plain; charset=utf-8"),
        Map.entry("svg", "image/svg+xml"),
        Map.entry("png", "image/png"),
        Map.entry("ico", "image/x-icon"),
        Map.entry("webp", "image/webp"),
        Map.entry("woff2", "font/woff2"),
        Map.entry("webmanifest", "application/manifest+json"));

    private final Map<String, File> fileByPathMap = new ConcurrentHashMap<>();
    private final ClassLoader loader;
    private final String index;

    /**
     * The files of a class path.
     *
     * @param loader of the resources.
     * @param index  path of the page for {@code /}, below the root.
     */
    StaticFiles(final ClassLoader loader, final String index)
    {
        this.loader = loader;
        this.index = index;
    }

    /**
     * Find a file.
     *
     * @param path of a request, without its query.
     * @return the file, or null if there is none of that name or the name is not one that a page would have.
     */
    File find(final String path)
    {
        if (!isPlain(path))
        {
            return null;
        }
        final String name = 1 == path.length() ? index : path.endsWith("/") ? path.substring(1) + PAGE :
            path.substring(1);
        final File known = fileByPathMap.get(name);
        return null == known ? read(name) : known;
    }

    private File read(final String name)
    {
        final String contentType = CONTENT_TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (null == contentType || fileByPathMap.size() >= MAX_FILES)
        {
            return null;
        }
        try (InputStream in = loader.getResourceAsStream(ROOT + name))
        {
            final byte[] bytes = null == in ? null : in.readNBytes(MAX_LENGTH);
            if (null == bytes)
            {
                return null;
            }
            final File file = new File(ByteBuffer.allocateDirect(bytes.length).put(bytes).flip(), contentType);
            fileByPathMap.put(name, file);
            return file;
        }
        catch (final IOException ignored)
        {
            return null;
        }
    }

    /** Letters, digits and {@code . _ - /}, no empty segment and none that begins with a dot. */
    private static boolean isPlain(final String path)
    {
        char last = 0;
        for (int i = 0; i < path.length(); i++)
        {
            final char c = path.charAt(i);
            final boolean isLetter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (!isLetter && '_' != c && '-' != c && ('.' != c && '/' != c || '/' == last) && 0 != i)
            {
                return false;
            }
            last = c;
        }
        return path.startsWith("/");
    }
}
