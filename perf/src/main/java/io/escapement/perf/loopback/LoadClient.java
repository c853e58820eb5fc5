package io.escapement.perf.loopback;

import io.aeron.driver.ThreadingMode;
import io.escapement.driver.DriverDirectory;
import io.escapement.perf.rig.ClientHost;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.DurablePlan;
import io.escapement.perf.rig.LoadRig;
import io.escapement.perf.rig.PerfDriver;
import io.escapement.perf.rig.Transport;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A process that sends a load in parts, as the tool asks for them. Parts of the warm-up also have results, because the
 * code that starts and stops a part first executes there, and the JIT recompiles. The one thread invokes the media
 * driver and spins, but parks until {@link Control#WARM}, so that the compilers have its core.
 */
abstract class LoadClient<P extends DurablePlan>
{
    /** Parts of the least warm-up. */
    private static final int LEAST_WARM_UPS = 4;
    private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(20);

    final P plan;
    final Control control;
    final LoadRig rig;
    /** Sent by {@link #send}. */
    final UnsafeBuffer message;
    Transport transport;
    /** Messages sent, including the warm-up. */
    long sent;
    long sentSum;
    /** Time of the part in which a duty cycle found work. */
    long busyNs;
    private AgentInvoker driver;
    private AgentInvoker conductor;
    private String line;
    private long cycleNs;

    /**
     * @param burst       messages between two duty cycles.
     * @param invocations of the driver after a burst.
     * @param length      of a message.
     */
    LoadClient(final P plan, final Control control, final int burst, final int invocations, final int length)
    {
        this.plan = plan;
        this.control = control;
        rig = new LoadRig(this::dutyCycle, () -> PerfDriver.invoke(driver, invocations), burst, 0);
        message = new UnsafeBuffer(new byte[length]);
    }

    /** Connect to the server that is measured. */
    abstract Transport open(ClientHost host);

    /** Run a part, and send its results to the tool. */
    abstract void part(int durationMs);

    /** Connect, and run parts up to the measured one, or until the end of input. */
    final void run(final boolean isEngine)
    {
        try (ClientHost host = new ClientHost(
                plan, () -> PerfDriver.context(DriverDirectory.temporary(), ThreadingMode.INVOKER, "busy"), isEngine);
            Transport opened = open(host))
        {
            driver = host.driver();
            conductor = host.aeron().conductorAgentInvoker();
            transport = opened;
            if (!rig.await(transport::connect, CONNECT_NS))
            {
                throw new IllegalStateException("no connection within " + CONNECT_NS + " ns");
            }
            control.send(Control.READY);
            follow();
            end();
        }
    }

    /** After the last part, while the connection is open. */
    void end()
    {
    }

    /** Start to measure. */
    final void startPart(final int durationMs)
    {
        control.meter().start(durationMs);
        control.send(Control.RECORDING);
        busyNs = 0;
    }

    /** Send the message. Returns false if it was not accepted. */
    final boolean send(final long contributionToSum)
    {
        if (!transport.send(message, message.capacity()))
        {
            return false;
        }
        sentSum += contributionToSum;
        sent++;
        return true;
    }

    private void follow()
    {
        for (String next = next(); !Control.END_OF_INPUT.equals(next); next = next())
        {
            if (Control.GO.equals(next))
            {
                part(plan.measureMs);
                return;
            }
            if (Control.PART.equals(next))
            {
                part(Math.max(1, plan.warmUpMs / LEAST_WARM_UPS));
            }
            else
            {
                control.warm(next);
            }
        }
    }

    /** Connections stay alive while the tool thinks. */
    private String next()
    {
        rig.await(() -> null != (line = control.poll()), Long.MAX_VALUE);
        return line;
    }

    private long dutyCycle()
    {
        final int work = PerfDriver.invoke(driver) + conductor.invoke() + transport.poll();
        final long nowNs = System.nanoTime();
        if (0 != work)
        {
            busyNs += nowNs - cycleNs;
        }
        else if (!control.warmUp().isOver())
        {
            LockSupport.parkNanos(PARK_NS);
        }
        cycleNs = nowNs;
        return nowNs;
    }
}
