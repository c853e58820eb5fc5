package io.escapement.server;

import sun.misc.Signal;

/** SIGHUP, on which servers by custom read their files again. */
final class Hangup
{
    private Hangup()
    {
    }

    /**
     * Run a task on each SIGHUP, in place of ending. A process that was started with nohup receives none.
     *
     * @param task that is called in a thread for signals.
     */
    // The JDK has no other way to receive a signal, and exports this one for such uses: JEP 260.
    static void handle(final Runnable task)
    {
        Signal.handle(new Signal("HUP"), (signal) -> task.run());
    }
}
