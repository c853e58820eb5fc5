package io.escapement.rooms.scenario;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.LinkDownDecoder;
import io.escapement.codecs.room.LinkResumedDecoder;
import io.escapement.codecs.room.LinkStateLostDecoder;
import io.escapement.codecs.room.LinkUpDecoder;
import io.escapement.codecs.room.SetRateDecoder;
import io.escapement.rooms.host.HostImage;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.replay.LoggedTurns;
import io.escapement.testsupport.Tests;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Snapshots that are taken while turns run, against their naive twin: the snapshot that stops the host. The bytes are
 * the same. Budget: 2 s.
 */
class RollingSnapshotTest
{
    private static final long SEED = 20_261_124;
    private static final int COMMANDS = Tests.isFull() ? 400_000 : 12_000;
    private static final int SEEDS = Tests.isFull() ? 20 : 4;

    /** Turns with all commands, in which the links go up. */
    private static final int LOUD_TURNS = 60;
    /** They complete an image, so most of them are left out. */
    private static final Set<Integer> HOST_COMMANDS = Set.of(
        LinkUpDecoder.TEMPLATE_ID, LinkDownDecoder.TEMPLATE_ID, LinkResumedDecoder.TEMPLATE_ID,
        LinkStateLostDecoder.TEMPLATE_ID, SetRateDecoder.TEMPLATE_ID);

    private final HostImage image = new HostImage();
    private int images;
    private int rolling;
    private int forced;

    @Test
    void shouldWriteTheBytesOfTheTurnInWhichItBegan()
    {
        for (long seed = SEED; seed < SEED + SEEDS; seed++)
        {
            compare(Scenario.run(seed, COMMANDS), new SplittableRandom(seed));
        }
        assertTrue(images > 50 * SEEDS, images + " images");
        assertTrue(rolling > images / 4, rolling + " of " + images + " took several turns");
        assertTrue(forced > images / 20, forced + " of " + images + " were completed by a command to the host");
    }

    private void compare(final Scenario scenario, final SplittableRandom random)
    {
        final RoomHost host = new RoomHost(Scenario.context().outputs(new CapturedOutputs()).hashOutput());
        final LoggedTurns log = ReplayTest.turns(scenario);
        byte[] expected = null;
        long began = 0;
        int fillBytes = 0;
        while (log.next())
        {
            host.beginTurn(log.proposal.nowNs());
            final boolean isQuiet = host.turn() > LOUD_TURNS && 0 != random.nextInt(10);
            // Of a host that has skipped commands the returns are others than those in the log, so both run.
            host.runReturns();
            log.forEachCommand((buffer, offset, length) ->
            {
                if (!isQuiet || !HOST_COMMANDS.contains(SchemaRules.templateId(buffer, offset)))
                {
                    host.onCommand(buffer, offset, length);
                }
            });
            host.endTurn();
            if (null != expected && !image.isComplete())
            {
                host.fillImage(fillBytes);
                rolling += image.isComplete() ? 1 : 0;
            }
            else if (null != expected)
            {
                forced++;
            }
            final String name = scenario + ", image of turn " + began + ", complete at turn " + host.turn();
            assertEquals(null, image.failure(), name);
            if (null != expected && image.isComplete())
            {
                images++;
                assertArrayEquals(expected, bytes(random), name);
                expected = null;
            }
            else if (null == expected && 0 == random.nextInt(4))
            {
                expected = snapshot(host);
                began = host.turn();
                fillBytes = 0 == random.nextInt(3) ? 0 : 1 + random.nextInt(40_000);
                host.beginImage(image);
            }
        }
    }

    private static byte[] snapshot(final RoomHost host)
    {
        final ByteSink sink = new ByteSink();
        host.snapshot(sink);
        return sink.toArray();
    }

    private byte[] bytes(final SplittableRandom random)
    {
        final ByteSink sink = new ByteSink();
        boolean isWritten = false;
        while (!isWritten)
        {
            isWritten = image.writeTo(sink, 1 + random.nextInt(100_000));
        }
        return sink.toArray();
    }
}
