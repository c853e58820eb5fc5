package io.escapement.perf.echo;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.logbuffer.FragmentHandler;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.Idle;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.TrunkServerContext;
import io.escapement.perf.process.Parent;
import io.escapement.perf.process.PerfDriver;
import java.util.Locale;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.IdleStrategy;

/** The process that gives messages back. It ends when its standard input does. */
public final class EchoServer
{
    static final byte[] SECRET = {7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9, 0, 4, 5, 2};
    static final int STREAM_ID = 1;
    static final long ROOM_ID = 1;
    private static final int FRAGMENT_LIMIT = 16;
    /** 100,000 answers a second are 10 MB: what a client missed that did not run for 0.4 s. */
    private static final int QUEUE_LENGTH = 4 * 1024 * 1024;

    private EchoServer()
    {
    }

    /**
     * Run it.
     *
     * @param arguments of {@link EchoOptions}.
     */
    public static void main(final String[] arguments)
    {
        final EchoOptions options = EchoOptions.of(arguments);
        if (options.isRaw())
        {
            raw(options);
        }
        else
        {
            engine(options);
        }
    }

    private static void engine(final EchoOptions options)
    {
        final EngineContext context = new EngineContext()
            .roomType(EchoRoom.type())
            .threadingMode(ThreadingMode.valueOf(options.mode().toUpperCase(Locale.ROOT)))
            .idle(Idle.valueOf(options.idleName()))
            .loops(1)
            .driverContext(PerfDriver.context(
                options.directory(), io.aeron.driver.ThreadingMode.INVOKER, options.idle()))
            .trunks(new TrunkServerContext()
                .udp(options.serverEndpoint(), options.responseEndpoint())
                .ipc(options.isIpc())
                .termLength(1024 * 1024)
                .largestFrame(64 * 1024)
                .queueLength(QUEUE_LENGTH)
                .limit(16)
                .secret(SECRET, true));
        try (Engine engine = Engine.launch(context))
        {
            if (ROOM_ID != engine.openRoom(EchoRoom.TYPE_ID).roomId())
            {
                throw new IllegalStateException("the first room is not " + ROOM_ID);
            }
            Parent.tell("READY");
            Parent.awaitEnd();
        }
    }

    /** The same layout of threads, without an engine. */
    private static void raw(final EchoOptions options)
    {
        // Shared, for the engine, is a driver in the thread of the edge: here as well, the one thread that there is.
        final io.aeron.driver.ThreadingMode mode = "dedicated".equals(options.mode()) ?
            io.aeron.driver.ThreadingMode.DEDICATED : io.aeron.driver.ThreadingMode.INVOKER;
        try (MediaDriver driver = MediaDriver.launch(
                PerfDriver.context(options.directory(), mode, options.idle()));
            Aeron aeron = PerfDriver.connect(options.directory(), driver.sharedAgentInvoker()))
        {
            final String to = options.isIpc() ? "aeron:ipc" : "aeron:udp?endpoint=" + options.serverEndpoint();
            final String from = options.isIpc() ? "aeron:ipc" : "aeron:udp?endpoint=" + options.clientEndpoint();
            final Subscription requests = aeron.addSubscription(to, STREAM_ID);
            final ExclusivePublication replies = aeron.addExclusivePublication(from, STREAM_ID + 1);
            final Thread thread = new Thread(
                () -> giveBack(driver.sharedAgentInvoker(), aeron, requests, replies,
                    PerfDriver.idle(options.idle())), "raw-echo");
            thread.start();
            Parent.tell("READY");
            Parent.awaitEnd();
            thread.interrupt();
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static void giveBack(
        final AgentInvoker driver,
        final Aeron aeron,
        final Subscription requests,
        final ExclusivePublication replies,
        final IdleStrategy idle)
    {
        final AgentInvoker conductor = aeron.conductorAgentInvoker();
        final FragmentHandler handler = (buffer, offset, length, header) ->
        {
            while (replies.offer(buffer, offset, length) < 0)
            {
                if (null != driver)
                {
                    driver.invoke();
                }
                if (replies.isClosed() || Publication.CLOSED == replies.position())
                {
                    return;
                }
            }
        };
        int polled = 0;
        while (!Thread.currentThread().isInterrupted())
        {
            // As the engine does: what came alone is handed on at once.
            int work = null != driver && polled < 2 ? driver.invoke() : PerfDriver.invoke(driver);
            work += conductor.invoke();
            polled = requests.poll(handler, FRAGMENT_LIMIT);
            if (0 != polled && null != driver)
            {
                driver.invoke();
            }
            idle.idle(work + polled);
        }
    }
}
