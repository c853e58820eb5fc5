package io.escapement.engine;

/** How the work of an engine is spread over threads. The agents are the same in each. */
public enum ThreadingMode
{
    /** The driver's own threads or process, one thread for the edge, one a loop: for machines with cores to spare. */
    DEDICATED,
    /** One thread for an embedded driver and the edge, one a loop. With an external driver, the edge alone. */
    SHARED,
    /** Everything in one thread: for two cores or fewer. */
    SOLO,
    /** Everything in the thread that calls {@link Engine#invoke()}. */
    INVOKER
}
