package io.escapement.server;

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
    // The JDK has no other way to receive a signal, and exports this one for such uses: JEP 260. Without an
    // import, because Javadoc warns of one.
    static void handle(final Runnable task)
    {
        sun.misc.Signal.handle(new sun.misc.Signal("HUP"), (signal) -> task.run());
    }
}
