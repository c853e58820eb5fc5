package io.escapement.codecs;

import io.escapement.codecs.layout.SchemaRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A schema under test.
 *
 * @param rules   under test.
 * @param naive   an independent implementation of the rules.
 * @param walk    the decoders of every message.
 * @param samples valid messages, at least one of every kind.
 */
public record TestSchema(SchemaRules rules, NaiveRules naive, Walk walk, List<byte[]> samples)
{
    private static final int[] SIZES = {0, 1, 40};

    /**
     * Every message of a schema, with groups and data of a few sizes.
     *
     * @param shapes of the schema.
     */
    static List<byte[]> samplesOf(final Shapes shapes)
    {
        final List<byte[]> samples = new ArrayList<>();
        shapes.byTemplate.forEach((template, shape) ->
        {
            for (final int size : 0 == shape.parts.size() ? new int[1] : SIZES)
            {
                final int[] sizes = new int[shape.parts.size()];
                Arrays.fill(sizes, size);
                samples.add(shapes.message(template, sizes));
            }
        });
        return samples;
    }
}
