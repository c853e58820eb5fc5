package io.escapement.perf.peers;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.agrona.DeadlineTimerWheel;
import org.agrona.collections.Long2LongHashMap;

/**
 * Agrona's timer wheel with handles that are safe to keep. A stale id would cancel the timer that took its place,
 * because the wheel reuses its ids. Here a handle is a serial number that is never reused, and two maps translate it to
 * the wheel's id and back. One thread.
 */
public final class SafeAgronaTimers
{
    /** Neither the wheel's ids nor the handles are negative. */
    private static final long MISSING = -1;
    /** The default of the maps. */
    private static final float LOAD_FACTOR = 0.65f;

    private final DeadlineTimerWheel wheel;
    private final Long2LongHashMap timerIdByHandleMap;
    private final Long2LongHashMap handleByTimerIdMap;
    private final DeadlineTimerWheel.TimerHandler onExpiry = this::onExpiry;
    private LongConsumer handler;
    private long nextHandle;

    /**
     * @param tickNs          resolution of the wheel in nanoseconds, a power of two.
     * @param ticksPerWheel   spokes of the wheel, a power of two.
     * @param ticksAllocation initial capacity of a spoke.
     * @param timerCapacity   initial capacity of the maps.
     */
    public SafeAgronaTimers(
        final long tickNs, final int ticksPerWheel, final int ticksAllocation, final int timerCapacity)
    {
        wheel = new DeadlineTimerWheel(TimeUnit.NANOSECONDS, 0, tickNs, ticksPerWheel, ticksAllocation);
        final int mapCapacity = (int)Math.ceil(timerCapacity / LOAD_FACTOR);
        timerIdByHandleMap = new Long2LongHashMap(mapCapacity, LOAD_FACTOR, MISSING);
        handleByTimerIdMap = new Long2LongHashMap(mapCapacity, LOAD_FACTOR, MISSING);
    }

    /** Set a timer. Returns a handle that is never reused. */
    public long set(final long deadlineNs)
    {
        final long handle = nextHandle++;
        final long timerId = wheel.scheduleTimer(deadlineNs);
        timerIdByHandleMap.put(handle, timerId);
        handleByTimerIdMap.put(timerId, handle);
        return handle;
    }

    /** Cancel a timer. Returns false if its handle is stale. */
    public boolean cancel(final long handle)
    {
        final long timerId = timerIdByHandleMap.remove(handle);
        if (MISSING == timerId)
        {
            return false;
        }
        handleByTimerIdMap.remove(timerId);
        return wheel.cancelTimer(timerId);
    }

    /**
     * Expire the timers that are due, tick by tick, in no order within a tick.
     *
     * @param nowNs   the time.
     * @param handler to call with each handle, which is stale by then. It may set and cancel timers.
     * @return number of timers that expired.
     */
    public int poll(final long nowNs, final LongConsumer handler)
    {
        this.handler = handler;
        int expired = 0;
        // The wheel moves by at most one tick a call.
        do
        {
            expired += wheel.poll(nowNs, onExpiry, Integer.MAX_VALUE);
        }
        while (wheel.currentTickTime() <= nowNs);
        return expired;
    }

    private boolean onExpiry(final TimeUnit timeUnit, final long nowNs, final long timerId)
    {
        final long handle = handleByTimerIdMap.remove(timerId);
        timerIdByHandleMap.remove(handle);
        handler.accept(handle);
        return true;
    }
}
