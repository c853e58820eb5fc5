package io.escapement.engine.internal.loop;

import com.lmax.disruptor.EventPoller;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.ProposalException;
import io.escapement.testsupport.Allocations;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The loops of three nodes on one log, stepped by hand. Together these tests may take 1 s. */
class GroupLoopTest
{
    private static final long SEED = 0xC1_05_7E4L;
    private static final int ROUNDS = 400;

    private static final EventPoller.Handler<CommandQueue.Slot> DROP = (slot, sequence, isEndOfBatch) -> true;

    private final MemoryGroup group = new MemoryGroup(3);

    @Test
    void shouldRunTheSameOnAllNodesAndSendFromTheLeader()
    {
        lead(0);
        group.node(0).order(MemoryGroup.FIRST, OrderedRoom.NOTE, 7);
        group.node(0).order(MemoryGroup.FIRST, OrderedRoom.REQUEST, 9);
        group.node(0).order(MemoryGroup.FIRST, OrderedRoom.SIGNAL, MemoryGroup.SECOND);
        group.settle();
        assertEquals(List.of(1L), group.node(0).requests());
        for (final MemoryGroup.Node node : group.nodes)
        {
            assertEquals(List.of("1 noted 7", "2 got 1"), node.events);
            assertEquals(1, node.agent.host().incarnation());
            assertEquals(0, node.agent.host().memberId());
        }
        assertSameState();
        for (final int follower : new int[]{1, 2})
        {
            assertEquals(List.of(), group.node(follower).requests());
            assertEquals(List.of(ControlSignal.FOLLOWING), group.node(follower).edgeSignals());
            assertTrue(group.node(follower).agent.committed().runner().compared() > 2, "the nodes are compared");
            assertEquals(Long.MAX_VALUE, group.node(follower).agent.deadlineNs(), "a follower has no deadlines");
        }
    }

    @Test
    void shouldLeadOnceHostResumedHasRun()
    {
        final MemoryGroup.Node node = group.node(0);
        group.elect(0);
        node.step();
        node.openRooms();
        node.step();
        node.step();
        assertEquals(1, group.underWay(), "HostResumed alone");
        assertFalse(node.agent.committed().isLeading());
        assertEquals(List.of(), node.edgeSignals());
        group.commit(1);
        node.step();
        assertTrue(node.agent.committed().isLeading());
        group.settle();
        assertEquals(ControlSignal.LEADING, node.edgeSignals().get(0));
        assertEquals(1, node.leadership.incarnation());
        assertEquals(2, node.agent.host().openRooms(), "the commands have waited");
    }

    @Test
    void shouldDropCommandsWhileItFollows()
    {
        lead(0);
        group.node(1).order(MemoryGroup.FIRST, OrderedRoom.NOTE, 1);
        group.settle();
        assertTrue(group.node(1).inbox.isEmpty());
        assertEquals(List.of(), group.node(1).events);
        group.elect(1);
        group.settle();
        assertEquals(List.of(), group.node(1).events, "it was dropped, and not kept for the next term");
    }

    /** Only the leader's program gets an answer. A node that leads no more, or never did, refuses. */
    @Test
    void shouldEndTheQuestionsOfAProgramWhoseNodeDoesNotLead()
    {
        lead(0);
        final MemoryGroup.Node leader = group.node(0);
        final MemoryGroup.Node follower = group.node(1);
        leader.ask(MemoryGroup.FIRST, 1);
        leader.ask(MemoryGroup.FIRST, 2);
        follower.ask(MemoryGroup.FIRST, 3);
        group.settle();
        assertEquals(List.of("1 ended with 0"), leader.ends);
        assertEquals(List.of("3 ended with " + TrunkCode.NOT_LEADING.value()), follower.ends);
        assertEquals(List.of("1 was asked 1", "1 was asked 2"), follower.events);
        leader.ask(MemoryGroup.FIRST, 5);
        group.elect(1);
        group.settle();
        leader.ends.remove(0);
        leader.ends.sort(null);
        assertEquals(List.of("2 ended with " + TrunkCode.NOT_LEADING.value(),
            "5 ended with " + TrunkCode.NOT_LEADING.value()), leader.ends);
        assertEquals(0, leader.questions.size());
        follower.ask(MemoryGroup.FIRST, 7);
        group.settle();
        assertEquals("7 ended with 0", follower.ends.get(1));
        assertSameState();
    }

