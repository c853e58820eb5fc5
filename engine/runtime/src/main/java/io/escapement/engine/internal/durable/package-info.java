/**
 * The log that a loop writes before it runs a turn.
 *
 * <pre>
 *   loop: commands --&gt; propose --&gt; CommitLog --&gt; poll --&gt; run --&gt; outputs
 * </pre>
 *
 * <p>Decisions:
 * <ul>
 * <li>Log first, then run. Whatever has left the engine is in the log, so replay, recovery and a change of leader are
 * one thing: run committed turns.
 * </ul>
 */
package io.escapement.engine.internal.durable;
