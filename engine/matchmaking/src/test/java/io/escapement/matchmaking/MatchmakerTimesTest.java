package io.escapement.matchmaking;

import io.escapement.rooms.bench.RoomBench;
import io.escapement.testsupport.RealTime;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;

/** How long the turns of the cost's test take, which it prints. */
@RealTime("the times of turns")
class MatchmakerTimesTest extends MatchmakerCostTest
{
    private final LongStream.Builder times = LongStream.builder();

    @Override
    void turn(final RoomBench bench)
    {
        final long startNs = System.nanoTime();
        super.turn(bench);
        times.add(System.nanoTime() - startNs);
    }

    @AfterEach
    void print()
    {
        final long[] nanos = times.build().toArray();
        Arrays.sort(nanos);
        System.err.println("a turn takes " + nanos[nanos.length / 2] / 1_000 + " us p50, " +
            nanos[nanos.length * 99 / 100] / 1_000 + " us p99, " + nanos[nanos.length - 1] / 1_000 + " us at most");
    }
}
