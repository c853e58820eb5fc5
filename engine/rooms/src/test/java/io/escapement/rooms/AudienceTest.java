package io.escapement.rooms;

import com.sun.management.ThreadMXBean;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each kind of audience, sent to and claimed for, as event and as state. */
class AudienceTest
{
    private static final int RUNS = 5;
    private static final int SMALL = 4;
    private static final int ABOVE_ONE_MASK = 100;
    private static final int PLAYERS = 4;
    private static final List<String> KINDS = List.of("seat", "group", "everyone", "everyoneBut");

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    private final List<Talker> rooms = new ArrayList<>();

    /** Player 0 speaks; seats 1 and 3 are in the group. */
    @ParameterizedTest
    @CsvSource({"seat,1000", "group,0101", "everyone,1111", "everyoneBut,0111"})
    void shouldReachExactlyTheSeatsOfTheAudience(final String kind, final String receivers)
    {
        for (final int seatLimit : new int[]{SMALL, ABOVE_ONE_MASK})
        {
            for (final String way : List.of("sendEvent", "sendState", "claimEvent", "claimState"))
            {
                final RoomBench bench = bench(seatLimit);
                final List<BenchSeat> players = players(bench);
                players.get(0).send(way + " " + kind);
                for (int i = 0; i < PLAYERS; i++)
                {
                    assertEquals(
                        '1' == receivers.charAt(i) ? List.of(way + " " + kind) : List.of(), players.get(i).texts(),
                        way + " to " + kind + " at seat " + i + " of " + seatLimit);
                }
                assertEquals(List.of(), bench.failures());
                bench.replayAndCompare();
            }
        }
    }

    @Test
    void shouldNotReachAwaySeats()
    {
        for (final String kind : KINDS)
        {
            final RoomBench bench = bench(SMALL);
            final List<BenchSeat> players = players(bench);
            final Audience audience = rooms.get(0).audience(kind, 1);
            players.get(1).disconnect();
            rooms.get(0).action = (room) ->
            {
                room.sendEvent(audience, buffer, 0, 1);
                room.sendState(audience, buffer, 0, 1);
                room.claimEvent(audience, 1);
                room.commit(1);
            };
            players.get(0).send("run");
            assertEquals(List.of(), players.get(1).texts(), kind);
            assertEquals(List.of(), bench.failures());
            rooms.clear();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"seat", "group", "everyone", "everyoneBut"})
    void shouldRefuseTheAudiencesOfAnotherRoom(final String kind)
    {
        final RoomBench bench = bench(SMALL);
        final List<BenchSeat> players = players(bench);
        final long otherId = bench.open(type(SMALL), buffer, 0, 0);
        bench.join(otherId, 77, buffer, 0, 0);
        final Audience foreign = rooms.get(1).audience(kind, 0);
        rooms.get(0).action = (room) -> assertRefused(room, foreign, "belongs to another room");
        players.get(0).send("run");
        assertEquals(List.of(), bench.failures());
        assertEquals(1, rooms.get(0).runs);
    }

    @Test
    void shouldRefuseNullAndAudiencesNotMadeByARoom()
    {
        final RoomBench bench = bench(SMALL);
        final List<BenchSeat> players = players(bench);
        rooms.get(0).action = (room) ->
        {
            assertRefused(room, null, "the audience is null");
            assertRefused(room, new Audience() {}, "belongs to another room");
            assertThrows(NullPointerException.class, () -> room.everyoneBut(null));
        };
        players.get(0).send("run");
        assertEquals(List.of(), bench.failures());
        assertEquals(1, rooms.get(0).runs);
    }

    @Test
    void shouldRefuseEveryCallOutsideTheRoomsCallbacks()
    {
        players(bench(SMALL));
        final Room room = rooms.get(0).room;
        assertThrows(RoomUseException.class, room::everyone);
        assertThrows(RoomUseException.class, () -> room.everyoneBut(rooms.get(0).seats[0]));
        for (final String kind : KINDS)
        {
            final Audience audience = rooms.get(0).audience(kind, 0);
            assertThrows(RoomUseException.class, () -> room.sendEvent(audience, buffer, 0, 1), kind);
            assertThrows(RoomUseException.class, () -> room.sendState(audience, buffer, 0, 1), kind);
            assertThrows(RoomUseException.class, () -> room.claimEvent(audience, 1), kind);
            assertThrows(RoomUseException.class, () -> room.claimState(audience, 1), kind);
        }
    }

