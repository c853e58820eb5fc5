package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import io.escapement.testsupport.Tests;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Rooms with counters, whose states come on a feed that loses packets and is faster or slower than the trunk, while
 * seats come and go: each state comes at most once and in order, or its loss is reported in time.
 */
class LoopFeedRandomTest
{
    private static final int ID = 77;
    private static final int ROOMS = 12;
    private static final int STEPS = 20_000;
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int ALIVE_MS = 100;
    private static final int MAX_DELAY_MS = 40;
    /** The next packet shows a loss. */
    private static final int REPORT_MS = ALIVE_MS + MAX_DELAY_MS + 500 + 2;
    private static final int MIN_REPORT_MS = 250;

    /** Messages on their way, and when they arrive. */
    private record Sent(long arrivalMs, byte[][] messages)
    {
    }

    /** A room of one seat. */
    private static final class TestRoom
    {
        final long id;
        /** How often it sends; some rooms hardly do. */
        final int interval;
        boolean isPresent;
        int generation;
        long counter;
        int number;
        long lastDelivered;
        long reportedMs = -MIN_REPORT_MS;
        /** Times of the states that were neither delivered nor superseded, by counter. */
        final TreeMap<Long, Long> missing = new TreeMap<>();

        TestRoom(final long id, final int interval)
        {
            this.id = id;
            this.interval = interval;
        }
    }

    private final SteppedTrunk trunk =
        new SteppedTrunk((context) -> context.feed(TrunkContext.ANY_FEED_ENDPOINT));
    private final Map<Long, TestRoom> roomByIdMap = new HashMap<>();
    private final ArrayDeque<Sent> onTrunk = new ArrayDeque<>();
    private final ArrayDeque<Sent> onFeed = new ArrayDeque<>();
    private final List<byte[]> packet = new ArrayList<>();
    private SplittableRandom random;
    private String seedText;
    private long nowMs;
    private long turn = 1_000;
    private long trunkTurn;
    private long packetMs;
    private int packetNumber;
    private long packetTurn;
    private long lastTurn;
    private boolean isOn;
    private int lost;
    private int reported;
    private int delivered;

