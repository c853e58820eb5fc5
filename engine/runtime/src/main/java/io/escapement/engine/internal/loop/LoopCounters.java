package io.escapement.engine.internal.loop;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.engine.monitor.CounterTypes;
import java.util.Map;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.status.AtomicCounter;

/** The counters of a loop, which is their only writer. */
public final class LoopCounters
{
    /** Makes a counter. */
    @FunctionalInterface
    public interface Factory
    {
        /**
         * Make a counter.
         *
         * @param typeId of the counter.
         * @param label  for people.
         */
        AtomicCounter counter(int typeId, String label);

        /**
         * Make a counter that may decrease.
         *
         * @param typeId of the counter.
         * @param label  for people.
         */
        default AtomicCounter gauge(final int typeId, final String label)
        {
            return counter(typeId, label);
        }
    }

    private static final int CODES = 128;

    private final AtomicCounter[] byCode = new AtomicCounter[CODES];
    private final Int2ObjectHashMap<AtomicCounter> byCounterIdMap = new Int2ObjectHashMap<>();
    private final AtomicCounter unnamed;
    private final AtomicCounter turns;
    private final AtomicCounter commands;
    private final AtomicCounter refusals;
    private final AtomicCounter framesMissed;
    private final AtomicCounter roomsFailed;
    private final AtomicCounter statesDropped;
    private final AtomicCounter eventsLost;
    private final AtomicCounter sendsBlocked;
    private final AtomicCounter requestsRefused;
    private final AtomicCounter answersLost;
    private final AtomicCounter busyNs;
    private final AtomicCounter frames;
    private final AtomicCounter framesNs;
    private final AtomicCounter rooms;
    private final AtomicCounter timers;
    private final AtomicCounter requests;
    private final AtomicCounter draining;
    private final AtomicCounter logBlocked;
    private final AtomicCounter snapshots;
    private final AtomicCounter snapshotsFailed;
    private final AtomicCounter replayNs;
    private final AtomicCounter stale;
    private final AtomicCounter roomErrors;
    private final AtomicCounter longestTurn;
    private final AtomicCounter roomsReloaded;
    private final AtomicCounter feedReceivers;
    private final AtomicCounter feedPackets;

    /**
     * Make the counters of a loop.
     *
     * @param loop               its number.
     * @param factory            that makes them.
     * @param nameByCounterIdMap names of the application's counters.
     */
    public LoopCounters(final int loop, final Factory factory, final Map<Integer, String> nameByCounterIdMap)
    {
        final String prefix = "escapement loop " + loop + ": ";
        int typeId = CounterTypes.APPLICATION;
        unnamed = factory.counter(typeId, prefix + "counted by rooms under no name");
        for (final Map.Entry<Integer, String> named : nameByCounterIdMap.entrySet())
        {
            byCounterIdMap.put(named.getKey().intValue(), factory.counter(++typeId, prefix + named.getValue()));
        }
        turns = factory.counter(CounterTypes.LOOP, prefix + "turns");
        commands = factory.counter(CounterTypes.LOOP + 1, prefix + "commands");
        refusals = factory.counter(CounterTypes.LOOP + 2, prefix + "commands refused");
        framesMissed = factory.counter(CounterTypes.LOOP + 3, prefix + "room-frames that never ran");
        roomsFailed = factory.counter(CounterTypes.LOOP + 4, prefix + "rooms failed");
        statesDropped = factory.counter(CounterTypes.LOOP + 5, prefix + "states dropped");
        eventsLost = factory.counter(CounterTypes.LOOP + 6, prefix + "events lost with their trunk");
        sendsBlocked = factory.counter(CounterTypes.LOOP + 7, prefix + "sends blocked");
        requestsRefused = factory.counter(CounterTypes.LOOP + 8, prefix + "requests of rooms refused");
        answersLost = factory.counter(CounterTypes.LOOP + 9, prefix + "answers lost");
        busyNs = factory.counter(CounterTypes.LOOP + 10, prefix + "nanoseconds at work");
        rooms = factory.gauge(CounterTypes.LOOP + 11, prefix + "rooms open");
        timers = factory.gauge(CounterTypes.LOOP + 12, prefix + "timers set");
        requests = factory.gauge(CounterTypes.LOOP + 13, prefix + "requests to services open");
        draining = factory.gauge(CounterTypes.LOOP + 14, prefix + "draining");
        frames = factory.counter(CounterTypes.LOOP + 15, prefix + "room-frames run");
        framesNs = factory.counter(CounterTypes.LOOP + 16, prefix + "nanoseconds in frames");
        logBlocked = factory.counter(CounterTypes.LOOP + 17, prefix + "proposals that the log had no room for");
        snapshots = factory.counter(CounterTypes.LOOP + 18, prefix + "snapshots");
        snapshotsFailed = factory.counter(CounterTypes.LOOP + 19, prefix + "snapshots that failed");
        replayNs = factory.gauge(CounterTypes.LOOP + 20, prefix + "nanoseconds of replay behind the last snapshot");
        stale = factory.counter(CounterTypes.LOOP + 21, prefix + "committed proposals that were stale");
        roomErrors = factory.counter(CounterTypes.LOOP + 22, prefix + "throws after which their rooms went on");
        longestTurn = factory.gauge(CounterTypes.LOOP + 23, prefix + "nanoseconds of the longest turn in a second");
        roomsReloaded = factory.counter(CounterTypes.LOOP + 27, prefix + "rooms that another version took over");
        feedReceivers = factory.gauge(CounterTypes.LOOP + 28, prefix + "trunks that receive its feed");
        feedPackets = factory.counter(CounterTypes.LOOP + 29, prefix + "packets of its feed");
        for (final RefusalCode code : RefusalCode.values())
        {
            if (code.value() > 0 && code.value() < CODES)
            {
                byCode[code.value()] =
                    factory.counter(CounterTypes.LOOP_CODES + code.value(), prefix + "refused " + code);
            }
        }
    }

