package io.escapement.engine.internal.edge;

import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** In every order of loss and drain all is released once, and no publication closes that a loop may write to. */
class EdgeOrdersTest
{
    private static final List<String> EVENTS =
        List.of("CONTROL_GONE", "LOOP_GONE", "SILENCE", "SLOW", "RELEASE", "STOP");
    private static final int RANDOM_RUNS = 300;
    private static final int RANDOM_STEPS = 60;

    @Test
    void shouldReleaseEverythingInEveryOrderOfLossAndDrain()
    {
        final List<List<String>> orders = new ArrayList<>();
        permute(new ArrayList<>(EVENTS), 0, orders);
        assertEquals(720, orders.size());
        for (final List<String> order : orders)
        {
            for (final IngressStream.State state : List.of(
                IngressStream.State.CONNECTING, IngressStream.State.OFFERED, IngressStream.State.ATTACHED))
            {
                final Run run = new Run(state + " " + order);
                run.attach(state);
                order.forEach(run::apply);
                run.finish();
            }
        }
    }

    @Test
    void shouldReleaseEverythingAfterRandomEvents()
    {
        final long seed = Tests.seed();
        for (int i = 0; i < RANDOM_RUNS; i++)
        {
            final Random random = new Random(seed + i);
            final Run run = new Run("seed " + (seed + i));
            for (int step = 0; step < RANDOM_STEPS; step++)
            {
                run.applyRandom(random);
            }
            run.apply("STOP");
            run.finish();
        }
    }

    @Test
    void shouldReleaseHandshakesHoweverTheyEnd()
    {
        for (final String end : List.of("GOODBYE", "IMAGE_GONE", "TIMEOUT", "BAD_PROOF", "PROOF"))
        {
            final SteppedEdge edge = new SteppedEdge();
            for (int i = 0; i < 3 * SteppedEdge.HANDSHAKE_LIMIT; i++)
            {
                final SteppedClient client = new SteppedClient(edge);
                client.hello();
                assertEquals(List.of("Challenge"), client.takeReplies(), end);
                switch (end)
                {
                    case "GOODBYE" -> client.send(ClientMessages.goodbye());
                    case "IMAGE_GONE" -> client.disconnect();
                    case "TIMEOUT" -> edge.pass(SteppedEdge.HANDSHAKE_NS);
                    case "BAD_PROOF" -> client.send(ClientMessages.proof("wrong"));
                    default ->
                    {
                        client.send(ClientMessages.proof("right"));
                        client.send(ClientMessages.goodbye());
                    }
                }
                assertEquals(0, edge.agent.handshakes(), end);
            }
        }
    }

    @Test
    void shouldRefuseHandshakesAboveTheLimit()
    {
        final SteppedEdge edge = new SteppedEdge();
        for (int i = 0; i < SteppedEdge.HANDSHAKE_LIMIT; i++)
        {
            new SteppedClient(edge).hello();
        }
        final SteppedClient client = new SteppedClient(edge);
        client.hello();
        assertEquals(List.of(), client.takeReplies());
        assertEquals(List.of("TOO_MANY_HANDSHAKES"), edge.refusals());
        assertEquals(SteppedEdge.HANDSHAKE_LIMIT, edge.transport.open());
    }

    @Test
    void shouldRejectEveryHelloWhileDraining()
    {
        final SteppedEdge edge = new SteppedEdge();
        edge.signal(ControlSignal.DRAIN);
        final SteppedClient client = new SteppedClient(edge);
        client.hello();
        assertEquals(List.of("Reject ENGINE_STOPPING"), client.takeReplies());
    }

