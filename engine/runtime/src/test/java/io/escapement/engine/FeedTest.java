package io.escapement.engine;

import io.aeron.AeronCounters;
import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import io.aeron.driver.status.StreamCounter;
import io.escapement.client.ClientSeat;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.TrunkMessages;
import io.escapement.engine.spi.Authenticator;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Two gateways on the feed of a loop, whose rooms send the states of a counter. One of them stops for a while. */
class FeedTest
{
    private static final int TYPE = 1;
    private static final int ROOMS = 20;
    private static final int RATE_HZ = 60;
    /** In a pause the states are more than sockets and windows hold. */
    private static final int STATE_LENGTH = 1_200;
    private static final int PAUSE_S = 2;
    private static final int SOME = 50;

    private final CachedNanoClock clock = new CachedNanoClock();
    private final List<TestHost> hosts = new ArrayList<>();
    private final List<Viewer> viewers = new ArrayList<>();

    @AfterEach
    void close()
    {
        viewers.forEach((viewer) -> CloseHelper.close(viewer.trunk));
        CloseHelper.closeAll(hosts);
    }

    @Test
    void shouldShowEachStateOverUdp()
    {
        try (TestEngine engine = new TestEngine(context()))
        {
            run(engine, () -> new TestHost(engine.driverContext()), () -> TestTrunk.context(engine));
            assertTrue(viewers.get(0).wholeStates > 0, "the one that paused has lost states");
            assertEquals(0, viewers.get(1).wholeStates);
        }
    }

    @Test
    void shouldShowEachStateInAGroup()
    {
        assumeTrue(Tests.hasMulticast(), "no multicast on the loopback interface");
        final String group = "224.0.1.7:" + Tests.freePort();
        final EngineContext context = context();
        context.trunks().feedGroup(group);
        try (TestEngine engine = new TestEngine(context))
        {
            run(engine, () -> new TestHost(engine.driverContext()), () -> TestTrunk.context(engine));
            assertTrue(viewers.get(0).wholeStates > 0, "the one that paused has lost states");
            assertEquals(0, viewers.get(1).wholeStates);
            assertEquals(List.of(group), feedEndpoints(engine));
        }
    }

    /** Of the publications of feeds, from the counters of the engine's driver. */
    private static List<String> feedEndpoints(final TestEngine engine)
    {
        final List<String> endpoints = new ArrayList<>();
        try (TestHost observer = TestHost.joining(engine.aeronDirectory()))
        {
            observer.aeron().countersReader().forEach((counterId, typeId, key, label) ->
            {
                if (AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID == typeId &&
                    TrunkMessages.FEED_STREAM_ID == key.getInt(StreamCounter.STREAM_ID_OFFSET))
                {
                    endpoints.add(ChannelUri.parse(label.substring(label.indexOf("aeron:")))
                        .get(CommonContext.ENDPOINT_PARAM_NAME));
                }
            });
        }
        return endpoints;
    }

    /** The feed waits until the driver passes over a subscriber that has stopped, so the other loses states too. */
    @Test
    void shouldShowEachStateOrAWholeOneOverSharedMemory()
    {
        final EngineContext context = context();
        context.trunks().ipc(true);
        try (TestEngine engine = new TestEngine(context))
        {
            run(engine, () -> TestHost.joining(engine.aeronDirectory()), () -> TestTrunk.context(engine).ipc());
            close();
            viewers.clear();
            hosts.clear();
        }
    }

    private EngineContext context()
    {
        final EngineContext context = new EngineContext().loops(1).clock(clock)
            .roomType(RoomType.of(TYPE, "counting", 1, Counting::new).seats(2));
        context.trunks().secret(TestTrunk.SECRET, Authenticator.Verdict.TRUSTED.feed(true))
            .keepaliveNs(TimeUnit.MINUTES.toNanos(1));
        return context;
    }