    /** Time in rooms' frames, in nanoseconds. From any thread. */
    public long framesNs()
    {
        return framesNs.get();
    }

    /** Total busy time in nanoseconds. From any thread. */
    public long busyNs()
    {
        return busyNs.get();
    }

    /** Number of open rooms. From any thread. */
    public long rooms()
    {
        return rooms.get();
    }

    /** Number of requests to services without a reply. From any thread. */
    public long requests()
    {
        return requests.get();
    }

    /** Whether the rooms have had {@code onDrain}. From any thread. */
    public boolean isDraining()
    {
        return 0 != draining.get();
    }

    void busy(final long ns)
    {
        busyNs.getAndAddRelease(ns);
    }

    void holds(final int roomCount, final int timerCount, final int requestCount, final boolean isDraining)
    {
        rooms.setRelease(roomCount);
        timers.setRelease(timerCount);
        requests.setRelease(requestCount);
        if (isDraining)
        {
            // After the others: a drain reads them once it has seen this.
            draining.setRelease(1);
        }
    }

    /**
     * Turns that had work. From any thread.
     *
     * @return the number since the loop was made.
     */
    public long turns()
    {
        return turns.get();
    }

    void turn(final int commandCount)
    {
        turns.incrementRelease();
        commands.getAndAddRelease(commandCount);
    }

    void refused(final int code)
    {
        refusals.incrementRelease();
        if (code < byCode.length && null != byCode[code])
        {
            byCode[code].incrementRelease();
        }
    }

    void frames(final int count, final long workNs)
    {
        frames.getAndAddRelease(count);
        framesNs.getAndAddRelease(workNs);
    }

    void framesMissed(final int count)
    {
        framesMissed.getAndAddRelease(count);
    }

    void roomFailed()
    {
        roomsFailed.incrementRelease();
    }

    void roomReloaded()
    {
        roomsReloaded.incrementRelease();
    }

    void roomError()
    {
        roomErrors.incrementRelease();
    }

    void statesDropped(final int count)
    {
        statesDropped.getAndAddRelease(count);
    }

    void feedReceivers(final int change)
    {
        feedReceivers.getAndAddRelease(change);
    }

    void feedPackets(final int count)
    {
        feedPackets.getAndAddRelease(count);
    }

    void eventLost()
    {
        eventsLost.incrementRelease();
    }

    void blocked()
    {
        sendsBlocked.incrementRelease();
    }

    void add(final int counterId, final long delta)
    {
        final AtomicCounter named = byCounterIdMap.get(counterId);
        (null == named ? unnamed : named).getAndAddRelease(delta);
    }

    void requestRefused()
    {
        requestsRefused.incrementRelease();
    }

    void logBlocked()
    {
        logBlocked.incrementRelease();
    }

    void snapshot()
    {
        snapshots.incrementRelease();
    }

    void snapshotFailed()
    {
        snapshotsFailed.incrementRelease();
    }

    void replay(final long ns)
    {
        replayNs.setRelease(ns);
    }

    void stale(final long total)
    {
        stale.setRelease(total);
    }

    void longestTurn(final long ns)
    {
        longestTurn.setRelease(ns);
    }

    void answerLost()
    {
        answersLost.incrementRelease();
    }
}
