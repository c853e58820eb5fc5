package io.escapement.perf.rig;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.LangUtil;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentRunner;

/**
 * A server of bare Aeron, the peer of an engine, with the same drivers, threads and windows. One thread sends messages
 * back, or hands them to a receiver, and invokes the media driver unless that has threads.
 */
public final class BareServer implements Agent
{
    static final int REQUEST_STREAM_ID = 1;
    static final int REPLY_STREAM_ID = 2;
    static final int REPLY_LIMIT = 16;
    private static final int RECEIVE_LIMIT = 64;

    private final AgentInvoker driver;
    private final AgentInvoker conductor;
    private final Subscription requests;
    private final ExclusivePublication replies;
    private final FragmentHandler handler;
    private int polled;

    private BareServer(
        final AgentInvoker driver, final Aeron aeron, final DurablePlan plan, final FragmentHandler receiver)
    {
        this.driver = driver;
        conductor = aeron.conductorAgentInvoker();
        requests = aeron.addSubscription(requestChannel(plan), REQUEST_STREAM_ID);
        replies = null == receiver ? aeron.addExclusivePublication(replyChannel(plan), REPLY_STREAM_ID) : null;
        handler = null == receiver ? this::reply : receiver;
    }

    /**
     * Run until the tool ends this process.
     *
     * @param mode     dedicated for a driver with threads. Otherwise the server's thread invokes it.
     * @param idle     strategy of all threads of the server.
     * @param receiver of the messages, null to send them back.
     */
    public static void run(
        final Control control,
        final DurablePlan plan,
        final String mode,
        final String idle,
        final FragmentHandler receiver)
    {
        final ThreadingMode threads = "dedicated".equals(mode) ? ThreadingMode.DEDICATED : ThreadingMode.INVOKER;
        try (MediaDriver driver = MediaDriver.launch(PerfDriver.context(plan.directory, threads, idle));
            Aeron aeron = PerfDriver.connect(plan.directory, driver.sharedAgentInvoker()))
        {
            run(control, plan, idle, new BareServer(driver.sharedAgentInvoker(), aeron, plan, receiver));
        }
    }

    /** Run a server in its thread until the tool ends this process. A fault stops the thread. */
    static void run(final Control control, final RunPlan plan, final String idle, final Agent server)
    {
        try (AgentRunner runner =
            new AgentRunner(PerfDriver.idle(idle, control), LangUtil::rethrowUnchecked, null, server))
        {
            AgentRunner.startOnThread(runner);
            control.send(Control.READY);
            control.serve(plan, () -> { }, Measurements::new);
        }
    }

    static String requestChannel(final DurablePlan plan)
    {
        return plan.isIpc() ? CommonContext.IPC_CHANNEL : "aeron:udp?endpoint=" + plan.serverEndpoint();
    }

    static String replyChannel(final DurablePlan plan)
    {
        return plan.isIpc() ? CommonContext.IPC_CHANNEL : "aeron:udp?endpoint=" + plan.clientEndpoint();
    }

    @Override
    public int doWork()
    {
        if (null == replies)
        {
            return PerfDriver.invoke(driver) + conductor.invoke() + requests.poll(handler, RECEIVE_LIMIT);
        }
        // Like the engine's edge: after at most one message the driver runs once, so that the answer leaves at once.
        final int work = (polled < 2 ? PerfDriver.invoke(driver, 1) : PerfDriver.invoke(driver)) + conductor.invoke();
        polled = requests.poll(handler, REPLY_LIMIT);
        if (0 != polled)
        {
            PerfDriver.invoke(driver, 1);
        }
        return work + polled;
    }

    @Override
    public String roleName()
    {
        return "aeron-server";
    }

    private void reply(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        while (replies.offer(buffer, offset, length) < 0 && !Thread.currentThread().isInterrupted())
        {
            PerfDriver.invoke(driver, 1);
        }
    }
}
