package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.RoomType;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Compares joins that wait with a model of maps: random joins, decisions, withdrawals, reservations, leaves, lost links
 * and time, with snapshots between them. Compared is the text of all that the players receive.
 */
class JoinsTwinTest
{
    private static final long TIMEOUT_NS = 40_000_000;
    private static final long RESERVED_NS = 60_000_000;
    private static final long TICK_NS = 1L << 20;
    private static final int SEATS = 5;
    private static final int JOINS = 3;
    private static final int PLAYERS = 9;
    private static final int LINKS = 4;
    private static final int NO_LINK = -1;

    /** A player in the model. */
    private static final class Known
    {
        private String state;
        private int link = NO_LINK;
        private long joinId;
        private long untilNs;
        private long untilTick;
        private long reservedUntilNs;
    }

    private final List<String> events = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();
    private final Map<Long, Known> byPlayer = new HashMap<>();
    private final Set<Integer> linksUp = new HashSet<>(List.of(0, 1, 2, 3));
    private final UnsafeBuffer data = new UnsafeBuffer(new byte[9]);
    private final HostRig rig = new HostRig(RoomType.of(1, "asking", 1, () -> new AskingRoom(events))
        .seats(SEATS).joinRequests(JOINS).joinTimeoutNs(TIMEOUT_NS).graceNs(0)).withLinks(4);
    private SplittableRandom random;
    private long lastJoinId;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldDecideLikeTheModel(final long seed)
    {
        random = new SplittableRandom(seed);
        final int steps = Tests.isFull() ? 200_000 : 8_000;
        for (int i = 0; i < steps; i++)
        {
            rig.nowNs += random.nextLong(random.nextInt(30) == 0 ? TIMEOUT_NS : 500_000);
            step(1 + random.nextInt(PLAYERS));
            expire();
            final String when = "seed " + seed + ", step " + i;
            final List<String> seen = new ArrayList<>();
            rig.toLinks().forEach((text) -> seen.add(text.replaceAll(" \\d+/\\d+", "")));
            assertEquals(sorted(expected), sorted(seen), when);
            expected.clear();
            events.clear();
            assertEquals(byPlayer.size(), rig.host.seatsOccupied(HostRig.ROOM), when);
            if (random.nextInt(400) == 0)
            {
                rig.restore();
            }
        }
    }

    private static List<String> sorted(final List<String> list)
    {
        final List<String> sorted = new ArrayList<>(list);
        Collections.sort(sorted);
        return sorted;
    }

    private void step(final long player)
    {
        final int link = random.nextInt(LINKS);
        final int dice = random.nextInt(100);
        if (dice < 35)
        {
            join(player, link);
        }
        else if (dice < 55)
        {
            decide();
        }
        else if (dice < 63)
        {
            cancel(player, link);
        }
        else if (dice < 72)
        {
            reserve(player);
        }
        else if (dice < 76)
        {
            release(player);
        }
        else if (dice < 90)
        {
            kick(player);
        }
        else if (dice < 96)
        {
            linkDown(link);
        }
        else
        {
            linkUp(link);
        }
    }

    private void join(final long player, final int link)
    {
        final int code = rig.join(player, link);
        Known known = byPlayer.get(player);
        if (!linksUp.contains(link))
        {
            refused(link, player, RefusalCode.UNKNOWN_LINK, code);
            return;
        }
        if (null != known && "waits".equals(known.state))
        {
            if (known.link == link)
            {
                refused(link, player, RefusalCode.JOIN_WAITS, code);
                return;
            }
            end(player, RefusalCode.JOIN_CANCELLED);
            known = byPlayer.get(player);
        }
        if (null != known && "sits".equals(known.state))
        {
            if (known.link == link)
            {
                refused(link, player, RefusalCode.ALREADY_JOINED, code);
            }
            else
            {
                // It moves: away from the last link, and back at once.
                assertEquals(0, code);
                expected.add(known.link + ": away MOVED");
                expected.add(link + ": joined " + (100 + player));
                known.link = link;
            }
            return;
        }
        if (null == known && SEATS == byPlayer.size())
        {
            refused(link, player, RefusalCode.ROOM_FULL, code);
            return;
        }
        if (JOINS == waiting().size())
        {
            refused(link, player, RefusalCode.JOIN_LIMIT, code);
            return;
        }
        assertEquals(0, code);
        final Known joining = null == known ? new Known() : known;
        joining.reservedUntilNs = null == known ? 0 : known.untilNs;
        joining.state = "waits";
        joining.link = link;
        joining.joinId = ++lastJoinId;
        until(joining, TIMEOUT_NS);
        byPlayer.put(player, joining);
    }