    @Test
    void shouldTimeOutAHandshakeThatSendsNothing()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = new SteppedClient(edge);
        client.hello();
        client.takeReplies();
        edge.step((int)(SteppedEdge.HANDSHAKE_NS / SteppedEdge.STEP_NS) - 2);
        assertEquals(List.of(), edge.refusals());
        edge.step();
        assertEquals(List.of("HANDSHAKE_TIMEOUT"), edge.refusals());
        edge.step();
        assertEquals(List.of("Goodbye HANDSHAKE_TIMEOUT"), client.takeReplies());
        assertEquals(0, edge.transport.open());
    }

    @Test
    void shouldDropLastRepliesThatAClientDoesNotTake()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        client.control.response.isBlocked = true;
        edge.signal(ControlSignal.STOP);
        edge.step(3);
        assertEquals(1, edge.agent.held());
        edge.pass(1_000_000_000);
        assertTrue(edge.agent.isStopped());
        assertEquals(0, edge.transport.open());
    }

    @Test
    void shouldEndItsThreadWhenTheDriverIsGone()
    {
        final SteppedEdge edge = new SteppedEdge();
        edge.transport.isClosed = true;
        assertThrows(AgentTerminationException.class, edge::step);
    }

    private static void permute(final List<String> events, final int from, final List<List<String>> orders)
    {
        if (from == events.size())
        {
            orders.add(List.copyOf(events));
            return;
        }
        for (int i = from; i < events.size(); i++)
        {
            Collections.swap(events, from, i);
            permute(events, from + 1, orders);
            Collections.swap(events, from, i);
        }
    }

    /** One trunk, its connections, and a loop that releases publications when it is let. */
    private static final class Run
    {
        private final SteppedEdge edge = new SteppedEdge();
        private final SteppedClient client = SteppedClient.welcomed(edge);
        private final List<MemoryTransport.MemoryImage> controls = new ArrayList<>(List.of(client.control));
        private final List<MemoryTransport.MemoryImage> loopImages = new ArrayList<>();
        private final String name;
        private int attaches;
        private int detaches;

        Run(final String name)
        {
            this.name = name;
        }

        void attach(final IngressStream.State state)
        {
            edge.transport.isHoldingResponses = IngressStream.State.CONNECTING == state;
            final MemoryTransport.MemoryImage image = client.connect(0);
            loopImages.add(image);
            image.send(ClientMessages.attach(client.trunkId, client.attachToken));
            edge.step(2);
            edge.transport.isHoldingResponses = false;
            if (IngressStream.State.CONNECTING == state && null != image.response)
            {
                edge.transport.make(image.response);
            }
            if (IngressStream.State.ATTACHED == state)
            {
                edge.signal(ControlSignal.ATTACHED, 0, 0);
                edge.step();
            }
        }

        void apply(final String event)
        {
            switch (event)
            {
                case "CONTROL_GONE" -> controls.forEach(edge.transport::disconnect);
                case "LOOP_GONE" -> loopImages.forEach(edge.transport::disconnect);
                case "SILENCE" -> edge.pass(3 * SteppedEdge.KEEPALIVE_NS);
                case "SLOW" -> edge.signal(ControlSignal.SLOW, 0, 0);
                case "STOP" -> edge.signal(ControlSignal.STOP);
                case "RELEASE" -> release();
                default -> throw new AssertionError(event);
            }
            edge.step();
            check();
        }

        void applyRandom(final Random random)
        {
            switch (random.nextInt(9))
            {
                case 0 -> apply("LOOP_GONE");
                case 1 -> apply("RELEASE");
                case 2 -> apply("SLOW");
                case 3 ->
                {
                    client.connect();
                    controls.add(client.control);
                    client.hello();
                    client.takeReplies();
                }
                case 4 -> client.resume("right");
                case 5 -> client.send(ClientMessages.proof("right"));
                case 6 -> client.send(random.nextBoolean() ? ClientMessages.goodbye() : ClientMessages.keepalive());
                case 7 -> attach(IngressStream.State.values()[random.nextInt(4)]);
                default -> edge.pass(random.nextInt(600) * SteppedEdge.STEP_NS);
            }
            client.takeReplies();
            edge.step();
            check();
        }

        /** The loop releases in the end, and nothing is held any more. */
        void finish()
        {
            for (int i = 0; i < 4; i++)
            {
                edge.step(3);
                release();
            }
            edge.pass(2 * SteppedEdge.HANDSHAKE_NS);
            edge.step(3);
            assertEquals(0, edge.agent.held(), name);
            assertEquals(0, edge.agent.handshakes(), name);
            assertEquals(0, edge.counter("trunks up"), name);
            assertEquals(0, edge.transport.open(), name);
            assertEquals(attaches, detaches, name);
            assertTrue(edge.agent.isStopped(), name);
        }

        /** The loop reads its inbox, and releases the publications it is asked for. */
        private void release()
        {
            for (final String signal : edge.takeSignals(0))
            {
                attaches += "ATTACH".equals(signal) ? 1 : 0;
                detaches += "DETACH".equals(signal) ? 1 : 0;
            }
            edge.release(0);
            edge.step();
        }

        private void check()
        {
            assertTrue(edge.counter("trunks up") >= 0, name);
            assertTrue(edge.agent.handshakes() <= SteppedEdge.HANDSHAKE_LIMIT, name);
        }
    }
}
