/**
 * The thread that runs rooms, and the queues between threads.
 *
 * <pre>
 *   edge ------- ring (one producer) ------\
 *   other loops, services, program          +--&gt; LoopAgent --&gt; RoomHost --&gt; LoopOutputs --&gt; trunks
 *              - inbox (many producers) ---/                                     |
 *                                other loops, services, edge &lt;-- LoopState, LoopOutbox
 * </pre>
 * A loop's host, egress and outboxes belong to its thread; only {@link
 * io.escapement.engine.internal.queue.CommandQueue} is shared.
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
 * of that log; {@code LeadershipNotices} have the edge open and close.
 *
 * <p>Decisions:
 * <ul>
 * <li>No producer blocks on a queue. Commands of rooms that another thread's queue has no room for wait in the state
 * of the loop; when that is full, the room that sent the request gets QUEUE_FULL. Entries for the edge's directory
 * wait in a LoopOutbox; when that is full, the loop resends all of the directory.
 * <li>A publication is opened and closed by the edge and written by one loop between ATTACHED and DETACHED. The edge
 * closes it, and reuses the link's number, only after DETACHED.
 * <li>An idle loop parks until 100 to 300 us before its next deadline, as early as the host oversleeps, and spins
 * from there. Producers unpark it.
 * <li>Once before each deadline, 30 us or less, an idle loop warms its caches with an empty turn. Without that a
 * room-frame after a park took 4 times as long.
 * <li>With 1,536 rooms or more a loop is bound by cache misses. It then prefetches the rooms of the next 32 commands,
 * so that their misses overlap.
 * <li>A loop that was not idle for 100 us holds back less than a packet for up to 250 us; its first idle turn sends
 * everything.
 * <li>A link is writable when its publication has a window, not when its queue is empty, since dropping empties it
 * too.
 * <li>The edge does not read the trunk of a link whose events fill half of its share of the queues' memory. Most
 * events answer messages, so this stops them at their source.
 * <li>A link whose event queue is full, or that takes nothing for 10 s, is closed with SLOW_CONSUMER, because an event
 * stream with a gap cannot be repaired. Its trunk can be resumed, with its seats. States are dropped after 16 ms,
 * followed by one LinkStateLost when the link is writable again.
 * </ul>
 */
package io.escapement.engine.internal.loop;
