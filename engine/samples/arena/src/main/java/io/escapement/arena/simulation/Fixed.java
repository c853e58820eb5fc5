package io.escapement.arena.simulation;

/**
 * Fixed-point numbers: a length of one unit is {@link #UNIT}, a speed is a length per sub-step. Neither this class nor
 * its users use floating point, so that every JVM computes the same bits.
 */
public final class Fixed
{
    /** Bits after the point. */
    public static final int SHIFT = 16;
    /** One unit of length. A player is 0.8 units wide. */
    public static final int UNIT = 1 << SHIFT;
    /** No length or displacement is longer on one axis: with it, every product of two fits a long. */
    public static final int LONGEST = 1 << 27;

    private Fixed()
    {
    }

    /**
     * Square root, rounded down.
     *
     * @param value not negative.
     * @return the largest number with a square not above the value.
     */
    public static long sqrt(final long value)
    {
        long rest = value;
        long root = 0;
        long bit = 1L << (63 - Long.numberOfLeadingZeros(value | 1) & ~1);
        while (0 != bit)
        {
            if (rest >= root + bit)
            {
                rest -= root + bit;
                root = (root >> 1) + bit;
            }
            else
            {
                root >>= 1;
            }
            bit >>= 2;
        }
        return root;
    }

    /**
     * Length of a displacement, rounded down.
     *
     * @param dx along x, at most 2^30 either way.
     * @param dy along y, at most 2^30 either way.
     */
    public static long length(final long dx, final long dy)
    {
        return sqrt(dx * dx + dy * dy);
    }

    /**
     * A vector of the same direction with another length, rounded so that it is never longer.
     *
     * @param component to scale: dx or dy.
     * @param dx        of the vector, at most 2^27 either way. Not zero together with dy.
     * @param dy        of the vector, at most 2^27 either way.
     * @param target    length of the result.
     * @return the component, rounded towards zero.
     */
    public static int scale(final int component, final int dx, final int dy, final int target)
    {
        // Short vectors get extra bits, so that rounding their length has no effect on the result.
        final int shift = Math.max(0, Integer.numberOfLeadingZeros(Math.abs(dx) | Math.abs(dy)) - 8);
        final long x = (long)dx << shift;
        final long y = (long)dy << shift;
        final long square = x * x + y * y;
        final long floor = sqrt(square);
        final long length = floor * floor == square ? floor : floor + 1;
        return (int)(((long)component << shift) * target / length);
    }
}
