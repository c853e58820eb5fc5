package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.codecs.sync.SyncedCopy.Result;
import io.escapement.testsupport.Tests;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A state with one view, whose differences travel on another way than its full states, and may overtake them or be
 * lost. At times the differences change to the way of the full states. Each frame that a copy applies is compared with
 * the room's state of that number. Every second run loses nothing, and needs no report of a loss.
 */
class SyncedOrderTwinTest
{
    private static final int SEEDS = Tests.isFull() ? 200 : 12;
    private static final int EVENTS = 600;
    private static final int PLAYERS = SyncRoom.SEATS;
    private static final int NOTES = 50;
    private static final int FRAMES_OF_SPREAD = SyncedState.FULL_STATE_SPREAD_MS * SyncRoom.RATE_HZ / 1_000 + 2;
    /** Without losses no more is in flight than a copy holds. */
    private static final int MAX_IN_FLIGHT = SyncedCopy.MAX_HELD_MESSAGES - 2;
    private static final int MAX_BYTES_IN_FLIGHT = SyncedCopy.MAX_HELD_LENGTH - 16 * 1024;
    private static final int[] FIRST_SEQUENCES = {0, -40, Integer.MAX_VALUE - 40, 1_234_567};

    private final int[] results = new int[Result.values().length];
    private int fullStates;
    private int overtaken;
    private int framesFromHeld;
    private int reports;

    @Test
    void shouldBeTheStateOfItsNumberWhateverTheOrder()
    {
        for (long seed = 1; seed <= SEEDS; seed++)
        {
            new Run(seed).run();
        }
        // Without these the test would compare nothing.
        final String counts = Arrays.toString(results) + ", " + fullStates + " full states, " + overtaken +
            " overtaken, " + framesFromHeld + " frames from held messages, " + reports + " reports";
        assertTrue(results[Result.APPLIED.ordinal()] > 200 * SEEDS, counts);
        assertTrue(results[Result.HELD.ordinal()] > 50 * SEEDS, counts);
        assertTrue(results[Result.IGNORED.ordinal()] > 5 * SEEDS, counts);
        assertTrue(results[Result.INCOMPLETE.ordinal()] > 10 * SEEDS, counts);
        assertEquals(0, results[Result.MALFORMED.ordinal()], counts);
        assertTrue(fullStates > 8 * SEEDS, counts);
        assertTrue(overtaken > 20 * SEEDS, counts);
        assertTrue(framesFromHeld > 10 * SEEDS, counts);
        assertTrue(reports > SEEDS / 2, counts);
    }

    private final class Run
    {
        private final long seed;
        private final SplittableRandom random;
        private final boolean isLossy;
        private final int firstSequence;
        private final SyncTwin twin = new SyncTwin(1);
        private final SyncPlayers players = new SyncPlayers(SyncRoom.type(1, 256 * 1024), PLAYERS);
        private final List<Client> clients = new ArrayList<>();
        /** The state of the room by its number. */
        private final Map<Integer, Map<String, String>> history = new HashMap<>();
        private boolean isFeedUsed = true;
        private int event;

        private Run(final long seed)
        {
            this.seed = seed;
            random = new SplittableRandom(seed);
            isLossy = 0 == seed % 2;
            firstSequence = FIRST_SEQUENCES[(int)(seed % FIRST_SEQUENCES.length)];
            for (int i = 0; i < PLAYERS; i++)
            {
                clients.add(new Client(this));
            }
        }

        private void run()
        {
            for (int note = 0; note < NOTES; note++)
            {
                apply(Op.of(Op.Kind.ADD, SyncRoom.NOTES, 0, 0, 0));
            }
            rewriteNotes();
            for (event = 0; event < EVENTS; event++)
            {
                doAnything();
                assertEquals(List.of(), players.rig.failures, this::toString);
            }
            isFeedUsed = true;
            clients.forEach((client) -> client.deliver(0));
            if (isLossy)
            {
                for (int player = 0; player < PLAYERS; player++)
                {
                    reportLoss(player);
                }
            }
            for (int i = 0; i < FRAMES_OF_SPREAD; i++)
            {
                apply(Op.of(Op.Kind.SET, SyncRoom.ROUND, 0, 0, -i));
                frame();
                clients.forEach((client) -> client.deliver(0));
            }
            for (final Client client : clients)
            {
                assertEquals(client.isPresent, client.copy.isCurrent(), this::toString);
                if (client.isPresent)
                {
                    assertFalse(client.copy.isBehind(), this::toString);
                    assertEquals(twin.seen(0), SyncTwin.held(client.copy), this::toString);
                }
            }
            players.rig.assertReplays();
        }