    /** Between two terms of one node another may have led, and run later commands. */
    @Test
    void shouldDropTheCommandsOfItsLastTerm()
    {
        lead(0);
        final MemoryGroup.Node node = group.node(0);
        group.elect(1);
        group.elect(0);
        node.order(MemoryGroup.FIRST, OrderedRoom.NOTE, 1);
        node.step();
        group.settle();
        assertTrue(node.agent.committed().isLeading());
        assertEquals(List.of(), node.events);
        assertEquals(3, node.agent.host().incarnation());
    }

    @Test
    void shouldAllocateNothingATurn()
    {
        final MemoryGroup one = new MemoryGroup(1);
        one.elect(0);
        one.settle();
        final MemoryGroup.Node node = one.node(0);
        node.openRooms();
        one.settle();
        one.isCommittedAtOnce = true;
        assertEquals(0, Allocations.least(12, () ->
        {
            for (int i = 0; i < 2_000; i++)
            {
                node.order(MemoryGroup.FIRST, OrderedRoom.STATE, i);
                node.order(MemoryGroup.SECOND, OrderedRoom.STATE, i);
                node.cycle();
                node.edgeInbox.poll(DROP);
            }
        }));
        assertTrue(node.agent.host().turn() > 4_000);
        assertNull(node.agent.fault());
    }

    @Test
    void shouldGoOnAtAnotherNodeWithWhatWasCommitted()
    {
        lead(0);
        final MemoryGroup.Node first = group.node(0);
        first.order(MemoryGroup.FIRST, OrderedRoom.REQUEST, 9);
        first.order(MemoryGroup.FIRST, OrderedRoom.NOTE, 1);
        first.cycle();
        group.commit(1);
        group.stepAll();
        first.order(MemoryGroup.FIRST, OrderedRoom.NOTE, 2);
        group.stepAll();
        assertEquals(1, group.underWay());
        group.node(1).edgeSignals();
        group.elect(1);
        group.settle();
        assertEquals(List.of(1L), group.node(1).requests(), "requests without an answer are issued again");
        assertTrue(group.node(1).edgeSignals().contains(ControlSignal.LEADING));
        assertEquals(2, group.node(1).leadership.roomIds().length);
        assertEquals(MemoryGroup.SECOND, group.node(1).leadership.lastSerial());
        assertEquals(List.of("1 noted 1"), first.events, "what was under way is gone, on all nodes");
        group.node(1).order(MemoryGroup.FIRST, OrderedRoom.NOTE, 3);
        group.settle();
        assertEquals(List.of("1 noted 1", "1 noted 3"), first.events);
        assertFalse(first.agent.committed().isLeading());
        assertSameState();
        assertEquals(2, first.agent.host().incarnation());
        first.edgeSignals();
        group.node(1).edgeSignals();
        group.node(1).order(MemoryGroup.FIRST, OrderedRoom.STATE, 5);
        group.settle();
        assertEquals(List.of(ControlSignal.COMMAND), group.node(1).edgeSignals(), "news of the label");
        assertEquals(List.of(), first.edgeSignals(), "a node that leads no more sends nothing");
    }

    @Test
    void shouldCloseTheEdgeWhenTheRoleIsLost()
    {
        lead(0);
        final MemoryGroup.Node node = group.node(0);
        node.edgeSignals();
        group.elect(1);
        node.cycle();
        assertEquals(List.of(ControlSignal.FOLLOWING), node.edgeSignals(), "at once, and not with the next term");
        group.elect(0);
        group.settle();
        final List<ControlSignal> signals = node.edgeSignals();
        assertEquals(ControlSignal.LEADING, signals.stream().filter((s) -> s != ControlSignal.FOLLOWING).findFirst()
            .orElseThrow());
        assertEquals(3, node.leadership.incarnation());
    }

    /** A turn that the last term had under way may be committed or not. */
    @Test
    void shouldTakeAnotherTermOfItsOwnForAChange()
    {
        lead(0);
        final MemoryGroup.Node node = group.node(0);
        node.order(MemoryGroup.FIRST, OrderedRoom.NOTE, 1);
        node.cycle();
        assertEquals(1, group.underWay());
        node.edgeSignals();
        group.elect(0);
        group.settle();
        final List<ControlSignal> signals = node.edgeSignals();
        assertEquals(List.of(ControlSignal.FOLLOWING, ControlSignal.LEADING), signals.subList(0, 2));
        node.order(MemoryGroup.FIRST, OrderedRoom.NOTE, 2);
        group.settle();
        assertEquals(List.of("1 noted 2"), node.events);
        assertSameState();
    }

