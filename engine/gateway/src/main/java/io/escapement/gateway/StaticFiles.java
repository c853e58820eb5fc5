package io.escapement.gateway;

import io.escapement.codecs.sync.SyncSchema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * The files that a gateway serves: from a directory, then resources of the class path below META-INF/resources, where
 * jars of web pages have them. A small file is kept, and reread when it has changed in the directory. A
 * separate thread reads and compresses files, because a worker's thread has players.
 */
final class StaticFiles
{
    /** Longer files are neither kept nor compressed. */
    static final int MAX_KEPT_LENGTH = 8 * 1_024 * 1_024;
    /** Memory for all that are kept, outside of the heap. The others are streamed. */
    static final int MAX_KEPT = 64 * 1_024 * 1_024;
    static final int MAX_FILES = 1_024;

    private static final String ROOT = "META-INF/resources/";
    private static final String PAGE = "index.html";
    private static final int TAG_BYTES = 16;
    /** A stranger cannot fill the log, whatever the directory has. */
    private static final int MAX_COMPLAINTS = 64;
    private static final System.Logger LOG = System.getLogger("io.escapement.gateway");
    private static final Map<String, String> TYPES = Stream.of(
        "text/html; charset=utf-8: html htm",
        "text/javascript; charset=utf-8: js mjs",
        "text/css; charset=utf-8: css",
        "text/plain; charset=utf-8: txt map ts md glsl vert frag wgsl atlas fnt",
        "text/csv; charset=utf-8: csv",
        "application/json: json",
        "application/manifest+json: webmanifest",
        "application/xml: xml tmx",
        "application/wasm: wasm",
        "application/pdf: pdf",
        "application/octet-stream: bin data pck",
        "image/svg+xml: svg",
        "image/png: png",
        "image/jpeg: jpg jpeg",
        "image/gif: gif",
        "image/webp: webp",
        "image/avif: avif",
        "image/x-icon: ico",
        "image/ktx2: ktx2",
        "audio/mpeg: mp3",
        "audio/ogg: ogg oga opus",
        "audio/wav: wav",
        "audio/flac: flac",
        "audio/mp4: m4a",
        "video/mp4: mp4",
        "video/webm: webm",
        "font/ttf: ttf",
        "font/otf: otf",
        "font/woff: woff",
        "font/woff2: woff2",
        "model/gltf-binary: glb",
        "model/gltf+json: gltf")
        .map((line) -> line.split(": ")).flatMap((parts) -> Arrays.stream(parts[1].split(" "))
            .map((ending) -> Map.entry(ending, parts[0])))
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    /** Their formats compress. */
    private static final Set<String> COMPRESSED = Set.of("png", "jpg", "jpeg", "gif", "webp", "avif", "ktx2", "mp3",
        "ogg", "oga", "opus", "flac", "m4a", "mp4", "webm", "woff", "woff2", "pdf");
    /**
     * A hash before the ending, as bundlers write it: hexadecimal in one of the usual lengths, or eight letters and
     * digits without a word, in which the kind of character changes five times. It misses some hashes rather than
     * mistake Sprite2x or 20240101 for a hash, because a browser would not reload that file for a year.
     */
    private static final Pattern HASHED = Pattern.compile("(?:.*/)?[^/]+[.-](?:" +
        "(?=(?:[^.]{8}|[^.]{10}|[^.]{12}|[^.]{16}|[^.]{20}|[^.]{32}|[^.]{40}|[^.]{64})\\.)(?:[0-9]++|[a-f]++){3,}" +
        "|(?=[^.]{8}\\.)(?![^.]*[A-Za-z][a-z]{3})(?:[0-9]++|[a-z]++|[A-Z]++){6,})\\.[a-z0-9]+(?:\\.map)?");

    /**
     * The bytes that are sent for a file.
     *
     * @param length in bytes.
     * @param tag    in quotes, other when the bytes are.
     * @param bytes  outside of the heap, so that a socket takes them without a copy, or null if the file is streamed.
     * @param path   of a streamed file of the directory, or null.
     * @param url    of a streamed file of the class path, or null.
     */
    record Body(long length, String tag, ByteBuffer bytes, Path path, URL url)
    {
        /** Open a streamed file. The path was resolved. A link there is newer and is refused. */
        ReadableByteChannel open() throws IOException
        {
            return null != path ? Files.newByteChannel(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS) :
                Channels.newChannel(url.openStream());
        }
    }