    /** A random join that waits, or one that never was or has ended. */
    private void decide()
    {
        final List<Long> waiting = waiting();
        final boolean isKnown = !waiting.isEmpty() && random.nextInt(5) > 0;
        final long player = isKnown ? waiting.get(random.nextInt(waiting.size())) : 0;
        final long joinId = isKnown ? byPlayer.get(player).joinId : 1 + random.nextLong(lastJoinId + 2);
        final boolean isAdmitted = random.nextBoolean();
        data.putByte(0, (byte)(isAdmitted ? 'a' : 'r'));
        data.putLong(1, joinId);
        assertEquals(0, rig.command(rig.encoder.signal(rig.buffer, 0, HostRig.ROOM, 0, 0, data, 0, 9)));
        final long decided = waiting.stream().filter((other) -> byPlayer.get(other).joinId == joinId)
            .findFirst().orElse(0L);
        if (0 == decided)
        {
            return;
        }
        final Known known = byPlayer.get(decided);
        if (isAdmitted)
        {
            known.state = "sits";
            expected.add(known.link + ": joined " + (100 + decided));
        }
        else
        {
            expected.add(known.link + ": refused " + (100 + decided) + " APPLICATION_" + AskingRoom.REFUSED);
            giveBack(decided);
        }
    }

    private void cancel(final long player, final int otherLink)
    {
        final Known known = byPlayer.get(player);
        final int link = null == known || NO_LINK == known.link || random.nextInt(4) == 0 ? otherLink : known.link;
        final int code = rig.command(rig.encoder.cancelJoin(rig.buffer, 0, HostRig.ROOM, player, 100 + player, link));
        if (null != known && "waits".equals(known.state) && known.link == link)
        {
            assertEquals(0, code);
            end(player, RefusalCode.JOIN_CANCELLED);
        }
        else
        {
            refused(link, player, RefusalCode.NOT_JOINED, code);
        }
    }

    private void reserve(final long player)
    {
        final int code = rig.command(rig.encoder.reserve(rig.buffer, 0, HostRig.ROOM, player, RESERVED_NS, 0, 0));
        final Known known = byPlayer.get(player);
        if (null != known && "sits".equals(known.state))
        {
            noEntry(RefusalCode.ALREADY_JOINED, code);
        }
        else if (null != known && "waits".equals(known.state))
        {
            assertEquals(0, code);
            known.reservedUntilNs = rig.nowNs + RESERVED_NS;
        }
        else if (null == known && SEATS == byPlayer.size())
        {
            noEntry(RefusalCode.ROOM_FULL, code);
        }
        else
        {
            assertEquals(0, code);
            final Known reserved = null == known ? new Known() : known;
            reserved.state = "reserved";
            until(reserved, RESERVED_NS);
            byPlayer.put(player, reserved);
        }
    }

    private void release(final long player)
    {
        final int code =
            rig.command(rig.encoder.reserve(rig.buffer, 0, HostRig.ROOM, player, RoomCommands.RELEASE, 0, 0));
        final Known known = byPlayer.get(player);
        if (null != known && "reserved".equals(known.state))
        {
            assertEquals(0, code);
            byPlayer.remove(player);
        }
        else if (null != known && "waits".equals(known.state) && known.reservedUntilNs > rig.nowNs)
        {
            assertEquals(0, code);
            known.reservedUntilNs = 0;
        }
        else
        {
            noEntry(RefusalCode.NOT_RESERVED, code);
            if (null != known && "waits".equals(known.state))
            {
                known.reservedUntilNs = 0;
            }
        }
    }