    /** The nodes go on without the leader that cannot. */
    @Test
    void shouldSkipTheTurnsBehindOneThatTheLeaderHasLost()
    {
        lead(0);
        final MemoryGroup.Node leader = group.node(0);
        final byte[] lost = lose(leader, 1);
        leader.order(MemoryGroup.FIRST, OrderedRoom.NOTE, 2);
        group.settle();
        assertTrue(leader.agent.fault().getMessage().contains("missing in the log"), () -> "" + leader.agent.fault());
        assertSame(leader.agent.fault(), leader.replica.failure(), "its node leaves the group");
        for (final int follower : new int[]{1, 2})
        {
            assertNull(group.node(follower).agent.fault());
            assertEquals(List.of(), group.node(follower).events);
            assertTrue(group.node(follower).agent.committed().runner().stale() > 0);
        }
        group.elect(1);
        group.settle();
        group.commitLate(lost);
        group.node(1).order(MemoryGroup.FIRST, OrderedRoom.NOTE, 3);
        group.settle();
        assertTrue(group.node(1).agent.committed().isLeading());
        assertEquals(List.of("1 noted 3"), group.node(1).events);
        assertEquals(List.of("1 noted 3"), group.node(2).events);
        assertEquals(group.node(1).agent.host().stateHash(), group.node(2).agent.host().stateHash());
    }

    /** Nobody has its answer, and the next term goes on. */
    @Test
    void shouldIgnoreTheBeginOfATermThatIsOver()
    {
        lead(0);
        group.elect(1);
        group.stepAll();
        final byte[] begin = group.lose();
        group.elect(1);
        group.settle();
        group.commitLate(begin);
        group.settle();
        assertTrue(group.node(1).agent.committed().isLeading());
        assertSameState();
    }

    @Test
    void shouldIgnoreRepetitionsAndTurnsOfEarlierTerms()
    {
        lead(0);
        final byte[] first = lose(group.node(0), 1);
        group.commitLate(first);
        group.commitLate(first);
        group.settle();
        assertEquals(List.of("1 noted 1"), group.node(1).events);
        assertTrue(group.node(0).agent.committed().isLeading(), "a repetition is no gap");
        final byte[] second = lose(group.node(0), 2);
        group.elect(1);
        group.commitLate(first);
        group.stepAll();
        assertNull(group.node(1).agent.fault(), "a repetition before its HostResumed");
        group.settle();
        group.commitLate(second);
        group.settle();
        assertEquals(List.of("1 noted 1"), group.node(1).events, "of an earlier term");
        assertEquals(3, group.node(2).agent.committed().stale());
        assertTrue(group.node(1).agent.committed().isLeading());
        assertSameState();
    }

    /** A leader that has not noticed the end of its term may propose in the next one, if it leads that too. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldDropALateTurnBeforeHostResumed(final int leader)
    {
        lead(0);
        final byte[] late = lose(group.node(0), 1);
        group.elect(leader);
        group.commitLate(late);
        group.settle();
        final MemoryGroup.Node node = group.node(leader);
        assertNull(node.agent.fault(), () -> "" + node.agent.fault());
        assertTrue(node.agent.committed().isLeading());
        node.order(MemoryGroup.FIRST, OrderedRoom.NOTE, 2);
        group.settle();
        for (final MemoryGroup.Node each : group.nodes)
        {
            assertEquals(List.of("1 noted 2"), each.events);
            assertEquals(1, each.counters.value("escapement loop 0: committed proposals that were stale"));
        }
        assertSameState();
    }

    /** The edge may use a link number again only when the loop has released its publication. */
    @Test
    void shouldReleaseLinksWithoutTheLogOnceItFollows()
    {
        lead(0);
        final MemoryGroup.Node node = group.node(0);
        node.edgeSignals();
        node.attach(new LinkAttachment(MemoryGroup.LINK, null, new LinkQueues()));
        node.cycle();
        assertEquals(List.of(), node.edgeSignals(), "its turn is under way");
        group.elect(1);
        group.settle();
        assertEquals(List.of(ControlSignal.ATTACHED, ControlSignal.FOLLOWING), node.edgeSignals());
        node.detach();
        node.cycle();
        assertEquals(List.of(ControlSignal.DETACHED), node.edgeSignals());
        assertEquals(0, node.agent.leftovers());
    }

