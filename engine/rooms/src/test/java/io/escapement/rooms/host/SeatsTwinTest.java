package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.testsupport.Tests;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Compares the seats of a room with a model of maps: joins, leaves, kicks, reservations, lost links, lost connections
 * of single players, resumed links and returns.
 */
class SeatsTwinTest
{
    private static final long SEED = 4_096;
    private static final int LINKS = 6;
    private static final long GRACE_NS = 100_000_000;
    private static final long TICK_NS = 1L << 20;

    /** The model of a player with a seat. */
    private static final class Sitting
    {
        private int seat;
        private int link;
        private String state;
        private long untilTick;
        private long deadlineNs;
        private long order;
    }

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final Map<Long, Sitting> byPlayer = new HashMap<>();
    private final Map<Integer, Integer> generations = new HashMap<>();
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private final Set<Integer> linksUp = new HashSet<>();
    private final Map<Integer, Integer> trunkByLink = new HashMap<>();
    private final List<String> expected = new ArrayList<>();
    private final List<String> seen = new ArrayList<>();
    private RoomHost host;
    private long nowNs;
    private long timersSet;

    @ParameterizedTest
    @ValueSource(ints = {2, 16, 10_000})
    void shouldSeatPlayersLikeTheModel(final int seats)
    {
        host = new RoomHost(new HostContext().outputs(new NoOutputs()).linkLimit(LINKS)
            .roomType(RoomType.of(1, "seats", 1, Told::new).seats(seats).graceNs(GRACE_NS)));
        for (int i = 0; i < seats; i++)
        {
            free.add(i);
        }
        host.beginTurn(0);
        host.onCommand(buffer, 0, encoder.openRoom(buffer, 0, 1, 1, 0, 0, 1, buffer, 0, 0));
        host.endTurn();
        final int players = seats * 3;
        final int steps = Tests.isFull() ? 1_000_000 : 60_000;
        for (int i = 0; i < steps; i++)
        {
            nowNs += random.nextLong(random.nextInt(20) == 0 ? 60_000_000 : 2_000_000);
            host.beginTurn(nowNs);
            step(random.nextInt(players));
            host.endTurn();
            expire();
            final String when = "seed " + SEED + ", step " + i;
            Collections.sort(expected);
            Collections.sort(seen);
            assertEquals(expected, seen, when);
            expected.clear();
            seen.clear();
        }
        assertEquals(byPlayer.size(), host.seatsOccupied(1));
    }

    private void step(final long player)
    {
        final int link = random.nextInt(LINKS);
        final int dice = random.nextInt(100);
        if (dice < 40)
        {
            join(player, link);
        }
        else if (dice < 50)
        {
            seatDown(player, link);
        }
        else if (dice < 65)
        {
            leave(player);
        }
        else if (dice < 72)
        {
            kick(player);
        }
        else if (dice < 78)
        {
            reserve(player);
        }
        else if (dice < 80)
        {
            release(player);
        }
        else if (dice < 90)
        {
            linkUp(link);
        }
        else if (dice < 94)
        {
            linkResumed(link, random.nextInt(LINKS));
        }
        else
        {
            linkDown(link);
        }
    }

    private void join(final long player, final int link)
    {
        final RefusalCode code = code(encoder.join(buffer, 0, 1, player, 1, link, buffer, 0, 0));
        final Sitting sitting = byPlayer.get(player);
        if (!linksUp.contains(link))
        {
            assertEquals(RefusalCode.UNKNOWN_LINK, code);
        }
        else if (null == sitting)
        {
            assertEquals(free.isEmpty() ? RefusalCode.ROOM_FULL : RefusalCode.NONE, code);
            if (RefusalCode.NONE == code)
            {
                sit(player, link, take(player));
            }
        }
        else if ("reserved".equals(sitting.state))
        {
            assertEquals(RefusalCode.NONE, code);
            sit(player, link, sitting);
        }
        else if ("present".equals(sitting.state) && sitting.link == link)
        {
            assertEquals(RefusalCode.ALREADY_JOINED, code);
        }
        else
        {
            assertEquals(RefusalCode.NONE, code);
            if ("present".equals(sitting.state))
            {
                expected.add("away " + player);
            }
            sitting.state = "present";
            sitting.link = link;
            expected.add("back " + player);
        }
    }

