/**
 * The thread that runs rooms, and the queues by which other threads reach it.
 *
 * <pre>
 *   edge ------- ring (one producer) ------\
 *   other loops, services, embedder         +--&gt; LoopAgent --&gt; RoomHost --&gt; LoopOutputs --&gt; trunks
 *              - inbox (many producers) ---/                                     |
 *                                                 other loops, services, edge &lt;-- Outbox
 * </pre>
 * A loop's host, egress and outboxes belong to its thread alone; only {@link
 * io.escapement.engine.internal.loop.CommandQueue} is shared. No producer waits for a queue: a full queue is an answer.
 */
package io.escapement.engine.internal.loop;
