package io.escapement.perf.crowd;

import io.escapement.codecs.Codes;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.durable.Journal;
import io.escapement.engine.internal.durable.JournalAgent;
import io.escapement.engine.internal.durable.JournalLog;
import io.escapement.engine.internal.durable.JournalSettings;
import io.escapement.engine.internal.durable.RecoveredLoop;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.ProposalRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes the journal of a loop with rooms full of players, as fast as its host runs. The moves are the same as
 * {@link CrowdBots} sends: at equal intervals, one player after the other. Every loop has its share of the rooms.
 */
final class CrowdLog
{
    private static final int INCARNATION = 1;
    private static final int REQUESTS = 1_024;
    private static final int QUEUE_LENGTH = 256 * 1_024;
    private static final int SEGMENT_LENGTH = 64 * 1_024 * 1_024;
    private static final int TAIL_LENGTH = 8 * 1_024 * 1_024;
    private static final int UNDER_WAY = 64;
    private static final int UNDER_WAY_LENGTH = 1_024 * 1_024;
    private static final int FIRST_LINK = 0;
    /** Of the first player of a seat. */
    private static final int GENERATION = 1;
    private static final long SYNC_NS = TimeUnit.SECONDS.toNanos(1);
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final ReplayPlan plan;
    private final CrowdPlan crowd;
    private final int loop;
    private final HostContext context;
    private final ProposalRunner runner;
    private final ProposalWriter writer;
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final UnsafeBuffer move = new UnsafeBuffer(new byte[CrowdMessages.MOVE_LENGTH]);
    private JournalLog log;
    private JournalAgent agent;
    private long nowNs;
    private long turns;
    private long commands;

    /** A written journal, with the hashes of its loops. */
    record Written(long turns, long commands, long bytes, long logNs, List<String> stateHashes)
    {
    }

    private CrowdLog(final ReplayPlan plan, final int loop)
    {
        this.plan = plan;
        this.loop = loop;
        writer = new ProposalWriter(loop);
        crowd = plan.crowd();
        context = new HostContext()
            .roomType(CrowdRoom.type(crowd, new LongAdder()))
            .outputs(NoOutputs.NONE)
            .roomLimit(plan.rooms)
            .seatLimit(plan.players())
            .timerLimit(1)
            .linkLimit(plan.trunks)
            .loopState(new LoopLimits(loop, plan.loops, REQUESTS, QUEUE_LENGTH))
            .listener(new HostListener()
            {
                @Override
                public void onRefused(final int code)
                {
                    throw new IllegalStateException("a command was refused: " + Codes.nameOf(code));
                }
            });
        runner = new ProposalRunner(context);
    }

    /** Write a journal into an empty directory. */
    static Written write(final ReplayPlan plan, final Path directory)
    {
        final JournalSettings options = new JournalSettings(directory, false, SEGMENT_LENGTH, TAIL_LENGTH,
            Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : null, SYNC_NS, UNDER_WAY, UNDER_WAY_LENGTH, false, 0);
        final Journal journal = Journal.open(options, SystemNanoClock.INSTANCE, CrowdLog::fail);
        try
        {
            final List<CrowdLog> loops =
                IntStream.range(0, plan.loops).mapToObj((loop) -> new CrowdLog(plan, loop)).toList();
            loops.forEach((loop) -> loop.start(journal));
            long bytes = 0;
            long logNs = 0;
            for (final CrowdLog loop : loops)
            {
                loop.agent = journal.agent();
                loop.open();
                final long startNs = loop.nowNs;
                final long startPosition = loop.log.proposedPosition();
                loop.play();
                bytes += loop.log.proposedPosition() - startPosition;
                logNs = Math.max(logNs, loop.nowNs - startNs);
            }
            return new Written(
                loops.stream().mapToLong((loop) -> loop.turns).sum(),
                loops.stream().mapToLong((loop) -> loop.commands).sum(), bytes, logNs,
                loops.stream().map((loop) -> Long.toHexString(loop.runner.host().stateHash())).toList());
        }
        finally
        {
            journal.close();
        }
    }

    private void start(final Journal journal)
    {
        try (RecoveredLoop recovered = journal.recover(loop, context.header()))
        {
            log = journal.start(loop, recovered, context.header());
        }
    }

    private void open()
    {
        add(encoder.hostResumed(command, 0, 0, INCARNATION, 0));
        turn();
        for (int trunk = 0; trunk < plan.trunks; trunk++)
        {
            add(encoder.linkUp(command, 0, trunk + 1, FIRST_LINK + trunk));
        }
        for (int room = loop; room < plan.rooms; room += plan.loops)
        {
            add(encoder.openRoom(
                command, 0, CrowdPlan.roomId(room, plan.loops), room, 0, 0, CrowdRoom.TYPE_ID, move, 0, 0));
        }
        turn();
        for (int player = 0; player < plan.players(); player++)
        {
            if (isOfLoop(player))
            {
                add(encoder.join(command, 0, roomId(player), player + 1, player + 1, link(player), move, 0, 0));
            }
        }
        turn();
        commands = 0;
        turns = 0;
    }

    private void play()
    {
        final long turnCount = (long)plan.logSeconds * plan.turns;
        final double movesPerTurn = (double)plan.players() * plan.sends / plan.turns;
        long next = 0;
        for (long i = 1; i <= turnCount; i++)
        {
            for (; next < i * movesPerTurn; next++)
            {
                final int player = (int)(next % plan.players());
                if (!isOfLoop(player))
                {
                    continue;
                }
                final int number = (int)(next / plan.players()) + 1;
                CrowdMessages.move(move, nowNs, number, player);
                add(encoder.message(command, 0, roomId(player), number, player % plan.seats, GENERATION, link(player),
                    move, 0, CrowdMessages.MOVE_LENGTH));
            }
            turn();
        }
    }

    private void add(final int length)
    {
        if (!writer.hasRoom(ProposalWriter.MAX_LENGTH) || !writer.hasRoom(log.maxProposalLength()))
        {
            turn();
        }
        writer.add(command, 0, length);
        commands++;
    }

    /** Propose the gathered commands, run them, and have the journal write the bytes that are due for the disk. */
    private void turn()
    {
        nowNs += TimeUnit.SECONDS.toNanos(1) / plan.turns;
        final int length = writer.finish(
            INCARNATION, runner.lastProposal() + 1, nowNs, runner.host().turn(), runner.outputHash());
        while (log.propose(writer.buffer(), 0, length) < 0)
        {
            if (null != log.failure())
            {
                throw new IllegalStateException("the journal failed", log.failure());
            }
            agent.doWork();
        }
        log.poll((position, buffer, offset, size) -> runner.run(buffer, offset, size), 1);
        agent.doWork();
        writer.clear();
        turns++;
    }

    private boolean isOfLoop(final int player)
    {
        return player / plan.seats % plan.loops == loop;
    }

    private long roomId(final int player)
    {
        return CrowdPlan.roomId(player / plan.seats, plan.loops);
    }

    private int link(final int player)
    {
        return FIRST_LINK + crowd.trunkOf(player / plan.seats, player % plan.seats);
    }

    private static void fail(final Throwable ex)
    {
        throw new IllegalStateException(ex);
    }
}
