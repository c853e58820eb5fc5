package io.escapement.codecs;

import java.util.List;

/**
 * A schema as the tests of hostile bytes see it.
 *
 * @param rules   under test.
 * @param naive   the same rules, written another way.
 * @param walk    with the decoders of every message.
 * @param samples valid messages, of every kind one at least.
 */
public record TestSchema(SchemaRules rules, NaiveRules naive, Walk walk, List<byte[]> samples)
{
}
