package io.escapement.rooms.scenario;

import io.escapement.codecs.Codes;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RecordedHost;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.output.HostListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A run of a host under seeded random commands: 64 rooms of three types, players that join, send, disconnect and
 * return, rooms that throw, and requests that are answered or refused. It records a log, a fingerprint of the output,
 * and a state hash every 60 turns.
 */
final class Scenario
{
    static final int ROOMS = 64;
    /** Rooms are opened up to ROOMS, and sometimes beyond, so that the host is full at times. */
    private static final int HOST_LIMIT = 66;
    private static final int FILLERS = 8;
    private static final int TYPES = 3;
    private static final int LINKS = 16;
    private static final int OPEN_REQUESTS = 40;
    static final int HASH_EVERY = 60;
    private static final int PREFETCH_EVERY = 200;
    private static final int COMMANDS_A_TURN = 12;
    /** Before, rooms open with the older version of their type. */
    private static final int RELOADS_FROM = 1_000;

    final Fingerprint fingerprint = new Fingerprint();
    final ByteSink log = new ByteSink();
    /** Ids of rooms that found the host full. */
    final Set<Long> refused = new HashSet<>();
    final Map<String, Integer> countByEventMap = new TreeMap<>();
    final RoomHost host;
    long commands;

    private final long seed;
    private final SplittableRandom random;
    private final CapturedOutputs captured = new CapturedOutputs();
    private final ScenarioWorld world;
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[2 * RoomCommands.MAX_COMMAND_LENGTH]);
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[512]);
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private final List<ScenarioWorld.Place> places = new ArrayList<>();
    private final RecordedHost recorded;
    private long drainAt = Long.MAX_VALUE;
    private long nowNs;
    private long lastRoomId;
    /** At the begin of the turn. */
    private long[] open;
    private final ArrayDeque<Long> fillers = new ArrayDeque<>();
    private long lastFillerId = 1_000_000;
    private long requestId;
    /** The last join. */
    private ScenarioWorld.Place joined;

    Scenario(final long seed)
    {
        this.seed = seed;
        random = new SplittableRandom(seed);
        world = new ScenarioWorld(countByEventMap, places, waiting, random, () -> ++lastRoomId);
        recorded = new RecordedHost(context().outputs(captured).listener(new Failures()), log);
        host = recorded.host;
    }

    static HostContext context()
    {
        return new HostContext().roomType(ChaosTypes.duel()).roomType(ChaosTypes.newerDuel())
            .roomType(ChaosTypes.lobby()).roomType(ChaosTypes.raid())
            .roomLimit(HOST_LIMIT).seatLimit(4_000).timerLimit(4_000).linkLimit(LINKS).epochMs(1_700_000_000_000L)
            .phaseGroups(3).loopState(new LoopLimits(0, 1, OPEN_REQUESTS, LoopLimits.MIN_QUEUE_LENGTH))
            .build("scenario");
    }

    static Scenario run(final long seed, final long commands)
    {
        return new Scenario(seed).run(commands);
    }

    /** Run a number of commands; the host drains before the last of them. */
    Scenario run(final long limit)
    {
        drainAt = limit - Math.min(400, limit / 10);
        while (commands < limit)
        {
            turn();
        }
        recorded.close();
        return this;
    }

    @Override
    public String toString()
    {
        return "scenario of seed " + seed;
    }

    private void turn()
    {
        // Mostly the pace of a busy loop, sometimes the same time again, sometimes a stall.
        final int pace = random.nextInt(100);
        nowNs += pace < 3 ? 0 : pace < 95 ? random.nextLong(4_000_000) : random.nextLong(150_000_000);
        open = host.openRoomIds();
        // A clock that steps back counts as one that stands still.
        final long before = host.turn();
        recorded.beginTurn(pace < 93 ? nowNs : nowNs - random.nextLong(20_000_000));
        final int count = random.nextInt(COMMANDS_A_TURN);
        if (random.nextInt(30) == 0)
        {
            fail();
        }
        commands += recorded.runReturns();
        for (int i = 0; i < count; i++)
        {
            give(waiting.isEmpty() || random.nextInt(3) == 0 ? next() : copyIn(waiting.poll()));
        }
        recorded.endTurn();
        if (before != host.turn())
        {
            fingerprint.output(host.turn(), host.outputHash());
        }
        captured.forEach(world);
        captured.reset();
        host.loopState().sendRequests(world::onRequest);
        if (before != host.turn() && 0 == host.turn() % HASH_EVERY)
        {
            fingerprint.stateHash(host.turn(), host.stateHash());
            recorded.logStateHash();
        }
    }

    private final class Failures implements HostListener
    {
        @Override
        public void onOpenRefused(final long roomId, final int code)
        {
            if (RefusalCode.HOST_FULL.value() == code)
            {
                refused.add(roomId);
            }
        }

        @Override
        public void onRoomFailed(final long roomId, final int typeId, final long callback, final Throwable cause)
        {
            final String reason = null == cause ? "FailedAt" : cause.getClass().getSimpleName();
            countByEventMap.merge("failed by " + reason, 1, Integer::sum);
        }

        @Override
        public void onRoomError(final long roomId, final int typeId, final long callback, final Throwable cause)
        {
            countByEventMap.merge("went on after " + cause.getClass().getSimpleName(), 1, Integer::sum);
        }

        @Override
        public void onReload(
            final long roomId,
            final int typeId,
            final int fromVersion,
            final int toVersion,
            final int code,
            final Throwable cause)
        {
            countByEventMap.merge(
                (0 == roomId ? "reload of a type " : "reload ") + Codes.nameOf(code), 1, Integer::sum);
        }

        @Override
        public void onCount(final long roomId, final int counterId, final long delta)
        {
            countByEventMap.merge(CloseReason.values()[counterId].name(), 1, Integer::sum);
        }
    }

    private void give(final int length)
    {
        // Prefetching changes no state, whatever follows.
        host.prefetch(buffer, 0, length);
        if (0 == commands % PREFETCH_EVERY)
        {
            host.runPrefetch();
            host.warmCaches(Long.MAX_VALUE);
        }
        commands++;
        recorded.onCommand(buffer, 0, length);
    }

    /** As in a log, before all other commands of the turn: a room fails at one of its next callbacks. */
    private void fail()
    {
        commands++;
        recorded.onCommand(buffer, 0, encoder.failedAt(buffer, 0, someRoom(), 1 + random.nextInt(200)));
    }

    private int copyIn(final byte[] bytes)
    {
        buffer.putBytes(0, bytes);
        return bytes.length;
    }

    private int next()
    {
        final int dice = random.nextInt(1_000);
        if (commands >= drainAt)
        {
            drainAt = Long.MAX_VALUE;
            countByEventMap.merge("drain", 1, Integer::sum);
            return encoder.drain(buffer, 0, nowNs + 1_000_000_000L);
        }
        if (dice < 10)
        {
            return fill(dice);
        }
        if (host.openRooms() < ROOMS && dice < 300)
        {
            return openRoom(++lastRoomId, 1 + random.nextInt(TYPES));
        }
        if (dice < 600)
        {
            return message();
        }
        if (dice < 800)
        {
            return join();
        }
        return dice < 900 ? seatCommand(dice) : rareCommand(dice);
    }

    /** Open and close rooms that fill the host. Their ids are apart, because commands are to the ids given out last. */
    private int fill(final int dice)
    {
        if (dice < 5 && fillers.size() < FILLERS)
        {
            fillers.add(++lastFillerId);
            return openRoom(lastFillerId, 1 + random.nextInt(TYPES));
        }
        return encoder.closeRoom(buffer, 0, fillers.isEmpty() ? -1 : fillers.poll());
    }

    private int openRoom(final long roomId, final int type)
    {
        return encoder.openRoom(
            buffer, 0, roomId, random.nextLong(), 0, 0, type, payload, 0, random.nextInt(20));
    }

    /** One in eight is of a player who has a seat, or had one. */
    private int join()
    {
        final ScenarioWorld.Place place = places.isEmpty() || random.nextInt(8) != 0 ? null :
            places.get(random.nextInt(places.size()));
        final long roomId = null == place ? someRoom() : place.roomId;
        final long playerId = null == place ? random.nextInt(500) : place.playerId;
        if (random.nextInt(40) == 0 && null != joined)
        {
            return encoder.cancelJoin(buffer, 0, joined.roomId, joined.playerId, requestId, joined.link);
        }
        final int link = random.nextInt(LINKS);
        final int length = random.nextInt(10);
        if (random.nextInt(20) == 0)
        {
            return encoder.join(buffer, 0, roomId, playerId, ++requestId, link, true, payload, 0, length);
        }
        joined = new ScenarioWorld.Place(roomId, 0, 0, playerId);
        joined.link = link;
        return encoder.join(buffer, 0, roomId, playerId, ++requestId, link, payload, 0, length);
    }

    private int message()
    {
        if (places.isEmpty())
        {
            return encoder.kick(buffer, 0, someRoom(), 1);
        }

        final ScenarioWorld.Place place = places.get(random.nextInt(places.size()));
        payload.putLong(0, random.nextInt(ChaosRoom.OPERATIONS));
        payload.putLong(8, random.nextLong());
        final boolean isOdd = random.nextInt(100) == 0;
        final int link = isOdd ? random.nextInt(LINKS) : place.link;
        final long sequence = isOdd ? random.nextInt(4) : ++place.sequence;
        return encoder.message(buffer, 0, place.roomId, sequence, place.seatIndex, place.generation, link,
            payload, 0, isOdd ? random.nextInt(ChaosRoom.MESSAGE_LENGTH) : ChaosRoom.MESSAGE_LENGTH);
    }

    private int seatCommand(final int dice)
    {
        if (places.isEmpty())
        {
            return encoder.closeRoom(buffer, 0, -1);
        }

        final ScenarioWorld.Place place = places.get(random.nextInt(places.size()));
        return dice < 830 ?
            encoder.leave(buffer, 0, place.roomId, place.seatIndex, place.generation, place.link,
                random.nextInt(2) * random.nextInt(1 + Codes.LAST_CODE)) : dice < 870 ?
            encoder.stateLost(buffer, 0, place.roomId, place.seatIndex, place.generation) :
            encoder.kick(buffer, 0, place.roomId, place.playerId);
    }

    private int rareCommand(final int dice)
    {
        final int link = random.nextInt(LINKS);
        if (dice < 920)
        {
            return encoder.linkUp(buffer, 0, link, link);
        }
        if (dice < 924)
        {
            return encoder.lockRoom(buffer, 0, someRoom(), random.nextInt(3) == 0);
        }
        if (dice < 926)
        {
            return encoder.lockType(buffer, 0, 1 + random.nextInt(TYPES), random.nextInt(3) == 0);
        }
        if (dice < 930)
        {
            final boolean isOfType = commands > RELOADS_FROM && random.nextInt(20) == 0;
            return encoder.reload(buffer, 0, isOfType ? 0 : someRoom(), 1,
                random.nextInt(8) == 0 ? 2 : 1, random.nextInt(8) == 0 ? 3 : 2);
        }
        if (dice < 940)
        {
            return dice % 3 == 0 ? encoder.linkStateLost(buffer, 0, link) : encoder.linkDown(buffer, 0, link);
        }
        if (dice < 955)
        {
            final int previous = random.nextInt(LINKS);
            return encoder.linkResumed(buffer, 0, previous, random.nextBoolean() ? previous : link, previous);
        }
        if (dice < 965)
        {
            return encoder.setRate(buffer, 0, random.nextInt(5), random.nextInt(4) * 20);
        }
        if (dice < 975)
        {
            return encoder.signal(buffer, 0, someRoom(), 0, 0, payload, 0, random.nextInt(64));
        }
        if (dice < 977)
        {
            return encoder.ask(buffer, 0, someRoom(), random.nextBoolean() ? 0 : someRoom(), random.nextInt(20),
                random.nextInt(50_000_000), payload, 0, random.nextInt(64));
        }
        if (dice < 980)
        {
            return encoder.reserve(buffer, 0, someRoom(), random.nextInt(500), random.nextInt(200_000_000), 0, 0);
        }
        if (dice < 982)
        {
            return encoder.closeRoom(buffer, 0, someRoom());
        }
        if (dice < 986)
        {
            final long subscriber = someRoom();
            final DirectoryChange change = someChange();
            return encoder.directoryEntry(
                buffer, 0, subscriber, someRoom(), 1, 2, 3, 4, change, payload, 0, random.nextInt(20));
        }
        if (dice < 990)
        {
            return encoder.reply(buffer, 0, someRoom(), random.nextInt(20), 5, payload, 0, random.nextInt(20));
        }
        if (dice < 993)
        {
            return encoder.refusal(buffer, 0, someRoom(), random.nextInt(20), RefusalCode.QUEUE_FULL.value());
        }
        return garbage();
    }

    private int garbage()
    {
        final int length = encoder.kick(buffer, 0, someRoom(), 7);
        buffer.putByte(random.nextInt(length), (byte)random.nextInt(256));
        return random.nextBoolean() ? length : random.nextInt(length + 8);
    }

    /** One in five is a change that no reader knows. */
    private DirectoryChange someChange()
    {
        final int change = random.nextInt(5);
        return DirectoryChange.get((short)(4 == change ? 99 : change));
    }

    private long someRoom()
    {
        if (0 != open.length && random.nextInt(4) != 0)
        {
            return open[random.nextInt(open.length)];
        }
        return Math.max(1, lastRoomId - random.nextInt(ROOMS + 16));
    }
}
