/**
 * The thread that runs rooms, and the queues by which other threads reach it.
 *
 * <pre>
 *   edge ------- ring (one producer) ------\
 *   other loops, services, embedder         +--&gt; LoopAgent --&gt; RoomHost --&gt; LoopOutputs --&gt; trunks
 *              - inbox (many producers) ---/                                     |
 *                                                 other loops, services, edge &lt;-- Outbox
 * </pre>
 * A loop's host, egress and outboxes belong to its thread alone. Only {@link io.escapement.engine.loop.CommandQueue} is
 * shared. Nothing here waits for another thread: a queue that is full is an answer, not a reason to spin.
 */
package io.escapement.engine.loop;
