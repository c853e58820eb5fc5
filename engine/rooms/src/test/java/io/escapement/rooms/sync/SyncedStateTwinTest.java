package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.rooms.RoomType;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Random changes, joins, absences, views and lost messages. Each client's copy is compared after every message with a
 * naive full copy of what its view sees, and with its own state before if the message was not applied. A second room is
 * replaced by the room of its snapshot at random, and must send the same bytes; the first is replayed.
 */
class SyncedStateTwinTest
{
    private static final int SEEDS = Tests.isFull() ? 2_000 : 8;
    private static final int EVENTS = 400;
    private static final int PLAYERS = SyncRoom.SEATS + 1;
    private static final int FRAMES_TO_CATCH_UP = 80;

    private final int[] results = new int[SyncedCopy.Result.values().length];
    private int fullStates;
    private int parts;

    @Test
    void shouldHoldWhatEachViewSees()
    {
        for (long seed = 1; seed <= SEEDS; seed++)
        {
            new Run(seed).run();
        }
        // Without these the test would compare nothing.
        final String counts = Arrays.toString(results) + ", " + fullStates + " full states, " + parts + " parts";
        assertTrue(results[SyncedCopy.Result.APPLIED.ordinal()] > 60 * SEEDS, counts);
        assertTrue(results[SyncedCopy.Result.HELD.ordinal()] > 5 * SEEDS, counts);
        assertTrue(results[SyncedCopy.Result.IGNORED.ordinal()] > SEEDS / 2, counts);
        assertTrue(fullStates > 8 * SEEDS, counts);
        assertTrue(parts > SEEDS, counts);
        assertEquals(0, results[SyncedCopy.Result.MALFORMED.ordinal()]);
    }

    /** The client of a player, who may be without a seat or away. */
    private static final class Client extends ReportedCopy
    {
        private Map<String, String> held = Map.of();
        private boolean isSeated;
        private boolean isAway;
        private boolean isLossUnknown;
        private int view;
    }

    private final class Run
    {
        private final long seed;
        private final SplittableRandom random;
        private final boolean isViewPerSeat;
        private final SyncTwin twin;
        private final SyncPlayers straight;
        private final SyncPlayers restored;
        private final List<Client> clients = new ArrayList<>();
        private int event;

        private Run(final long seed)
        {
            this.seed = seed;
            random = new SplittableRandom(seed);
            isViewPerSeat = 0 == seed % 2;
            final int views = isViewPerSeat ? SyncRoom.VIEW_PER_SEAT : 1 == seed % 4 ? SyncRoom.VIEWS : 1;
            twin = new SyncTwin(views);
            // The smaller output does not hold the full states of all views in a frame.
            final RoomType type = SyncRoom.type(views, 0 == seed % 3 ? 48 * 1024 : 256 * 1024);
            straight = new SyncPlayers(type, PLAYERS);
            restored = new SyncPlayers(type, PLAYERS);
            for (int i = 0; i < PLAYERS; i++)
            {
                clients.add(new Client());
            }
        }

        private void run()
        {
            // Every second room has a full state in two parts.
            for (int note = 0; note < 50 && isViewPerSeat; note++)
            {
                apply(Op.of(Op.Kind.ADD, SyncRoom.NOTES, 0, 0, 0));
                apply(new Op(Op.Kind.SET_TEXT, SyncRoom.BODY, note, 0, 0, "-".repeat(190)));
            }
            for (event = 0; event < EVENTS; event++)
            {
                doAnything();
                compare(random.nextInt(4) > 0 ? 0 : 25);
                if (0 == random.nextInt(4))
                {
                    restored.rig.restore();
                    assertEquals(straight.rig.host.stateHash(), restored.rig.host.stateHash(), this::toString);
                }
            }
            for (int i = 0; i < PLAYERS; i++)
            {
                if (clients.get(i).isLossUnknown)
                {
                    reportLoss(i);
                }
            }
            for (int i = 0; i < FRAMES_TO_CATCH_UP; i++)
            {
                frame();
                compare(0);
            }
            for (final Client client : clients)
            {
                if (client.isSeated && !client.isAway)
                {
                    assertTrue(client.copy.isCurrent(), this::toString);
                    assertEquals(twin.seen(client.view), SyncTwin.held(client.copy), this::toString);
                }
            }
            straight.rig.assertReplays();
        }