    static LongStream seeds()
    {
        return LongStream.concat(LongStream.rangeClosed(1, 6), LongStream.of(Tests.seed()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldDeliverOnceInOrderOrReportInTime(final long seed)
    {
        random = new SplittableRandom(seed);
        seedText = "seed " + seed;
        begin();
        for (int i = 0; i < STEPS; i++)
        {
            nowMs++;
            isOn |= nowMs == ALIVE_MS / 2;
            runRooms();
            if (random.nextInt(8) == 0 || nowMs - packetMs >= ALIVE_MS)
            {
                sendPacket();
            }
            arrive();
            trunk.step(MS);
            checkCallbacks();
            checkReports();
        }
        final String text = seedText + ": " + lost + " packets lost, " + reported + " reports, " + delivered;
        assertTrue(lost > 20 && reported > 20 && delivered > STEPS / 20, text);
        assertEquals(0, trunk.client.malformedMessages(), seedText);
        assertEquals(1, trunk.feeds.size(), seedText);
    }

    private void begin()
    {
        for (int i = 1; i <= ROOMS; i++)
        {
            final TestRoom room = new TestRoom(i, i % 3 == 0 ? 1_500 : 5 + random.nextInt(60));
            room.number = random.nextInt(1 << 16);
            roomByIdMap.put(room.id, room);
        }
        packetNumber = random.nextInt();
        trunk.advanceTo(State.UP);
        trunk.attach(0);
        trunk.control().deliver(Messages.feedOffered(ID, 5, 9_000, 0));
        trunk.step();
        trunk.step();
        trunk.feeds.get(0).isOpen = true;
        trunk.feeds.get(0).hasImage = true;
        trunk.step();
        trunk.step();
        assertEquals(List.of("77/0 4711", "77/0 on"), Messages.feeds(trunk.control().takeSent()));
    }

    /** A turn of the engine, in some steps. */
    private void runRooms()
    {
        turn += random.nextInt(3) == 0 ? 1 : 0;
        final boolean hasEntered = isOn && 0 == trunkTurn;
        if (hasEntered)
        {
            trunkTurn = ++turn;
            toTrunk(Messages.feedBegins(turn, packetNumber));
        }
        for (final TestRoom room : roomByIdMap.values())
        {
            if (random.nextInt(2_000) == 0)
            {
                toggle(room);
            }
            if (random.nextInt(room.interval) == 0)
            {
                sendState(room);
            }
        }
    }

    private void toggle(final TestRoom room)
    {
        beginTurn(turn);
        if (room.isPresent)
        {
            room.isPresent = false;
            room.missing.clear();
            toTrunk(random.nextBoolean() ? Messages.seatAway(room.id, 0, room.generation, 2) :
                Messages.left(room.id, 0, room.generation, 3));
        }
        else
        {
            room.isPresent = true;
            room.generation++;
            // An answer with the whole state: what was sent before is superseded.
            toTrunk(Messages.joined(1, room.id, 0, room.generation));
        }
    }

    private void sendState(final TestRoom room)
    {
        room.counter++;
        final String text = Long.toString(room.counter);
        if (!isOn)
        {
            // Others receive the feed.
            if (room.isPresent)
            {
                toTrunk(Messages.state(room.id, Audience.ALL, 0, text));
            }
        }
        if (room.isPresent)
        {
            room.missing.put(room.counter, nowMs);
        }
        if (packet.isEmpty())
        {
            packetTurn = turn;
        }
        else if (turn != lastTurn)
        {
            packet.add(Messages.turn(turn));
        }
        lastTurn = turn;
        packet.add(Messages.feedState(room.id, Audience.ALL, 0, ++room.number & 0xFFFF, text));
    }

    private void beginTurn(final long number)
    {
        if (isOn && number != trunkTurn)
        {
            trunkTurn = number;
            toTrunk(Messages.turn(number));
        }
    }

    private void toTrunk(final byte[]... messages)
    {
        onTrunk.add(new Sent(nowMs + random.nextInt(MAX_DELAY_MS), messages));
    }

    private void sendPacket()
    {
        packetMs = nowMs;
        final byte[] bytes =
            Messages.feedPacket(ID, packetNumber++, packet.isEmpty() ? lastTurn : packetTurn,
            packet.toArray(new byte[0][]));
        packet.clear();
        if (random.nextInt(30) == 0 && nowMs > ALIVE_MS)
        {
            lost++;
        }
        else
        {
            onFeed.add(new Sent(nowMs + random.nextInt(MAX_DELAY_MS), new byte[][]{bytes}));
        }
    }

    private void arrive()
    {
        if (nowMs % ALIVE_MS == 0)
        {
            trunk.control().deliver(Messages.keepaliveReply(0, 0));
        }
        while (!onTrunk.isEmpty() && onTrunk.peek().arrivalMs <= nowMs)
        {
            trunk.loop(0).deliver(onTrunk.remove().messages);
        }
        while (!onFeed.isEmpty() && onFeed.peek().arrivalMs <= nowMs)
        {
            trunk.feeds.get(0).deliver(onFeed.remove().messages[0]);
        }
    }

    private void checkCallbacks()
    {
        for (final String callback : trunk.takeCallbacks())
        {
            final String[] words = callback.split(" ");
            if (!"state".equals(words[0]))
            {
                continue;
            }
            final String[] seat = words[1].split("[/.]");
            final TestRoom room = roomByIdMap.get(Long.valueOf(seat[0]));
            final long counter = Long.parseLong(words[2]);
            assertTrue(counter > room.lastDelivered,
                () -> seedText + ", room " + room.id + ": " + counter + " after " + room.lastDelivered);
            room.lastDelivered = counter;
            room.missing.remove(counter);
            delivered++;
        }
    }

    private void checkReports()
    {
        for (final String seat : Messages.losses(trunk.loop(0).takeSent()))
        {
            final TestRoom room = roomByIdMap.get(Long.valueOf(seat.split("/")[0]));
            assertTrue(nowMs - room.reportedMs >= MIN_REPORT_MS, () -> seedText + ", room " + room.id + ", too often");
            room.reportedMs = nowMs;
            // The room sends its whole state.
            room.missing.clear();
            reported++;
        }
        for (final TestRoom room : roomByIdMap.values())
        {
            assertTrue(room.missing.isEmpty() || nowMs - room.missing.firstEntry().getValue() <= REPORT_MS,
                () -> seedText + ", room " + room.id + " of " + room.interval + " at " + nowMs + ": " + room.missing);
        }
    }
}