        private void doAnything()
        {
            final int player = random.nextInt(PLAYERS);
            final Client client = clients.get(player);
            switch (random.nextInt(60))
            {
                case 0, 1, 2, 3 -> joinOrReturn(player, client);
                case 4 -> leaveOrAway(player, client);
                case 5 ->
                {
                    if (client.isPresent)
                    {
                        // There may have been no loss.
                        players.stateLost(player);
                        client.isLossUnknown = false;
                    }
                }
                case 6 -> reportLoss(player);
                case 7 ->
                {
                    if (client.isPresent)
                    {
                        apply(Op.of(Op.Kind.REQUEST, players.seat(player), 0, 0, 0));
                    }
                }
                case 8 -> isFeedUsed = random.nextInt(3) > 0;
                case 9 -> rewriteNotes();
                case 10, 11, 12 -> apply(Op.of(Op.Kind.LOOK, random.nextInt(400), random.nextInt(300), 0, 100));
                case 13, 14, 15 -> apply(Op.of(Op.Kind.ADD, SyncRoom.SHIPS, 0, 0, 0));
                case 16, 17 -> onShip(Op.Kind.REMOVE);
                case 18, 19, 20, 21, 22 -> onShip(Op.Kind.SET);
                case 23, 24, 25, 26, 27 -> apply(Op.of(Op.Kind.SET, SyncRoom.ROUND, 0, 0, event));
                case 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39 -> frame();
                default -> client.deliver(random.nextInt(6) * client.inFlight() / 6);
            }
        }

        private void joinOrReturn(final int player, final Client client)
        {
            if (!client.isPresent)
            {
                players.join(player);
                if (!client.isSeated)
                {
                    twin.join(players.seat(player), 1 + player);
                }
                client.isSeated = true;
                client.isPresent = true;
                client.isLossUnknown = false;
            }
        }

        private void leaveOrAway(final int player, final Client client)
        {
            if (client.isPresent)
            {
                client.isSeated = random.nextBoolean();
                client.isPresent = false;
                if (client.isSeated)
                {
                    players.away(player);
                }
                else
                {
                    players.leave(player);
                    twin.leave(players.seat(player));
                }
                // The message that says so comes last on the reliable way. Differences of the feed come later.
                client.deliverReliable();
                client.reset();
            }
        }

        private void reportLoss(final int player)
        {
            final Client client = clients.get(player);
            if (isLossy && client.isPresent && (client.isLossUnknown || client.copy.isBehind()))
            {
                reports++;
                players.stateLost(player);
                client.isLossUnknown = false;
            }
        }

        /** Long texts in all notes: the difference has two parts. */
        private void rewriteNotes()
        {
            for (int note = 0; note < NOTES; note++)
            {
                apply(new Op(Op.Kind.SET_TEXT, SyncRoom.BODY, note, 0, 0, "-".repeat(180 + random.nextInt(20))));
            }
        }

        private void onShip(final Op.Kind kind)
        {
            final int row = random.nextInt(1 + random.nextInt(10));
            if (twin.has(SyncRoom.SHIPS, row))
            {
                apply(Op.Kind.SET == kind ? Op.of(kind, SyncRoom.X, row, 0, random.nextInt(400)) :
                    Op.of(kind, SyncRoom.SHIPS, row, 0, 0));
            }
        }

        private void apply(final Op op)
        {
            players.apply(op);
            twin.apply(op);
        }