        private void doAnything()
        {
            final int kind = random.nextInt(40);
            final int player = random.nextInt(PLAYERS);
            final Client client = clients.get(player);
            switch (kind)
            {
                case 0, 1 -> joinOrReturn(player);
                case 2 -> leaveOrAway(player, client);
                case 3 ->
                {
                    if (client.isLossUnknown)
                    {
                        reportLoss(player);
                    }
                }
                case 4 -> apply(see());
                case 5, 6 -> apply(Op.of(Op.Kind.LOOK, random.nextInt(-50, 450), random.nextInt(-50, 350),
                    random.nextInt(twin.views()), random.nextInt(-1, 150)));
                case 7 ->
                {
                    if (client.isSeated && !isViewPerSeat)
                    {
                        client.view = random.nextInt(twin.views());
                        apply(Op.of(Op.Kind.ASSIGN, straight.seat(player), client.view, 0, 0));
                    }
                }
                case 8 ->
                {
                    if (client.isSeated)
                    {
                        apply(Op.of(Op.Kind.REQUEST, straight.seat(player), 0, 0, 0));
                    }
                }
                case 9, 10, 11, 12, 13, 14 ->
                    apply(Op.of(Op.Kind.ADD, 0 == random.nextInt(2) ? SyncRoom.SHIPS : SyncRoom.NOTES, 0, 0, 0));
                case 15, 16 -> apply(onRow(Op.Kind.REMOVE));
                case 17, 18, 19, 20, 21, 22, 23, 24, 25, 26 -> frame();
                default -> apply(set());
            }
        }

        private void joinOrReturn(final int player)
        {
            final Client client = clients.get(player);
            final long seated = clients.stream().filter((other) -> other.isSeated).count();
            if (client.isAway || !client.isSeated && seated < SyncRoom.SEATS)
            {
                straight.join(player);
                restored.join(player);
                final int seat = straight.seat(player);
                if (!client.isSeated)
                {
                    twin.join(seat, 1 + player);
                    client.view = isViewPerSeat ? seat : 0;
                }
                client.isSeated = true;
                client.isAway = false;
                client.isLossUnknown = false;
            }
        }

        private void leaveOrAway(final int player, final Client client)
        {
            if (client.isSeated && !client.isAway)
            {
                final boolean isLeaving = random.nextBoolean();
                for (final SyncPlayers players : List.of(straight, restored))
                {
                    if (isLeaving)
                    {
                        players.leave(player);
                    }
                    else
                    {
                        players.away(player);
                    }
                }
                if (isLeaving)
                {
                    twin.leave(straight.seat(player));
                }
                client.isSeated = !isLeaving;
                client.isAway = !isLeaving;
                client.isLossUnknown = false;
                client.copy.reset();
                client.page.onSeatAway();
            }
        }

        private void reportLoss(final int player)
        {
            straight.stateLost(player);
            restored.stateLost(player);
            clients.get(player).isLossUnknown = false;
        }

        private void frame()
        {
            straight.frame();
            restored.frame();
        }

        private void apply(final Op op)
        {
            if (null != op)
            {
                straight.apply(op);
                restored.apply(op);
                twin.apply(op);
            }
        }

        private Op see()
        {
            final Op row = onRow(Op.Kind.SEE);
            return null == row ? null : Op.of(Op.Kind.SEE, row.a(), row.b(), random.nextInt(twin.views()),
                random.nextInt(SyncedState.Sight.values().length));
        }

