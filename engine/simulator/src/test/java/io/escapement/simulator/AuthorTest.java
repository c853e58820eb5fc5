package io.escapement.simulator;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A simulation of an author's rooms, and its report of each kind of fault in them. */
class AuthorTest
{
    private static final int SEEDS = 6;
    private static final int TYPE = 1;
    private static final int MOST = 3;

    private int made;

    @Test
    void shouldFindNothingInAnHonestRoom()
    {
        simulate(Counter::new).run(SEEDS);
    }

    @Test
    void shouldNameTheSeedAndTheSmallestScheduleOfABrokenInvariant()
    {
        final String found = failure(simulate(Counter::new).checkAfterEachTurn(Counter.class, (room) ->
        {
            if (room.messages > MOST)
            {
                throw new IllegalStateException("too many");
            }
        }));
        assertTrue(found.startsWith("seed 1 fails: it threw java.lang.IllegalStateException: too many"), found);
        assertTrue(found.contains(", 1 client, "), found);
        assertTrue(found.contains("faults []"), found);
        assertTrue(found.contains("again: -Dsimulator.seed=1"), found);
    }

    @Test
    void shouldCheckTheRoomsOfEachNode()
    {
        final Set<Counter> rooms = Collections.newSetFromMap(new IdentityHashMap<>());
        final Set<Counter> checked = Collections.newSetFromMap(new IdentityHashMap<>());
        final Simulator simulator = simulate(() ->
        {
            final Counter room = new Counter();
            rooms.add(room);
            return room;
        }).checkAfterEachTurn(Counter.class, checked::add);
        try (Entropy entropy = new Entropy(); Simulator.Schedules schedules = new Simulator.Schedules(entropy))
        {
            assertEquals(List.of(), schedules.run(1, new Shape(Mode.GROUP, 1, 300, EnumSet.noneOf(Fault.class), false),
                () -> new AuthorGame(simulator)).violations());
        }
        assertEquals(2 * Mode.GROUP.nodes(), rooms.size(), "each node starts twice");
        assertEquals(rooms, checked);
    }

    @Test
    void shouldFindARoomThatThrows()
    {
        assertTrue(failure(simulate(Thrower::new)).contains("a fault of the author"));
    }

    @Test
    void shouldFindASnapshotThatLacksAValue()
    {
        assertTrue(failure(simulate(Forgetful::new)).startsWith("seed "));
    }

    @Test
    void shouldFindARoomThatDependsOnItsProcess()
    {
        assertTrue(failure(simulate(() -> new Counter(made++))).startsWith("seed "));
    }

    private static String failure(final Simulator simulator)
    {
        return assertThrows(AssertionError.class, () -> simulator.run(SEEDS)).getMessage();
    }

    private static Simulator simulate(final Supplier<RoomLogic> rooms)
    {
        return new Simulator(RoomType.of(TYPE, "counter", 1, rooms)).open(TYPE, 1)
            .script((playerId, roomId, random, buffer) -> 1 + random.nextInt(8));
    }

    /** Counts messages, and sends the count. */
    private static class Counter implements RoomLogic
    {
        private final UnsafeBuffer count = new UnsafeBuffer(new byte[Integer.BYTES]);
        private final int first;
        private Room room;
        private int messages;

        Counter()
        {
            this(0);
        }

        Counter(final int first)
        {
            this.first = first;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            messages++;
            count.putInt(0, first + messages);
            room.sendEvent(from, count, 0, Integer.BYTES);
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putInt(messages);
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
            messages = reader.getInt();
        }
    }

    private static final class Thrower extends Counter
    {
        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalArgumentException("a fault of the author");
        }
    }

    private static final class Forgetful extends Counter
    {
        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putInt(0);
        }
    }
}
