package io.escapement.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.io.IOAccess;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Runs ES modules of the project without a browser. A context has the language, files to import from, and the
 * TextEncoder and TextDecoder that browsers have. Not thread-safe.
 */
public final class JavaScriptModules implements AutoCloseable
{
    /** Made of Java's own conversions: a test of strings is a test against Java. */
    private static final String TEXT_CODERS =
        "globalThis.TextEncoder = class { encode(text) { return new Uint8Array(hostUtf8.encode(text)); } };\n" +
        "globalThis.TextDecoder = class { decode(bytes) { return hostUtf8.decode(bytes); } };\n" +
        "(bytes) => new Uint8Array(bytes).buffer";

    /** The last JDK for this version of GraalJS, the last version for JDK 17. */
    private static final int NEWEST_JDK = 21;

    private static Engine engine;

    private final Context context;
    private final Value toBuffer;

    /** A new context. The test is skipped on a JDK that cannot run it. */
    public JavaScriptModules()
    {
        assumeTrue(Runtime.version().feature() <= NEWEST_JDK, "GraalJS does not run on this JDK");
        context = Context.newBuilder("js")
            .engine(engine())
            .allowIO(IOAccess.ALL)
            .allowHostAccess(HostAccess.ALL)
            .allowExperimentalOptions(true)
            .option("js.esm-eval-returns-exports", "true")
            .build();
        context.getBindings("js").putMember("hostUtf8", new Utf8());
        toBuffer = context.eval("js", TEXT_CODERS);
    }

    /** One for all, because it takes 1 s to make. */
    private static synchronized Engine engine()
    {
        if (null == engine)
        {
            engine = Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();
        }
        return engine;
    }

    /**
     * Import a module.
     *
     * @param file of the module. Its imports are relative to it.
     * @return its exports.
     */
    public Value load(final Path file)
    {
        try
        {
            return context.eval(Source.newBuilder("js", file.toFile())
                .mimeType("application/javascript+module").build());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Run a module that is written in a test.
     *
     * @param directory that its imports are relative to.
     * @param text      of the module.
     * @return its exports.
     */
    public Value run(final Path directory, final String text)
    {
        try
        {
            final URI uri = directory.toAbsolutePath().resolve("test.mjs").toUri();
            return context.eval(Source.newBuilder("js", text, "test.mjs").uri(uri)
                .mimeType("application/javascript+module").build());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Evaluate a script in the global scope.
     *
     * @param text of the script.
     * @return its value.
     */
    public Value eval(final String text)
    {
        return context.eval("js", text);
    }

    /**
     * Define a global.
     *
     * @param name  of the global.
     * @param value of it, as the script sees it.
     */
    public void global(final String name, final Object value)
    {
        context.getBindings("js").putMember(name, value);
    }

    /**
     * Copy bytes into an ArrayBuffer.
     *
     * @param bytes to copy.
     * @return the ArrayBuffer.
     */
    public Value buffer(final byte[] bytes)
    {
        return toBuffer.execute(bytes);
    }

    /**
     * Copy bytes from an ArrayBuffer.
     *
     * @param buffer the ArrayBuffer.
     * @param offset of the first byte.
     * @param length number of bytes.
     * @return the bytes.
     */
    public static byte[] bytes(final Value buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = buffer.readBufferByte(offset + i);
        }
        return bytes;
    }

    @Override
    public void close()
    {
        context.close(true);
    }

    /** Conversions for the coders. Public, so that the script may call it. */
    public static final class Utf8
    {
        private Utf8()
        {
        }

        /** The bytes of a text. A lone surrogate becomes U+FFFD as in browsers. */
        public byte[] encode(final String text)
        {
            final StringBuilder wellFormed = new StringBuilder();
            text.codePoints().forEach((point) ->
                wellFormed.appendCodePoint(point >= 0xD800 && point < 0xE000 ? 0xFFFD : point));
            return wellFormed.toString().getBytes(StandardCharsets.UTF_8);
        }

        /** The text of a Uint8Array. Malformed bytes become U+FFFD. */
        public String decode(final Value bytes)
        {
            final byte[] copy = new byte[(int)bytes.getArraySize()];
            for (int i = 0; i < copy.length; i++)
            {
                copy[i] = (byte)bytes.getArrayElement(i).asInt();
            }
            return new String(copy, StandardCharsets.UTF_8);
        }
    }
}
