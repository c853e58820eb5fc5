package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.engine.internal.queue.ControlSignal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every event in every state of a trunk. */
class TrunkTableTest
{
    @ParameterizedTest(name = "{0}: {1} -> {2}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        UP    | IMAGE_GONE       | LOST  | -                       | -
        UP    | SILENCE          | LOST  | Goodbye KEEPALIVE_LATE  | KEEPALIVE_LATE
        UP    | SILENCE_SHORT    | UP    | -                       | -
        UP    | KEEPALIVES       | UP    | KeepaliveReply          | -
        UP    | GOODBYE          | ENDED | -                       | -
        UP    | SLOW             | LOST  | Goodbye SLOW_CONSUMER   | SLOW_CONSUMER
        UP    | STOP             | ENDED | Goodbye ENGINE_STOPPING | ENGINE_STOPPING
        UP    | DRAIN            | UP    | -                       | -
        UP    | RESUME           | UP    | Goodbye REPLACED        | -
        UP    | RESUME_TOKEN     | UP    | -                       | UNKNOWN_TRUNK
        UP    | RESUME_IDENTITY  | UP    | -                       | UNKNOWN_TRUNK
        UP    | RESUME_PROOF     | UP    | -                       | BAD_CREDENTIALS
        LOST  | RESUME           | UP    | -                       | -
        LOST  | RESUME_TOKEN     | LOST  | -                       | UNKNOWN_TRUNK
        LOST  | RESUME_IDENTITY  | LOST  | -                       | UNKNOWN_TRUNK
        LOST  | RESUME_PROOF     | LOST  | -                       | BAD_CREDENTIALS
        LOST  | GRACE            | ENDED | -                       | -
        LOST  | SILENCE          | LOST  | -                       | -
        LOST  | SLOW             | LOST  | -                       | -
        LOST  | STOP             | ENDED | -                       | -
        LOST  | DRAIN            | LOST  | -                       | -
        ENDED | RESUME           | ENDED | -                       | UNKNOWN_TRUNK
        ENDED | GRACE            | ENDED | -                       | -
        ENDED | SLOW             | ENDED | -                       | -
        ENDED | STOP             | ENDED | -                       | -
        """)
    void shouldFollowTheTable(
        final Trunk.State from, final String event, final Trunk.State to, final String reply, final String refusal)
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        final MemoryTransport.MemoryResponse response = client.control.response;
        if (Trunk.State.LOST == from)
        {
            client.disconnect();
        }
        if (Trunk.State.ENDED == from)
        {
            client.send(ClientMessages.goodbye());
        }
        apply(edge, client, event);
        assertEquals(null == refusal ? List.of() : List.of(refusal), edge.refusals(), "refusals");
        if (response == client.control.response)
        {
            assertEquals(null == reply ? List.of() : List.of(reply), client.takeReplies(), "replies");
        }
        else if (null != reply)
        {
            assertEquals(1, response.take().size(), reply);
        }
        assertEquals(to, state(edge), "next state");
    }

    @Test
    void shouldReplaceBothTokensByAResume()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        final long trunkId = client.trunkId;
        final long attachToken = client.attachToken;
        final long resumeHigh = client.resumeHigh;
        final long resumeLow = client.resumeLow;
        reconnect(client);
        client.resume("right");
        assertEquals(List.of("Welcome resumed"), client.takeReplies());
        assertEquals(trunkId, client.trunkId);
        assertNotEquals(attachToken, client.attachToken);
        reconnect(client);
        client.send(ClientMessages.resume(trunkId, resumeHigh, resumeLow, "right"));
        assertEquals(List.of("Reject UNKNOWN_TRUNK"), client.takeReplies());
    }

    @Test
    void shouldLoseASilentTrunkAfterThreeKeepalivesAndNotBefore()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        client.send(ClientMessages.keepalive());
        final int allowed = (int)(3 * SteppedEdge.KEEPALIVE_NS / SteppedEdge.STEP_NS);
        // The keepalive was read in the first of two steps.
        edge.step(allowed - 1);
        assertEquals(1, edge.counter("trunks up"));
        edge.step(1);
        assertEquals(0, edge.counter("trunks up"));
    }

    @Test
    void shouldReportTheRoundTripThatTheClientOfTheConnectionMeasured()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        assertEquals(0, roundTripNs(edge), "before its first keepalive");
        client.send(ClientMessages.keepalive(250_000));
        client.send(ClientMessages.keepalive(300_000));
        assertEquals(300_000, roundTripNs(edge));
        edge.step(3);
        assertEquals(300_000, roundTripNs(edge), "until the next one");
        client.send(ClientMessages.keepalive(Long.MIN_VALUE + 1));
        assertEquals(0, roundTripNs(edge), "a nonsense");
        client.send(ClientMessages.keepalive(200_000));
        reconnect(client);
        client.resume("right");
        assertEquals(0, roundTripNs(edge), "of the connection before");
    }

    private static long roundTripNs(final SteppedEdge edge)
    {
        return edge.agent.trunks().get(0).roundTripNs();
    }

    @Test
    void shouldNotExceedTheLimitOfTrunksAndFreeTheNumbersOfEnded()
    {
        final SteppedEdge edge = new SteppedEdge();
        SteppedClient.welcomed(edge);
        final SteppedClient second = SteppedClient.welcomed(edge);
        final SteppedClient third = new SteppedClient(edge);
        third.hello();
        third.send(ClientMessages.proof("right"));
        assertEquals(List.of("Challenge", "Reject TOO_MANY_TRUNKS"), third.takeReplies());
        // A lost trunk keeps its number.
        second.disconnect();
        edge.step();
        // Two numbers, and the publication of the first.
        assertEquals(SteppedEdge.TRUNK_LIMIT + 1, edge.agent.held());
        edge.pass(SteppedEdge.GRACE_NS);
        SteppedClient.welcomed(edge);
    }

    @Test
    void shouldNotReuseTheNumberOfATrunkThatALoopStillWritesTo()
    {
        final SteppedEdge edge = new SteppedEdge();
        SteppedClient.welcomed(edge);
        final SteppedClient client = SteppedClient.welcomed(edge);
        final MemoryTransport.MemoryImage image = client.attached(0, 1);
        client.send(ClientMessages.goodbye());
        final SteppedClient next = new SteppedClient(edge);
        next.hello();
        next.send(ClientMessages.proof("right"));
        assertEquals(List.of("Challenge", "Reject TOO_MANY_TRUNKS"), next.takeReplies());
        assertEquals(StreamPublication.State.READY, image.response.state, "the loop may be writing to it");
        edge.takeSignals(0);
        edge.release(0);
        edge.step();
        assertEquals(StreamPublication.State.CLOSED, image.response.state);
        SteppedClient.welcomed(edge);
    }

    @Test
    void shouldLimitLogInsUnderWayAndReleaseThemByReplies()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        for (int i = 0; i <= SteppedEdge.LOG_IN_LIMIT; i++)
        {
            client.send(ClientMessages.logIn(i));
        }
        assertEquals(List.of("LogInReply " + SteppedEdge.LOG_IN_LIMIT + " LOG_IN_BUSY"), client.takeReplies());
        edge.logIns.get(0).onReply(0, 77);
        edge.step();
        assertEquals(List.of("LogInReply 0 NONE"), client.takeReplies());
        client.send(ClientMessages.logIn(99));
        assertEquals(List.of(), client.takeReplies());
        assertEquals(SteppedEdge.LOG_IN_LIMIT + 1, edge.logIns.size());
    }

    @Test
    void shouldRefuseLogInsWithoutAService()
    {
        final SteppedEdge edge = new SteppedEdge(null);
        final SteppedClient client = SteppedClient.welcomed(edge);
        client.send(ClientMessages.logIn(5));
        assertEquals(List.of("LogInReply 5 NO_LOG_IN"), client.takeReplies());
    }

    @Test
    void shouldIgnoreTheReplyToALogInOfAnEndedTrunkAndSendNoneToALostOne()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient ended = SteppedClient.welcomed(edge);
        ended.send(ClientMessages.logIn(1));
        ended.send(ClientMessages.goodbye());
        final SteppedClient lost = SteppedClient.welcomed(edge);
        lost.send(ClientMessages.logIn(2));
        lost.disconnect();
        edge.logIns.forEach((reply) -> reply.onReply(0, 1));
        edge.step(2);
        assertEquals(0, edge.counter("replies dropped"));
        reconnect(lost);
        lost.resume("right");
        lost.takeReplies();
        // The permit is back: as many log-ins as before.
        for (int i = 0; i < SteppedEdge.LOG_IN_LIMIT; i++)
        {
            lost.send(ClientMessages.logIn(i));
        }
        assertEquals(List.of(), lost.takeReplies());
    }

    @Test
    void shouldReportWhenItHasStopped()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        client.attached(0, 0);
        edge.signal(ControlSignal.STOP);
        edge.step(5);
        assertFalse(edge.agent.isStopped(), "the loop has not released its publication");
        assertEquals(List.of("Goodbye ENGINE_STOPPING"), client.takeReplies());
        edge.takeSignals(0);
        edge.release(0);
        while (0 != edge.agent.held())
        {
            edge.step();
        }
        assertFalse(edge.agent.isStopped(), "no cycle of the driver has sent the last replies");
        edge.step();
        assertTrue(edge.agent.isStopped());
        assertEquals(0, edge.agent.held());
        assertEquals(0, edge.transport.open());
    }

    private static void reconnect(final SteppedClient client)
    {
        client.disconnect();
        client.connect();
        client.hello();
        client.takeReplies();
    }

    private static void apply(final SteppedEdge edge, final SteppedClient client, final String event)
    {
        switch (event)
        {
            case "IMAGE_GONE" -> client.disconnect();
            case "SILENCE" -> edge.pass(3 * SteppedEdge.KEEPALIVE_NS);
            case "SILENCE_SHORT" -> edge.pass(2 * SteppedEdge.KEEPALIVE_NS);
            case "KEEPALIVES" ->
            {
                edge.pass(2 * SteppedEdge.KEEPALIVE_NS);
                client.send(ClientMessages.keepalive());
                edge.pass(2 * SteppedEdge.KEEPALIVE_NS);
            }
            case "GOODBYE" -> client.send(ClientMessages.goodbye());
            case "GRACE" -> edge.pass(SteppedEdge.GRACE_NS);
            case "SLOW" -> signal(edge, ControlSignal.SLOW);
            case "STOP" -> signal(edge, ControlSignal.STOP);
            case "DRAIN" -> signal(edge, ControlSignal.DRAIN);
            default -> resume(client, event);
        }
    }

    /** A resume on another connection. */
    private static void resume(final SteppedClient client, final String event)
    {
        client.connect();
        client.send(ClientMessages.hello(TrunkMessages.PROTOCOL_VERSION,
            "RESUME_IDENTITY".equals(event) ? "other" : SteppedClient.IDENTITY));
        switch (event)
        {
            case "RESUME", "RESUME_IDENTITY" -> client.resume("right");
            case "RESUME_PROOF" -> client.resume("wrong");
            case "RESUME_TOKEN" -> client.send(
                ClientMessages.resume(client.trunkId, client.resumeHigh, client.resumeLow + 1, "right"));
            default -> throw new AssertionError(event);
        }
    }

    private static void signal(final SteppedEdge edge, final ControlSignal signal)
    {
        edge.signal(signal);
        edge.step(2);
    }

    /** The state, from what the trunk holds. */
    private static Trunk.State state(final SteppedEdge edge)
    {
        if (1 == edge.counter("trunks up"))
        {
            return Trunk.State.UP;
        }
        return 1 == edge.agent.held() ? Trunk.State.LOST : Trunk.State.ENDED;
    }
}
