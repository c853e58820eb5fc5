package io.escapement.console;

import io.aeron.Aeron;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.driver.guard.GuardCounter;
import io.escapement.engine.Engine;
import io.escapement.testsupport.Tests;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;

/** A trunk over shared memory with a player, which the test polls. */
final class Player implements AutoCloseable
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final Aeron aeron;
    private final TrunkClient client;
    private AgentRunner runner;

    Player(final Engine engine, final String identity)
    {
        this(engine, new TrunkContext().identity(identity));
    }

    /** With options of its trunk. */
    Player(final Engine engine, final TrunkContext context)
    {
        // The default handler ends the JVM when the driver of a drained engine is gone.
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(engine.aeronDirectory())
            .useConductorAgentInvoker(true).errorHandler((ex) -> { }));
        client = TrunkClient.connect(context.ipc().aeron(aeron).secret(ConsoleTest.SECRET)
            .listener(new TrunkListener()
            {
            }));
    }

    /** Take a seat. */
    void join(final Engine engine, final long roomId, final long playerId)
    {
        ask(roomId, playerId);
        Tests.await(() -> poll() && !ConsoleTest.await(engine.operator().seats(roomId)).isEmpty(), "the seat");
    }

    /** Ask for a seat. */
    void ask(final long roomId, final long playerId)
    {
        Tests.await(() -> poll() &&
            SendStatus.SENT == client.join(1, roomId, playerId, new byte[0], NOTHING, 0, 0), "the trunk");
    }

    /** A counter of the driver's guards. */
    AtomicCounter guard(final GuardCounter counter)
    {
        final CountersReader counters = aeron.countersReader();
        return new AtomicCounter(counters.valuesBuffer(),
            counters.findByTypeIdAndRegistrationId(counter.typeId(), 0));
    }

    boolean poll()
    {
        aeron.conductorAgentInvoker().invoke();
        client.poll();
        return true;
    }

    /** Be polled by a thread from now on, so that a test may take its time. */
    void pollInBackground()
    {
        runner = new AgentRunner(new SleepingMillisIdleStrategy(10), Throwable::printStackTrace, null, new Agent()
        {
            @Override
            public int doWork()
            {
                if (!aeron.isClosed())
                {
                    poll();
                }
                return 0;
            }

            @Override
            public String roleName()
            {
                return "player";
            }
        });
        AgentRunner.startOnThread(runner);
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(runner, client, aeron);
    }
}