    private Sitting take(final long player)
    {
        final Sitting sitting = new Sitting();
        sitting.seat = free.poll();
        generations.putIfAbsent(sitting.seat, 1);
        byPlayer.put(player, sitting);
        return sitting;
    }

    private void sit(final long player, final int link, final Sitting sitting)
    {
        sitting.state = "present";
        sitting.link = link;
        expected.add("join " + player + " at " + sitting.seat + "/" + generations.get(sitting.seat));
    }

    private void leave(final long player)
    {
        final Sitting sitting = byPlayer.get(player);
        if (null == sitting)
        {
            return;
        }

        final RefusalCode code = code(encoder.leave(
            buffer, 0, 1, sitting.seat, generations.get(sitting.seat), sitting.link));
        if ("present".equals(sitting.state))
        {
            assertEquals(RefusalCode.NONE, code);
            free(player, LeaveReason.LEFT);
        }
        else
        {
            assertEquals(true, RefusalCode.NONE != code);
        }
    }

    private void kick(final long player)
    {
        final RefusalCode code = code(encoder.kick(buffer, 0, 1, player));
        final Sitting sitting = byPlayer.get(player);
        final boolean isThere = null != sitting && !"reserved".equals(sitting.state);
        assertEquals(isThere ? RefusalCode.NONE : RefusalCode.NOT_JOINED, code);
        if (isThere)
        {
            free(player, LeaveReason.KICKED);
        }
    }

    private void reserve(final long player)
    {
        final long ttlNs = 1 + random.nextLong(80_000_000);
        final RefusalCode code = code(encoder.reserve(buffer, 0, 1, player, ttlNs, 0, 0));
        Sitting sitting = byPlayer.get(player);
        if (null != sitting && !"reserved".equals(sitting.state))
        {
            assertEquals(RefusalCode.ALREADY_JOINED, code);
        }
        else if (null == sitting && free.isEmpty())
        {
            assertEquals(RefusalCode.ROOM_FULL, code);
        }
        else
        {
            assertEquals(RefusalCode.NONE, code);
            sitting = null == sitting ? take(player) : sitting;
            sitting.state = "reserved";
            sitting.link = -1;
            until(sitting, ttlNs);
        }
    }

    private void release(final long player)
    {
        final RefusalCode code = code(encoder.reserve(buffer, 0, 1, player, RoomCommands.RELEASE, 0, 0));
        final Sitting sitting = byPlayer.get(player);
        final boolean isReserved = null != sitting && "reserved".equals(sitting.state);
        assertEquals(isReserved ? RefusalCode.NONE : RefusalCode.NOT_RESERVED, code);
        if (isReserved)
        {
            giveBack(player);
        }
    }

    /** The player's own link, or another one. */
    private void seatDown(final long player, final int otherLink)
    {
        final Sitting sitting = byPlayer.get(player);
        if (null == sitting)
        {
            return;
        }

        final int link = random.nextInt(8) == 0 ? otherLink : sitting.link;
        final RefusalCode code = code(encoder.seatDown(
            buffer, 0, 1, sitting.seat, generations.get(sitting.seat), link));
        if (link != sitting.link)
        {
            assertEquals(RefusalCode.FOREIGN_SEAT, code);
        }
        else if ("present".equals(sitting.state))
        {
            assertEquals(RefusalCode.NONE, code);
            sitting.state = "alone";
            until(sitting, GRACE_NS);
            expected.add("away " + player);
        }
        else
        {
            assertEquals(RefusalCode.SEAT_AWAY, code);
        }
    }

    private void linkUp(final int link)
    {
        final RefusalCode code = code(encoder.linkUp(buffer, 0, link, link));
        assertEquals(linksUp.add(link) ? RefusalCode.NONE : RefusalCode.LINK_IN_USE, code);
        if (RefusalCode.NONE == code)
        {
            forgetSeats(link);
            trunkByLink.put(link, link);
        }
    }

