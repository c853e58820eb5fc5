package io.escapement.engine.internal.durable;

import io.escapement.testsupport.Allocations;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A loop that proposes and polls allocates nothing, new segments included. */
class JournalAllocationTest
{
    private static final int MESSAGES = 2_000;
    private static final int ROUNDS = 30;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"false, true", "true, true"})
    void shouldAllocateNothing(final boolean isSynced, final boolean hasTail) throws IOException
    {
        final List<Throwable> errors = new ArrayList<>();
        final Path tails = Files.createDirectories(Tests.newDirectory());
        final JournalSettings options = JournalProposer.options(directory, isSynced, hasTail ? tails : null);
        try (Journal journal = Journal.open(options, SystemNanoClock.INSTANCE, errors::add))
        {
            final JournalLog log;
            try (RecoveredLoop recovered = journal.recover(0, SteppedJournal.header(0)))
            {
                log = journal.start(0, recovered, SteppedJournal.header(0));
            }
            try (AgentRunner runner = new AgentRunner(
                new BackoffIdleStrategy(1, 1, 1_000, 50_000), errors::add, null, journal.agent()))
            {
                AgentRunner.startOnThread(runner);
                final UnsafeBuffer message = new UnsafeBuffer(new byte[1_024]);
                message.putShort(2, (short)66);
                final ProposalHandler handler = (position, buffer, offset, length) -> { };
                assertEquals(0, Allocations.least(ROUNDS, () -> proposeAndPoll(log, message, handler)));
            }
        }
        Files.delete(tails);
        assertEquals(List.of(), errors);
    }

    private static void proposeAndPoll(final JournalLog log, final UnsafeBuffer message, final ProposalHandler handler)
    {
        for (int i = 0; i < MESSAGES; i++)
        {
            while (log.propose(message, 0, message.capacity()) < 0)
            {
                log.poll(handler, Integer.MAX_VALUE);
                Thread.onSpinWait();
            }
            log.poll(handler, Integer.MAX_VALUE);
        }
    }
}
