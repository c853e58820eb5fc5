package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.engine.internal.loop.LoopLeadership;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.spi.LogInService;
import io.escapement.engine.spi.ReplicatedLog;
import io.escapement.testsupport.Tests;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Random schedules of connections. After each, every count of something held is zero, and newcomers get every place.
 */
class EdgeSchedulesTest
{
    private static final int SCHEDULES = Tests.isFull() ? 100_000 : 2_000;
    private static final int MAX_STEPS = 40;
    private static final int MAX_CLIENTS = 6;

    @Test
    void shouldReleaseEverythingAfterEverySchedule()
    {
        final long seed = Tests.seed();
        for (int run = 0; run < SCHEDULES; run++)
        {
            final Schedule schedule = new Schedule(seed + run);
            try
            {
                schedule.run();
            }
            catch (final Throwable ex)
            {
                throw new AssertionError("-Descapement.seed=" + (seed + run) + ": " + schedule.steps, ex);
            }
        }
    }

    @Test
    void shouldCloseNoTrunkDoorForAConnectionThatWasChallengedBeforeTheEnd()
    {
        for (final ControlSignal signal : List.of(ControlSignal.DRAIN, ControlSignal.STOP))
        {
            final SteppedEdge edge = new SteppedEdge();
            final SteppedClient client = new SteppedClient(edge);
            client.hello();
            assertEquals(List.of("Challenge"), client.takeReplies());
            edge.signal(signal);
            edge.step();
            client.send(ClientMessages.proof("right"));
            assertEquals(List.of("Reject ENGINE_STOPPING"), client.takeReplies(), signal.name());
            assertEquals(0, edge.counter("trunks up"), signal.name());
            edge.step(2);
            assertEquals(0, edge.agent.held(), signal.name());
        }
    }

