package io.escapement.codecs;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.testsupport.Allocations;
import io.escapement.testsupport.Tests;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Validates hostile bytes against a schema's rules and against a naive twin. Random bytes are mutated from samples and
 * from a corpus, which has an input for each outcome of each message that a search has found. A search in full form
 * writes the corpus with what it found to target; copy it over the one in the test resources.
 */
public abstract class HostileBytesTest
{
    private static final long SEED = 701;
    private static final boolean IS_FULL = Tests.isFull();
    private static final int BYTES_TRIED = IS_FULL ? 400 : 72;
    private static final int[] HOSTILE_NUMBERS = {
        0, 1, 2, 8, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1_023, 1_024, 1_025, 1_919,
        1_920, 1_921, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF};

    protected final List<byte[]> samples;
    private final SchemaRules rules;
    private final NaiveRules naive;
    private final Walk walk;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private int accepted;

    protected HostileBytesTest(final TestSchema schema)
    {
        samples = schema.samples();
        rules = schema.rules();
        naive = schema.naive();
        walk = schema.walk();
    }

    /** The validation that production code calls. */
    protected int validate(final DirectBuffer buffer, final int offset, final int length)
    {
        return rules.validate(buffer, offset, length);
    }

    @Test
    void shouldAcceptEverySample()
    {
        for (final byte[] sample : samples)
        {
            assertEquals(0, check(sample), () -> "sample " + Arrays.toString(sample));
        }
    }

    @Test
    void shouldRefuseEveryTruncationAndEveryTail()
    {
        for (final byte[] sample : samples)
        {
            for (int length = 0; length < sample.length; length++)
            {
                assertNotEquals(0, check(Arrays.copyOf(sample, length)));
            }
            assertEquals(RefusalCode.TRAILING_BYTES.value(), check(Arrays.copyOf(sample, sample.length + 1)));
        }
    }

    @Test
    void shouldSurviveEveryValueOfEveryByte()
    {
        for (final byte[] sample : samples)
        {
            // Beyond this, long samples only repeat.
            for (int at = 0; at < Math.min(sample.length, BYTES_TRIED); at++)
            {
                final byte kept = sample[at];
                for (int value = 0; value < 256; value++)
                {
                    sample[at] = (byte)value;
                    check(sample);
                }
                sample[at] = kept;
            }
        }
    }

    @Test
    void shouldSurviveEveryLengthAndCountAtEveryEdge()
    {
        for (final byte[] sample : samples)
        {
            for (int at = 0; at + 2 <= sample.length; at++)
            {
                final byte first = sample[at];
                final byte second = sample[at + 1];
                for (final int number : HOSTILE_NUMBERS)
                {
                    sample[at] = (byte)number;
                    sample[at + 1] = (byte)(number >>> 8);
                    check(sample);
                }
                sample[at] = first;
                sample[at + 1] = second;
            }
        }
    }

    @Test
    void shouldSampleEveryMessageAndRefuseMoreBytes()
    {
        final Set<Integer> templates = new TreeSet<>();
        for (final byte[] sample : samples)
        {
            final int template = SchemaRules.templateId(new UnsafeBuffer(sample), 0);
            assertEquals(RefusalCode.TRAILING_BYTES.value(), check(Arrays.copyOf(sample, sample.length + 1)));
            assertEquals(RefusalCode.TRAILING_BYTES.value(), check(Arrays.copyOf(sample, sample.length + 4_096)));
            templates.add(template);
        }
        assertEquals(naive.shapes.byTemplate.keySet(), templates);
    }

    @Test
    void shouldLimitTheLengthOfData()
    {
        naive.shapes.byTemplate.forEach((template, shape) ->
        {
            // Data after a group is covered by the comparison with the naive rules.
            for (int i = 0; i < shape.parts.size() && Shapes.DATA == shape.parts.get(i); i++)
            {
                final int[] sizes = new int[shape.parts.size()];
                sizes[i] = shape.limits.get(i);
                assertEquals(0, check(naive.shapes.message(template, sizes)), () -> "template " + template);
                sizes[i]++;
                assertEquals(RefusalCode.DATA_TOO_LONG.value(), check(naive.shapes.message(template, sizes)),
                    () -> "template " + template);
            }
        });
    }

