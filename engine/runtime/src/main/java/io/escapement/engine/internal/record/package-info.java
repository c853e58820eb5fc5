/**
 * Turn logs of running loops. A loop hands each record to a bounded buffer; a thread of its own writes what is there to
 * files. A disk that does not keep up costs the recording, never the loop.
 *
 * <pre>
 *   loop n --&gt; TurnLogWriter --&gt; LoopRecording (buffer) --&gt; RecorderAgent --&gt; loop-n.turns
 * </pre>
 */
package io.escapement.engine.internal.record;
