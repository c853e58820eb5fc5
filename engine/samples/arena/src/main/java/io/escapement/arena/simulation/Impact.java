package io.escapement.arena.simulation;

/**
 * The earliest time at which a moving point enters any of the open boxes it was tried against. Times are fractions of
 * the displacement, kept as numerator and denominator and compared exactly.
 * <p>
 * Boxes are open: a point on their edge is outside and may move along it. When boxes are entered at the same time, a
 * box entered through a face precedes a box entered through its very corner. Then the lower id is first. So the outcome
 * does not depend on the order of the tries, and a point that slides along two adjoining walls does not catch on their
 * seam.
 */
final class Impact
{
    /** The point was inside the box from the start: it can't move at all. */
    static final int AXIS_NONE = 0;
    /** The box was entered along x. */
    static final int AXIS_X = 1;
    /** The box was entered along y. */
    static final int AXIS_Y = 2;

    /** As time before any start and after any end: longer than any distance over a displacement of one. */
    private static final long FOREVER = 1L << 30;

    int id;
    int axis;
    long numerator;
    long denominator;
    private boolean isCorner;

    /** Forget all tries: no impact. */
    void clear()
    {
        id = -1;
        axis = AXIS_NONE;
        numerator = 1;
        denominator = 1;
        isCorner = false;
    }

    boolean isHit()
    {
        return id >= 0;
    }

    /** Try one box. A move and a box are four numbers each, and an object per box would be garbage. */
    @SuppressWarnings("checkstyle:parameternumber")
    void consider(
        final int x,
        final int y,
        final int dx,
        final int dy,
        final int minX,
        final int minY,
        final int maxX,
        final int maxY,
        final int boxId)
    {
        if (0 == dx && (x <= minX || x >= maxX) || 0 == dy && (y <= minY || y >= maxY))
        {
            return;
        }
        final long nearX = dx > 0 ? minX - x : dx < 0 ? x - maxX : -FOREVER;
        final long nearY = dy > 0 ? minY - y : dy < 0 ? y - maxY : -FOREVER;
        final long farX = dx > 0 ? maxX - x : dx < 0 ? x - minX : FOREVER;
        final long farY = dy > 0 ? maxY - y : dy < 0 ? y - minY : FOREVER;
        final long lengthX = 0 == dx ? 1 : Math.abs(dx);
        final long lengthY = 0 == dy ? 1 : Math.abs(dy);
        if (farX <= 0 || farY <= 0 || nearX >= lengthX || nearY >= lengthY)
        {
            return;
        }
        if (nearX < 0 && nearY < 0)
        {
            offer(0, 1, AXIS_NONE, false, boxId);
            return;
        }
        // Entered when it is within both slabs. Entered at all if that is before it leaves the first of them.
        final long crossX = nearX * lengthY;
        final long crossY = nearY * lengthX;
        if (crossX >= crossY)
        {
            if (crossX < farY * lengthX)
            {
                offer(nearX, lengthX, AXIS_X, crossX == crossY, boxId);
            }
        }
        else if (crossY < farX * lengthY)
        {
            offer(nearY, lengthY, AXIS_Y, false, boxId);
        }
    }

    private void offer(final long time, final long of, final int newAxis, final boolean newIsCorner, final int boxId)
    {
        final long order = Long.compare(time * denominator, numerator * of);
        if (order < 0 || 0 == order && isBefore(newIsCorner, boxId))
        {
            id = boxId;
            axis = newAxis;
            numerator = time;
            denominator = of;
            isCorner = newIsCorner;
        }
    }

    private boolean isBefore(final boolean newIsCorner, final int boxId)
    {
        return id >= 0 && (newIsCorner == isCorner ? boxId < id : isCorner);
    }
}
