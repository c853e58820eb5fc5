package io.escapement.engine;

import io.escapement.engine.internal.durable.Journal;
import io.escapement.engine.internal.durable.JournalAgent;
import io.escapement.engine.internal.durable.JournalStorage;
import io.escapement.rooms.host.RoomHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;

/** An engine on a simulated machine. It has no threads: the caller runs all of its agents. */
public final class SteppedEngine implements AutoCloseable
{
    /**
     * A simulated machine.
     *
     * @param clock     of the simulation.
     * @param wallClock which may step.
     * @param storage   of the journal.
     */
    @SuppressWarnings("exports")
    public record Machine(NanoClock clock, EpochClock wallClock, JournalStorage storage)
    {
    }

    private static final int TAIL_LENGTH = 128 * 1_024;

    private final List<Agent> agents = new ArrayList<>();
    private final ErrorHandler agentErrors;
    private final Engine engine;
    private Drain drain;
    private boolean isClosed;

    private SteppedEngine(final EngineContext context, final Machine machine, final ErrorHandler agentErrors)
    {
        this.agentErrors = agentErrors;
        engine = Engine.launch(context.machine(machine).threadFactory(this::newThread));
    }

    /**
     * Start an engine.
     *
     * @param context     its options. The simulation has its threads and clocks.
     * @param machine     that it runs on.
     * @param agentErrors gets exceptions of agents, which are faults of the engine.
     */
    public static SteppedEngine launch(
        final EngineContext context, final Machine machine, final ErrorHandler agentErrors)
    {
        return new SteppedEngine(context, machine, agentErrors);
    }

    /**
     * Run the turns of a journal again, and compare their output with the output of the engine that wrote them.
     *
     * @param context new options with the same room types.
     * @param machine with a journal that no engine uses.
     * @throws EngineException when a turn differs.
     */
    public static void replay(final EngineContext context, final Machine machine)
    {
        try
        {
            Journal.examine(machine.storage(), machine.clock(), (loops) ->
                loops.forEach((loop) -> Durability.replay(loop, context)));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * A recording on a disk in memory.
     *
     * @param directory of its files, by name only.
     */
    public static Durability recording(final Path directory)
    {
        return small(Durability.recording(directory));
    }

    /**
     * A journal on a disk in memory.
     *
     * @param directory of its files, by name only.
     */
    public static Durability journal(final Path directory)
    {
        return small(Durability.journal(directory));
    }

    /** A disk in memory has no room for files of the default length. */
    private static Durability small(final Durability durability)
    {
        return durability.tailLength(TAIL_LENGTH).segmentLength(2 * TAIL_LENGTH).bytesUnderWay(TAIL_LENGTH / 2);
    }

    /** The engine. */
    public Engine engine()
    {
        return engine;
    }

    /** The host of a loop. */
    public RoomHost host(final int loop)
    {
        return engine.host(loop);
    }

    /**
     * Run a duty cycle of each agent.
     *
     * @param isDiskBusy whether the agent that writes the journal waits for the disk.
     */
    public void step(final boolean isDiskBusy)
    {
        engine.invoke();
        for (int i = 0; i < agents.size(); i++)
        {
            final Agent agent = agents.get(i);
            try
            {
                if (!isDiskBusy || !(agent instanceof JournalAgent))
                {
                    agent.doWork();
                }
            }
            catch (final Throwable ex)
            {
                agentErrors.onError(ex);
            }
        }
    }

    /**
     * Begin a drain, or advance it.
     *
     * @param timeoutNs after which the remaining open rooms are closed.
     * @return whether it is over.
     */
    public boolean drain(final long timeoutNs)
    {
        if (null == drain)
        {
            drain = engine.newDrain(timeoutNs);
        }
        return drain.poll();
    }

    /** Look for leaks, once the engine is closed. */
    public DrainReport leakCheck()
    {
        return engine.leakCheck();
    }

    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            engine.close();
            for (int i = agents.size() - 1; i >= 0; i--)
            {
                agents.get(i).onClose();
            }
        }
    }

    /** A thread that is never started: the caller runs its agent. */
    private Thread newThread(final Runnable runnable)
    {
        final Agent agent = ((AgentThread)runnable).agent();
        agents.add(agent);
        return new Thread(runnable)
        {
            @Override
            public void start()
            {
                agent.onStart();
            }
        };
    }
}
