package io.escapement.console;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.RealTime;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A room that does as its first argument orders. It has two timers, runs frames, and sends a state in each. */
@RealTime("it holds a loop, and keeps it busy")
final class Ordered implements RoomLogic
{
    static final int TYPE = 8;
    static final int RATE_HZ = 60;
    static final int TIMERS = 2;
    /** Message of the exception in the first frame of a room that shall fail. */
    static final String FAILURE = "as it was ordered";
    /** Ends a callback that holds its loop. */
    static final Semaphore ENDS = new Semaphore(0);

    private static final long PATIENCE_S = 20;
    private static final long BURN_NS = TimeUnit.MILLISECONDS.toNanos(25);
    private static final UnsafeBuffer STATE = new UnsafeBuffer(new byte[100]);

    /** Orders. */
    enum Order
    {
        /** Nothing more. */
        NONE,
        /** Throw in the first frame. */
        FAIL,
        /** Hold the loop when the room opens, until {@link #ENDS} has a permit. */
        HOLD_OPEN,
        /** Hold the loop in the first frame. */
        HOLD_FRAME,
        /** Compute in each frame for longer than a frame has. */
        BURN
    }

    private Room room;
    private Order order = Order.NONE;

    static RoomType type()
    {
        return RoomType.of(TYPE, "ordered", 1, Ordered::new);
    }

    /** The arguments of a room. */
    static UnsafeBuffer arguments(final Order order)
    {
        return new UnsafeBuffer(new byte[]{(byte)order.ordinal()});
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        order = Order.values()[args.getByte(offset)];
        room.frameRate(RATE_HZ);
        for (int i = 1; i <= TIMERS; i++)
        {
            room.after(TimeUnit.HOURS.toNanos(i), 0, 0);
        }
        if (Order.HOLD_OPEN == order)
        {
            hold();
        }
    }

    @Override
    public void onFrame(final long frame, final long elapsedNs)
    {
        switch (order)
        {
            case FAIL -> throw new IllegalStateException(FAILURE);
            case HOLD_FRAME ->
            {
                order = Order.NONE;
                hold();
            }
            case BURN -> burn();
            default ->
            {
            }
        }
        room.sendState(room.everyone(), STATE, 0, STATE.capacity());
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        throw new IllegalStateException("nobody sends here");
    }

    private static void hold()
    {
        try
        {
            if (!ENDS.tryAcquire(PATIENCE_S, TimeUnit.SECONDS))
            {
                throw new IllegalStateException("nobody ended it");
            }
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static void burn()
    {
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < BURN_NS)
        {
            Thread.onSpinWait();
        }
    }
}