    /**
     * A file with its head.
     *
     * @param contentType of both bodies.
     * @param isImmutable whether its name has a hash of its bytes.
     * @param plain       as it is.
     * @param gzip        compressed, or null where that is not shorter.
     * @param time        of the last change in the directory, or null for the class path.
     */
    record File(String contentType, boolean isImmutable, Body plain, Body gzip, FileTime time)
    {
        private long kept()
        {
            return null == plain.bytes ? 0 : plain.length + (null == gzip ? 0 : gzip.length);
        }
    }

    private final Map<String, File> fileByNameMap = new ConcurrentHashMap<>();
    private final Set<String> complaints = new HashSet<>();
    private final ClassLoader loader;
    private final Path directory;
    private final String index;
    private final Executor reader;
    private long kept;

    /**
     * The files of a directory and of a class path.
     *
     * @param loader    of the resources.
     * @param directory to look into first, or null.
     * @param index     path of the page for {@code /}, below the directory or the root.
     * @param reader    one thread, which reads files.
     */
    StaticFiles(final ClassLoader loader, final Path directory, final String index, final Executor reader)
    {
        this.loader = loader;
        this.directory = directory;
        this.index = index;
        this.reader = reader;
    }

    /** The files of a gateway, and the schemas of its rooms. */
    static StaticFiles of(final GatewayContext context, final Executor reader)
    {
        final StaticFiles files = new StaticFiles(context.pages(), context.files(), context.index(), reader);
        try
        {
            for (final SyncSchema schema : context.schemas())
            {
                files.keep("escapement/schemas/" + schema.name() + ".json", "json", TYPES.get("json"),
                    schema.toJson().getBytes(StandardCharsets.UTF_8), null);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return files;
    }

    /** The bytes that an application has made for a path, and never changes. */
    static File made(final byte[] bytes)
    {
        final String tag = "\"" + Integer.toHexString(bytes.length) + "\"";
        return new File(TYPES.get("bin"), true,
            new Body(bytes.length, tag, ByteBuffer.wrap(bytes), null, null), null, null);
    }

    /**
     * Find a file: at once, or after the reader has looked at a disk.
     *
     * @param path  of a request, without its query.
     * @param loop  the calling thread.
     * @param found called in that thread with the file, or with null if no file has that name or no page would have it.
     * @return whether it was called already.
     */
    boolean find(final String path, final Executor loop, final Consumer<File> found)
    {
        if (!isPlain(path))
        {
            found.accept(null);
            return true;
        }
        final String name = 1 == path.length() ? index : path.endsWith("/") ? path.substring(1) + PAGE :
            path.substring(1);
        final File known = null == directory ? fileByNameMap.get(name) : null;
        if (null != known)
        {
            found.accept(known);
            return true;
        }
        reader.execute(() ->
        {
            final File file = read(name);
            try
            {
                loop.execute(() -> found.accept(file));
            }
            catch (final RejectedExecutionException ignored)
            {
                // The worker stops, and with it the connection.
            }
        });
        return false;
    }

    private File read(final String name)
    {
        try
        {
            final String ending = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1);
            final String contentType = TYPES.get(ending);
            final Path path = null == directory ? null : inDirectory(name);
            if (null == contentType)
            {
                // The class path also has directories, which mostly have no dot.
                if (null != path || name.endsWith("." + ending) && null != loader.getResource(ROOT + name))
                {
                    complain(ending, name + " is not served: no content type for the ending " + ending);
                }
                return null;
            }
            return null == path ? ofClassPath(name, ending, contentType) : ofDirectory(name, ending, contentType, path);
        }
        catch (final IOException | RuntimeException | OutOfMemoryError ex)
        {
            complain(name, name + " cannot be read: " + ex);
            return null;
        }
    }

    private void complain(final String key, final String line)
    {
        if (complaints.size() < MAX_COMPLAINTS && complaints.add(key))
        {
            LOG.log(System.Logger.Level.WARNING, line);
        }
    }

    /** The file that a name leads to, or null if it leads out of the directory, to a hidden file, or nowhere. */
    private Path inDirectory(final String name)
    {
        try
        {
            final Path root = directory.toRealPath();
            final Path path = root.resolve(name).toRealPath();
            if (!path.startsWith(root) || !Files.isRegularFile(path))
            {
                return null;
            }
            for (final Path part : root.relativize(path))
            {
                if (part.toString().startsWith("."))
                {
                    return null;
                }
            }
            return path;
        }
        catch (final IOException ignored)
        {
            return null;
        }
    }

    private File ofDirectory(final String name, final String ending, final String contentType, final Path path)
        throws IOException
    {
        final File known = fileByNameMap.get(name);
        final BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        final FileTime time = now.lastModifiedTime();
        if (null != known && time.equals(known.time) && now.size() == known.plain.length)
        {
            return known;
        }
        forget(name, known);
        if (isKept(now.size()))
        {
            // A file that is being written may be longer by now: the next request rereads it.
            try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS))
            {
                return keep(name, ending, contentType, in.readNBytes((int)now.size()), time);
            }
        }
        return new File(contentType, isHashed(name), new Body(now.size(), "\"" + Long.toHexString(now.size()) + "-" +
            Long.toHexString(time.to(TimeUnit.NANOSECONDS)) + "\"", null, path, null), null, time);
    }

    private File ofClassPath(final String name, final String ending, final String contentType) throws IOException
    {
        final File known = fileByNameMap.get(name);
        if (null != known && null == known.time)
        {
            return known;
        }
        forget(name, known);
        if (isKept(0))
        {
            try (InputStream in = loader.getResourceAsStream(ROOT + name))
            {
                final byte[] bytes = null == in ? null : in.readNBytes(MAX_KEPT_LENGTH + 1);
                if (null == bytes || isKept(bytes.length))
                {
                    return null == bytes ? null : keep(name, ending, contentType, bytes, null);
                }
            }
        }
        final URL url = loader.getResource(ROOT + name);
        if (null == url)
        {
            return null;
        }
        final URLConnection connection = url.openConnection();
        final long length = connection.getContentLengthLong();
        final long modified = connection.getLastModified();
        // A connection to a file opens it to tell its length.
        connection.getInputStream().close();
        if (length < 0)
        {
            throw new IOException("its length is unknown");
        }
        final File file = new File(contentType, isHashed(name), new Body(length, "\"" + Long.toHexString(length) + "-" +
            Long.toHexString(modified) + "\"", null, null, url), null, null);
        if (fileByNameMap.size() < MAX_FILES)
        {
            fileByNameMap.put(name, file);
        }
        return file;
    }

    private boolean isKept(final long length)
    {
        return length <= MAX_KEPT_LENGTH && kept + length <= MAX_KEPT && fileByNameMap.size() < MAX_FILES;
    }

    private File keep(
        final String name, final String ending, final String contentType, final byte[] bytes, final FileTime time)
        throws IOException
    {
        final String digest = digest(bytes);
        final Body plain = new Body(bytes.length, "\"" + digest + "\"", direct(bytes), null, null);
        final byte[] gzip = COMPRESSED.contains(ending) ? bytes : gzip(bytes);
        final boolean isShorter = gzip.length < bytes.length && kept + bytes.length + gzip.length <= MAX_KEPT;
        final File file = new File(contentType, isHashed(name), plain, isShorter ?
            new Body(gzip.length, "\"" + digest + "-gzip\"", direct(gzip), null, null) : null, time);
        fileByNameMap.put(name, file);
        kept += file.kept();
        return file;
    }

    private void forget(final String name, final File file)
    {
        if (null != file)
        {
            fileByNameMap.remove(name);
            kept -= file.kept();
        }
    }

    private static ByteBuffer direct(final byte[] bytes)
    {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private static byte[] gzip(final byte[] bytes) throws IOException
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 2);
        try (GZIPOutputStream gzip = new GZIPOutputStream(out))
        {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    private static String digest(final byte[] bytes)
    {
        try
        {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, TAG_BYTES);
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** Whether a name has a hash of the file's bytes, so that other bytes have another name. */
    static boolean isHashed(final String name)
    {
        return HASHED.matcher(name).matches();
    }

    /** Letters, digits and {@code . _ - /}, no empty segment and no segment with a leading dot. */
    static boolean isPlain(final String path)
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
