package io.escapement.web;

import io.escapement.codecs.MessageJoiner;
import io.escapement.codecs.MessageSplitter;
import io.escapement.testsupport.JavaScriptModules;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** parts.js makes the parts that Java makes, and does the same with any bytes. */
class PartsTest
{
    private static final Path MODULE = Path.of("target", "classes", "META-INF", "resources", "escapement", "parts.js");
    private static final String SCRIPT = "parts-test.js";
    private static final int LIMIT = 1_000;
    private static final int PAYLOAD = 64;
    private static final long SEED = 20_261_125;

    private final MessageJoiner joiner = new MessageJoiner(LIMIT);

    @Test
    void shouldDoWhatJavaDoes() throws IOException
    {
        final Path directory = Files.createDirectories(Tests.newDirectory());
        try (JavaScriptModules scripts = new JavaScriptModules();
            InputStream in = PartsTest.class.getResourceAsStream(SCRIPT))
        {
            Files.copy(MODULE, directory.resolve("parts.js"));
            Files.copy(in, directory.resolve(SCRIPT));
            final Value script = scripts.load(directory.resolve(SCRIPT)).getMember("open").execute(LIMIT);
            final SplittableRandom random = new SplittableRandom(SEED);
            final int[] outcomes = new int[3];
            for (int i = 0; i < 100; i++)
            {
                final byte[] message = new byte[1 + random.nextInt(LIMIT + 50)];
                random.nextBytes(message);
                final List<byte[]> parts = split(message);
                final Value same = script.invokeMember("split", scripts.buffer(message), PAYLOAD);
                assertEquals(parts.size(), same.getArraySize());
                for (int part = 0; part < parts.size(); part++)
                {
                    final Value bytes = same.getArrayElement(part);
                    final byte[] made = new byte[(int)bytes.getArraySize()];
                    for (int at = 0; at < made.length; at++)
                    {
                        made[at] = (byte)bytes.getArrayElement(at).asInt();
                    }
                    assertEquals(Arrays.toString(parts.get(part)), Arrays.toString(made));
                }
                compare(scripts, script, parts, random, outcomes);
            }
            assertTrue(outcomes[0] > 100 && outcomes[1] > 50 && outcomes[2] > 100, Arrays.toString(outcomes));
        }
        finally
        {
            IoUtil.delete(directory.toFile(), true);
        }
    }

    /** Some parts are changed, left out or sent twice. */
    private void compare(
        final JavaScriptModules scripts,
        final Value script,
        final List<byte[]> parts,
        final SplittableRandom random,
        final int[] outcomes)
    {
        for (int i = 0; i < parts.size(); i += 0 == random.nextInt(30) ? random.nextInt(3) : 1)
        {
            final byte[] part = parts.get(i).clone();
            if (0 == random.nextInt(20))
            {
                part[random.nextInt(part.length)] ^= (byte)(1 << random.nextInt(8));
            }
            if (0 == random.nextInt(60))
            {
                joiner.reset();
                script.invokeMember("reset");
            }
            final UnsafeBuffer bytes = new UnsafeBuffer(part);
            assertEquals(MessageJoiner.isPart(bytes, 0, part.length),
                script.invokeMember("isPart", scripts.buffer(part)).asBoolean());
            final int code = joiner.onPart(bytes, 0, part.length);
            final int outcome = 0 != code ? 0 : joiner.isComplete() ? 1 : 2;
            outcomes[outcome]++;
            assertEquals(0 == outcome ? "refused" : 2 == outcome ? "more" : joined(),
                script.invokeMember("onPart", scripts.buffer(part)).asString(), "seed " + SEED);
        }
    }

    private String joined()
    {
        return IntStream.range(0, joiner.length()).map((at) -> joiner.buffer().getByte(at) & 0xFF)
            .mapToObj(Integer::toString).collect(Collectors.joining(" "));
    }

    private static List<byte[]> split(final byte[] message)
    {
        final MessageSplitter splitter =
            new MessageSplitter().wrap(new UnsafeBuffer(message), 0, message.length, PAYLOAD);
        final UnsafeBuffer out = new UnsafeBuffer(new byte[PAYLOAD]);
        final List<byte[]> parts = new ArrayList<>();
        for (; splitter.hasNext(); splitter.advance())
        {
            final int length = splitter.encode(out, 0);
            parts.add(Arrays.copyOf(out.byteArray(), length));
        }
        return parts;
    }
}