    @Test
    void shouldHandOutTheSameAudiencesWithoutAllocating()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final RoomBench bench = bench(SMALL);
        final List<BenchSeat> players = players(bench);
        final long[] least = {Long.MAX_VALUE};
        rooms.get(0).action = (room) ->
        {
            final Talker talker = rooms.get(0);
            final Seat seat = talker.seats[2];
            assertSame(room.everyone(), room.everyone());
            assertSame(room.everyoneBut(seat), room.everyoneBut(seat));
            final long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int i = 0; i < 10_000; i++)
            {
                room.claimEvent(room.everyone(), 8);
                room.commit(0);
                room.claimState(room.everyoneBut(seat), 8);
                room.commit(0);
                room.claimState(talker.group, 8);
                room.commit(0);
            }
            room.sendState(room.everyoneBut(seat), buffer, 0, 8);
            room.sendState(room.everyone(), buffer, 0, 8);
            least[0] = Math.min(
                least[0], threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before);
        };
        // The JVM allocates in a run where it loads a class; a call that allocates does so in every run.
        for (int run = 0; run < RUNS; run++)
        {
            players.get(0).send("run");
        }
        assertEquals(List.of(), bench.failures());
        assertEquals(RUNS, rooms.get(0).runs);
        assertEquals(0, least[0]);
    }

    private void assertRefused(final Room room, final Audience audience, final String reason)
    {
        for (final Consumer<Audience> use : List.<Consumer<Audience>>of(
            (to) -> room.sendEvent(to, buffer, 0, 1),
            (to) -> room.sendState(to, buffer, 0, 1),
            (to) -> room.claimEvent(to, 1),
            (to) -> room.claimState(to, 1)))
        {
            final Exception refused = assertThrows(IllegalArgumentException.class, () -> use.accept(audience));
            assertTrue(refused.getMessage().contains(reason), refused.getMessage());
        }
    }

    private RoomBench bench(final int seatLimit)
    {
        return RoomBench.of(type(seatLimit));
    }

    private RoomType type(final int seatLimit)
    {
        return RoomType.of(1, "talk", 1, () ->
        {
            final Talker talker = new Talker();
            rooms.add(talker);
            return talker;
        }).seats(seatLimit);
    }

    private static List<BenchSeat> players(final RoomBench bench)
    {
        final List<BenchSeat> players = new ArrayList<>();
        for (int i = 0; i < PLAYERS; i++)
        {
            players.add(bench.join(i + 1));
        }
        return players;
    }

    /** Sends each message on in the way and to the audience that its text names, or runs the test's action. */
    private static final class Talker implements RoomLogic
    {
        private final Seat[] seats = new Seat[PLAYERS];
        private final Audience[] everyoneBut = new Audience[PLAYERS];
        private Room room;
        private SeatGroup group;
        private Audience everyone;
        private Consumer<Room> action;
        private int runs;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            group = opened.newGroup();
            everyone = opened.everyone();
        }

        @Override
        public void onJoin(final Seat seat)
        {
            seats[seat.index()] = seat;
            everyoneBut[seat.index()] = room.everyoneBut(seat);
            if (1 == seat.index() % 2)
            {
                group.add(seat);
            }
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            final String text = message.getStringWithoutLengthAscii(offset, length);
            if ("run".equals(text))
            {
                action.accept(room);
                runs++;
                return;
            }

            final String way = text.substring(0, text.indexOf(' '));
            final Audience audience = audience(text.substring(way.length() + 1), from.index());
            switch (way)
            {
                case "sendEvent" -> room.sendEvent(audience, message, offset, length);
                case "sendState" -> room.sendState(audience, message, offset, length);
                case "claimEvent" ->
                {
                    room.claimEvent(audience, length + 8).putBytes(0, message, offset, length);
                    room.commit(length);
                }
                default ->
                {
                    room.claimState(audience, length).putBytes(0, message, offset, length);
                    room.commit(length);
                }
            }
        }

        Audience audience(final String kind, final int seatIndex)
        {
            return switch (kind)
            {
                case "seat" -> seats[seatIndex];
                case "group" -> group;
                case "everyone" -> everyone;
                default -> everyoneBut[seatIndex];
            };
        }
    }
}
