package io.escapement.engine.internal.loop;

import io.escapement.testsupport.Tests;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Ledger rooms on loops that are killed, and planted faults that the checker must find. Budget: 3 s. */
@Timeout(120)
class LedgerTest
{
    private static final int STEPS = 500;
    private static final int SEEDS = Tests.isFull() ? 500 : 3;
    private static final int FAULT_SEEDS = 2;

    @Test
    void shouldLoseAndRepeatNothing()
    {
        int kills = 0;
        long stale = 0;
        for (int seed = 0; seed < SEEDS; seed++)
        {
            final LedgerRig rig = new LedgerRig(seed, 0 != seed % 2, LedgerFault.NONE);
            rig.run(STEPS);
            assertEquals(List.of(), rig.finish(), "seed " + seed + ", kills " + rig.kills());
            assertTrue(rig.messages() > STEPS / 5, "seed " + seed + ": " + rig.messages() + " messages");
            assertEquals(rig.messages(), rig.known(), "seed " + seed);
            kills += rig.kills();
            stale += rig.staleProposals();
        }
        assertTrue(kills > 2 * SEEDS, kills + " kills");
        assertTrue(stale > 0, "no deposed leader proposed anything");
    }

    @ParameterizedTest
    @EnumSource(value = LedgerFault.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void shouldFind(final LedgerFault fault)
    {
        for (int seed = 0; seed < FAULT_SEEDS; seed++)
        {
            final boolean isSynced = switch (fault)
            {
                case SKIPPED_SYNC, STALE_INCARNATION_TAKEN -> true;
                case ACK_BEFORE_APPEND, TAIL_NOT_WRITTEN -> false;
                default -> 0 != seed % 2;
            };
            final LedgerRig rig = new LedgerRig(seed, isSynced, fault);
            rig.run(STEPS);
            final List<String> findings = rig.finish();
            assertTrue(findings.stream().anyMatch((finding) -> finding.contains(fault.finding())),
                fault + " is not found, seed " + seed + ", kills " + rig.kills() + ": " + findings);
        }
    }
}
