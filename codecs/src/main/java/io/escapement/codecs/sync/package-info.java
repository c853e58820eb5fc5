/**
 * State that a room keeps and its clients copy: the {@link io.escapement.codecs.sync.SyncSchema} that both share, and
 * the {@link io.escapement.codecs.sync.SyncedCopy} of a client in Java. The room's side is
 * {@code io.escapement.rooms.sync.SyncedState}.
 *
 * <pre>
 *   message     header of SBE {blockLength 12, templateId 1 or 2, schemaId 705, version 0}
 *               block {fingerprint uint32, sequence uint32, view uint16, part uint8, isLast uint8}
 *               records, rows ascending, to the end of the message
 *   record      uint16: the row's number in the low 14 bits, the operation in the high 2
 *     0 change    mask, values
 *     1 add       generation uint16, mask, values
 *     2 remove
 * </pre>
 *
 * <p>Rows are counted through all tables in the order of their declaration. Bit i of a mask is field i of the row's
 * table. A mask has a byte for each 8 fields. The values of the fields in the mask follow in their order:
 * little-endian, a bool as 0 or 1, a text after its length in a byte. An add sets the fields that are not in its mask
 * to 0.
 *
 * <p>A full state (template 1) consists of adds: rows that it does not name are gone. It applies to an older state of
 * the same view, and to any of another. A difference (template 2) applies only to the state of the same view with a
 * sequence lower by 1. If it arrives before that state, a copy holds it. Either may be split into parts, counted from
 * 0. Together they are one change of the state.
 */
package io.escapement.codecs.sync;