    /** Another trunk has the number: no seat of the last one returns with it. */
    private void forgetSeats(final int link)
    {
        byPlayer.values().stream().filter((sitting) -> sitting.link == link).forEach((sitting) -> sitting.link = -1);
    }

    private void linkResumed(final int link, final int previous)
    {
        final int trunk = trunkByLink.getOrDefault(previous, 0);
        final RefusalCode code = code(encoder.linkResumed(buffer, 0, trunk, link, previous));
        if (linksUp.contains(link))
        {
            assertEquals(RefusalCode.LINK_IN_USE, code);
            return;
        }
        if (linksUp.contains(previous))
        {
            assertEquals(RefusalCode.UNKNOWN_LINK, code);
            return;
        }
        assertEquals(RefusalCode.NONE, code);
        if (link != previous)
        {
            forgetSeats(link);
        }
        linksUp.add(link);
        trunkByLink.put(link, trunk);
        byPlayer.forEach((player, sitting) ->
        {
            if (sitting.link == previous)
            {
                sitting.link = link;
                if ("away".equals(sitting.state))
                {
                    sitting.state = "present";
                    expected.add("back " + player);
                }
            }
        });
    }

    private void linkDown(final int link)
    {
        assertEquals(linksUp.remove(link) ? RefusalCode.NONE : RefusalCode.UNKNOWN_LINK,
            code(encoder.linkDown(buffer, 0, link)));
        final List<Long> lost = new ArrayList<>();
        byPlayer.forEach((player, sitting) ->
        {
            if ("present".equals(sitting.state) && sitting.link == link)
            {
                lost.add(player);
            }
        });
        lost.sort(Comparator.comparingInt((final Long player) -> byPlayer.get(player).seat));
        for (final long player : lost)
        {
            byPlayer.get(player).state = "away";
            until(byPlayer.get(player), GRACE_NS);
            expected.add("away " + player);
        }
    }

    private void until(final Sitting sitting, final long delayNs)
    {
        sitting.deadlineNs = nowNs + delayNs;
        sitting.order = ++timersSet;
        sitting.untilTick = Math.max((nowNs + delayNs + TICK_NS - 1) / TICK_NS, nowNs / TICK_NS + 1);
    }

    /** Expired seats are freed in the order of their timers, and are the last to be taken again. */
    private void expire()
    {
        final List<Long> over = new ArrayList<>();
        byPlayer.forEach((player, sitting) ->
        {
            if (!"present".equals(sitting.state) && sitting.untilTick <= nowNs / TICK_NS)
            {
                over.add(player);
            }
        });
        over.sort(Comparator.comparing(byPlayer::get, Comparator.comparingLong((final Sitting sitting) ->
            sitting.untilTick).thenComparingLong((sitting) -> sitting.deadlineNs)
            .thenComparingLong((sitting) -> sitting.order)));
        for (final long player : over)
        {
            if (!"reserved".equals(byPlayer.get(player).state))
            {
                free(player, LeaveReason.GRACE_EXPIRED);
            }
            else
            {
                giveBack(player);
            }
        }
    }

    private void free(final long player, final LeaveReason reason)
    {
        expected.add("leave " + player + " " + reason);
        giveBack(player);
    }

    private void giveBack(final long player)
    {
        final Sitting sitting = byPlayer.remove(player);
        generations.merge(sitting.seat, 1, Integer::sum);
        free.add(sitting.seat);
    }

    private RefusalCode code(final int length)
    {
        return RefusalCode.get(host.onCommand(buffer, 0, length));
    }

    private final class Told implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            seen.clear();
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            throw new IllegalStateException("this test sends no messages");
        }

        @Override
        public void onJoin(final Seat seat)
        {
            seen.add("join " + seat.playerId() + " at " + seat.index() + "/" + seat.generation());
        }

        @Override
        public void onAway(final Seat seat)
        {
            seen.add("away " + seat.playerId());
        }

        @Override
        public void onBack(final Seat seat)
        {
            seen.add("back " + seat.playerId());
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            seen.add("leave " + seat.playerId() + " " + reason);
        }
    }
}
