/**
 * The SBE schemas of the wire and of the log, and the validation of untrusted bytes.
 *
 * <p>Generated decoders check that they stay inside their buffer, not inside their message. Therefore
 * {@link io.escapement.codecs.layout.SchemaRules} validates a message from outside before it is decoded.
 *
 * <p>Decisions:
 * <ul>
 * <li>Validation is one pass over structure: exact block lengths per version, caps on groups and data, no trailing
 * bytes. After it a decoder that is read in order cannot leave the message, and hot code decodes without checks.</li>
 * <li>Rules, encoders and dispatchers are generated from the schema. Its limits are the {@code maxValue} of lengths and
 * counts. A test has the limits a second time, and compares a naive walk with the rules on hostile bytes.</li>
 * <li>A version newer than the reader's is refused rather than skipped over: an unknown field could change the meaning
 * of the known ones.</li>
 * <li>Template ids are ranges by stream and direction: the edge routes by one comparison.</li>
 * </ul>
 *
 * <p>{@code protocol} in this module has a page for each protocol.
 */
package io.escapement.codecs;