    @Test
    void shouldStopANodeThatComputesOtherBytes()
    {
        final MemoryGroup.Node liar = group.replace(2, OrderedRoom.Liar::new, null);
        lead(0);
        group.node(0).order(MemoryGroup.FIRST, OrderedRoom.STATE, 1);
        group.settle();
        group.node(0).order(MemoryGroup.FIRST, OrderedRoom.NOTE, 1);
        group.settle();
        final ProposalException fault = assertInstanceOf(ProposalException.class, liar.agent.fault());
        assertEquals(ProposalException.Reason.DIVERGED, fault.reason());
        assertSame(fault, liar.replica.failure(), "its node leaves the group");
        assertNull(group.node(1).agent.fault());
        assertEquals(List.of("1 noted 1"), group.node(1).events);
    }

    @Test
    void shouldStopANodeWhoseStackOverflows()
    {
        lead(0);
        group.node(0).order(MemoryGroup.FIRST, OrderedRoom.OVERFLOW, 0);
        group.settle();
        assertNotNull(group.node(0).agent.fault());
        assertTrue(group.node(0).agent.fault().getMessage().contains("room 1 failed"));
    }

    @Test
    void shouldGoOnWithALogInWhichARoomFailsByAnAmendment()
    {
        lead(0);
        group.node(0).order(MemoryGroup.FIRST, OrderedRoom.NOTE, 1);
        group.settle();
        group.node(0).order(MemoryGroup.FIRST, OrderedRoom.OVERFLOW, 0);
        group.settle();
        final String message = group.node(0).agent.fault().getMessage();
        final String[] line = message.substring(message.lastIndexOf(": ") + 2).split(" ");
        assertEquals("0", line[0], "the loop");
        for (int member = 0; member < 3; member++)
        {
            assertEquals(message, group.node(member).agent.fault().getMessage(), "each node has the same line");
            group.replace(member, OrderedRoom::new, null).agent.committed().failAt(
                Long.parseLong(line[1]), Long.parseLong(line[2]), Long.parseLong(line[3]));
        }
        group.elect(1);
        group.settle();
        assertSameState();
        assertEquals(1, group.node(1).agent.host().openRooms(), "the room failed where it had overflowed");
        group.node(1).order(MemoryGroup.SECOND, OrderedRoom.NOTE, 2);
        group.settle();
        assertEquals(List.of("1 noted 1", "2 noted 2"), group.node(2).events);
        assertSameState();
        final LoopAgent later = group.node(1).agent;
        later.committed().failAt(later.committed().runner().lastProposal(), MemoryGroup.SECOND, 1);
        group.node(1).order(MemoryGroup.SECOND, OrderedRoom.NOTE, 3);
        group.settle();
        assertSameState();
    }

    @Test
    void shouldContinueFromASnapshot() throws InterruptedException
    {
        lead(0);
        group.node(0).order(MemoryGroup.FIRST, OrderedRoom.SIGNAL, MemoryGroup.SECOND);
        group.node(0).order(MemoryGroup.FIRST, OrderedRoom.REQUEST, 9);
        group.settle();
        final MemoryGroup.Node old = group.node(2);
        final ByteSink snapshot = snapshot(old);
        final MemoryGroup.Node next = group.replace(
            2, OrderedRoom::new, new UnsafeBuffer(Arrays.copyOf(snapshot.toArray(), snapshot.length())));
        assertEquals(old.agent.host().stateHash(), next.agent.host().stateHash());
        group.node(0).order(MemoryGroup.SECOND, OrderedRoom.NOTE, 4);
        group.settle();
        assertEquals(List.of("2 noted 4"), next.events);
        group.elect(2);
        group.settle();
        assertEquals(List.of(2L), next.requests());
        assertSameState();
    }

    @Test
    void shouldAskForASnapshotOnlyWhileItLeads() throws InterruptedException
    {
        lead(0);
        final MemoryGroup.Node leader = group.node(0);
        group.advance(MemoryGroup.SNAPSHOT_INTERVAL_NS);
        group.settle();
        assertEquals(1, leader.snapshotRequests, "turns are behind the last snapshot, for too long");
        group.advance(SnapshotsDue.RETRY_NS);
        group.settle();
        assertEquals(2, leader.snapshotRequests, "none was taken");
        snapshot(leader);
        group.advance(MemoryGroup.SNAPSHOT_INTERVAL_NS);
        group.settle();
        assertEquals(2, leader.snapshotRequests, "no turn is behind the last snapshot");
        assertEquals(0, group.node(1).snapshotRequests);
        group.elect(1);
        group.settle();
        assertEquals(1, group.node(1).snapshotRequests, "it has measured while it followed");
    }

