package io.escapement.engine;

import io.escapement.engine.internal.durable.Journal;
import io.escapement.engine.internal.durable.RecoveredLoop;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.ProposalRunner;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Replays a journal of history rooms and hashes the state and the output behind each turn. A program too, for another
 * JDK.
 */
public final class JournalHashes
{
    private JournalHashes()
    {
    }

    /** Print a line for each turn of the journal in a directory. */
    public static void main(final String[] args)
    {
        run(Path.of(args[0])).forEach((turn, hash) -> System.out.println(turn + "=" + hash));
    }

    /** Options of a host with history rooms, as that of a journal. */
    static HostContext host(final HostConfig header)
    {
        return new EngineContext().roomType(HistoryRoom.type(HistoryRoom::new)).newHostContext()
            .outputs(NoOutputs.NONE).like(header).silent();
    }

    /**
     * Run a journal from its snapshot.
     *
     * @param directory that no engine uses.
     * @return {@code "state/output"} by {@code "loop/proposal"}.
     */
    static Map<String, String> run(final Path directory)
    {
        final Map<String, String> hashByTurnMap = new TreeMap<>();
        Journal.examine(directory, SystemNanoClock.INSTANCE, (loops) ->
            loops.forEach((loop) -> run(loop, host(loop.config()), hashByTurnMap)));
        return hashByTurnMap;
    }

    /** Name of the turn of a proposal, 0 before the first. */
    static String turn(final int loop, final long proposal)
    {
        return "%d/%06d".formatted(loop, proposal);
    }

    /** Hash of the state of a snapshot, by the name of its turn. */
    static Map.Entry<String, String> ofSnapshot(
        final int loop, final HostContext context, final DirectBuffer snapshot)
    {
        final RoomHost host = ProposalRunner.restore(context, snapshot, 0, snapshot.capacity()).host();
        return Map.entry(turn(loop, host.proposal()), hash(host));
    }

    static String hash(final RoomHost host)
    {
        return Long.toHexString(host.stateHash()) + "/" + Long.toHexString(host.outputHash());
    }

    private static void run(
        final RecoveredLoop recovered, final HostContext context, final Map<String, String> hashByTurnMap)
    {
        final ProposalRunner runner = null == recovered.snapshot() ? new ProposalRunner(context) :
            ProposalRunner.restore(context, recovered.snapshot(), 0, recovered.snapshot().capacity());
        final int loop = recovered.report().loop();
        long ran = 0;
        if (null != recovered.snapshot())
        {
            hashByTurnMap.put(turn(loop, runner.lastProposal()), hash(runner.host()));
        }
        while (recovered.next())
        {
            if (ProposalReader.isProposal(recovered.buffer(), recovered.offset(), recovered.length()) &&
                runner.run(recovered.buffer(), recovered.offset(), recovered.length()))
            {
                ran++;
                hashByTurnMap.put(turn(loop, runner.lastProposal()), hash(runner.host()));
            }
        }
        // All but the first have the hash of the output before them, which the engine has computed when it ran.
        if (runner.compared() < ran - 1)
        {
            throw new IllegalStateException(runner.compared() + " of " + ran + " turns were compared");
        }
    }
}
