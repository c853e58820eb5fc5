package io.escapement.engine.internal.service;

import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.monitor.CounterTypes;
import org.agrona.concurrent.status.AtomicCounter;

/** The counters of a service, which all of its workers write. */
public final class ServiceCounters
{
    private final AtomicCounter requests;
    private final AtomicCounter failed;
    private final AtomicCounter busyNs;

    /**
     * Make the counters of a service.
     *
     * @param service named in the counters.
     * @param factory that makes them.
     */
    public ServiceCounters(final ServiceDefinition service, final LoopCounters.Factory factory)
    {
        final String prefix = prefix(service);
        requests = factory.counter(CounterTypes.SERVICE, prefix + "requests");
        failed = factory.counter(CounterTypes.SERVICE + 1, prefix + "requests that failed");
        busyNs = factory.counter(CounterTypes.SERVICE + 2, prefix + "nanoseconds at work");
    }

    /** The prefix of the labels. Several services may have one name. */
    public static String prefix(final ServiceDefinition service)
    {
        return "escapement service " + service.id() + " " + service.name() + ": ";
    }

    void handled(final long ns)
    {
        requests.increment();
        busyNs.getAndAdd(ns);
    }

    void failed()
    {
        failed.increment();
    }
}
