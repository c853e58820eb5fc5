/**
 * Records the turn logs of running loops. A loop writes each record to a bounded ring buffer; the recorder's thread
 * moves records to files.
 *
 * <pre>
 *   loop n --&gt; TurnLogWriter --&gt; LoopRecording (ring buffer) --&gt; Recorder --&gt; loop-n.turns
 * </pre>
 *
 * <p>Decisions:
 * <ul>
 * <li>A disk that is too slow costs the recording, never the loop: when 8 MiB wait, the recording ends at a whole
 * record and reports that.
 * <li>The log has every decision that a loop made by its clock: when a turn ran, and in which order it read its
 * queues. A replay therefore has the same output bytes in each turn and the same final state.
 * </ul>
 */
package io.escapement.engine.internal.record;