    private void kick(final long player)
    {
        final int code = rig.command(rig.encoder.kick(rig.buffer, 0, HostRig.ROOM, player, 1_600));
        final Known known = byPlayer.get(player);
        if (null == known || !"sits".equals(known.state))
        {
            noEntry(RefusalCode.NOT_JOINED, code);
            return;
        }
        assertEquals(0, code);
        expected.add(known.link + ": left KICKED 1600");
        byPlayer.remove(player);
    }

    /** Seats have no grace here, so that their players leave. */
    private void linkDown(final int link)
    {
        final int code = rig.command(rig.encoder.linkDown(rig.buffer, 0, link));
        assertEquals(linksUp.remove(link) ? 0 : RefusalCode.UNKNOWN_LINK.value(), code);
        if (0 != code)
        {
            expected.add("-1: refused 0 UNKNOWN_LINK");
            return;
        }
        for (final long player : List.copyOf(byPlayer.keySet()))
        {
            final Known known = byPlayer.get(player);
            if (known.link == link && "sits".equals(known.state))
            {
                byPlayer.remove(player);
            }
            else if (known.link == link && "waits".equals(known.state))
            {
                giveBack(player);
            }
        }
    }

    private void linkUp(final int link)
    {
        final int code = rig.command(rig.encoder.linkUp(rig.buffer, 0, 10 + link, link));
        assertEquals(linksUp.add(link) ? 0 : RefusalCode.LINK_IN_USE.value(), code);
        if (0 != code)
        {
            expected.add("-1: refused 0 LINK_IN_USE");
        }
    }

    private void until(final Known known, final long delayNs)
    {
        known.untilNs = rig.nowNs + delayNs;
        known.untilTick = Math.max((known.untilNs + TICK_NS - 1) / TICK_NS, rig.nowNs / TICK_NS + 1);
    }

    private void expire()
    {
        final Map<Long, Known> over = new TreeMap<>();
        byPlayer.forEach((player, known) ->
        {
            if (!"sits".equals(known.state) && known.untilTick <= rig.nowNs / TICK_NS)
            {
                over.put(player, known);
            }
        });
        over.forEach((player, known) ->
        {
            if ("waits".equals(known.state))
            {
                end(player, RefusalCode.JOIN_TIMEOUT);
            }
            else
            {
                byPlayer.remove(player);
            }
        });
    }

    private void end(final long player, final RefusalCode code)
    {
        expected.add(byPlayer.get(player).link + ": refused " + (100 + player) + " " + code);
        giveBack(player);
    }

    /** The seat is free, or reserved as before. */
    private void giveBack(final long player)
    {
        final Known known = byPlayer.get(player);
        known.link = NO_LINK;
        if (known.reservedUntilNs > rig.nowNs)
        {
            known.state = "reserved";
            until(known, known.reservedUntilNs - rig.nowNs);
            known.reservedUntilNs = 0;
        }
        else
        {
            byPlayer.remove(player);
        }
    }

    private List<Long> waiting()
    {
        final List<Long> waiting = new ArrayList<>();
        byPlayer.forEach((player, known) ->
        {
            if ("waits".equals(known.state))
            {
                waiting.add(player);
            }
        });
        return waiting;
    }

    private void refused(final int link, final long player, final RefusalCode code, final int actual)
    {
        assertEquals(code, RefusalCode.get(actual));
        expected.add(link + ": refused " + (100 + player) + " " + code);
    }

    private void noEntry(final RefusalCode code, final int actual)
    {
        assertEquals(code, RefusalCode.get(actual));
        expected.add("-1: refused 0 " + code);
    }
}
