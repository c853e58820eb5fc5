/**
 * The log of a host, and the records that it shares with snapshots.
 *
 * <p>A proposal is the record of a turn: its time, its commands, and the running hash of the output before it. A replay
 * of the same commands must produce the same hashes. The logs of an engine in one directory, of several
 * nodes, of a bench in memory and of a single room consist of the same proposals.
 *
 * <p>Every number is little-endian. A file is a header and records. The last record is the end record. Every bit is
 * covered by a checksum or must be zero. A reader detects every truncation and every flipped bit, and names its offset.
 * <pre>
 *   file header, 24 bytes                      record, a multiple of 8 bytes
 *   +-------------------+----+                 +--------------------------------+----+
 *   | magic "ESCAPMNT"  |  8 |                 | length of the body             |  4 |
 *   | format version    |  4 |                 | kind                           |  4 |
 *   | file kind         |  4 |                 | bytes that were on the disk    |  8 |
 *   | checksum          |  4 |  CRC32C over    | checksum of the body           |  4 |  CRC32C
 *   | zero              |  4 |  the above      | checksum of the header         |  4 |  CRC32C over the above and
 *   +-------------------+----+                 +--------------------------------+----+  the record's position
 *                                              | body                           |    |
 *                                              | zeros up to a multiple of 8    |    |
 *                                              +--------------------------------+----+
 * </pre>
 *
 * <p><b>Two checksums.</b> The checksum of the header makes the length trustworthy before the body is read: in a log
 * that a crash truncated, a damaged length is not mistaken for the truncation. The position is not stored. It detects
 * missing and misplaced records.
 *
 * <p><b>One pass over a turn.</b> A proposal has its own checksum, because the log of several nodes has no records. It
 * is also the checksum of the record's body. The bytes of a turn are summed once when it is proposed, and once when
 * they are read.
 *
 * <p>The records of a log hold messages of the schema {@code room.xml}. The kind of a record is the template id of its
 * message.
 * <pre>
 *   LogHeader                                  first in each segment
 *   Proposal   [ length:4 | command | zeros ]* the commands follow the message, each entry padded to 8 bytes
 *   Failed                                     a room of an earlier proposal failed for a reason of the machine
 *   StateHash                                  where the log was closed, or a bench was asked for it
 *   end                                        an empty body; a log without it was cut off
 * </pre>
 * With a header of 24 bytes and a Proposal message of 60, every command starts at a multiple of 8 in the file.
 *
 * <p>One thread at a time uses a writer or a reader.
 */
package io.escapement.rooms.log;