    @Test
    void shouldRefuseEveryOtherSchemaAndVersion()
    {
        for (final byte[] sample : samples)
        {
            final byte[] other = sample.clone();
            other[4]++;
            assertEquals(RefusalCode.WRONG_SCHEMA.value(), check(other));
            for (final int version : new int[]{1, 2, 255})
            {
                final byte[] newer = sample.clone();
                newer[6] = (byte)(naive.shapes.version + version);
                assertEquals(RefusalCode.UNKNOWN_VERSION.value(), check(newer));
            }
        }
    }

    @Test
    void shouldSurviveItsCorpus()
    {
        final HostileCorpus corpus = HostileCorpus.of(getClass());
        corpus.inputs().forEach(this::check);
        assertNotEquals(0, corpus.inputs().size());
    }

    @Test
    void shouldSurviveRandomBytes()
    {
        final int rounds = Integer.getInteger("hostile.rounds",
            IS_FULL ? 100_000_000 : 300_000);
        final HostileCorpus corpus = HostileCorpus.of(getClass());
        final List<byte[]> origins = new ArrayList<>(samples);
        origins.addAll(corpus.inputs());
        origins.forEach((bytes) -> corpus.isNew(template(bytes), check(bytes)));
        for (int i = 0; i < rounds; i++)
        {
            final byte[] bytes = mutant(origins);
            final int code = check(bytes);
            if (corpus.isNew(template(bytes), code))
            {
                corpus.add(bytes);
                origins.add(bytes);
            }
        }
        corpus.write();
        assertTrue(accepted > 1_000, "seed " + SEED + ": only " + accepted + " messages were accepted");
    }

    private byte[] mutant(final List<byte[]> origins)
    {
        if (random.nextInt(4) == 0)
        {
            final byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            return bytes;
        }
        final byte[] origin = origins.get(random.nextInt(origins.size()));
        final byte[] bytes = 0 == random.nextInt(8) ?
            Arrays.copyOf(origin, Math.max(0, origin.length + random.nextInt(-8, 9))) : origin.clone();
        for (int flips = random.nextInt(4); flips >= 0 && bytes.length > 0; flips--)
        {
            bytes[random.nextInt(random.nextBoolean() ? Math.min(8, bytes.length) : bytes.length)] =
                (byte)random.nextInt();
        }
        return bytes;
    }

    /** The template of a message of this schema, or -1. */
    private int template(final byte[] bytes)
    {
        final int template = bytes.length < Integer.BYTES ? -1 : SchemaRules.templateId(new UnsafeBuffer(bytes), 0);
        return naive.shapes.byTemplate.containsKey(template) ? template : -1;
    }

    @Test
    void shouldValidateAtAnyOffsetOfABuffer()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(samples.get(0).clone());
        final int[] places = {
            Integer.MIN_VALUE, -9, -1, 0, 1, buffer.capacity(), Integer.MAX_VALUE - 8, Integer.MAX_VALUE};
        for (final int offset : places)
        {
            for (final int length : places)
            {
                final int code = validate(buffer, offset, length);
                assertEquals(0 == offset && buffer.capacity() == length, 0 == code, offset + ", " + length);
            }
        }
    }

    @Test
    void shouldNotAllocate()
    {
        final UnsafeBuffer[] buffers = samples.stream().map(UnsafeBuffer::new).toArray(UnsafeBuffer[]::new);
        assertEquals(0, Allocations.least(8, () ->
        {
            for (int i = 0; i < 1_000_000; i++)
            {
                final UnsafeBuffer buffer = buffers[i % buffers.length];
                accepted += validate(buffer, 0, buffer.capacity());
            }
        }));
    }

    /** The code: independent of surrounding bytes and equal to the naive one. A valid message must decode. */
    protected final int check(final byte[] bytes)
    {
        final int before = 1 + random.nextInt(16);
        final byte[] surrounded = new byte[before + bytes.length + 16];
        random.nextBytes(surrounded);
        System.arraycopy(bytes, 0, surrounded, before, bytes.length);
        final int code = rules.validate(new UnsafeBuffer(surrounded), before, bytes.length);
        assertEquals(code, rules.validate(new UnsafeBuffer(bytes), 0, bytes.length),
            () -> "seed " + SEED + ": the result depends on surrounding bytes for " + Arrays.toString(bytes));
        assertEquals(naive.validate(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)), code,
            () -> "seed " + SEED + ": the naive rules differ for " + Arrays.toString(bytes));
        if (0 == code)
        {
            accepted++;
            assertEquals(bytes.length, walk.end(new UnsafeBuffer(bytes)),
                () -> "seed " + SEED + ": decoders end elsewhere in " + Arrays.toString(bytes));
        }
        return code;
    }
}
