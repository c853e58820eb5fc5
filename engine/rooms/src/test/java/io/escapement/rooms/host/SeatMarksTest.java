package io.escapement.rooms.host;

import io.escapement.rooms.output.Outputs;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Compares the marks with one bit set for each of their sets. */
class SeatMarksTest
{
    private static final long SEED = 20_261_123;
    private static final int STEPS = 2_000;
    private static final int[] AUDIENCES = {Outputs.ALL, Outputs.ALL_EXCEPT, Outputs.MASK, Outputs.ONE};

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final BitSet[] sets = {new BitSet(), new BitSet(), new BitSet(), new BitSet()};

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 63, 64, 65, 128, 200})
    void shouldBehaveAsSetsOfIndexes(final int seats)
    {
        final SeatMarks marks = new SeatMarks(seats);
        for (int step = 0; step < STEPS; step++)
        {
            final String what = "seed " + SEED + ", " + seats + " seats, step " + step;
            final int set = random.nextInt(sets.length);
            final int seat = random.nextInt(seats);
            switch (random.nextInt(6))
            {
                case 0, 1 ->
                {
                    final boolean isMember = random.nextInt(3) == 0;
                    marks.mark(set, seat, isMember);
                    sets[set].set(seat, isMember);
                }
                case 2 ->
                {
                    assertEquals(sets[set].get(seat), marks.takeMark(set, seat), what);
                    sets[set].clear(seat);
                }
                case 3 -> putPresent(marks, 1 + random.nextInt(sets.length - 1), seats, what);
                case 4 ->
                {
                    final BitSet both = (BitSet)sets[set].clone();
                    final int other = random.nextInt(sets.length);
                    both.or(sets[other]);
                    // One seat beyond the last, where a walk over the marked seats ends.
                    final int from = random.nextInt(seats + 1);
                    assertEquals(both.nextSetBit(from), marks.nextMarked(set, other, from), what + ", from " + from);
                }
                default -> sets[clear(marks, seats)].clear();
            }
            assertEquals(sets[set].get(seat), marks.isMarked(set, seat), what);
        }
    }

    /** Now and then a set is empty, so that walks and audiences find nothing. */
    private int clear(final SeatMarks marks, final int seats)
    {
        final int set = random.nextInt(sets.length);
        for (int seat = 0; seat < seats; seat++)
        {
            marks.mark(set, seat, false);
        }
        return set;
    }

    private void putPresent(final SeatMarks marks, final int set, final int seats, final String what)
    {
        final int audience = AUDIENCES[random.nextInt(AUDIENCES.length)];
        final int seat = random.nextInt(seats);
        // The generation of a seat is in the high half of the selector, and must make no difference.
        final long selector = Outputs.MASK == audience ? random.nextLong() :
            Outputs.ONE == audience ? (random.nextLong() << 32) | seat : seat;
        final BitSet receivers = new BitSet();
        switch (audience)
        {
            case Outputs.ALL -> receivers.set(0, seats);
            case Outputs.ALL_EXCEPT ->
            {
                receivers.set(0, seats);
                receivers.clear(seat);
            }
            case Outputs.MASK -> receivers.or(BitSet.valueOf(new long[]{selector}));
            default -> receivers.set(seat);
        }
        receivers.and(sets[SeatMarks.PRESENT]);
        assertEquals(!receivers.isEmpty(), marks.markPresent(set, audience, selector), what + ", audience " + audience);
        sets[set].or(receivers);
        for (int i = 0; i < seats; i++)
        {
            assertEquals(sets[SeatMarks.PRESENT].get(i), marks.isMarked(SeatMarks.PRESENT, i), what + ", present " + i);
            assertEquals(sets[set].get(i), marks.isMarked(set, i), what + ", audience " + audience + ", seat " + i);
        }
    }
}
