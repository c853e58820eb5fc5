package io.escapement.client;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

class RoomSeatsTest
{
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldHoldWhatATreeHolds(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final RoomSeats seats = new RoomSeats();
        final TreeMap<Integer, ClientSeat> tree = new TreeMap<>();
        for (int i = 0; i < 2_000; i++)
        {
            final int index = random.nextInt(40);
            final ClientSeat seat = new ClientSeat(1, 0, index, i, 100 + index);
            if (random.nextBoolean())
            {
                seats.put(seat);
                tree.put(index, seat);
            }
            else
            {
                seats.remove(seat);
                final ClientSeat held = tree.remove(index);
                if (null != held)
                {
                    assertSame(held, seats.find(index), "an older seat of the index is not removed, seed " + seed);
                    seats.remove(held);
                }
            }
            final List<ClientSeat> all = new ArrayList<>();
            for (int position = 0; position < seats.size(); position++)
            {
                all.add(seats.at(position));
            }
            assertEquals(new ArrayList<>(tree.values()), all, "seed " + seed);
            assertSame(tree.get(index), seats.find(index), "seed " + seed);
            assertSame(tree.get(index), seats.ofPlayer(100 + index), "seed " + seed);
        }
        assertNull(seats.find(Integer.MAX_VALUE));
        seats.put(new ClientSeat(1, 0, 1, 1, 0));
        assertNull(seats.ofPlayer(0), "a seat whose player is not known");
    }
}
