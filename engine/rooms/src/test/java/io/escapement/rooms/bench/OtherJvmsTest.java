package io.escapement.rooms.bench;

import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateWriter;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rooms whose order differs from JVM to JVM pass a replay in one JVM, and are found by running them in others. */
class OtherJvmsTest
{
    @Test
    void shouldFindARoomThatSendsInTheOrderOfASet()
    {
        play(Set.of("a", "b"), true).replayAndCompare();
        assertFound("other output in turn", new OfSet());
    }

    @Test
    void shouldFindARoomWhoseStateIsInTheOrderOfIdentityHashes()
    {
        play(identities(), false).replayAndCompare();
        assertFound("another state after turn", new OfIdentities());
    }

    @Test
    void shouldPassARoomWithADefinedOrder()
    {
        RoomBench.compareWithOtherJvms(new OfList());
    }

    @Test
    void shouldReportAScenarioThatAnotherJvmCannotRun()
    {
        final RoomBench.Scenario lambda = () -> play(List.of(), true);
        assertThrows(IllegalArgumentException.class, () -> RoomBench.compareWithOtherJvms(lambda));
        final AssertionError failure = assertThrows(
            AssertionError.class, () -> RoomBench.compareWithOtherJvms(new Hidden(1)));
        assertTrue(failure.getMessage().contains("Hidden"), failure::getMessage);
    }

    private static void assertFound(final String difference, final RoomBench.Scenario scenario)
    {
        final AssertionError error =
            assertThrows(AssertionError.class, () -> RoomBench.compareWithOtherJvms(scenario));
        assertTrue(error.getMessage().contains(difference), error::getMessage);
    }

    private static RoomBench play(final Collection<?> walked, final boolean isSent)
    {
        final RoomBench bench = RoomBench.of(RoomType.of(1, "walker", 1, () -> new Walker(walked, isSent)));
        bench.join(1).send("go");
        return bench;
    }

    private static Set<Object> identities()
    {
        // 2 in 20,922,789,888,000 orders would be the same.
        final Set<Object> kinds = new HashSet<>(List.of(LeaveReason.values()));
        kinds.addAll(List.of(TimeUnit.values()));
        return kinds;
    }

    /** Walks a Set.of in what it sends. */
    public static final class OfSet implements RoomBench.Scenario
    {
        @Override
        public RoomBench run()
        {
            return play(Set.of("a", "b"), true);
        }
    }

    /** Walks a hash table of enums in its state. */
    public static final class OfIdentities implements RoomBench.Scenario
    {
        @Override
        public RoomBench run()
        {
            return play(identities(), false);
        }
    }

    /** Walks nothing but sorted keys. */
    public static final class OfList implements RoomBench.Scenario
    {
        @Override
        public RoomBench run()
        {
            return play(new TreeSet<>(Map.of("a", 1, "b", 2, "c", 3).keySet()), true);
        }
    }

    /** Has no constructor that another JVM could call. */
    public record Hidden(int number) implements RoomBench.Scenario
    {
        @Override
        public RoomBench run()
        {
            return play(List.of(), true);
        }
    }

    private static final class Walker implements RoomLogic
    {
        private final Collection<?> walked;
        private final boolean isSent;
        private String order = "";
        private Room room;

        Walker(final Collection<?> walked, final boolean isSent)
        {
            this.walked = walked;
            this.isSent = isSent;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            order = walked.toString();
            if (isSent)
            {
                final byte[] bytes = order.getBytes();
                room.sendEvent(from, new UnsafeBuffer(bytes), 0, bytes.length);
            }
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            for (final char character : (isSent ? "" : order).toCharArray())
            {
                writer.putInt(character);
            }
        }
    }
}
