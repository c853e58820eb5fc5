package io.escapement.engine.internal.monitor;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Lowers the frame rates of an overloaded loop, one step of each room type's ladder at a time, and raises them when the
 * work fits the higher rate. Time in frames grows with the rate, and time for messages does not.
 *
 * <p>Two busy samples step down. A series of samples in which the higher rate would fit steps up. A step down soon
 * after a step up doubles the series needed for the next step up, so that a load between two steps does not make the
 * rates oscillate.
 */
final class Governor
{
    private static final long SAMPLE_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final double BUSY = 0.85;
    /** Most load to expect after a step up. The rest is for what grows with the rate and is not in frames. */
    private static final double FITS = 0.80;
    private static final int BUSY_SAMPLES = 2;
    private static final int CALM_SAMPLES = 8;
    private static final int MAX_CALM_SAMPLES = 240;
    /** A step down within this many samples after a step up reverts it. */
    private static final int REVERT_SAMPLES = 40;
    private static final int COMMAND_LENGTH = 64;

    private final LoopCounters counters;
    private final CommandQueue inbox;
    private final RateLimits limits;
    private final List<Ladder> ladders;
    private final AtomicCounter levelCounter;
    private final int lowestLevel;
    private final RoomEncoder commands = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[COMMAND_LENGTH]);
    private long sampledNs;
    private long sampledBusyNs;
    private long sampledFramesNs;
    private int busySamples;
    private int calmSamples;
    private int requiredCalmSamples = CALM_SAMPLES;
    private int samplesSinceUp = REVERT_SAMPLES;
    private int level;
    private int laddersSent;
    private int changesSent;

    /** The rates of a room type, highest first. */
    record Ladder(int typeId, int[] ratesHz)
    {
    }

    Governor(final MonitoredLoop loop, final List<Ladder> ladders, final AtomicCounter levelCounter, final long nowNs)
    {
        counters = loop.counters();
        inbox = loop.inbox();
        limits = loop.limits();
        this.ladders = ladders;
        this.levelCounter = levelCounter;
        lowestLevel = ladders.stream().mapToInt((ladder) -> ladder.ratesHz().length - 1).max().orElse(0);
        sampledNs = nowNs;
        sampledBusyNs = counters.busyNs();
        sampledFramesNs = counters.framesNs();
        laddersSent = ladders.size();
    }

    /** Begin at full rate, and send it: the rooms have the rates that another leader gave them. */
    void restart()
    {
        level = 0;
        levelCounter.setRelease(level);
        laddersSent = 0;
        busySamples = 0;
        calmSamples = 0;
    }

    int poll(final long nowNs)
    {
        if (nowNs - sampledNs >= SAMPLE_NS)
        {
            final long busyNs = counters.busyNs();
            final long framesNs = counters.framesNs();
            final double elapsedNs = nowNs - sampledNs;
            onLoad((busyNs - sampledBusyNs) / elapsedNs, (framesNs - sampledFramesNs) / elapsedNs);
            sampledNs = nowNs;
            sampledBusyNs = busyNs;
            sampledFramesNs = framesNs;
        }
        final int changes = limits.changes();
        if (changes != changesSent)
        {
            changesSent = changes;
            laddersSent = 0;
        }
        return sendCaps();
    }

    int level()
    {
        return level;
    }

    /** A sample: the shares of time that the loop was busy, and in frames. */
    void onLoad(final double load, final double frames)
    {
        samplesSinceUp++;
        busySamples = load >= BUSY ? busySamples + 1 : 0;
        calmSamples = load + Math.min(load, frames) * growthOfStepUp() <= FITS ? calmSamples + 1 : 0;
        if (busySamples >= BUSY_SAMPLES && level < lowestLevel)
        {
            if (samplesSinceUp < REVERT_SAMPLES)
            {
                requiredCalmSamples = Math.min(MAX_CALM_SAMPLES, 2 * requiredCalmSamples);
            }
            setLevel(level + 1);
        }
        else if (calmSamples >= requiredCalmSamples && level > 0)
        {
            samplesSinceUp = 0;
            setLevel(level - 1);
        }
        else if (0 == level && calmSamples >= MAX_CALM_SAMPLES)
        {
            requiredCalmSamples = CALM_SAMPLES;
        }
    }

    /** By how much the rate grows, as a share of the present one: of the room type for which it grows most. */
    private double growthOfStepUp()
    {
        double growth = 0;
        for (int i = 0; i < ladders.size(); i++)
        {
            final int[] ratesHz = ladders.get(i).ratesHz();
            final int lowest = ratesHz.length - 1;
            final double presentHz = ratesHz[Math.min(level, lowest)];
            growth = Math.max(growth, ratesHz[Math.min(Math.max(0, level - 1), lowest)] / presentHz - 1);
        }
        return growth;
    }

    private void setLevel(final int newLevel)
    {
        level = newLevel;
        levelCounter.setRelease(level);
        busySamples = 0;
        calmSamples = 0;
        laddersSent = 0;
    }

    /** Send the loop the cap of each type. If its inbox is full, the next poll continues. */
    private int sendCaps()
    {
        int work = 0;
        while (laddersSent < ladders.size())
        {
            final Ladder ladder = ladders.get(laddersSent);
            final int capHz = 0 == level ? 0 : ladder.ratesHz()[Math.min(level, ladder.ratesHz().length - 1)];
            final int length =
                commands.setRate(command, 0, ladder.typeId(), limits.cappedHz(ladder.typeId(), capHz));
            if (!inbox.offer(ControlSignal.COMMAND, null, command, 0, length))
            {
                break;
            }
            laddersSent++;
            work++;
        }
        return work;
    }
}
