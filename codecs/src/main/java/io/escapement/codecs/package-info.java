/**
 * What bytes may be decoded at all.
 *
 * <p>Decoders generated from a schema check that they stay inside their buffer, not inside their message. So a message
 * from outside is held against {@link io.escapement.codecs.SchemaRules} first, and only then decoded.
 */
package io.escapement.codecs;