    @Test
    void shouldAskForASnapshotWhenTheReplayWouldTakeTheBudget()
    {
        final List<Long> requests = new ArrayList<>();
        final EngineCounters counters = new EngineCounters();
        final SnapshotRequests snapshots = new SnapshotRequests(
            () -> requests.add(1L), 100, Long.MAX_VALUE / 2, new LoopCounters(0, counters, Map.of()));
        snapshots.begin(0, 0);
        snapshots.onTurns(60);
        assertFalse(snapshots.isWaiting(1_000));
        snapshots.onTurns(40);
        assertTrue(snapshots.isWaiting(1_000));
        snapshots.step(null, 1_000);
        snapshots.step(null, 1_001);
        assertEquals(1, requests.size(), "one under way is not asked for again");
        assertFalse(snapshots.isWaiting(1_001));
        snapshots.begin(2_000, 0);
        snapshots.onTurns(99);
        assertFalse(snapshots.isWaiting(3_000));
    }

    @Test
    void shouldKeepWhatWasCommittedHoweverOftenTheLeaderChanges()
    {
        for (int seed = 0; seed < 4; seed++)
        {
            final SplittableRandom random = new SplittableRandom(SEED + seed);
            final MemoryGroup nodes = new MemoryGroup(3);
            nodes.elect(0);
            nodes.settle();
            nodes.node(0).openRooms();
            nodes.settle();
            int leader = 0;
            for (int i = 0; i < ROUNDS; i++)
            {
                final int dice = random.nextInt(100);
                if (dice < 60)
                {
                    nodes.node(leader).order(1 + random.nextInt(2), 1 + random.nextInt(3), 1 + random.nextInt(2));
                }
                else if (dice < 64)
                {
                    leader = random.nextInt(3);
                    nodes.elect(leader);
                }
                nodes.commit(random.nextInt(4));
                nodes.node(random.nextInt(3)).step();
                nodes.node(random.nextInt(3)).cycle();
            }
            nodes.settle();
            for (final MemoryGroup.Node node : nodes.nodes)
            {
                assertNull(node.agent.fault(), () -> "seed " + SEED + " + " + random + " " + node.errors);
                assertEquals(nodes.node(0).events, node.events, "seed " + (SEED + seed));
                assertEquals(nodes.node(0).agent.host().stateHash(), node.agent.host().stateHash(),
                    "seed " + (SEED + seed));
            }
            assertTrue(nodes.node(0).events.size() > ROUNDS / 8, "seed " + (SEED + seed));
        }
    }

    @Test
    void shouldLeaveWhenNothingIsCommittedForTooLong()
    {
        lead(0);
        final MemoryGroup.Node leader = group.node(0);
        leader.commitTimeoutNs = 1_000_000;
        leader.order(MemoryGroup.FIRST, OrderedRoom.NOTE, 1);
        leader.cycle();
        assertEquals(1, group.underWay());
        group.advance(leader.commitTimeoutNs / 2);
        leader.cycle();
        assertNull(leader.replica.failure());
        group.advance(leader.commitTimeoutNs);
        leader.cycle();
        leader.cycle();
        assertTrue(leader.replica.failure().getMessage().contains("majority"), () -> "" + leader.replica.failure());
        assertNotNull(leader.agent.fault());
    }

    private static ByteSink snapshot(final MemoryGroup.Node node) throws InterruptedException
    {
        final ByteSink snapshot = new ByteSink();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread logThread = new Thread(() ->
        {
            node.replica.beginSnapshot();
            node.replica.awaitSnapshot(snapshot);
        });
        logThread.setUncaughtExceptionHandler((thread, ex) -> failure.set(ex));
        logThread.start();
        Tests.await(() ->
        {
            node.cycle();
            return !logThread.isAlive();
        }, "the snapshot");
        logThread.join();
        assertNull(failure.get());
        return snapshot;
    }

    /** Have a leader propose a turn, and lose it. */
    private byte[] lose(final MemoryGroup.Node leader, final long note)
    {
        leader.order(MemoryGroup.FIRST, OrderedRoom.NOTE, note);
        leader.cycle();
        assertEquals(1, group.underWay());
        return group.lose();
    }

    private void lead(final int member)
    {
        group.elect(member);
        group.settle();
        group.node(member).openRooms();
        group.settle();
        assertEquals(2, group.node(member).agent.host().openRooms());
        assertTrue(group.node(member).agent.committed().isLeading());
    }

    private void assertSameState()
    {
        for (final MemoryGroup.Node node : group.nodes)
        {
            assertNull(node.agent.fault());
            assertEquals(group.node(0).agent.host().stateHash(), node.agent.host().stateHash());
        }
    }
}
