package io.escapement.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.graalvm.polyglot.Value;

/**
 * Runs a page's module of a room in a test. The test is the room's side: the module joins rooms through a connection,
 * and the test answers its requests. The module and its imports are from the class path, as for a page. The global
 * {@code connection} replaces the connection of client.js.
 */
public final class PageConnection implements AutoCloseable
{
    private static final String RESOURCES = "/META-INF/resources/escapement/";
    private static final String SCRIPT = "page-connection.js";
    private static final List<String> CLIENT = List.of("client.js", "messages/player.js", "clock.js", "codes.js",
        "code-names.js", "requests.js", "resume-token.js", "room.js", "sync.js");

    private final JavaScriptModules scripts = new JavaScriptModules();
    private final Path directory;
    private final Value script;

    /**
     * A page with the client and other modules.
     *
     * @param modules names of files below {@code META-INF/resources/escapement}.
     */
    public PageConnection(final String... modules) throws IOException
    {
        directory = Files.createDirectories(Tests.newDirectory());
        for (final String name : CLIENT)
        {
            copy(RESOURCES + name, name);
        }
        for (final String name : modules)
        {
            copy(RESOURCES + name, name);
        }
        copy(SCRIPT, SCRIPT);
        script = scripts.load(directory.resolve(SCRIPT));
        scripts.global("connection", script.getMember("connection"));
    }

    private void copy(final String resource, final String name) throws IOException
    {
        final Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        try (InputStream in = PageConnection.class.getResourceAsStream(resource))
        {
            Files.copy(in, file);
        }
    }

    /** The exports of a module. */
    public Value load(final String name)
    {
        return scripts.load(directory.resolve(name));
    }

    /**
     * Start the script of a README's first block of JavaScript, which imports one module.
     *
     * @param readme the page.
     * @param name   the class that the block imports, in the global scope by then.
     */
    public void startReadme(final Path readme, final String name) throws IOException
    {
        final String text = Files.readString(readme);
        final int start = text.indexOf("```js\n") + "```js\n".length();
        final String[] lines = text.substring(start, text.indexOf("```", start)).split("\n", 2);
        if (!lines[0].startsWith("import {" + name + "} from './escapement/"))
        {
            throw new IllegalStateException("the first line of " + readme + " imports no " + name + ": " + lines[0]);
        }
        scripts.eval("(async () => {" + lines[1] + "})()");
    }

    /** Define a global. */
    public void global(final String name, final Object value)
    {
        scripts.global(name, value);
    }

    /** Evaluate a script in the global scope. */
    public Value eval(final String text)
    {
        return scripts.eval(text);
    }

    /**
     * Call a module in the global scope. Its promise's callbacks run when a call from Java returns.
     *
     * @param text an expression, a promise of a room or of something else.
     * @return an object with a member {@code text} that changes with the promise: {@code waiting}, {@code room} and its
     *         id, {@code refused} and the code, or another value or error.
     */
    public Value call(final String text)
    {
        return scripts.eval("(outcome) => outcome(" + text + ")").execute(script.getMember("outcome"));
    }

    /** The next join without an answer: the room, and the arguments as a text. Empty without such a join. */
    public String nextJoin()
    {
        return script.invokeMember("nextJoin").asString();
    }

    /** Give the player of the next join a seat. */
    public void admit()
    {
        script.invokeMember("admit");
    }

    /** Refuse the next join. */
    public void refuse(final int code)
    {
        script.invokeMember("refuse", code);
    }

    /** The messages that the page has sent since the last call. */
    public List<byte[]> takeSent()
    {
        final Value buffers = script.invokeMember("takeSent");
        final List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < buffers.getArraySize(); i++)
        {
            final Value buffer = buffers.getArrayElement(i);
            sent.add(JavaScriptModules.bytes(buffer, 0, (int)buffer.getBufferSize()));
        }
        return sent;
    }

    /** Send an event from the first room that the page joined. */
    public void event(final byte[] message)
    {
        script.invokeMember("deliver", "onevent", scripts.buffer(message));
    }

    /** Send a state from the first room that the page joined. */
    public void state(final byte[] message)
    {
        script.invokeMember("deliver", "onstate", scripts.buffer(message));
    }

    /** Refuse the last message to the first room. */
    public void refuseMessage(final int code)
    {
        script.invokeMember("refuseMessage", code);
    }

    /** The page's seat in the first room is away. */
    public void away()
    {
        script.invokeMember("away");
    }

    /** The page's seat in the first room is present again. */
    public void back()
    {
        script.invokeMember("back");
    }

    /** The page's seat in the first room was freed. */
    public void left()
    {
        script.invokeMember("left");
    }

    @Override
    public void close()
    {
        scripts.close();
        try (Stream<Path> files = Files.walk(directory))
        {
            files.sorted(Comparator.reverseOrder()).forEach((file) -> file.toFile().delete());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
