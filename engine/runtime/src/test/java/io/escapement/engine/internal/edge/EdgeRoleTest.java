package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.engine.internal.loop.LoopLeadership;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.spi.ReplicatedLog;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An edge that opens and closes with the role of its loops. */
class EdgeRoleTest
{
    private static final int MEMBER = 1;
    private static final int OTHER = 2;
    private static final String GOODBYE = "Goodbye NOT_LEADING";

    private final SteppedEdge edge = new SteppedEdge();
    private final Leadership leadership = new Leadership(MEMBER);

    EdgeRoleTest()
    {
        edge.agent.follow(leadership);
    }

    @Test
    void shouldRefuseTrunksUntilAllLoopsLead()
    {
        assertEquals(List.of("Challenge", "Reject NOT_LEADING"), handshake());
        leads(0, 5);
        assertFalse(leadership.isLeading());
        assertEquals(List.of("Challenge", "Reject NOT_LEADING"), handshake());
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
        assertEquals(List.of("Challenge", "Reject NOT_LEADING"), handshake());

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
        final SteppedEdge before = new SteppedEdge(keys, 0);
        final SteppedClient client = SteppedClient.welcomed(before);
        final SteppedEdge node = new SteppedEdge(keys, 0);
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
    void shouldLetClientsStandByAndWelcomeThemWhenItLeads()
    {
        leads(0, 4);
        final SteppedClient client = new SteppedClient(edge);
        client.hello();
        client.send(ClientMessages.stand("right"));
        assertEquals(List.of("Challenge", "Standby at 1 of -1"), client.takeReplies());
        final MemoryTransport.MemoryImage loop = client.connect(0);
        loop.send(ClientMessages.attach(TrunkMessages.NO_TRUNK, client.standbyToken));
        edge.step(2);
        assertEquals(List.of("Attached 0"), client.takeReplies());
        assertEquals(StreamPublication.State.READY, loop.response.state);

        leads(1, 4);
        assertEquals(List.of("Leading 1 in 4"), client.takeReplies());
        client.send(ClientMessages.proof("right"));
        assertEquals(List.of("Welcome"), client.takeReplies());
        final int publications = edge.transport.responses.size();
        loop.send(ClientMessages.attach(client.trunkId, client.attachToken));
        edge.step(2);
        assertEquals(List.of("ATTACH"), edge.takeSignals(0));
        edge.signal(ControlSignal.ATTACHED, 0, 0);
        edge.step();
        assertEquals(List.of("Attached 0"), client.takeReplies());
        assertEquals(publications, edge.transport.responses.size(), "the publication was there");
    }

    @Test
    void shouldGiveNoTrunkToAClientThatStandsByWhileItFollows()
    {
        follows(0, OTHER);
        final SteppedClient client = SteppedClient.standingBy(edge);
        client.send(ClientMessages.proof("right"));
        assertEquals(List.of("Standby at 1 of 2"), client.takeReplies());
        client.resume("right");
        assertEquals(List.of("Standby at 1 of 2"), client.takeReplies());
        leads(0, 6);
        leads(1, 6);
        follows(1, OTHER);
        assertEquals(List.of("Leading 1 in 6"), client.takeReplies());
        client.send(ClientMessages.proof("right"));
        assertEquals(List.of("Standby at 1 of 2"), client.takeReplies(), "it led for a moment");
        assertEquals(0, edge.counter("trunks up"));
    }

    @Test
    void shouldGiveNoTrunkForAVerdictThatComesWhenItFollows()
    {
        leads(0, 6);
        leads(1, 6);
        final SteppedClient standby = SteppedClient.standingBy(edge);
        final SteppedClient other = new SteppedClient(edge);
        other.hello();
        other.takeReplies();
        edge.isAuthenticatorHeld = true;
        standby.send(ClientMessages.proof("right"));
        other.send(ClientMessages.proof("right"));
        follows(0, OTHER);
        edge.authentications.forEach(Runnable::run);
        edge.step(2);
        assertEquals(List.of("Standby at 1 of 2"), standby.takeReplies());
        assertEquals(List.of("Reject NOT_LEADING"), other.takeReplies());
    }

    @Test
    void shouldKeepAClientThatStandsByAsLongAsItShowsThatItIsAlive()
    {
        final SteppedClient client = SteppedClient.standingBy(edge);
        final MemoryTransport.MemoryImage loop = client.connect(1);
        loop.send(ClientMessages.attach(TrunkMessages.NO_TRUNK, client.standbyToken));
        edge.step(2);
        client.takeReplies();
        // More bytes than a handshake may take.
        for (int i = 0; i < 1_000; i++)
        {
            client.send(ClientMessages.keepalive());
            assertEquals(List.of("KeepaliveReply"), client.takeReplies());
            edge.pass(SteppedEdge.KEEPALIVE_NS);
        }
        edge.pass(3 * SteppedEdge.KEEPALIVE_NS);
        assertEquals(List.of("Goodbye KEEPALIVE_LATE"), client.takeReplies());
        edge.step(3);
        assertEquals(0, edge.agent.held());
        assertEquals(0, edge.transport.open());
    }

    @Test
    void shouldLetAsManyClientsStandByAsItHasTrunks()
    {
        final List<SteppedClient> clients = new ArrayList<>();
        for (int i = 0; i < SteppedEdge.TRUNK_LIMIT; i++)
        {
            clients.add(SteppedClient.standingBy(edge));
        }
        final SteppedClient one = new SteppedClient(edge);
        one.hello();
        one.send(ClientMessages.stand("right"));
        assertEquals(List.of("Challenge", "Reject TOO_MANY_TRUNKS"), one.takeReplies());
        clients.get(0).disconnect();
        SteppedClient.standingBy(edge);
        leads(0, 5);
        leads(1, 5);
        clients.get(1).send(ClientMessages.proof("right"));
        assertEquals(List.of("Leading 1 in 5", "Welcome"), clients.get(1).takeReplies());
        SteppedClient.standingBy(edge);
    }

    @Test
    void shouldConnectOneStreamOfALoopForAClientThatStandsBy()
    {
        final SteppedClient client = SteppedClient.standingBy(edge);
        final MemoryTransport.MemoryImage first = client.connect(0);
        final MemoryTransport.MemoryImage second = client.connect(0);
        first.send(ClientMessages.attach(TrunkMessages.NO_TRUNK, client.standbyToken));
        edge.step();
        second.send(ClientMessages.attach(TrunkMessages.NO_TRUNK, client.standbyToken));
        edge.step(3);
        assertEquals(List.of("Attached 0"), client.takeReplies());
        assertEquals(List.of("BAD_ATTACH"), edge.refusals());
        first.send(ClientMessages.attach(TrunkMessages.NO_TRUNK, client.standbyToken));
        edge.step(3);
        assertEquals(List.of("Attached 0"), client.takeReplies(), "the client had not read it");
    }

    @Test
    void shouldEndClientsThatStandByWhenTheEngineStops()
    {
        final SteppedClient client = SteppedClient.standingBy(edge);
        final MemoryTransport.MemoryImage loop = client.connect(0);
        loop.send(ClientMessages.attach(TrunkMessages.NO_TRUNK, client.standbyToken));
        edge.step(2);
        client.takeReplies();
        edge.signal(ControlSignal.STOP);
        edge.step(4);
        assertEquals(List.of("Goodbye ENGINE_STOPPING"), client.takeReplies());
        assertTrue(edge.agent.isStopped());
        assertEquals(0, edge.transport.open());
    }

    @Test
    void shouldNotTakeAnOldTermOfItsOwnForALeader()
    {
        follows(0, MEMBER);
        assertEquals(ReplicatedLog.NO_LEADER, leadership.leaderMemberId());
    }

    private List<String> handshake()
    {
        final SteppedClient client = new SteppedClient(edge);
        client.hello();
        client.send(ClientMessages.proof("right"));
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
