package io.escapement.engine.internal.loop;

import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Ledger rooms on loops that are killed, on logs of several nodes and on journals, and mutants of the product that the
 * checker must find. Budget: 12 s.
 */
class LedgerTest
{
    private static final int STEPS = 500;
    private static final int SEEDS = Tests.isFull() ? 500 : 4;
    /** A fault that kills have to hit is found with one of these. */
    private static final int MUTANT_SEEDS = 8;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLoseAndRepeatNothing(final boolean isJournal)
    {
        int kills = 0;
        long stale = 0;
        long restored = 0;
        for (int seed = 0; seed < SEEDS; seed++)
        {
            final LedgerRig rig = new LedgerRig(seed, 0 != seed % 2, isJournal, LedgerRig.Kind.PLAIN);
            rig.run(STEPS);
            assertEquals(List.of(), rig.finish(), "seed " + seed + ", kills " + rig.kills());
            assertTrue(rig.messages() > STEPS / 5, "seed " + seed + ": " + rig.messages() + " messages");
            assertEquals(rig.messages(), rig.known(), "seed " + seed);
            kills += rig.kills();
            stale += rig.staleProposals();
            restored += rig.restored();
        }
        assertTrue(kills > 2 * SEEDS, kills + " kills");
        assertTrue(isJournal || stale > 0, "no deposed leader proposed anything");
        assertTrue(!isJournal || restored > 0, "no loop was restored from a snapshot");
    }

    /** Without an edit the other class loader finds nothing. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFindNothingWithoutAMutant(final boolean isJournal) throws ReflectiveOperationException
    {
        final MutantLoader loader = new MutantLoader(List.of());
        assertEquals(List.of(), findings(loader, 1, true, isJournal, LedgerRig.Kind.PLAIN));
    }

    @ParameterizedTest
    @EnumSource(LedgerMutant.class)
    void shouldFind(final LedgerMutant mutant) throws ReflectiveOperationException
    {
        final MutantLoader loader = new MutantLoader(mutant.edits());
        final List<String> all = new ArrayList<>();
        for (int seed = 0; seed < MUTANT_SEEDS; seed++)
        {
            final List<String> findings =
                findings(loader, seed, mutant.isSynced(), mutant.isJournal(), mutant.kind());
            if (findings.stream().anyMatch((finding) -> finding.matches(".*" + mutant.finding() + ".*")))
            {
                return;
            }
            all.addAll(findings);
        }
        throw new AssertionError(mutant + " is not found: " + all);
    }

    @SuppressWarnings("unchecked")
    private static List<String> findings(
        final MutantLoader loader,
        final long seed,
        final boolean isSynced,
        final boolean isJournal,
        final LedgerRig.Kind kind) throws ReflectiveOperationException
    {
        final Class<?> type = loader.loadClass(LedgerRun.class.getName());
        final Callable<List<String>> run = (Callable<List<String>>)type
            .getConstructor(long.class, boolean.class, boolean.class, String.class, int.class)
            .newInstance(seed, isSynced, isJournal, kind.name(), STEPS);
        try
        {
            return run.call();
        }
        catch (final Exception ex)
        {
            throw new AssertionError("seed " + seed, ex);
        }
    }
}