        private void frame()
        {
            players.frame();
            final Map<String, String> seen = twin.seen(0);
            int receivers = 0;
            int present = 0;
            for (int player = 0; player < PLAYERS; player++)
            {
                final Client client = clients.get(player);
                boolean hasDifference = false;
                for (final byte[] message : players.received(player))
                {
                    final UnsafeBuffer buffer = new UnsafeBuffer(message);
                    final int sequence = firstSequence + buffer.getInt(12, ByteOrder.LITTLE_ENDIAN);
                    buffer.putInt(12, sequence, ByteOrder.LITTLE_ENDIAN);
                    final Map<String, String> known = history.putIfAbsent(sequence, seen);
                    assertTrue(null == known || seen.equals(known), this::toString);
                    final boolean isDifference = SyncSchema.DIFFERENCE == message[2];
                    hasDifference |= isDifference;
                    send(client, message, isDifference && isFeedUsed);
                }
                players.received(player).clear();
                receivers += hasDifference ? 1 : 0;
                present += client.isPresent ? 1 : 0;
                client.limit();
            }
            assertTrue(0 == receivers || present == receivers, () -> this + ": a difference for some seats only");
        }

        private void send(final Client client, final byte[] message, final boolean isOnFeed)
        {
            if (!isOnFeed)
            {
                client.reliable.add(message);
            }
            else if (isLossy && event < EVENTS && 0 == random.nextInt(20))
            {
                client.isLossUnknown = true;
            }
            else
            {
                client.feed.add(message);
            }
        }

        @Override
        public String toString()
        {
            return "seed " + seed + ", event " + event;
        }
    }

    /** The client of a player, who may be without a seat or away, and the messages on their way to it. */
    private final class Client extends ReportedCopy
    {
        private final Run run;
        private final Deque<byte[]> feed = new ArrayDeque<>();
        private final Deque<byte[]> reliable = new ArrayDeque<>();
        private boolean isSeated;
        private boolean isPresent;
        private boolean isLossUnknown;
        /** Whether the copy has applied a frame since the last reset. */
        private boolean hasSequence;
        private int sequence;
        private int frames;

        private Client(final Run run)
        {
            this.run = run;
        }

        @Override
        public void onFrame()
        {
            frames++;
            assertEquals(run.history.get(copy.sequence()), SyncTwin.held(copy), run::toString);
            assertReported(SyncTwin.held(copy), run);
            assertTrue(!hasSequence || copy.sequence() - sequence > 0, () -> run + ": not in order");
            hasSequence = true;
            sequence = copy.sequence();
        }

        private void reset()
        {
            copy.reset();
            page.onSeatAway();
            hasSequence = false;
            assertFalse(copy.isBehind());
        }

        private int inFlight()
        {
            return feed.size() + reliable.size();
        }

        private void limit()
        {
            while (!run.isLossy && (inFlight() > MAX_IN_FLIGHT || bytes(feed) + bytes(reliable) > MAX_BYTES_IN_FLIGHT))
            {
                deliver(inFlight() - 1);
            }
        }

        /** Deliver from either way until so much is left. */
        private void deliver(final int left)
        {
            while (inFlight() > left)
            {
                final boolean isFromFeed = reliable.isEmpty() || !feed.isEmpty() && run.random.nextInt(4) > 0;
                overtaken += isFromFeed && !reliable.isEmpty() ? 1 : 0;
                receive(isFromFeed ? feed.poll() : reliable.poll());
            }
        }

        private void deliverReliable()
        {
            while (!reliable.isEmpty())
            {
                receive(reliable.poll());
            }
        }

        private void receive(final byte[] message)
        {
            final Map<String, String> before = SyncTwin.held(copy);
            final int framesBefore = frames;
            final Result result = copy.apply(new UnsafeBuffer(message), 0, message.length);
            assertPage(message, run);
            results[result.ordinal()]++;
            if (Result.APPLIED == result)
            {
                fullStates += SyncSchema.FULL_STATE == message[2] ? 1 : 0;
                framesFromHeld += frames - framesBefore - 1;
                assertTrue(frames > framesBefore, run::toString);
            }
            else
            {
                assertEquals(framesBefore, frames, run::toString);
                assertEquals(before, SyncTwin.held(copy), run::toString);
            }
        }

        private static int bytes(final Deque<byte[]> messages)
        {
            return messages.stream().mapToInt((message) -> message.length).sum();
        }
    }
}