    private void run(
        final TestEngine engine, final Supplier<TestHost> newHost, final Supplier<TrunkContext> newContext)
    {
        for (int i = 0; i < 2; i++)
        {
            hosts.add(newHost.get());
            final Viewer viewer = new Viewer();
            viewer.trunk = TestTrunk.on(hosts.get(i), newContext.get().feed("127.0.0.1:0")).forwardTo(viewer);
            viewers.add(viewer);
        }
        for (int room = 0; room < ROOMS; room++)
        {
            final long roomId = engine.engine().openRoom(TYPE).roomId();
            for (int i = 0; i < 2; i++)
            {
                final Viewer viewer = viewers.get(i);
                final long playerId = 1 + i;
                engine.await("a trunk", this::poll, () -> viewer.trunk.tryJoin(roomId, playerId));
            }
        }
        final Viewer pausing = viewers.get(0);
        final Viewer other = viewers.get(1);
        engine.await("the feed", this::poll, () -> pausing.isOnFeed && other.isOnFeed);
        awaitMore(engine, SOME);
        viewers.forEach(Viewer::assertNothingMissing);
        viewers.forEach((viewer) -> viewer.wholeStates = 0);

        final long before = other.states;
        final long feedBefore = other.feedStates;
        engine.await("the other gateway to get on", () -> hosts.get(1).poll() + other.trunk.poll(),
            () -> other.states - before >= (long)PAUSE_S * RATE_HZ * ROOMS);
        other.assertNothingMissing();
        assertEquals(other.states - before, other.feedStates - feedBefore, "the other one stays on the feed");
        engine.await("the gateway to recover", this::poll, pausing::isComplete);
        awaitMore(engine, SOME);
        engine.await("the gateway to return to the feed", this::poll, () -> pausing.isOnFeed && pausing.isComplete());
        other.assertNothingMissing();
        for (final Viewer viewer : viewers)
        {
            assertEquals(List.of(), viewer.trunk.refusals);
            assertEquals(List.of(), viewer.faults);
            assertEquals(0, viewer.trunk.client().malformedMessages());
        }
    }

    /** Each gateway gets some more states of each room on the feed. */
    private void awaitMore(final TestEngine engine, final int count)
    {
        final long[] before = viewers.stream().mapToLong((viewer) -> viewer.feedStates).toArray();
        engine.await("states on the feed", this::poll, () ->
            viewers.get(0).feedStates - before[0] >= (long)ROOMS * count &&
            viewers.get(1).feedStates - before[1] >= (long)ROOMS * count);
    }

    private int poll()
    {
        int work = 0;
        for (int i = 0; i < hosts.size(); i++)
        {
            work += hosts.get(i).poll() + viewers.get(i).trunk.poll();
        }
        return work;
    }

    /** Follows the counters of the rooms, as a player does who gets whole states and changes. */
    private static final class Viewer implements TrunkListener
    {
        private final Map<Long, Long> counterByRoomIdMap = new HashMap<>();
        private final Map<Long, TreeSet<Long>> missingByRoomIdMap = new HashMap<>();
        private final List<String> faults = new ArrayList<>();
        private TestTrunk trunk;
        private long states;
        private long feedStates;
        private long wholeStates;
        private long lastTurn;
        private boolean isOnFeed;

        @Override
        public void onState(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
        {
            final long counter = buffer.getLong(offset);
            if (counter < 0)
            {
                onWhole(seat.roomId(), -counter);
                return;
            }
            states++;
            // Turns on the trunk begin with events, of which there are none.
            final long turn = trunk.client().turn();
            isOnFeed = turn > lastTurn || isOnFeed && turn == lastTurn;
            feedStates += isOnFeed ? 1 : 0;
            lastTurn = turn;
            onChange(seat.roomId(), counter);
        }

        private void onWhole(final long roomId, final long counter)
        {
            wholeStates++;
            counterByRoomIdMap.merge(roomId, counter, Math::max);
            missing(roomId).headSet(counter, true).clear();
        }

        private void onChange(final long roomId, final long counter)
        {
            final Long last = counterByRoomIdMap.get(roomId);
            if (null != last && counter <= last && !missing(roomId).remove(counter) && wholeStates == 0)
            {
                faults.add("room " + roomId + ": " + counter + " after " + last);
            }
            for (long i = null == last ? counter : last + 1; i < counter; i++)
            {
                missing(roomId).add(i);
            }
            counterByRoomIdMap.merge(roomId, counter, Math::max);
        }

        private TreeSet<Long> missing(final long roomId)
        {
            return missingByRoomIdMap.computeIfAbsent(roomId, (id) -> new TreeSet<>());
        }

        boolean isComplete()
        {
            return missingByRoomIdMap.values().stream().allMatch(TreeSet::isEmpty);
        }

        void assertNothingMissing()
        {
            assertTrue(isComplete(), () -> "missing: " + missingByRoomIdMap);
            assertEquals(List.of(), faults);
        }
    }

    /** Sends a counter in each frame, and its negative to a seat that has lost a state. */
    private static final class Counting implements RoomLogic
    {
        private final UnsafeBuffer state = new UnsafeBuffer(new byte[STATE_LENGTH]);
        private Room room;
        private long counter;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            room.frameRate(RATE_HZ);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            state.putLong(0, ++counter);
            room.sendState(room.everyone(), state, 0, STATE_LENGTH);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new AssertionError("no messages");
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            state.putLong(0, -counter);
            room.sendState(seat, state, 0, STATE_LENGTH);
        }
    }
}
