package io.escapement.engine.internal.monitor;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.ControlSignal;
import io.escapement.engine.internal.loop.LoopCounters;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Keeps a loop from falling behind its frames: when it is at work nearly all the time, the rates of its room types go
 * down their ladder, and up again when the work would fit.
 *
 * <p>A step down follows two busy samples, a step up a calm while. A step up that had to be taken back makes the next
 * calm while twice as long, so that a load between two steps does not swing for ever.
 */
final class Governor
{
    private static final long SAMPLE_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final double BUSY = 0.85;
    /** Twice the rate is at most twice the work: what is below this fits after a step up. */
    private static final double CALM = 0.40;
    private static final int BUSY_SAMPLES = 2;
    private static final int CALM_SAMPLES = 8;
    private static final int MAX_CALM_SAMPLES = 240;
    /** A step down this soon after a step up says that the step up was wrong. */
    private static final int REGRET_SAMPLES = 40;
    private static final int COMMAND_LENGTH = 64;

    private final LoopCounters counters;
    private final CommandQueue inbox;
    private final List<Ladder> ladders;
    private final AtomicCounter levelCounter;
    private final int lowestLevel;
    private final RoomCommandEncoder commands = new RoomCommandEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[COMMAND_LENGTH]);
    private long sampledNs;
    private long sampledBusyNs;
    private int busySamples;
    private int calmSamples;
    private int wantedCalmSamples = CALM_SAMPLES;
    private int samplesSinceUp = REGRET_SAMPLES;
    private int level;
    private int told;

    /** The rates of a room type, highest first. */
    record Ladder(int typeId, int[] ratesHz)
    {
    }

    Governor(final MonitoredLoop loop, final List<Ladder> ladders, final AtomicCounter levelCounter, final long nowNs)
    {
        counters = loop.counters();
        inbox = loop.inbox();
        this.ladders = ladders;
        this.levelCounter = levelCounter;
        lowestLevel = ladders.stream().mapToInt((ladder) -> ladder.ratesHz().length - 1).max().orElse(0);
        sampledNs = nowNs;
        sampledBusyNs = counters.busyNs();
        told = ladders.size();
    }

    int poll(final long nowNs)
    {
        if (nowNs - sampledNs >= SAMPLE_NS)
        {
            final long busyNs = counters.busyNs();
            onLoad((busyNs - sampledBusyNs) / (double)(nowNs - sampledNs));
            sampledNs = nowNs;
            sampledBusyNs = busyNs;
        }
        return tell();
    }

    int level()
    {
        return level;
    }

    /** One sample of the share of time that the loop was at work. */
    void onLoad(final double load)
    {
        samplesSinceUp++;
        busySamples = load >= BUSY ? busySamples + 1 : 0;
        calmSamples = load < CALM ? calmSamples + 1 : 0;
        if (busySamples >= BUSY_SAMPLES && level < lowestLevel)
        {
            if (samplesSinceUp < REGRET_SAMPLES)
            {
                wantedCalmSamples = Math.min(MAX_CALM_SAMPLES, 2 * wantedCalmSamples);
            }
            go(level + 1);
        }
        else if (calmSamples >= wantedCalmSamples && level > 0)
        {
            samplesSinceUp = 0;
            go(level - 1);
        }
        else if (0 == level && calmSamples >= MAX_CALM_SAMPLES)
        {
            wantedCalmSamples = CALM_SAMPLES;
        }
    }

    private void go(final int newLevel)
    {
        level = newLevel;
        levelCounter.setRelease(level);
        busySamples = 0;
        calmSamples = 0;
        told = 0;
    }

    /** Tell the loop the cap of each type; what its inbox does not take now it is told next time. */
    private int tell()
    {
        int work = 0;
        while (told < ladders.size())
        {
            final Ladder ladder = ladders.get(told);
            final int capHz = 0 == level ? 0 : ladder.ratesHz()[Math.min(level, ladder.ratesHz().length - 1)];
            final int length = commands.setRate(command, 0, ladder.typeId(), capHz);
            if (!inbox.offer(ControlSignal.COMMAND, null, command, 0, length))
            {
                break;
            }
            told++;
            work++;
        }
        return work;
    }
}
