/**
 * The log that a loop writes before it runs a turn, and its files.
 *
 * <pre>
 *   loop n                      journal's thread                       directory
 *     propose --&gt; tail, 8 MiB   --write--&gt; segment, 64 MiB             loop-n.00000000000000000000.journal
 *     poll    &lt;-- |           |            (zeros written ahead)       loop-n.00000000000067107760.journal
 *     run         | /dev/shm  |  --force--&gt; disk                        loop-n.00000000000067002104.snapshot
 *                 '-----------'  snapshots, purge                       escapement.lock, escapement.journal
 *
 *   positions    0 ... synced ....... written ............. stored
 *                on the disk          in the file           in the tail
 *                SYNCED commits here                        RECORDED commits here
 * </pre>
 *
 * <p>A position is a byte of the journal, counted over all its files. The tail is a ring in shared memory in which byte
 * p mod length is byte p of the journal. The loop copies a record and then stores {@code stored} with release. Because
 * of this order, the tail never holds a partial record. The next process finds all records that a killed process has
 * stored.
 *
 * <p>A segment starts with a header of the file, of kind 3, and a settings record. The record has the settings of the
 * host, the incarnation, its position, the number of its first message and the checksum of the record before. Every
 * incarnation starts a segment. The number in a record's checksums is its position. A record that was moved, repeated
 * or left from another file does not pass. A header of zeros is the end.
 *
 * <p>Decisions:
 * <ul>
 * <li>Log first, then run. All sent output is in the log. Replay, recovery and a change of leader therefore work the
 * same way: run committed turns.
 * <li>The loop never wakes the journal's thread, because that costs 17 us. The thread polls, and parks 50 us at most.
 * <li>Every record has the synced position of its time. After a power loss the file may have holes, with whole records
 * after them. The synced positions of these records prove which holes are losses of the disk. The journal is then
 * refused. Other holes were never durable and are cut off. The last record of an orderly closed journal proves all data
 * before it.
 * <li>A failed sync is never retried, because the kernel may have dropped the pages. The journal fails until a restart,
 * which rewrites them from the tail.
 * <li>A tail has the id of the machine's start. A tail of an earlier start is ignored, because its memory may be a mix
 * of old and new. A tail is locked while an engine uses it, and the copy of a journal cannot take it away.
 * <li>The tails of each run have a directory with a random name, which the journal knows and an orderly stop voids: so
 * no tail is taken that somebody has put in its place. A tail writes where a segment has zeros or the same bytes.
 * <li>Zeros are written ahead in a file that becomes the next segment by a rename. A sync then changes no file length,
 * and a disk that is full is noticed while a segment is left.
 * <li>The loop copies rooms to memory, and the journal's thread computes the checksums.
 * <li>A snapshot is renamed only when the journal is on the disk up to its position. Two are kept, or
 * the history that was asked for. Segments that end before the oldest are deleted.
 * <li>A history is read from a snapshot on, and opens no segment before that.
 * <li>Recovery takes the same steps in a dry run, on a disk that keeps its changes in memory.
 * </ul>
 */
package io.escapement.engine.internal.durable;
