package io.escapement.client;

import io.escapement.codecs.TrunkMessages;
import io.escapement.testsupport.Allocations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The messages that are kept, against a naive twin: a sorted map of copies for each seat. Budget: 1 s. */
class ResenderTest
{
    private static final int SEATS = 5;
    private static final int LENGTH = 4 * 1_024;
    private static final int COMMANDS = 20_000;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[TrunkMessages.MAX_PAYLOAD_LENGTH + 8]);
    private final UnsafeBuffer copy = new UnsafeBuffer(new byte[TrunkMessages.MAX_PAYLOAD_LENGTH]);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldKeepWhatANaiveTwinKeeps(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final Resender resender = new Resender(LENGTH);
        final List<ClientSeat> seats = new ArrayList<>();
        final List<TreeMap<Long, byte[]>> naive = new ArrayList<>();
        for (int i = 0; i < SEATS; i++)
        {
            seats.add(new ClientSeat(1, 0, i, 1, i));
            naive.add(new TreeMap<>());
        }
        int refusals = 0;
        for (int i = 0; i < COMMANDS; i++)
        {
            final int at = random.nextInt(SEATS);
            final ClientSeat seat = seats.get(at);
            final TreeMap<Long, byte[]> twin = naive.get(at);
            final int roll = random.nextInt(100);
            if (roll < 70)
            {
                final int length = random.nextInt(4) == 0 ? random.nextInt(513) : random.nextInt(80);
                final boolean hasRoom = blocks(naive) + Math.max(1, (length + 63) / 64) <= LENGTH / 64;
                assertEquals(hasRoom, resender.hasRoom(length), "seed " + seed);
                if (hasRoom)
                {
                    final byte[] bytes = new byte[length];
                    random.nextBytes(bytes);
                    buffer.putBytes(8, bytes);
                    seat.skipSequence();
                    resender.keep(seat, seat.sequence(), buffer, 8, length);
                    twin.put(seat.sequence(), bytes);
                }
                else
                {
                    refusals++;
                }
            }
            else if (roll < 85)
            {
                final long sequence = random.nextLong(Math.max(0, seat.sequence() - 30), seat.sequence() + 2);
                resender.accepted(seat, sequence);
                twin.headMap(sequence, true).clear();
            }
            else if (roll < 98)
            {
                final long sequence = random.nextLong(Math.max(0, seat.sequence() - 30), seat.sequence() + 2);
                assertEquals(null != twin.remove(sequence), resender.refused(seat, sequence), "seed " + seed);
            }
            else
            {
                resender.forget(seat);
                twin.clear();
            }
            assertSame(seed, twin, resender, seat, random.nextLong(Math.max(1, seat.sequence())));
            assertEquals((LENGTH / 64 - blocks(naive)) * 64, resender.free(), "seed " + seed);
        }
        assertTrue(refusals > 0, "seed " + seed + " never filled it");
    }

    @Test
    void shouldHoldExactlyItsLength()
    {
        final Resender resender = new Resender(4 * Resender.BLOCK_LENGTH + 1);
        final ClientSeat seat = new ClientSeat(1, 0, 0, 1, 2);
        resender.keep(seat, 1, buffer, 0, 65);
        assertFalse(resender.hasRoom(129));
        assertTrue(resender.hasRoom(128));
        resender.keep(seat, 2, buffer, 0, 128);
        assertFalse(resender.hasRoom(0), "an empty message takes a block");
        resender.accepted(seat, 1);
        assertTrue(resender.hasRoom(0));
    }

    @Test
    void shouldNotAllocate()
    {
        final Resender resender = new Resender(LENGTH);
        final ClientSeat seat = new ClientSeat(1, 0, 0, 1, 2);
        assertEquals(0, Allocations.least(50, () ->
        {
            for (int i = 0; i < 1_000; i++)
            {
                seat.skipSequence();
                resender.keep(seat, seat.sequence(), buffer, 0, 100);
                resender.copy(resender.nextAbove(seat, seat.sequence() - 1), copy);
                if (0 == i % 8)
                {
                    resender.accepted(seat, seat.sequence());
                }
            }
        }));
    }

    private void assertSame(
        final long seed,
        final TreeMap<Long, byte[]> twin,
        final Resender resender,
        final ClientSeat seat,
        final long above)
    {
        int at = resender.nextAbove(seat, above);
        for (final Map.Entry<Long, byte[]> expected : twin.tailMap(above, false).entrySet())
        {
            assertTrue(Resender.NONE != at, "seed " + seed);
            assertEquals(expected.getKey(), resender.sequence(at), "seed " + seed);
            assertEquals(expected.getValue().length, resender.length(at), "seed " + seed);
            resender.copy(at, copy);
            assertArrayEquals(expected.getValue(), Arrays.copyOf(copy.byteArray(), resender.length(at)));
            at = resender.next(at);
        }
        assertEquals(Resender.NONE, at, "seed " + seed);
    }

    private static int blocks(final List<TreeMap<Long, byte[]>> naive)
    {
        int blocks = 0;
        for (final TreeMap<Long, byte[]> twin : naive)
        {
            for (final byte[] bytes : twin.values())
            {
                blocks += Math.max(1, (bytes.length + 63) / 64);
            }
        }
        return blocks;
    }
}
