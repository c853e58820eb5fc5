/**
 * The thread that runs rooms, and the queues between threads.
 *
 * <pre>
 *   edge ------- ring (one producer) ------\
 *   other loops, services, application      +--&gt; LoopAgent --&gt; RoomHost --&gt; LoopOutputs --&gt; trunks
 *              - inbox (many producers) ---/                                     |
 *                                other loops, services, edge &lt;-- LoopState, LoopOutbox
 * </pre>
 * A loop's host, egress and outboxes belong to its thread. Only
 * {@link io.escapement.engine.internal.queue.CommandQueue} is shared.
 *
 * <p>{@code InPlaceTurns} run a command where the loop takes it. {@code CommittedTurns} gather the commands of a turn,
 * propose it to a {@code CommitLog}, and run what that has committed:
 * <pre>
 *   returns, inbox, ring --&gt; TurnProposer --&gt; CommitLog
 *                                                   |
 *                           LoopOutputs &lt;-- ProposalRunner
 * </pre>
 * Between turns {@code LoopSnapshots} takes snapshots of the host, a part in each duty cycle.
 *
 * With a log of several nodes the log's thread fills a {@code ReplicaLog}, and the loop changes its role in the order
 * of that log. {@code LeadershipNotices} have the edge open and close.
 *
 * <p>Decisions:
 * <ul>
 * <li>No producer blocks on a queue. If another thread's queue has no space for commands of rooms, they wait in the
 * state of the loop. When that is full, the sender's room gets QUEUE_FULL. Entries for the edge's directory wait in a
 * LoopOutbox. When that is full, the loop resends all of the directory.
 * <li>A publication is opened and closed by the edge and written by one loop between ATTACHED and DETACHED. The edge
 * closes it, and reuses the link's number, only after DETACHED.
 * <li>An idle loop parks until 100 to 300 us before its next deadline, as early as the host oversleeps, and spins
 * from there. Producers unpark it.
 * <li>Once before each deadline, 30 us or less, an idle loop warms its caches with an empty turn. Without that a
 * room-frame after a park took 4 times as long.
 * <li>With 1,536 rooms or more a loop is bound by cache misses. It then prefetches the rooms of the next 32 commands,
 * so that their misses overlap.
 * <li>A loop that was not idle for 100 us holds back less than a packet for up to 250 us. Its first idle turn sends
 * everything.
 * <li>A link is writable when its publication has a window, not when its queue is empty, because dropping also empties
 * it.
 * <li>If the events of a link fill half of its share of the queues' memory, the edge does not read its trunk. Most
 * events answer messages: this stops them at their source.
 * <li>If a link's event queue is full, or the link takes no data for 10 s, it is closed with SLOW_CONSUMER. The reason
 * is that an event stream with a gap cannot be repaired. Its trunk can be resumed, with its seats. States are dropped
 * after 16 ms, followed by one LinkStateLost when the link becomes writable.
 * </ul>
 */
package io.escapement.engine.internal.loop;
