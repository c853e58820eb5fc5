/**
 * The turn log, and the records that it shares with snapshots.
 *
 * <p>A log holds everything that a replay needs: the configuration of its host, and for each turn its number, its time,
 * its commands and the running hash of all output. A replay of the same commands must produce the same hashes.
 *
 * <p>Every number is little-endian. A file is a header and records; the last is the end record. Every bit is covered by
 * a checksum or must be zero, so a reader detects every truncation and every flipped bit, names its offset, and uses
 * nothing of a damaged file.
 * <pre>
 *   file header, 24 bytes                      record, a multiple of 8 bytes
 *   +-------------------+----+                 +--------------------------------+----+
 *   | magic "ESCAPMNT"  |  8 |                 | length of the body             |  4 |
 *   | format version    |  4 |                 | kind                           |  4 |
 *   | file kind         |  4 |                 | checksum of the header         |  4 |  CRC32C over length, kind
 *   | checksum          |  4 |  CRC32C over    |                                |    |  and the record's ordinal
 *   | zero              |  4 |  the above      | checksum of the record         |  4 |  the same, continued over
 *   +-------------------+----+                 +--------------------------------+----+  the body
 *                                              | body                           |    |
 *                                              | zeros up to a multiple of 8    |    |
 *                                              +--------------------------------+----+
 * </pre>
 *
 * <p><b>Two checksums.</b> A record's header has a separate checksum, which makes its length trustworthy before the
 * body is read: in a log that a crash truncated, a damaged length is not mistaken for the truncation. The ordinal
 * counts records from 0 and is not stored; it detects missing and misplaced records.
 *
 * <p>The records of a log hold messages of the schema {@code room.xml}; the kind of a record is the template id of its
 * message.
 * <pre>
 *   LogHeader                                  first, once
 *   Turn   [ length:4 | command | zeros ]*     the commands follow the message, each entry padded to 8 bytes;
 *                                              FailedAt commands come before all others
 *   StateHash                                  at most one after each turn
 *   LogEnd                                     in the end record; a log without it is unfinished
 * </pre>
 * With a header of 16 bytes and a Turn message of 36, every command begins at a multiple of 8 in the file.
 *
 * <p>A journal of the engine is a sequence of files of kind 3 in the same layout, except that a record's checksums have
 * its position in the journal in place of its ordinal ({@link io.escapement.rooms.log.JournalRecords}).
 *
 * <p>One thread at a time uses a writer or a reader.
 */
package io.escapement.rooms.log;
