package io.escapement.engine;

import io.escapement.engine.internal.durable.Journal;
import io.escapement.engine.internal.durable.JournalAgent;
import io.escapement.engine.internal.durable.JournalStorage;
import io.escapement.engine.internal.durable.RecoveredLoop;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.Replay;
import java.io.IOException;
import java.io.UncheckedIOException;
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
     * @param context     its options. Threads and clocks are those of the simulation.
     * @param machine     that it runs on.
     * @param agentErrors gets what an agent throws, which is a fault of the engine.
     */
    public static SteppedEngine launch(
        final EngineContext context, final Machine machine, final ErrorHandler agentErrors)
    {
        return new SteppedEngine(context, machine, agentErrors);
    }

    /**
     * Run the turns in a journal again, and compare their output with that of the engine that wrote it.
     *
     * @param context new options with the same room types.
     * @param machine with a journal that no engine uses.
     * @return what differs; empty if nothing does.
     */
    public static List<String> replay(final EngineContext context, final Machine machine)
    {
        final List<String> differences = new ArrayList<>();
        try
        {
            Journal.examine(machine.storage(), machine.clock(), (loops) ->
            {
                for (final RecoveredLoop loop : loops)
                {
                    final Replay replay =
                        new Replay(loop, context.newHostContext().outputs(NoOutputs.NONE)).run();
                    if (!replay.isSame())
                    {
                        differences.add("loop " + loop.report().loop() + ": " + replay.difference());
                    }
                }
            });
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return differences;
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
     * @param timeoutNs after which rooms that have not closed are closed.
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
