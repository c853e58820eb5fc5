package io.escapement.perf.crowd;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CrowdPlanTest
{
    private static final int ROOMS = 32;
    private static final int SEATS = 16;
    private static final int TRUNKS = 16;
    private static final List<List<LoadPhase>> LOAD = List.of(List.of(new LoadPhase(120, 1_000)));

    @Test
    void shouldSpreadTheSeatsOfARoomOverAllTrunks()
    {
        assertTrunks(CrowdPlan.SPREAD, TRUNKS);
    }

    @Test
    void shouldAlignTheSeatsOfARoomOnOneTrunk()
    {
        assertTrunks(CrowdPlan.ALIGNED, 1);
    }

    @Test
    void shouldGiveEachPlayerAConnection()
    {
        final CrowdPlan plan = plan("--seats=4", "--rooms=7", "--trunks=2");
        final CrowdPlan perPlayer = plan.forRun(500, 3, 2, 0, LOAD).beside(CrowdPlan.TCP_PLAYERS);
        final CrowdPlan parsed =
            CommandLine.populateCommand(new CrowdPlan(), perPlayer.arguments().toArray(new String[0]));
        assertEquals(12, parsed.trunks);
        assertEquals(IntStream.range(0, 12).boxed().toList(), IntStream.range(0, 12)
            .map((seat) -> parsed.trunkOf(seat / 4, seat % 4)).boxed().toList());
        assertEquals(2, plan.forRun(500, 3, 2, 0, LOAD).beside(CrowdPlan.TCP).trunks);
    }

    @Test
    void shouldParseItsArgumentsBack()
    {
        final CrowdPlan plan = plan("--seats=4", "--hz=50", "--trunks=2", "--state=100", "--placement=aligned",
            "--sends=10", "--idle=yield", "--mtu=8192", "--gather=250").forRun(500, 3, 8, 77,
            List.of(List.of(new LoadPhase(120, 1_000), new LoadPhase(96, 2_000)), List.of(new LoadPhase(1_200, 3))));
        final CrowdPlan parsed =
            CommandLine.populateCommand(new CrowdPlan(), plan.arguments().toArray(new String[0]));
        assertEquals(plan.arguments(), parsed.arguments());
        assertEquals(List.of(3, 4, 50, 2, 10, 100, 8_192, 250, 77, 500), List.of(parsed.rooms, parsed.seats,
            parsed.hz, parsed.trunks, parsed.sends, parsed.state, parsed.mtu, parsed.gatherUs,
            parsed.trunkRate, parsed.warmUpMs));
        assertEquals(CrowdPlan.ALIGNED, parsed.placement);
        assertEquals("yield", parsed.idle);
        assertEquals(6, parsed.loops());
        assertEquals(plan.serverEndpoint(), parsed.serverEndpoint());
        assertEquals(plan.parts(), parsed.parts());
        assertTrue(parsed.isOverload());
        assertEquals(3_000, parsed.partMs());
        assertEquals(List.of(2, 1, 1),
            IntStream.range(0, 3).mapToObj((part) -> parsed.warmUpPart(part).size()).toList(),
            "phases of the warm-up: only the first part starts gently");
        assertEquals(125, parsed.warmUpPart(1).get(0).durationMs());
        assertEquals(3_003, parsed.measureMs);
    }

    @Test
    void shouldNeverSpinMoreThreadsThanThereAreCores()
    {
        for (int cores = 1; cores <= 16; cores++)
        {
            final CrowdPlan plan = plan("--idle=busy").forRun(0, 1, cores, 0, LOAD);
            final int spinning = plan.loops() + (plan.isShared() ? 1 : 0) + (plan.areBotsBusy() ? 1 : 0);
            assertTrue(spinning <= cores, spinning + " threads spin on " + cores + " cores");
        }
        assertFalse(plan("--idle=park").forRun(0, 1, 2, 0, LOAD).isShared());
        assertFalse(plan("--idle=park").forRun(0, 1, 1, 0, LOAD).areBotsBusy());
        assertTrue(plan("--idle=busy").forRun(0, 1, 2, 0, LOAD).areBotsBusy());
    }

    private static void assertTrunks(final String placement, final int trunksOfARoom)
    {
        final CrowdPlan plan = plan("--seats=" + SEATS, "--trunks=" + TRUNKS, "--placement=" + placement);
        final int[] players = new int[TRUNKS];
        for (int room = 0; room < ROOMS; room++)
        {
            final Set<Integer> trunks = new TreeSet<>();
            for (int seat = 0; seat < SEATS; seat++)
            {
                trunks.add(plan.trunkOf(room, seat));
                players[plan.trunkOf(room, seat)]++;
            }
            assertEquals(trunksOfARoom, trunks.size(), "trunks of room " + room);
        }
        for (final int count : players)
        {
            assertEquals(ROOMS * SEATS / TRUNKS, count, "players of a trunk");
        }
    }

    private static CrowdPlan plan(final String... options)
    {
        return CommandLine.populateCommand(new CrowdPlan(), options);
    }
}
