package io.escapement.codecs;

import io.escapement.codecs.layout.SchemaRules;
import java.util.ArrayList;
import java.util.List;

/**
 * A schema under test. All but the rules is read from its text, so a new message is tested without a line.
 *
 * @param rules   under test.
 * @param naive   an independent implementation of the rules.
 * @param walk    the decoders of every message.
 * @param samples valid messages, at least one of every kind.
 */
public record TestSchema(SchemaRules rules, NaiveRules naive, Walk walk, List<byte[]> samples)
{
    private static final int[] SIZES = {0, 1, 8, 40};

    /**
     * Every message of a schema, with groups and data of a few sizes.
     *
     * @param rules    under test.
     * @param resource the XML.
     */
    public static TestSchema of(final SchemaRules rules, final String resource)
    {
        final NaiveRules naive = new NaiveRules(resource);
        final List<byte[]> samples = new ArrayList<>();
        naive.shapes.byTemplate.forEach((template, shape) ->
        {
            for (final int size : 0 == shape.parts.size() ? new int[1] : SIZES)
            {
                samples.add(naive.shapes.message(
                    template, shape.limits.stream().mapToInt((limit) -> Math.min(size, limit)).toArray()));
            }
        });
        return new TestSchema(rules, naive, new Walk(naive.shapes), samples);
    }
}
