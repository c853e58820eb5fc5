package io.escapement.engine;

import io.escapement.engine.internal.durable.EachLoop;
import io.escapement.engine.internal.durable.Journal;
import io.escapement.engine.internal.durable.RecoveredLoop;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.TurnLogHeader;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.proposal.ProposalException;
import io.escapement.rooms.proposal.ProposalReader;
import io.escapement.rooms.proposal.ProposalRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.agrona.concurrent.SystemNanoClock;

/** Runs the turns of a journal that no engine uses, as a start would, and changes nothing. */
final class JournalReplay
{
    private JournalReplay()
    {
    }

    /** Run all loops with hosts without outputs. Returns a text for each loop. */
    static List<String> run(final Path directory, final Supplier<HostContext> contexts)
    {
        final List<String> texts = new ArrayList<>();
        Journal.examine(directory, SystemNanoClock.INSTANCE, (recovered) ->
        {
            final List<RecoveredLoop> loops = recovered.stream().filter((loop) -> null != loop.log()).toList();
            final List<HostContext> hosts = loops.stream()
                .map((loop) -> contexts.get().outputs(new NoOutputs()).like(loop.log()).silent()).toList();
            final String[] found = new String[loops.size()];
            EachLoop.run(found.length, (i) -> found[i] = run(loops.get(i), hosts.get(i)));
            texts.addAll(List.of(found));
        });
        return texts;
    }

    private static String run(final RecoveredLoop recovered, final HostContext context)
    {
        final String name = "loop " + recovered.report().loop();
        for (final TurnLogHeader.Type type : recovered.log().types())
        {
            if (!context.header().types().contains(type))
            {
                throw new EngineException(name + ": the journal needs " + type + ", registered are " +
                    context.header().types());
            }
        }
        final ProposalRunner runner;
        final long[] turns = {0};
        try
        {
            runner = null == recovered.snapshot() ? new ProposalRunner(context) :
                ProposalRunner.restore(context, recovered.snapshot(), 0, recovered.snapshot().capacity());
            recovered.forEachFailed((position, buffer, offset, length) -> runner.failBy(buffer, offset, length));
            recovered.forEach((position, buffer, offset, length) ->
            {
                final boolean isTurn = ProposalReader.isProposal(buffer, offset, length);
                turns[0] += isTurn && runner.run(buffer, offset, length) ? 1 : 0;
            });
        }
        catch (final ProposalException | IllegalArgumentException ex)
        {
            throw new EngineException(name + ": after " + turns[0] + " turns: " + ex.getMessage(), ex);
        }
        return name + ": the same: " + turns[0] + " turns, of which " + runner.compared() +
            " have the hash of the output before them, " + runner.host().openRooms() + " rooms open, state hash " +
            Long.toHexString(runner.host().stateHash());
    }
}
