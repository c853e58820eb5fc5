package io.escapement.generator;

import io.escapement.generator.Samples.Sample;
import io.escapement.testsupport.JavaScriptModules;
import io.escapement.testsupport.Tests;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.CloseHelper;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import uk.co.real_logic.sbe.xml.IrGenerator;
import uk.co.real_logic.sbe.xml.ParserOptions;
import uk.co.real_logic.sbe.xml.XmlSchemaParser;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Generated JavaScript against the Java codecs of the same schema. */
class JavaScriptCodecsTest
{
    private static final String SCHEMA = "everything.xml";
    private static final long SEED = 900;

    private static Generated generated;
    private static Value suite;

    @BeforeAll
    static void generate() throws Exception
    {
        generated = new Generated(SCHEMA);
        try (InputStream in = JavaScriptCodecsTest.class.getResourceAsStream("suite.js"))
        {
            suite = generated.scripts.eval(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                .execute(generated.exports);
        }
    }

    @AfterAll
    static void close()
    {
        CloseHelper.close(generated);
    }

    @Test
    void shouldDecodeMessagesOfJava()
    {
        final Samples samples = new Samples(SEED);
        for (int i = 0; i < rounds(60); i++)
        {
            final Sample sample = samples.next();
            final Value decoded = suite.invokeMember(
                "decode", sample.name(), generated.scripts.buffer(sample.bytes()), 0, sample.bytes().length);
            assertSameObject("seed " + SEED + ", message " + i + ", " + sample.name(), sample.object(), decoded);
        }
    }

    @Test
    void shouldEncodeTheBytesOfJava()
    {
        final Samples samples = new Samples(SEED + 1);
        for (int i = 0; i < rounds(60); i++)
        {
            final Sample sample = samples.next();
            final Value recoded =
                suite.invokeMember("recode", sample.name(), generated.scripts.buffer(sample.bytes()));
            final int length = (int)recoded.getBufferSize();
            assertArrayEquals(sample.bytes(), JavaScriptModules.bytes(recoded, 0, length),
                "seed " + (SEED + 1) + ", message " + i + ", " + sample.name());
        }
    }

    @Test
    void shouldRefuseTheBytesThatANaiveWalkRefuses()
    {
        final NaiveWalk walk = new NaiveWalk(generated.ir);
        final Samples samples = new Samples(SEED + 2);
        final SplittableRandom random = new SplittableRandom(SEED + 2);
        int valid = 0;
        final int rounds = rounds(800);
        for (int i = 0; i < rounds; i++)
        {
            final Sample sample = samples.next();
            final byte[] mutant = mutant(sample.bytes(), random);
            final boolean isValid = walk.isValid(templateId(sample), mutant);
            valid += isValid ? 1 : 0;
            // Bytes around the message must make no difference.
            final int before = random.nextInt(8);
            final byte[] around = new byte[before + mutant.length + random.nextInt(600)];
            random.nextBytes(around);
            System.arraycopy(mutant, 0, around, before, mutant.length);
            final int number = i;
            assertEquals(isValid ? "valid" : "RangeError", suite.invokeMember("outcome", sample.name(),
                generated.scripts.buffer(around), before, mutant.length).asString(),
                () -> "seed " + (SEED + 2) + ", mutant " + number + ": " + sample.name() + Arrays.toString(mutant));
        }
        assertTrue(valid > rounds / 20 && valid < rounds * 19 / 20, valid + " of " + rounds + " were valid");
    }

    @Test
    void shouldRefuseEveryTruncationAndTail()
    {
        final Samples samples = new Samples(SEED + 3);
        for (int i = 0; i < 3; i++)
        {
            final Sample sample = samples.next();
            final byte[] bytes = Arrays.copyOf(sample.bytes(), sample.bytes().length + 1);
            for (int length = 0; length <= bytes.length; length++)
            {
                assertEquals(length == sample.bytes().length ? "valid" : "RangeError", suite.invokeMember(
                    "outcome", sample.name(), generated.scripts.buffer(bytes), 0, length).asString(),
                    "seed " + (SEED + 3) + ", message " + i + ", length " + length);
            }
        }
    }

    @Test
    void shouldRefuseEveryOtherVersion()
    {
        final Samples samples = new Samples(SEED + 4);
        for (int i = 0; i < 60; i++)
        {
            final Sample sample = samples.next();
            for (final int version : new int[]{0, 1, 3, 258})
            {
                final byte[] bytes = sample.bytes().clone();
                bytes[6] = (byte)version;
                bytes[7] = (byte)(version >> 8);
                final String failure = suite.invokeMember("failure", generated.function(
                    "(bytes) => () => new m." + sample.name() + "().wrap(new DataView(bytes))")
                    .execute(generated.scripts.buffer(bytes))).asString();
                assertEquals("RangeError: version " + version + ", expected 2", failure, sample.name());
            }
        }
    }

    @Test
    void shouldRefuseValuesThatDoNotFit()
    {
        final String numbers = "{tiny: 1, small: 1, medium: 1, large: 1, unsignedTiny: 1, unsignedSmall: 1, " +
            "unsignedMedium: 1, unsignedLarge: 1, single: 1, twice: 1, letter: 'x', roomId: 1n, bigId: 1n";
        assertEquals("none", encodeFailure("Numbers", numbers + "}"));
        assertEquals("RangeError: tiny must be -128 to 127: 128", encodeFailure("Numbers", numbers + ", tiny: 128}"));
        assertEquals("TypeError: small must be an integer: 1.5", encodeFailure("Numbers", numbers + ", small: 1.5}"));
        assertEquals("TypeError: medium must be an integer: undefined",
            encodeFailure("Numbers", numbers + ", medium: undefined}"));
        assertEquals("RangeError: roomId does not fit 64 bits: 9223372036854775808",
            encodeFailure("Numbers", numbers + ", roomId: 1n << 63n}"));
        assertEquals("RangeError: bigId does not fit 64 bits: -1",
            encodeFailure("Numbers", numbers + ", bigId: -1n}"));
        assertEquals("TypeError: letter must be one character: xy",
            encodeFailure("Numbers", numbers + ", letter: 'xy'}"));
        assertEquals("TypeError: single must be a number: 1", encodeFailure("Numbers", numbers + ", single: '1'}"));
        assertEquals("RangeError: name has more than 254 elements",
            encodeFailure("Tree", "{number: 1, name: 'n'.repeat(255)}"));
        assertEquals("RangeError: roots has more than 254 elements",
            encodeFailure("Tree", "{number: 1, roots: new Array(255).fill({depth: 1})}"));
        assertTrue(suite.invokeMember("failure", generated.function(
            "() => m.Numbers.encode(new DataView(new ArrayBuffer(40)), 0, " + numbers + "})"))
            .asString().startsWith("RangeError"));
        assertTrue(suite.invokeMember("failure", generated.function(
            "() => m.Tree.encode(new DataView(new ArrayBuffer(64), 0, 30), 0, {number: 1, name: 'n'.repeat(20)})"))
            .asString().startsWith("RangeError"));
    }

    @Test
    void shouldRefuseASchemaWhoseNamesWouldClash() throws Exception
    {
        final String text;
        try (InputStream in = getClass().getResourceAsStream("small.xml"))
        {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        for (final String name : List.of("RangeError", "SbeMessage", "GrownItems"))
        {
            final String clashing = text.replace("</sbe:messageSchema>",
                "<sbe:message name=\"" + name + "\" id=\"9\"/></sbe:messageSchema>");
            final IllegalStateException refusal = assertThrows(IllegalStateException.class, () -> new Generated(
                new IrGenerator().generate(XmlSchemaParser.parse(
                    new ByteArrayInputStream(clashing.getBytes(StandardCharsets.UTF_8)), ParserOptions.DEFAULT))));
            assertTrue(refusal.getMessage().contains(name), refusal.getMessage());
        }
    }

    @Test
    void shouldIterateGroupsAgainWithoutACopy()
    {
        assertEquals("0,1|0,1|2", generated.function("(() => { const out = new DataView(new ArrayBuffer(256));" +
            "const length = m.Tree.encode(out, 0, {number: 1, roots: [{depth: 0}, {depth: 1}]});" +
            "const tree = new m.Tree().wrap(out, 0, length); const depths = () => Array.from(tree.roots, " +
            "(root) => root.depth).join(); return depths() + '|' + depths() + '|' + tree.roots.length; })()")
            .asString());
    }

    @Test
    void shouldDeclareTheTypesOfEverything()
    {
        for (final String line : List.of(
            "    readonly roomId: bigint;", "    readonly large: number;", "    readonly optionalInt: number | null;",
            "    optionalInt?: number | null;", "    readonly token: Uint8Array;", "    readonly answer: 42;",
            "    readonly always: 2;", "    readonly colour: Colour | null;", "    readonly times: bigint[];",
            "    branches?: TreeBranchesFields[];", "    readonly leaves: TreeBranchesLeaves;",
            "    readonly nameBytes: Uint8Array;", "export type MostFlags = bigint;"))
        {
            assertTrue(generated.types.contains(line + "\n"), line);
        }
    }

    private static String encodeFailure(final String name, final String fields)
    {
        return suite.invokeMember("failure", generated.function(
            "() => m." + name + ".encode(new DataView(new ArrayBuffer(4096)), 0, " + fields + ")")).asString();
    }

    private static int rounds(final int least)
    {
        return Tests.isFull() ? 100 * least : least;
    }

    private static int templateId(final Sample sample)
    {
        return sample.bytes()[2];
    }

    static byte[] mutant(final byte[] bytes, final SplittableRandom random)
    {
        final byte[] mutant =
            0 == random.nextInt(4) ? Arrays.copyOf(bytes, Math.max(0, bytes.length + random.nextInt(-8, 9))) :
            bytes.clone();
        for (int flips = random.nextInt(4); flips > 0 && mutant.length > 0; flips--)
        {
            final int at = random.nextInt(random.nextBoolean() ? Math.min(8, mutant.length) : mutant.length);
            mutant[at] = (byte)(random.nextBoolean() ? random.nextInt() : mutant[at] + random.nextInt(-2, 3));
        }
        return mutant;
    }

    private static void assertSameObject(final String message, final Object expected, final Value actual)
    {
        if (null == expected)
        {
            assertTrue(actual.isNull(), () -> message + ": " + actual);
        }
        else if (expected instanceof Map<?, ?> map)
        {
            assertEquals(map.size(), actual.getMemberKeys().size(), () -> message + ": " + actual.getMemberKeys());
            map.forEach((name, value) ->
                assertSameObject(message + "." + name, value, actual.getMember((String)name)));
        }
        else if (expected instanceof List<?> list)
        {
            assertEquals(list.size(), actual.getArraySize(), message);
            for (int i = 0; i < list.size(); i++)
            {
                assertSameObject(message + "[" + i + "]", list.get(i), actual.getArrayElement(i));
            }
        }
        else if (expected instanceof byte[] bytes)
        {
            assertEquals(bytes.length, actual.getArraySize(), message);
            for (int i = 0; i < bytes.length; i++)
            {
                assertEquals(bytes[i] & 0xFF, actual.getArrayElement(i).asInt(), message + "[" + i + "]");
            }
        }
        else if (expected instanceof BigInteger)
        {
            assertEquals("bigint", actual.getContext().eval("js", "(value) => typeof value").execute(actual).asString(),
                message);
            assertEquals(expected, actual.asBigInteger(), message);
        }
        else if (expected instanceof String)
        {
            assertEquals(expected, actual.asString(), message);
        }
        else
        {
            assertEquals(((Number)expected).doubleValue(), actual.asDouble(), message);
        }
    }
}
