package io.escapement.codecs;

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
}
