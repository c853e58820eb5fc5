package io.escapement.engine.internal.edge;

import io.escapement.engine.internal.loop.ControlSignal;
import io.escapement.engine.internal.loop.LoopLeadership;
import io.escapement.engine.spi.ReplicatedLog;
import java.util.BitSet;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An edge that opens and closes with the role of its loops. */
@Timeout(30)
class EdgeRoleTest
{
    private static final int MEMBER = 1;
    private static final int OTHER = 2;
    private static final String GOODBYE = "Goodbye ENGINE_STOPPING";

    private final SteppedEdge edge = new SteppedEdge();
    private final Leadership leadership = new Leadership(MEMBER);

    EdgeRoleTest()
    {
        edge.agent.follow(leadership);
    }

    @Test
    void shouldRefuseTrunksUntilAllLoopsLead()
    {
        assertEquals(List.of("Reject ENGINE_STOPPING"), hello());
        leads(0, 5);
        assertFalse(leadership.isLeading());
        assertEquals(List.of("Reject ENGINE_STOPPING"), hello());
        leads(1, 5);
        assertTrue(leadership.isLeading());
        assertEquals(MEMBER, leadership.leaderMemberId());
        final SteppedClient client = SteppedClient.welcomed(edge);
        assertEquals(5, client.trunkId >> 40, "ids of trunks are of the incarnation");
        assertEquals(List.of(), edge.warnings, "a node that follows is not an attack");
    }

    @Test
    void shouldNotOpenForLoopsOfTwoTerms()
    {
        leads(0, 5);
        leads(1, 6);
        assertFalse(leadership.isLeading());
        leads(0, 6);
        assertTrue(leadership.isLeading());
    }

    @Test
    void shouldEndAllTrunksWhenALoopLeadsNoMore()
    {
        leads(0, 5);
        leads(1, 5);
        final SteppedClient client = SteppedClient.welcomed(edge);
        client.attached(0, 0);
        follows(1, OTHER);
        assertFalse(leadership.isLeading());
        assertEquals(OTHER, leadership.leaderMemberId());
        assertEquals(List.of(GOODBYE), client.takeReplies());
        edge.step(3);
        assertEquals(List.of("ATTACH", "DETACH"), edge.takeSignals(0));
        edge.release(0);
        edge.step(3);
        client.disconnect();
        edge.pass(SteppedEdge.GRACE_NS);
        assertEquals(0, edge.agent.held());
        assertEquals(List.of("Reject ENGINE_STOPPING"), hello());

        follows(0, OTHER);
        leads(0, 7);
        leads(1, 7);
        final SteppedClient next = SteppedClient.welcomed(edge);
        assertEquals(7, next.trunkId >> 40);
        next.attached(0, 1);
    }

    /** A LinkUp makes a loop forget the seats of a link number. */
    @Test
    void shouldUseLinkNumbersThatSeatsRememberLast()
    {
        final BitSet held = new BitSet();
        held.set(0);
        signal(new LoopLeadership(0, 5, held, new long[SteppedEdge.TRUNK_LIMIT], 9,
            new long[]{SteppedEdge.roomId(0)}, new int[]{3}));
        leads(1, 5);
        final SteppedClient client = SteppedClient.welcomed(edge);
        client.attached(0, 1);
        assertArrayEquals(new long[]{SteppedEdge.roomId(0)}, leadership.rooms(3));
        follows(0, ReplicatedLog.NO_LEADER);
        assertArrayEquals(new long[0], leadership.rooms(3));
    }

    /** The node that led before had given the trunk link 1, and has its seats in loop 0. */
    @Test
    void shouldResumeATrunkOfTheNodeThatLedBefore()
    {
        final TokenKeys keys = TokenKeys.of(List.of(new byte[32]), 0);
        final SteppedEdge before = new SteppedEdge(keys, EdgeContext.Incarnation.NONE);
        final SteppedClient client = SteppedClient.welcomed(before);
        final SteppedEdge node = new SteppedEdge(keys, EdgeContext.Incarnation.NONE);
        node.agent.follow(leadership);
        for (int loop = 0; loop < SteppedEdge.LOOPS; loop++)
        {
            final long[] trunkIds = {0, 0 == loop ? client.trunkId : 0};
            assertTrue(node.edgeInbox.offer(ControlSignal.LEADING,
                new LoopLeadership(loop, 5, new BitSet(), trunkIds, 0, new long[0], new int[0]),
                new UnsafeBuffer(new byte[8]), 0, 8));
            node.step();
        }
        final SteppedClient returning = new SteppedClient(node);
        returning.hello();
        returning.takeReplies();
        returning.takeOver(client);
        returning.resume("right");
        assertEquals(List.of("Welcome resumed"), returning.takeReplies());
        assertEquals(client.trunkId, returning.trunkId);
        returning.attached(0, 1);
    }

    @Test
    void shouldNotTakeAnOldTermOfItsOwnForALeader()
    {
        follows(0, MEMBER);
        assertEquals(ReplicatedLog.NO_LEADER, leadership.leaderMemberId());
    }

    private List<String> hello()
    {
        final SteppedClient client = new SteppedClient(edge);
        client.hello();
        final List<String> replies = client.takeReplies();
        client.disconnect();
        return replies;
    }

    private void leads(final int loop, final int incarnation)
    {
        signal(new LoopLeadership(
            loop, incarnation, new BitSet(), new long[SteppedEdge.TRUNK_LIMIT], 0, new long[0], new int[0]));
    }

    private void signal(final LoopLeadership loop)
    {
        assertTrue(edge.edgeInbox.offer(ControlSignal.LEADING, loop, new UnsafeBuffer(new byte[8]), 0, 8));
        edge.step();
    }

    private void follows(final int loop, final int leader)
    {
        edge.signal(ControlSignal.FOLLOWING, loop, leader);
        edge.step(2);
    }
}
