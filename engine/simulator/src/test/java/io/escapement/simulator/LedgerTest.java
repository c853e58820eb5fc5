package io.escapement.simulator;

import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Mutants of the product that a {@link LedgerGame} or {@link GatewayGame} has to find. */
class LedgerTest
{
    /** A change of the simulation makes other schedules of a seed. Then one of the next seeds finds the fault. */
    private static final int MUTANT_SEEDS = 24;

    /** Without an edit the other class loader finds nothing. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldFindNothingWithoutAMutant(final Mode mode) throws ReflectiveOperationException
    {
        final MutantLoader loader = new MutantLoader(List.of());
        assertEquals(List.of(), findings(loader, 1, mode, LedgerGame.Kind.PLAIN));
        assertEquals(List.of(), findings(loader, 1, mode, LedgerGame.Kind.BROWSERS));
    }

    @ParameterizedTest
    @EnumSource(LedgerMutant.class)
    void shouldFind(final LedgerMutant mutant) throws ReflectiveOperationException
    {
        // Each takes a second or two. The second tier has all of them.
        assumeTrue(Tests.isFull() || 0 == mutant.ordinal() % 3);
        final MutantLoader loader = new MutantLoader(mutant.edits());
        final List<String> all = new ArrayList<>();
        for (int seed = mutant.seed(); seed < mutant.seed() + MUTANT_SEEDS; seed++)
        {
            final List<String> findings = findings(loader, seed, mutant.mode(), mutant.kind());
            if (findings.stream().anyMatch((finding) -> finding.matches("(?s).*(" + mutant.finding() + ").*")))
            {
                return;
            }
            all.addAll(findings);
        }
        throw new AssertionError(mutant + " is not found: " + all);
    }

    @SuppressWarnings("unchecked")
    private static List<String> findings(
        final MutantLoader loader, final long seed, final Mode mode, final LedgerGame.Kind kind)
        throws ReflectiveOperationException
    {
        final Class<?> type = loader.loadClass(LedgerRun.class.getName());
        final Callable<List<String>> run = (Callable<List<String>>)type
            .getConstructor(long.class, String.class, String.class)
            .newInstance(seed, mode.name(), kind.name());
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