        /** A change of a row of ships or notes that is there; null if none is found. */
        private Op onRow(final Op.Kind kind)
        {
            final int table = 0 == random.nextInt(2) ? SyncRoom.SHIPS : SyncRoom.NOTES;
            final int row = random.nextInt(1 + random.nextInt(SyncRoom.SCHEMA.capacity(table)));
            return twin.has(table, row) ? Op.of(kind, table, row, 0, 0) : null;
        }

        private Op set()
        {
            final int field = random.nextInt(SyncRoom.SCHEMA.fields());
            final int table = SyncRoom.SCHEMA.table(field);
            final int row = random.nextInt(1 + random.nextInt(SyncRoom.SCHEMA.capacity(table)));
            if (!twin.has(table, row))
            {
                return null;
            }
            return switch (SyncRoom.SCHEMA.type(field))
            {
                case TEXT -> new Op(Op.Kind.SET_TEXT, field, row, 0, 0,
                    "\u00e9\u20ac-".repeat(random.nextInt(SyncRoom.SCHEMA.size(field) / 6 + 1)));
                case FLOAT, DOUBLE -> Op.of(Op.Kind.SET_DOUBLE, field, row, 0, Double.doubleToLongBits(
                    0 == random.nextInt(20) ? Double.NaN : random.nextInt(-200, 2_000) / 4.0));
                case BOOL -> Op.of(Op.Kind.SET, field, row, 0, random.nextInt(2));
                case INT8 -> Op.of(Op.Kind.SET, field, row, 0, random.nextInt(-128, 128));
                case UINT8 -> Op.of(Op.Kind.SET, field, row, 0, random.nextInt(256));
                case INT16 -> Op.of(Op.Kind.SET, field, row, 0, random.nextInt(-100, 500));
                case UINT16 -> Op.of(Op.Kind.SET, field, row, 0, random.nextInt(1 << 16));
                case UINT32 -> Op.of(Op.Kind.SET, field, row, 0, random.nextLong(1L << 32));
                case INT32 -> Op.of(Op.Kind.SET, field, row, 0, random.nextInt());
                default -> Op.of(Op.Kind.SET, field, row, 0, random.nextLong());
            };
        }

        /** Deliver what was sent, but for some messages, and compare. */
        private void compare(final int lossPercent)
        {
            assertEquals(List.of(), straight.rig.failures, this::toString);
            for (int player = 0; player < PLAYERS; player++)
            {
                final List<byte[]> messages = straight.received(player);
                final List<byte[]> others = restored.received(player);
                assertEquals(texts(messages), texts(others), this::toString);
                for (final byte[] message : messages)
                {
                    if (random.nextInt(100) < lossPercent)
                    {
                        clients.get(player).isLossUnknown = true;
                    }
                    else
                    {
                        receive(clients.get(player), message);
                    }
                }
                messages.clear();
                others.clear();
            }
        }

        private void receive(final Client client, final byte[] message)
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(message);
            assertTrue(SyncedCopy.isSync(buffer, 0, message.length));
            final SyncedCopy.Result result = client.copy.apply(buffer, 0, message.length);
            client.assertPage(message, this);
            results[result.ordinal()]++;
            parts += SyncedCopy.Result.INCOMPLETE == result ? 1 : 0;
            if (SyncedCopy.Result.APPLIED == result)
            {
                fullStates += SyncSchema.FULL_STATE == buffer.getShort(2) ? 1 : 0;
                client.held = SyncTwin.held(client.copy);
                assertEquals(client.view, client.copy.view(), this::toString);
                assertEquals(twin.seen(client.view), client.held, this::toString);
                client.assertReported(client.held, this);
            }
            else
            {
                assertEquals(client.held, SyncTwin.held(client.copy), this::toString);
            }
        }

        private List<String> texts(final List<byte[]> messages)
        {
            return messages.stream().map((message) -> HexFormat.of().formatHex(message)).toList();
        }

        @Override
        public String toString()
        {
            return "seed " + seed + ", event " + event;
        }
    }
}