    @Test
    void shouldNotBeStoppedWhileAHandshakeIsUnderWay()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = new SteppedClient(edge);
        edge.transport.isHoldingResponses = true;
        client.hello();
        // A permit and a publication.
        assertEquals(2, edge.agent.held());
        edge.signal(ControlSignal.STOP);
        edge.step(2);
        assertTrue(!edge.agent.isStopped() && edge.agent.held() > 0);
        edge.pass(TimeUnit.SECONDS.toNanos(1));
        edge.step();
        assertTrue(edge.agent.isStopped());
        assertEquals(0, edge.agent.held());
    }

    @Test
    void shouldReleaseTheLogInsOfAServiceThatThrows()
    {
        final boolean[] isReplying = new boolean[1];
        final SteppedEdge edge = new SteppedEdge((trunkId, credentials, reply) ->
        {
            if (isReplying[0])
            {
                reply.onReply(0, 7);
            }
            throw new IllegalStateException("the database is gone");
        });
        final SteppedClient client = SteppedClient.welcomed(edge);
        for (int i = 1; i <= 3 * SteppedEdge.LOG_IN_LIMIT; i++)
        {
            client.send(ClientMessages.joined(ClientMessages.logIn(i), ClientMessages.keepalive()));
            edge.step(2);
            assertEquals(List.of("KeepaliveReply", "LogInReply " + i + " SERVICE_FAILED"), client.takeReplies());
        }
        assertEquals(3 * SteppedEdge.LOG_IN_LIMIT, edge.errors.size());
        isReplying[0] = true;
        client.send(ClientMessages.logIn(9));
        edge.step(2);
        assertEquals(List.of("LogInReply 9 NONE"), client.takeReplies());
    }

    @Test
    void shouldTakeRepliesFromTheEdgesThreadWithoutWaiting()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        client.send(ClientMessages.logIn(1));
        while (edge.edgeInbox.hasRoom(1))
        {
            edge.signal(ControlSignal.DETACHED, 0, 0);
        }
        edge.logIns.get(0).onReply(0, 7);
        edge.step(2);
        assertEquals(List.of("LogInReply 1 NONE"), client.takeReplies());
    }

    @Test
    void shouldSendASessionBeforeTheReplyOfALogInThatSucceeds()
    {
        final SteppedEdge edge = new SteppedEdge();
        final SteppedClient client = SteppedClient.welcomed(edge);
        final byte[] session = "come again".getBytes(StandardCharsets.US_ASCII);
        client.send(ClientMessages.logIn(1));
        edge.logIns.get(0).onReply(0, 7, session);
        edge.step(2);
        assertEquals(List.of("LogInSession 1 come again", "LogInReply 1 NONE"), client.takeReplies());
        client.send(ClientMessages.logIn(2));
        edge.logIns.get(1).onReply(RefusalCode.SERVICE_FAILED.value(), 0, session);
        edge.step(2);
        assertEquals(List.of("LogInReply 2 SERVICE_FAILED"), client.takeReplies());
        client.send(ClientMessages.logIn(3));
        final LogInService.Reply reply = edge.logIns.get(2);
        assertThrows(IllegalArgumentException.class,
            () -> reply.onReply(0, 7, new byte[TrunkMessages.MAX_SESSION_LENGTH + 1]));
        reply.onReply(0, 7, new byte[0]);
        edge.step(2);
        assertEquals(List.of("LogInReply 3 NONE"), client.takeReplies());
    }

    @Test
    void shouldRefuseWhomAnAuthenticatorThrowsAtOrDoesNotJudge()
    {
        for (final String credentials : List.of("throw", "null"))
        {
            final SteppedEdge edge = new SteppedEdge();
            final SteppedClient client = new SteppedClient(edge);
            client.hello();
            client.send(ClientMessages.proof(credentials));
            assertEquals(List.of("Challenge", "Reject BAD_CREDENTIALS"), client.takeReplies());
            assertEquals("throw".equals(credentials) ? 1 : 0, edge.errors.size());
        }
    }

    @Test
    void shouldIgnoreVerdictsOfHandshakesThatHaveEnded()
    {
        final SteppedEdge edge = new SteppedEdge();
        edge.isAuthenticatorHeld = true;
        for (int i = 0; i < SteppedEdge.HANDSHAKE_LIMIT; i++)
        {
            verifying(edge);
        }
        edge.pass(SteppedEdge.HANDSHAKE_NS + SteppedEdge.STEP_NS);
        assertEquals(0, edge.agent.handshakes());
        // The authenticator still has the first ones.
        final SteppedClient busy = verifying(edge);
        assertEquals(List.of("Reject TOO_MANY_HANDSHAKES"), busy.takeReplies());
        edge.authentications.forEach(Runnable::run);
        edge.step(2);
        assertEquals(0, edge.counter("trunks up"));
        edge.isAuthenticatorHeld = false;
        SteppedClient.welcomed(edge);
    }

    @Test
    void shouldRejectAClientThatIsVerifiedAfterADrainHasBegun()
    {
        final SteppedEdge edge = new SteppedEdge();
        edge.isAuthenticatorHeld = true;
        final SteppedClient client = verifying(edge);
        edge.signal(ControlSignal.DRAIN);
        edge.step(2);
        assertEquals(List.of(), client.takeReplies());
        edge.authentications.get(0).run();
        edge.step(2);
        assertEquals(List.of("Reject ENGINE_STOPPING"), client.takeReplies());
        assertEquals(0, edge.counter("trunks up"));
    }

    private static SteppedClient verifying(final SteppedEdge edge)
    {
        final SteppedClient client = new SteppedClient(edge);
        client.hello();
        client.takeReplies();
        client.send(ClientMessages.proof("right"));
        return client;
    }

    /** Up to six connections at a time, with their loop streams, and two loops that answer when they are let. */
    private static final class Schedule
    {
        final List<String> steps = new ArrayList<>();
        private final Random random;
        private final SteppedEdge edge = new SteppedEdge();
        private final List<SteppedClient> clients = new ArrayList<>();
        private final List<MemoryTransport.MemoryImage> loopImages = new ArrayList<>();
        private final boolean isOfSeveral;
        private boolean isDraining;
        private int incarnation;

        Schedule(final long seed)
        {
            random = new Random(seed);
            isOfSeveral = random.nextBoolean();
            if (isOfSeveral)
            {
                edge.agent.follow(new Leadership(0));
                changeRole(true);
            }
        }

        void run()
        {
            for (int i = 1 + random.nextInt(MAX_STEPS); i > 0; i--)
            {
                step();
                if (random.nextBoolean())
                {
                    edge.step(1 + random.nextInt(3));
                }
                assertTrue(edge.agent.handshakes() <= SteppedEdge.HANDSHAKE_LIMIT);
                assertTrue(edge.counter("trunks up") <= SteppedEdge.TRUNK_LIMIT);
            }
            end();
        }

        private void step()
        {
            final int action = random.nextInt(28);
            steps.add(Integer.toString(action));
            switch (action)
            {
                case 0, 1, 2 -> connect();
                case 3, 4, 5, 6, 7, 8 -> sendBatch();
                case 9 -> loseControl();
                case 10 -> loseLoop();
                case 11, 12 -> attach();
                case 13 -> edge.pass(random.nextInt(60) * SteppedEdge.STEP_NS);
                case 14 -> edge.pass(random.nextInt(600) * SteppedEdge.STEP_NS);
                case 15, 16 -> replyToLogIn();
                case 17 -> answerOfLoop(random.nextInt(SteppedEdge.LOOPS));
                case 18 -> edge.signal(ControlSignal.ATTACHED, random.nextInt(SteppedEdge.LOOPS), link());
                case 19 -> edge.signal(ControlSignal.SLOW, random.nextInt(SteppedEdge.LOOPS), link());
                case 20 -> edge.transport.isHoldingResponses = random.nextBoolean();
                case 21 -> settleResponse();
                case 22 -> blockResponse();
                case 23 -> edge.isAuthenticatorHeld = random.nextBoolean();
                case 24, 25 -> authenticate();
                case 26 -> changeRole(random.nextBoolean());
                default ->
                {
                    if (0 == random.nextInt(8))
                    {
                        isDraining = true;
                        edge.signal(random.nextBoolean() ? ControlSignal.DRAIN : ControlSignal.STOP);
                    }
                }
            }
        }

        private void changeRole(final boolean isLeading)
        {
            for (int loop = 0; isOfSeveral && loop < SteppedEdge.LOOPS; loop++)
            {
                edge.signal(ControlSignal.FOLLOWING, loop, ReplicatedLog.NO_LEADER);
            }
            incarnation++;
            for (int loop = 0; isOfSeveral && isLeading && loop < SteppedEdge.LOOPS; loop++)
            {
                final LoopLeadership leadership = new LoopLeadership(
                    loop, incarnation, new BitSet(), new long[SteppedEdge.TRUNK_LIMIT], 0, new long[0], new int[0]);
                edge.edgeInbox.offer(ControlSignal.LEADING, leadership, new UnsafeBuffer(new byte[8]), 0, 8);
            }
        }

        private void connect()
        {
            if (clients.size() < MAX_CLIENTS)
            {
                final SteppedClient client = new SteppedClient(edge);
                clients.add(client);
                // Half of them claim the trunk of another.
                if (random.nextBoolean())
                {
                    client.takeOver(clients.get(random.nextInt(clients.size())));
                }
            }
        }

        private void sendBatch()
        {
            if (!clients.isEmpty())
            {
                final SteppedClient client = client();
                final byte[][] messages = new byte[1 + random.nextInt(3)][];
                for (int i = 0; i < messages.length; i++)
                {
                    messages[i] = message(client);
                }
                client.control.send(ClientMessages.joined(messages));
                if (random.nextBoolean())
                {
                    edge.step();
                    client.takeReplies();
                }
            }
        }

        private byte[] message(final SteppedClient client)
        {
            final int kind = random.nextInt(12);
            steps.add("message " + kind);
            return switch (kind)
            {
                case 0, 1, 2 -> ClientMessages.hello(
                    TrunkMessages.PROTOCOL_VERSION + (0 == random.nextInt(6) ? 1 : 0), SteppedClient.IDENTITY);
                case 3, 4, 5 -> ClientMessages.proof(
                    new String[]{"right", "right", "trusted", "wrong", "throw"}[random.nextInt(5)]);
                case 6 -> ClientMessages.resume(client.trunkId, client.resumeHigh, client.resumeLow, "right");
                case 7 -> ClientMessages.logIn(random.nextInt());
                case 8 -> ClientMessages.goodbye();
                case 9 -> ClientMessages.malformed();
                case 10 -> ClientMessages.stand(random.nextInt(4) > 0 ? "right" : "wrong");
                default -> ClientMessages.keepalive();
            };
        }

        private void loseControl()
        {
            if (!clients.isEmpty())
            {
                edge.transport.disconnect(clients.remove(random.nextInt(clients.size())).control);
            }
        }

        private void loseLoop()
        {
            if (!loopImages.isEmpty())
            {
                edge.transport.disconnect(loopImages.remove(random.nextInt(loopImages.size())));
            }
        }

        private void attach()
        {
            if (!clients.isEmpty())
            {
                final SteppedClient client = client();
                client.takeReplies();
                final MemoryTransport.MemoryImage image = loopImages.isEmpty() || random.nextBoolean() ?
                    client.connect(random.nextInt(SteppedEdge.LOOPS)) :
                    loopImages.get(random.nextInt(loopImages.size()));
                if (!loopImages.contains(image))
                {
                    loopImages.add(image);
                }
                image.send(random.nextBoolean() ?
                    ClientMessages.attach(TrunkMessages.NO_TRUNK, client.standbyToken) :
                    ClientMessages.attach(client.trunkId, client.attachToken));
            }
        }

        private void replyToLogIn()
        {
            if (!edge.logIns.isEmpty())
            {
                final boolean isRepeated = 0 == random.nextInt(3);
                final LogInService.Reply reply = edge.logIns.remove(random.nextInt(edge.logIns.size()));
                reply.onReply(random.nextInt(2) * 2_000, 7);
                // The edge has replied to late ones itself, and ignores the service.
                if (isRepeated && edge.isInTime(reply))
                {
                    assertThrows(IllegalStateException.class, () -> reply.onReply(0, 7));
                }
            }
        }

        private void authenticate()
        {
            if (!edge.authentications.isEmpty())
            {
                edge.authentications.remove(0).run();
            }
        }

        private void answerOfLoop(final int loop)
        {
            edge.takeSignals(loop);
            edge.release(loop);
            edge.skipMessages(loop);
        }

        private void settleResponse()
        {
            if (!edge.transport.responses.isEmpty())
            {
                final MemoryTransport.MemoryResponse response =
                    edge.transport.responses.get(random.nextInt(edge.transport.responses.size()));
                if (random.nextBoolean())
                {
                    edge.transport.make(response);
                }
                else
                {
                    edge.transport.refuse(response);
                }
            }
        }

        private void blockResponse()
        {
            if (!edge.transport.responses.isEmpty())
            {
                final MemoryTransport.MemoryResponse response =
                    edge.transport.responses.get(random.nextInt(edge.transport.responses.size()));
                response.isBlocked = !response.isBlocked;
                response.isConnected = random.nextBoolean();
            }
        }

        /** Every connection goes, the loops answer, and lost trunks end. Log-ins need not be replied to. */
        private void end()
        {
            clients.forEach((client) -> edge.transport.disconnect(client.control));
            loopImages.forEach(edge.transport::disconnect);
            edge.transport.isHoldingResponses = false;
            edge.transport.responses.forEach(edge.transport::make);
            edge.step(3);
            edge.pass(SteppedEdge.GRACE_NS + SteppedEdge.STEP_NS);
            for (int i = 0; i < 3; i++)
            {
                answerOfLoop(0);
                answerOfLoop(1);
                edge.step(3);
            }
            checkNothingIsHeld();
            // Verdicts that come after all.
            edge.isAuthenticatorHeld = false;
            edge.authentications.forEach(Runnable::run);
            edge.step(2);
            checkNothingIsHeld();
            if (isDraining)
            {
                edge.signal(ControlSignal.STOP);
                edge.step(2);
                assertTrue(edge.agent.isStopped());
            }
            else
            {
                changeRole(true);
                edge.step(2);
                checkNewcomers();
            }
            // Replies that come after all.
            edge.logIns.forEach((reply) -> reply.onReply(0, 7));
            edge.step(2);
        }

        private void checkNothingIsHeld()
        {
            assertEquals(0, edge.agent.held(), "held");
            assertEquals(0, edge.agent.handshakes(), "handshakes");
            assertEquals(0, edge.agent.sessions(), "sessions");
            assertEquals(0, edge.counter("trunks up"), "trunks up");
            assertEquals(0, edge.transport.open(), "publications");
        }

        /** As many as there are places, of handshakes, of trunks and of log-ins. */
        private void checkNewcomers()
        {
            final List<SteppedClient> newcomers = new ArrayList<>();
            for (int i = 0; i < SteppedEdge.HANDSHAKE_LIMIT; i++)
            {
                final SteppedClient client = new SteppedClient(edge);
                newcomers.add(client);
                client.hello();
                assertEquals(List.of("Challenge"), client.takeReplies(), "newcomer");
            }
            for (int i = 0; i < SteppedEdge.TRUNK_LIMIT; i++)
            {
                final SteppedClient client = newcomers.get(i);
                client.send(ClientMessages.proof("right"));
                assertEquals(List.of("Welcome"), client.takeReplies(), "newcomer");
                final byte[][] logIns = new byte[SteppedEdge.LOG_IN_LIMIT][];
                Arrays.setAll(logIns, ClientMessages::logIn);
                client.send(ClientMessages.joined(logIns));
                assertEquals(List.of(), client.takeReplies(), "log-ins are not refused");
            }
        }

        private SteppedClient client()
        {
            return clients.get(random.nextInt(clients.size()));
        }

        private int link()
        {
            return random.nextInt(SteppedEdge.TRUNK_LIMIT);
        }
    }
}
