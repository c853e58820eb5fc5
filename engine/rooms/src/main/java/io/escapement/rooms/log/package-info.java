/**
 * The turn log, and the framing of records it shares with snapshots. One thread at a time uses a writer or a reader.
 * <p>
 * Every number is little-endian. A file is a head and records, the last of which is the end record. Every bit is
 * under a checksum or has to be zero, so that a damaged or cut file is told from a whole one, and named by offset.
 * <pre>
 *   file head, 24 bytes                        record, a multiple of 8 bytes
 *   +-------------------+----+                 +--------------------------------+----+
 *   | magic "ESCAPMNT"  |  8 |                 | length of the body             |  4 |
 *   | format version    |  4 |                 | kind                           |  4 |
 *   | file kind         |  4 |                 | head check                     |  4 |  CRC32C over length, kind
 *   | check             |  4 |  CRC32C over    |                                |    |  and the record's ordinal
 *   | zero              |  4 |  all before it  | check                          |  4 |  the same, going on over
 *   +-------------------+----+                 +--------------------------------+----+  the body
 *                                              | body                           |    |
 *                                              | zeros up to a multiple of 8    |    |
 *                                              +--------------------------------+----+
 * </pre>
 * The head has a check of its own so that a record's length can be trusted before its body is there: in a log that
 * was cut off by a crash, a damaged length is not taken for the cut. The ordinal counts records from 0 and is not
 * stored; it finds records that are missing or in the wrong place.
 * <p>
 * A log's records hold messages of the schema {@code room.xml}; their kind is the message's template id.
 * <pre>
 *   LogHeader                                  first, once
 *   Turn   [ length:4 | command | zeros ]*     commands follow the message; each entry is padded to 8 bytes, and
 *                                              FailedAt commands stand in front of the others
 *   StateHash                                  at most one, behind the turn it speaks of
 *   LogEnd                                     in the end record; a log without it was not closed in order
 * </pre>
 * With a head of 16 bytes and a Turn message of 36, every command begins at a multiple of 8 in the file.
 */
package io.escapement.rooms.log;
